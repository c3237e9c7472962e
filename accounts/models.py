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
    last_seen = models.DateTimeField(null=True, editable=False)

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


class Vacation(models.Model):
    """Days on which a person's clocks stand. `ended` is set when it is over, at its time or early."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="vacations")
    started = models.DateTimeField(default=now)
    until = models.DateTimeField()
    ended = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=Q(ended__isnull=True), name="one_vacation_at_a_time")
        ]
        indexes = [models.Index(fields=["until"], condition=Q(ended__isnull=True), name="vacation_ends")]

    def __str__(self) -> str:
        return f"vacation of user {self.user_id} until {self.until}"


class NoticePreferences(models.Model):
    """How and when a person wants to be told. Without a row, the defaults hold (accounts/notifications)."""

    class MailMode(models.TextChoices):
        AT_ONCE = "at-once", _("at once")
        UNTIL_BACK = "until-back", _("one mail until I come back")
        DAILY = "daily", _("one mail a day")

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="notice_preferences")
    wanted = models.JSONField(default=dict, blank=True)  # {kind: [channel, ...]}; a kind that is missing: its default
    mail_mode = models.CharField(_("mails"), max_length=10, choices=MailMode.choices, default=MailMode.AT_ONCE)
    daily_hour = models.PositiveSmallIntegerField(_("hour of the daily mail"), default=8)  # in the person's zone
    quiet_from = models.PositiveSmallIntegerField(_("quiet from"), null=True, blank=True)  # hour, in the person's zone
    quiet_to = models.PositiveSmallIntegerField(_("quiet until"), null=True, blank=True)
    mail_result = models.CharField(max_length=200, blank=True)  # what came of the last mail
    mail_result_at = models.DateTimeField(null=True)
    last_mail = models.DateTimeField(null=True)  # when the last mail about matches went out

    class Meta:
        verbose_name_plural = "notice preferences"

    def __str__(self) -> str:
        return f"notice preferences of user {self.user_id}"


class PushSubscription(models.Model):
    """A browser that wants to be told by web push."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.URLField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=200)
    auth = models.CharField(max_length=100)
    device = models.CharField(max_length=100, blank=True)  # "Firefox on Linux": so that its owner knows it
    created = models.DateTimeField(default=now)
    result = models.CharField(max_length=200, blank=True)
    result_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"push subscription {self.pk} of user {self.user_id}"


class Webhook(models.Model):
    """An address of a person's own that is called with their notices."""

    class Format(models.TextChoices):
        JSON = "json", _("JSON, signed")
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=500)
    format = models.CharField(_("format"), max_length=8, choices=Format.choices, default=Format.JSON)
    secret = models.CharField(max_length=64)  # for the signature, as Standard Webhooks writes it: whsec_...
    created = models.DateTimeField(default=now)
    failing_since = models.DateTimeField(null=True)
    paused = models.DateTimeField(null=True)  # failed for long; its owner was told and may switch it on again
    result = models.CharField(max_length=200, blank=True)
    result_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"webhook {self.pk} of user {self.user_id}"
