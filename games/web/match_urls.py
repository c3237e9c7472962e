"""Addresses under a match's own: its page, its moments, and what is done at its table."""

from django.urls import path

from games.web import match

urlpatterns = [
    path("", match.page, name="match"),
    path("table/", match.table, name="match-table"),
    path("version/", match.version, name="match-version"),
    path("turn/", match.turn, name="match-turn"),
    path("log/", match.log, name="match-log"),
    path("resign/", match.resign, name="resign-match"),
    path("rematch/", match.rematch, name="rematch"),
    path("<int:number>/", match.moment, name="match-moment"),
]
