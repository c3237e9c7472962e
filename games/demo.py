"""What a fresh installation starts with: two people to log in as, and matches to look at. Not for production."""

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from games import play
from games.models import Match

PEOPLE = ("Ann", "Bob")
PASSWORD = "all-aboard"  # noqa: S105 - printed by `manage.py play` for everybody to use


@transaction.atomic
def prepare() -> list[tuple[str, str]]:
    """Makes the demo accounts and a running match where they are missing; returns (name, password) of each."""
    people = [_person(name) for name in PEOPLE]
    if not Match.objects.exists():
        ann, bob = people
        match = play.create_match(ann, "trans-america", seats=4, opponents=("medium", "hard"))
        play.join_match(match.key, bob)
        play.create_match(bob, "trans-america", seats=3, opponents=("easy",))
        play.create_match(ann, "paris-connection", seats=4, opponents=("easy", "medium", "hard"))
    return [(name, PASSWORD) for name in PEOPLE]


def _person(name: str) -> AbstractBaseUser:
    users = get_user_model().objects
    return users.filter(username=name).first() or users.create_user(username=name, password=PASSWORD)
