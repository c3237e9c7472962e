"""What a person wants to be told of, by which channels, and when. Not for the page on which they say so.

Everything here reads `user.notice_preferences`: who asks for many people selects that with them.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from accounts.models import NoticePreferences, User
from accounts.notifications import CHANNELS, KINDS
from accounts.presence import SEEN_EVERY


def preferences_of(user: User) -> NoticePreferences:
    """A person's preferences; the defaults, not stored, where there are none."""
    try:
        return user.notice_preferences
    except NoticePreferences.DoesNotExist:
        return NoticePreferences(user_id=user.pk)


def chosen_channels(user: User, kind: str) -> tuple[str, ...]:
    """The channels that a person has ticked for a kind of notice, or its defaults."""
    chosen = preferences_of(user).wanted.get(kind, KINDS[kind].defaults)
    return tuple(channel for channel in CHANNELS if channel in chosen)


def wanted_channels(user: User, kind: str) -> tuple[str, ...]:
    """The channels by which a notice of this kind may go out to a person as things are now."""
    return tuple(
        channel for channel in chosen_channels(user, kind) if user.is_active and (channel != "mail" or _gets_mail(user))
    )


def choose_channel(user: User, kind: str, channel: str, wanted: bool) -> None:
    """Ticks or unticks one channel for one kind. The caller's transaction makes it one with others."""
    preferences, _made = NoticePreferences.objects.select_for_update().get_or_create(user=user)
    chosen = set(preferences.wanted.get(kind, KINDS[kind].defaults))
    chosen = chosen | {channel} if wanted else chosen - {channel}
    preferences.wanted[kind] = [each for each in CHANNELS if each in chosen]
    preferences.save(update_fields=["wanted"])


def next_time(user: User, channel: str, now: datetime) -> datetime:
    """When something that happened `now` may go out over a channel: at once, after quiet hours, at the daily hour."""
    preferences, due = preferences_of(user), now
    if channel == "mail" and preferences.mail_mode == NoticePreferences.MailMode.DAILY:
        due = _next_hour(preferences.daily_hour, user.zone, now)
    return after_quiet_hours(user, channel, due)


def after_quiet_hours(user: User, channel: str, due: datetime) -> datetime:
    """The same time, or where that lies in the person's quiet hours their end. Webhooks know none."""
    if channel == "webhook":
        return due
    preferences = preferences_of(user)
    start, end = preferences.quiet_from, preferences.quiet_to
    if start is not None and end is not None and _is_between(due.astimezone(user.zone).hour, start, end):
        due = _next_hour(end, user.zone, due)
    return due


def _gets_mail(user: User) -> bool:
    """Whether a mail may go to a person now: there is a confirmed address, and they do not want to come back first."""
    if user.is_guest or not user.email:
        return False
    preferences = preferences_of(user)
    if preferences.mail_mode != NoticePreferences.MailMode.UNTIL_BACK or preferences.last_mail is None:
        return True
    # `last_seen` may be late by SEEN_EVERY. Better one mail too many than none for who came, moved and left.
    return user.last_seen is not None and user.last_seen > preferences.last_mail - SEEN_EVERY


def _is_between(hour: int, start: int, end: int) -> bool:
    """Whether an hour of the day lies in those from `start` to `end`, which may go over midnight. Equal: none does."""
    return start <= hour < end if start <= end else hour >= start or hour < end


def _next_hour(hour: int, zone: ZoneInfo, now: datetime) -> datetime:
    """The next moment after `now` at which clocks in the zone strike this hour.

    An hour that a change of clocks leaves out is struck when they are put forward; of one that comes twice, the first.
    """
    day = now.astimezone(zone).date() - timedelta(days=1)
    while True:
        moment = datetime(day.year, day.month, day.day, hour, tzinfo=zone).astimezone(UTC)
        if moment > now:
            return moment
        day += timedelta(days=1)
