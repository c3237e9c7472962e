"""`manage.py verify_match`: checks that matches are what their records say, deals and scores included."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from games import record
from games.models import Match


class Command(BaseCommand):
    help = "Folds the records of matches anew and compares the outcome with what is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", nargs="*", help="Key of a match, or the file of a downloaded record.")
        parser.add_argument("--all", action="store_true", help="Every match that has started.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["match"] and not options["all"]:
            raise CommandError("Name a match or a file, or say --all.")
        started = Match.objects.filter(snapshot__isnull=False)
        names = options["match"] + (list(started.values_list("key", flat=True)) if options["all"] else [])
        bad = 0
        for name in names:
            faults = self.faults_of(name)
            bad += bool(faults)
            self.stdout.write(f"{name}: {'; '.join(faults) or 'as its record says'}")
        if bad:
            raise CommandError(f"{bad} of {len(names)} are not what their records say.")

    def faults_of(self, name: str) -> list[str]:
        if Path(name).is_file():
            try:
                download = msgspec.json.decode(Path(name).read_bytes(), type=record.DownloadedRecord)
            except msgspec.DecodeError as problem:
                return [f"it is no record: {problem}"]
            return record.faults_of_download(download)
        match = Match.objects.filter(key=name).first()
        if match is None:
            raise CommandError(f"There is no match or file called {name}.")
        if match.snapshot is None:
            raise CommandError(f"Match {name} has not started.")
        return record.faults(match)
