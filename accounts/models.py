"""People: one row an account. Not for computer opponents (they are seats without a person) nor for anything of a game.

An e-mail address passes through django-allauth's EmailAddress first and comes to `User.email` once it is confirmed
(accounts/adapter.py): whatever writes mails may trust it.
"""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from accounts.names import NAME_MAX_LENGTH, form_validators


class Theme(models.TextChoices):
    AUTO = "", _("as my device has it")
    DAY = "day", _("day edition")
    NIGHT = "night", _("night edition")


class User(AbstractUser):
    first_name = None
    last_name = None
    date_joined = None

    username = models.CharField(
        _("name"),
        max_length=NAME_MAX_LENGTH,
        unique=True,
        validators=form_validators,
        error_messages={"unique": _("Somebody already has this name.")},
    )
    email = models.EmailField(_("e-mail address"), blank=True, help_text=_("Confirmed, in lower case; or empty."))
    is_guest = models.BooleanField(default=False, help_text=_("Came without an e-mail address and a password."))
    avatar = models.ImageField(_("picture"), upload_to="avatars", blank=True)
    timezone = models.CharField(_("time zone"), max_length=64, default="UTC")
    language = models.CharField(_("language"), max_length=10, blank=True, help_text=_("Empty: the browser's."))
    theme = models.CharField(_("theme"), max_length=5, blank=True, choices=Theme.choices, default=Theme.AUTO)
    created = models.DateTimeField(default=now, editable=False)

    objects: ClassVar[UserManager["User"]] = UserManager()
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [
            # UPPER is what Django's iexact compares, so that these indexes also serve the look-ups at log-in.
            models.UniqueConstraint(
                Upper("username"), name="one_name_in_any_case", violation_error_message=_("Somebody has this name.")
            ),
            models.UniqueConstraint(
                Upper("email"),
                name="one_confirmed_email_in_any_case",
                condition=~Q(email=""),
                violation_error_message=_("This address belongs to another account."),
            ),
        ]

    def save(self, *args: object, **kwargs: object) -> None:
        self.email = (self.email or "").lower()
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.username])

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    @property
    def avatar_url(self) -> str:
        """The address of the uploaded picture, or else of the drawn one."""
        return self.avatar.url if self.avatar else reverse("avatar", args=[self.pk])
