"""Addresses of the API, version 1."""

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView

from games.api import clocks, ratings, views

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", views.DocsView.as_view(url_name="api-schema"), name="api-docs"),
    path("token/", views.TokenView.as_view()),
    path("games/", views.GamesView.as_view()),
    path("games/<slug:key>/", views.GameView.as_view()),
    path("matches/", views.MatchesView.as_view()),
    path("matches/<slug:key>/", views.MatchView.as_view(), name="api-match"),
    path("matches/<slug:key>/join/", views.JoinView.as_view()),
    path("matches/<slug:key>/leave/", views.LeaveView.as_view()),
    path("matches/<slug:key>/start/", views.StartView.as_view()),
    path("matches/<slug:key>/cancel/", views.CancelView.as_view()),
    path("matches/<slug:key>/resign/", views.ResignView.as_view()),
    path("matches/<slug:key>/decline/", views.DeclineView.as_view()),
    path("matches/<slug:key>/rematch/", views.RematchView.as_view()),
    path("matches/<slug:key>/opponents/", views.OpponentsView.as_view()),
    path("matches/<slug:key>/opponents/<int:index>/", views.OpponentView.as_view()),
    path("matches/<slug:key>/choices/", views.ChoicesView.as_view()),
    path("matches/<slug:key>/turns/", views.TurnsView.as_view(), name="api-turns"),
    path("matches/<slug:key>/log/", views.LogView.as_view()),
    path("matches/<slug:key>/ratings/", ratings.MatchRatingsView.as_view()),
    path("matches/<slug:key>/record/", views.RecordView.as_view(), name="api-record"),
    path("matches/<slug:key>/", include("games.api.talk")),
    path("matches/<slug:key>/", include("games.api.clocks")),
    re_path(r"^matches/(?P<key>[\w-]+)/picture\.(?P<kind>svg|png)$", views.PictureView.as_view(), name="api-picture"),
    path("me/", include("games.api.me")),
    path("vacation/", clocks.VacationView.as_view()),
    path("leaderboards/<slug:key>/", ratings.LeaderboardView.as_view()),
    re_path(r"^players/(?P<name>[\w.-]{1,24})/$", ratings.PlayerView.as_view()),
    re_path(r"", views.NowhereView.as_view()),
]
