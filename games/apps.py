"""The Django app that holds matches."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import password_changed, password_reset

        from accounts.signals import logged_out, renamed, vacation_changed
        from games import chat, nudges, play

        renamed.connect(play.rename_player)
        vacation_changed.connect(play.follow_vacation)
        renamed.connect(chat.rename_writer)
        for ending in (logged_out, password_changed, password_reset):
            ending.connect(nudges.sessions_ended)
