"""Addresses of the pages. A match's own page and its moments are in `match_urls.py`."""

from django.urls import include, path, re_path

from games.web import account, leaderboards, mute, views

urlpatterns = [
    path("", views.front, name="front"),
    path("departures/", views.departures, name="departures"),
    path("departures/count/", views.waiting_count, name="waiting-count"),
    path("next/", views.next_turn, name="next-turn"),
    path("lobby/", views.lobby, name="lobby"),
    path("matches/new/", views.new_match, name="new-match"),
    path("matches/new/quick/", views.quick, name="quick"),
    path("matches/new/quick/<slug:game>/", views.quick, name="quick"),
    path("leaderboards/", leaderboards.over_all, name="leaderboards"),
    path("leaderboards/<slug:game>/", leaderboards.of_game, name="leaderboard"),
    re_path(r"^players/(?P<username>[\w.-]{1,24})/$", leaderboards.player, name="player"),
    path("rules/", views.rules_index, name="rules"),
    path("rules/<slug:game>/", views.rules, name="rules"),
    path("rules/<slug:game>/board.webp", views.example, name="example"),
    path("about/", views.about, name="about"),
    path("my-data/", account.export, name="export-account"),
    path("my-data/delete/", account.delete, name="delete-account"),
    re_path(r"^mute/(?P<token>[-:\w]{1,500})/$", mute.mute_by_mail, name="mute-by-mail"),
    path("m/<slug:key>/join/", views.join, name="join-match"),
    path("m/<slug:key>/join/<slug:code>/", views.join_by_link, name="join-by-link"),
    path("m/<slug:key>/leave/", views.leave, name="leave-match"),
    path("m/<slug:key>/opponents/", views.add_opponent, name="add-opponent"),
    path("m/<slug:key>/opponents/<int:index>/", views.remove_opponent, name="remove-opponent"),
    path("m/<slug:key>/start/", views.start, name="start-match"),
    path("m/<slug:key>/cancel/", views.cancel, name="cancel-match"),
    path("m/<slug:key>/decline/", views.decline, name="decline-invitation"),
    path("m/<slug:key>/thumbnail.webp", views.thumbnail, name="thumbnail"),
    path("m/<slug:key>/", include("games.web.match_urls")),
]
