"""Small things that only the templates of a match's own pages need."""

from collections.abc import Sequence
from typing import Any

from django import template

register = template.Library()


@register.filter
def at(items: Sequence[Any], index: int) -> Any:
    """The item of a list at a place, as for names by seat."""
    return items[index]


@register.filter
def signed(amount: int) -> str:
    """A figure with a real minus sign."""
    return str(amount).replace("-", "−")
