"""Vacations: up to thirty days a year on which a person's clocks stand.

Whoever keeps clocks hears of it by the signal `vacation_changed` and reads `until` here; this module knows no game. A
vacation's row stays open (`ended` is empty) until all who listen have done their part after its end, so that a process
that dies in between is made good by whoever calls `finish_vacations` next.
"""

import logging
import math
import zoneinfo
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User, Vacation
from accounts.signals import vacation_changed

log = logging.getLogger(__name__)

DAYS_A_YEAR = 30
DAY = timedelta(days=1)


class VacationRefusal(Exception):
    """A vacation cannot be taken. `code` is stable: bad-days, too-many-days, on-vacation; `left` are days."""

    def __init__(self, code: str, left: int = 0) -> None:
        super().__init__(code)
        self.code, self.left = code, left


def sentence(refusal: VacationRefusal) -> str:
    """Why not, in the language of the request."""
    if refusal.code == "on-vacation":
        return _("You are on vacation already.")
    if refusal.code == "bad-days":
        return _("A vacation lasts between one and %(most)s days.") % {"most": DAYS_A_YEAR}
    if refusal.left == 0:
        return _("You have no days of vacation left in the year it would be in.")
    return ngettext(
        "You have %(left)s day of vacation left in the year it would be in.",
        "You have %(left)s days of vacation left in the year it would be in.",
        refusal.left,
    ) % {"left": refusal.left}


def start_vacation(user: Any, days: int) -> Vacation:
    """From now on, for whole days of 24 hours. Raises VacationRefusal: bad-days, too-many-days, on-vacation."""
    if isinstance(days, bool) or not isinstance(days, int) or not 1 <= days <= DAYS_A_YEAR:
        raise VacationRefusal("bad-days")
    _finish(user)
    with transaction.atomic():
        # Two presses at once take one vacation after the other, which refuses the second.
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if current_vacation(person) is not None:
            raise VacationRefusal("on-vacation")
        now = timezone.now()
        planned = Vacation(user=person, started=now, until=now + days * DAY)
        local = planned.until.astimezone(person.zone)
        for year in {now.astimezone(person.zone).year, local.year}:
            left = days_left(person, year)
            if _days_in(planned.started, planned.until, year, person.zone) > left:
                raise VacationRefusal("too-many-days", left)
        planned.save()
    vacation_changed.send(sender=Vacation, user=user)
    return planned


def end_vacation(user: Any) -> None:
    """Back again. Who is not on vacation stays so."""
    vacation = current_vacation(user)
    if vacation is not None:
        now = timezone.now()
        Vacation.objects.filter(pk=vacation.pk, ended=None, until__gt=now).update(until=now)
        _finish(user)


def finish_vacations(most: int = 100) -> int:
    """Ends those whose time is over, at most so many; gives how many there were."""
    over = Vacation.objects.filter(ended=None, until__lte=timezone.now()).order_by("until").select_related("user")
    found = list(over[:most])
    for vacation in found:
        try:
            _finish(vacation.user)
        except Exception:  # one that fails must not keep the others away; the next call tries it again
            log.exception("%s could not be ended", vacation)
    return len(found)


def current_vacation(user: Any) -> Vacation | None:
    """The vacation that a person is on."""
    return Vacation.objects.filter(user=user, ended=None, until__gt=timezone.now()).first()


def days_left(user: Any, year: int | None = None) -> int:
    """Days of vacation that a person may still take in a year of their zone, this one unless another is asked for.

    Begun days count as whole ones; a vacation that is running counts as it is planned.
    """
    zone = user.zone
    if year is None:
        year = timezone.now().astimezone(zone).year
    begins, ends = _year(year, zone)
    taken = Vacation.objects.filter(user=user, started__lt=ends, until__gt=begins)
    return max(0, DAYS_A_YEAR - sum(_days_in(each.started, each.until, year, zone) for each in taken))


def until(users: Iterable[int]) -> dict[int, datetime]:
    """Until when those of the accounts with these keys that are on vacation are so.

    Inside a transaction the rows stay locked: what the caller makes of them, and the end of the vacation, come one
    after the other. So whoever ends it finds what was made.
    """
    running = Vacation.objects.select_for_update().filter(user__in=list(users), ended=None, until__gt=timezone.now())
    return {vacation.user_id: vacation.until for vacation in running.order_by("pk")}


def _finish(user: Any) -> None:
    """Closes the row of a vacation that is over, after all who listen have heard so."""
    over = Vacation.objects.filter(user=user, ended=None, until__lte=timezone.now()).first()
    if over is not None:
        vacation_changed.send(sender=Vacation, user=user)
        over.ended = over.until
        over.save(update_fields=["ended"])


def _year(year: int, zone: zoneinfo.ZoneInfo) -> tuple[datetime, datetime]:
    return datetime(year, 1, 1, tzinfo=zone), datetime(year + 1, 1, 1, tzinfo=zone)


def _days_in(started: datetime, ended: datetime, year: int, zone: zoneinfo.ZoneInfo) -> int:
    """Days of a vacation that lie in a year, begun ones counted."""
    begins, ends = _year(year, zone)
    # In UTC: two times of one zone subtract as clocks on the wall do, with an hour too many or too few in some nights.
    return math.ceil((_utc(min(ended, ends)) - _utc(max(started, begins))) / DAY) if ended > begins else 0


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(zoneinfo.ZoneInfo("UTC"))
