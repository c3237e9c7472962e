#!/usr/bin/env python3
"""Runs the site's commands: `python3 manage.py play`, `test`, `lint` and all of Django's.

Run by a Python that has the dependencies it uses that Python as it is. Run by a bare Python 3.11 or newer it makes
`.venv` beside itself, installs the pinned set once, and goes on in there. It decides nothing about the site; it must
stay readable for old Pythons, so that they can say that they are too old.
"""

import os
import sys

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - before the Python is known to be new enough
FOR_DEVELOPERS = ("test", "lint", "stack")
RESTARTED = "BRANCHLINE_ENVIRONMENT_MADE"


def main(argv):
    """Make the environment when there is none, then run Django's command `argv[1]` in it."""
    if sys.version_info < OLDEST:
        sys.exit("Branchline needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info[:2]))
    command = argv[1] if len(argv) > 1 else ""
    enter_environment("requirements-dev.txt" if command in FOR_DEVELOPERS else "requirements.txt", argv)
    prepare_settings(command, argv[2:])
    from django.core.management import execute_from_command_line

    execute_from_command_line(argv)


def prepare_settings(command, arguments):
    """Put what must be known before the settings are read into the environment."""
    import argparse

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if command in FOR_DEVELOPERS:
        os.environ["SECRET_KEY"] = "tests and linters make no key beside a person's data"  # noqa: S105
    if command == "play":
        # The command itself checks and explains these options; here they only have to be found.
        options = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        options.add_argument("--port", nargs="?")
        options.add_argument("--data-dir", nargs="?")
        known, _ = options.parse_known_args(arguments)
        if known.data_dir:
            os.environ["BRANCHLINE_DATA_DIR"] = known.data_dir
        os.environ.setdefault("BRANCHLINE_URL", "http://127.0.0.1:{}".format(known.port or "8000"))
        place = os.environ.get("BRANCHLINE_DATA_DIR") or os.path.join(ROOT, "data")  # noqa: PTH118 - as above
        try:
            os.makedirs(place, exist_ok=True)  # noqa: PTH103
            if not os.access(place, os.W_OK):
                raise PermissionError(0, "not writable")
        except OSError as error:
            message = "{} cannot hold the site's data ({}). Choose another place with --data-dir."
            sys.exit(message.format(place, error.strerror))


# -- the environment ---------------------------------------------------------------------------------------------------


def enter_environment(requirements, argv):
    """Return when this Python has the dependencies; otherwise go on, by exec, in a `.venv` that has them."""
    from pathlib import Path

    venv = Path(ROOT, ".venv")
    inside = Path(sys.prefix).resolve() == venv.resolve()
    if not inside and not missing_dependencies():
        return
    if inside and is_complete(venv, requirements):
        return
    if os.environ.pop(RESTARTED, ""):
        sys.exit(
            "The packages in .venv cannot be used: {} not found. Remove .venv and run this again.".format(
                ", ".join(missing_dependencies()) or requirements
            )
        )
    try:
        with alone():
            if not is_complete(venv, requirements):
                make_environment(venv, requirements)
    except OSError as error:
        sys.exit(f"Branchline cannot make its environment {venv}: {error}.")
    except KeyboardInterrupt:
        sys.exit("Stopped. The next run makes the environment again.")
    go_on([str(python_of(venv)), *argv])


def go_on(command):
    """Replace this process by `command` (Windows has no such thing: there, wait for it)."""
    os.environ[RESTARTED] = "1"
    if os.name == "nt":
        import subprocess

        sys.exit(subprocess.call(command))
    os.execv(command[0], command)  # noqa: S606


def missing_dependencies(paths=None):
    """Names of the direct dependencies in pyproject.toml that are not installed (in `paths`; else in this Python)."""
    import re
    import tomllib
    from importlib.metadata import distributions
    from pathlib import Path

    project = tomllib.loads(Path(ROOT, "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in project["dependencies"]]
    found = distributions() if paths is None else distributions(path=paths)
    installed = {normal(each.metadata["Name"] or "") for each in found}
    return [name for name in wanted if normal(name) not in installed]


def normal(name):
    """A distribution's name in the one spelling that names are compared in."""
    return name.lower().replace("_", "-").replace(".", "-")


def python_of(venv):
    """Path of the interpreter of an environment."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def is_complete(venv, requirements):
    """Whether `venv` runs and holds what the requirements file asks for today.

    An environment that this script did not make (it has neither of its two marks) is complete when it has the
    dependencies, whatever their versions: somebody chose them.
    """
    import json

    if (venv / "unfinished").exists() or not os.access(python_of(venv), os.X_OK):
        return False
    site_packages = [str(path) for path in (*venv.glob("lib/python*/site-packages"), venv / "Lib" / "site-packages")]
    if missing_dependencies(site_packages):
        return False
    stamp = venv / "installed.json"
    return not stamp.exists() or json.loads(stamp.read_text()).get(requirements) == fingerprint(requirements)


def fingerprint(requirements):
    """A hash of all that the requirements file pins, the files it includes among them."""
    import hashlib
    from pathlib import Path

    text = Path(ROOT, requirements).read_bytes()
    if requirements != "requirements.txt":
        text += Path(ROOT, "requirements.txt").read_bytes()
    return hashlib.sha256(text).hexdigest()


def make_environment(venv, requirements):
    """Make or complete `venv`. Whatever interrupts this leaves the mark `unfinished`, and the next run starts anew."""
    import json
    import shutil

    unfinished, stamp = venv / "unfinished", venv / "installed.json"
    installed = json.loads(stamp.read_text()) if stamp.exists() else {}
    if unfinished.exists() or (venv.exists() and not os.access(python_of(venv), os.X_OK)):
        shutil.rmtree(venv)
        installed = {}
    say(
        f"Installing what has changed in {requirements} ..."
        if installed
        else "Installing the packages Branchline needs into .venv; this happens once and takes a minute or two ..."
    )
    venv.mkdir(exist_ok=True)
    unfinished.touch()
    if not installed:
        # The base interpreter: the one of a .venv that has just been removed is gone.
        base = getattr(sys, "_base_executable", None) or sys.executable
        run(
            [base, "-m", "venv", str(venv)],
            "This Python cannot make a virtual environment (on Debian and Ubuntu the package python3-venv is missing).",
        )
    pip = [str(python_of(venv)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    run(
        [*pip, "--retries", "2", "-r", os.path.join(ROOT, requirements)],  # noqa: PTH118
        f"The packages of {requirements} could not be installed; is the network reachable?",
    )
    stamp.write_text(json.dumps({**installed, requirements: fingerprint(requirements)}))
    unfinished.unlink()


def run(command, sentence):
    """Run a step of the installation; when it fails end this process with one sentence and the step's last words."""
    import subprocess

    step = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if step.returncode:
        lines = [line.strip() for line in step.stdout.splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line.lower()] or lines[-1:]
        sys.exit("{} {}".format(sentence, f"({errors[-1]})" if errors else "").strip())


def say(sentence):
    """Tell the person, on the stream that commands do not print their results on."""
    print(sentence, file=sys.stderr, flush=True)


def alone():
    """A context in which no other process on this machine makes the environment of this folder.

    The lock is on this file, so nothing is left behind, and it ends with the process. Windows has no such lock.
    """
    import contextlib

    try:
        import fcntl
    except ImportError:
        return contextlib.nullcontext()

    @contextlib.contextmanager
    def locked():
        with open(os.path.join(ROOT, "manage.py"), "rb") as file:  # noqa: PTH118, PTH123
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    return locked()


if __name__ == "__main__":
    main(sys.argv)
