"""How ratings are written on pages. Not for anything that asks the database."""

from django import template

from games import ratings
from games.models import Rating, Seat

register = template.Library()


@register.filter
def rating(seat: Seat) -> Rating | None:
    """The rating of a seat's person in the game of the match, if it was read with them and there is one."""
    if seat.user is None or seat.level:
        return None
    read = getattr(seat.user, "_prefetched_objects_cache", {}).get("ratings", ())
    return next((each for each in read if each.game == seat.match.game), None)


@register.filter
def provisional(rated: Rating) -> bool:
    return ratings.is_provisional(rated.matches)


@register.filter
def change(amount: float, digits: int = 1) -> str:
    """What was won or lost, with its sign: "+12.3", "−4.0", "±0.0"."""
    words = f"{abs(amount):.{digits}f}"
    if not float(words):
        return f"±{words}"
    return f"{'+' if amount > 0 else '−'}{words}"
