"""Small things that only the templates of a match's own pages need."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.formats import date_format

from games.words.catalogue import figure

register = template.Library()


@register.filter
def at(items: Sequence[Any], index: int) -> Any:
    """The item of a list at a place, as for names by seat."""
    return items[index]


register.filter("signed", figure)


@register.filter
def short_time(moment: datetime) -> str:
    """The time of a moment of today, the day of an earlier one, as the reader's calendar has it."""
    local = timezone.localtime(moment)
    return date_format(local, "H:i" if local.date() == timezone.localdate() else "j M")
