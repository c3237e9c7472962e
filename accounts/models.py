"""People: one row an account. Not for computer opponents (they are seats without a person) nor for anything of a game.

An address that somebody types in is a row of django-allauth's EmailAddress. It comes to `User.email` only once it is
confirmed (accounts/addresses.py): whatever writes mails may trust that field.
"""

import secrets
import zoneinfo
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.db.models.functions import Upper
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from accounts.drawing import initial_of
from accounts.names import GUEST_PREFIX, NAME_MAX_LENGTH, form_validators
from accounts.zones import zone_or_utc


class Theme(models.TextChoices):
    AUTO = "", _("as on my device")
    DAY = "day", _("day edition")
    NIGHT = "night", _("night edition")


_GUEST_WORDS = """
    Alder Ash Aspen Beech Birch Cedar Cherry Cypress Elm Fir Hazel Hemlock Hickory Juniper Larch Laurel Linden Maple Oak
    Pine Poplar Rowan Spruce Sycamore Walnut Willow Ballast Bogie Cutting Halt Junction Lantern Platform Points Siding
    Signal Sleeper Switch Tender Trestle Tunnel Turntable Viaduct Whistle
"""


class People(UserManager["User"]):
    """Makes accounts by hand (`create_user`, `createsuperuser`) and for guests; sign-up goes through django-allauth."""

    use_in_migrations = False

    def _create_user(self, username: str, email: str | None, password: str | None, **fields: Any) -> "User":
        """An address that is given here counts as confirmed, as if its owner had followed the mail's link."""
        from allauth.account.models import EmailAddress

        with transaction.atomic():
            user: User = super()._create_user(username, email, password, **fields)  # type: ignore[misc]
            if user.email:
                EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user

    def create_guest(self, zone: str = "UTC") -> "User":
        """An account with a pleasant free name and no way to log in again, until its owner keeps it."""
        for _attempt in range(20):
            name = f"{GUEST_PREFIX}{secrets.choice(_GUEST_WORDS.split())}-{secrets.randbelow(9000) + 1000}"
            try:
                with transaction.atomic():
                    return self.create_user(name, password=None, is_guest=True, timezone=zone)
            except IntegrityError:
                continue
        raise RuntimeError("No free name for a guest was found in 20 tries.")


class User(AbstractUser):
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    date_joined = None  # type: ignore[assignment]

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

    objects: ClassVar[People] = People()
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

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.email = (self.email or "").lower()
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.username])

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    @property
    def avatar_url(self) -> str:
        """The address of the uploaded picture, or else of the drawn one."""
        return self.avatar.url if self.avatar else reverse("avatar", args=[self.pk, initial_of(self.username)])

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        return zone_or_utc(self.timezone)
