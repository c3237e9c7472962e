"""`manage.py canary`: whether deadlines, the house, opponents and notices are kept up with; exits 1 if not."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from games.health import problems


class Command(BaseCommand):
    help = "Say what waits longer than it should, and exit 1 if anything does. For cron or a monitor."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        found = problems()
        for code, count in found:
            self.stdout.write(f"{code}: {count}")
        if found:
            sys.exit(1)
        self.stdout.write("All is well.")
