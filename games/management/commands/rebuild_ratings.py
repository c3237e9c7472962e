"""`manage.py rebuild_ratings`: reckons all ratings again from the finished matches, to the same numbers."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games import ratings
from games.models import RatedMatch


class Command(BaseCommand):
    help = "Reckon all ratings again, in the order in which the matches were rated."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="Only compare, and fail when something differs.")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        def watch(matches: Iterable[RatedMatch], count: int) -> Iterable[RatedMatch]:
            return tqdm(matches, total=count, unit="match", file=self.stderr, disable=options["verbosity"] == 0)

        done = ratings.rebuild(store=not check, watch=watch)
        self.stdout.write(f"{done.matches} matches, {done.changes} changes, {done.ratings} ratings.")
        if not done.differences:
            self.stdout.write("All as stored.")
        elif check:
            raise CommandError(f"{done.differences} rows differ from what is stored.")
        else:
            self.stdout.write(f"{done.differences} rows differed and were replaced.")
