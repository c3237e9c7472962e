"""`manage.py lint`: form, mistakes, types and the direction of imports, by the tools that pyproject.toml sets up."""

import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

LINTERS = {
    "Mistakes": ["ruff", "check", "."],
    "Form": ["ruff", "format", "--check", "."],
    "Types": ["mypy", "."],
    "Direction of imports": ["lint-imports"],
}


class Command(BaseCommand):
    help = "Check the code with ruff, mypy and import-linter."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        failed = [name for name, command in LINTERS.items() if not self.passes(name, command)]
        if failed:
            raise CommandError(f"Not in order: {', '.join(failed)}.")
        self.stdout.write(self.style.SUCCESS("All in order."))

    def passes(self, name: str, command: list[str]) -> bool:
        """Run one tool of this environment and let it speak; True when it has nothing to complain about."""
        program = Path(sysconfig.get_path("scripts"), command[0])
        if not program.exists():
            raise CommandError(
                f"This environment lacks {command[0]}: {sys.executable} -m pip install -r requirements-dev.txt"
            )
        self.stdout.write(self.style.MIGRATE_HEADING(f"{name}: {' '.join(command)}"))
        self.stdout.flush()
        return subprocess.run([str(program), *command[1:]], cwd=settings.BASE_DIR, check=False).returncode == 0
