"""The app of people: accounts, their preferences and how they get in. It knows no game."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import addresses  # noqa: F401 - connects its receiver
