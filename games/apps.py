"""The Django app that holds matches."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.signals import renamed, vacation_changed
        from games import chat, play

        renamed.connect(play.rename_player)
        vacation_changed.connect(play.follow_vacation)
        renamed.connect(chat.rename_writer)
