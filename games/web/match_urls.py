"""Addresses under a match's own: its page, its moments, and what is done at its table."""

from django.urls import path

from games.web import clocks, match, talk

urlpatterns = [
    path("", match.page, name="match"),
    path("table/", match.table, name="match-table"),
    path("version/", match.version, name="match-version"),
    path("turn/", match.turn, name="match-turn"),
    path("log/", match.log, name="match-log"),
    path("resign/", match.resign, name="resign-match"),
    path("rematch/", match.rematch, name="rematch"),
    path("pause/", clocks.pause, name="pause-match"),
    path("pause/withdraw/", clocks.withdraw_pause, name="withdraw-pause"),
    path("pause/end/", clocks.resume, name="resume-match"),
    path("mute/", clocks.mute, name="mute-match"),
    path("seats/<int:index>/invite/", clocks.invite_to_seat, name="invite-to-seat"),
    path("take-over/", clocks.take_over, name="take-over"),
    path("chat/", talk.chat, name="match-chat"),
    path("chat/seen/", talk.seen, name="match-chat-seen"),
    path("note/", talk.note, name="match-note"),
    path("<int:number>/", match.moment, name="match-moment"),
]
