"""manage.py makes the environment it needs, once, and says in a sentence when it cannot."""

import ast
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import zipfile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from config.processes import ROOT, site_settings
from config.secret import local_secret_key

BARE_PYTHON = getattr(sys, "_base_executable", sys.executable)
DJANGO = """
import sys
def execute_from_command_line(argv):
    print("inside", sys.prefix, *argv[1:])
"""


def pins(name):
    """Names and versions in a requirements file, with what it includes."""
    found = {}
    for line in (ROOT / name).read_text().splitlines():
        if line.startswith("-r "):
            found |= pins(line.removeprefix("-r "))
        elif line and not line.startswith("#"):
            requirement = Requirement(line)
            (pin,) = requirement.specifier
            assert pin.operator == "==", line
            found[canonicalize_name(requirement.name)] = pin.version
    return found


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_dependency_has_a_pin_inside_its_range(name):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"]
    if name == "requirements-dev.txt":
        wanted = wanted + project["optional-dependencies"]["dev"]
    pinned = pins(name)
    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), requirement


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt", "pyproject.toml"])
def test_no_file_names_a_package_index(name):
    assert not re.search(r"://|--(extra-)?index|--find-links|--hash", (ROOT / name).read_text())


def test_old_pythons_can_read_the_sentence_that_they_are_too_old():
    ast.parse((ROOT / "manage.py").read_text(), feature_version=(3, 6))


# -- in a project of its own, whose one dependency is a file, so that nothing is fetched -------------------------------


@pytest.fixture
def project(tmp_path):
    """A copy of manage.py beside a pinned set of one package, which brings a Django that says where it runs."""
    shutil.copy(ROOT / "manage.py", tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["branchline-probe>=1"]\n')
    pin(tmp_path, "1")
    (tmp_path / "requirements-dev.txt").write_text("-r requirements.txt\n")
    return tmp_path


def pin(project, version):
    """Make a wheel of that version and pin it."""
    wheel = project / f"branchline_probe-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        facts = f"branchline_probe-{version}.dist-info"
        archive.writestr("django/__init__.py", "")
        archive.writestr("django/core/__init__.py", "")
        archive.writestr("django/core/management/__init__.py", DJANGO)
        archive.writestr(f"{facts}/METADATA", f"Metadata-Version: 2.1\nName: branchline-probe\nVersion: {version}\n")
        archive.writestr(f"{facts}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{facts}/RECORD", "")
    (project / "requirements.txt").write_text(f"{wheel}\n")


def start(project, *command, python=BARE_PYTHON):
    return subprocess.Popen(
        [python, "manage.py", *command],
        cwd=project,
        env=site_settings({}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run(project, *command, **options):
    """Exit code, what the command printed, and what manage.py said of its own work."""
    process = start(project, *command, **options)
    printed, said = process.communicate(timeout=120)
    return process.returncode, printed.strip(), said.strip()


def inside(project, *command):
    """What the project's Django prints when it runs in the project's own environment."""
    return " ".join(["inside", str(project / ".venv"), *command])


def test_a_bare_python_makes_the_environment_once_and_goes_on_in_it(project):
    code, printed, said = run(project, "play", "--port", "8001")
    assert (code, printed) == (0, inside(project, "play", "--port", "8001"))
    assert len(said.splitlines()) == 1
    assert "once" in said
    assert run(project, "play") == (0, inside(project, "play"), "")
    # Tests need more than the site does: that is installed when it is first asked for, and new pins are as well.
    code, printed, said = run(project, "test", "-x")
    assert (code, printed) == (0, inside(project, "test", "-x"))
    assert "requirements-dev.txt" in said
    pin(project, "2")
    code, printed, said = run(project, "play")
    assert (code, printed, len(said.splitlines())) == (0, inside(project, "play"), 1)
    assert list(project.glob(".venv/lib/python*/site-packages/branchline_probe-2.dist-info"))


def test_an_environment_that_was_interrupted_is_made_again_and_what_stands_in_its_way_is_one_sentence(project):
    process = start(project, "play")
    while not (project / ".venv" / "unfinished").exists():
        assert process.poll() is None
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    (project / ".venv" / "half").touch()
    (project / "requirements.txt").write_text(f"{project / 'missing-1-py3-none-any.whl'}\n")
    code, printed, said = run(project, "play")
    assert (code, printed) == (1, "")
    assert "could not be installed" in said.splitlines()[-1]
    assert "Traceback" not in said
    pin(project, "1")
    code, printed, _said = run(project, "play")
    assert (code, printed) == (0, inside(project, "play"))
    assert not (project / ".venv" / "half").exists()
    assert not (project / ".venv" / "unfinished").exists()


def test_of_two_processes_at_once_one_makes_the_environment_and_both_go_on(project):
    both = [start(project, "play", name) for name in ("one", "two")]
    answers = [process.communicate(timeout=120) for process in both]
    assert [out.strip() for out, _ in answers] == [inside(project, "play", "one"), inside(project, "play", "two")]
    assert sum(bool(said.strip()) for _, said in answers) == 1
    used_as_it_is_where_it_was_not_made(project)
    made_good_when_packages_are_lost(project)


def used_as_it_is_where_it_was_not_made(project):
    """An environment with the dependencies, in a container for example, is used, and no other one is made."""
    (project / ".venv").rename(project / "container")
    code, printed, said = run(project, "play", python=project / "container" / "bin" / "python")
    assert (code, printed, said) == (0, f"inside {project / 'container'} play", "")
    assert not (project / ".venv").exists()
    (project / "container").rename(project / ".venv")


def made_good_when_packages_are_lost(project):
    """Even when it is the environment's own Python that finds out."""
    for path in project.glob(".venv/lib/python*/site-packages/*"):
        if "branchline_probe" in path.name or path.name == "django":
            shutil.rmtree(path)
    code, printed, _said = run(project, "play", python=project / ".venv" / "bin" / "python")
    assert (code, printed) == (0, inside(project, "play"))


def test_a_python_without_venv_is_told_so(project):
    # A module of this name before the standard library's, as on a Debian without python3-venv.
    (project / "venv.py").write_text("raise SystemExit('ensurepip is not available')")
    environment = {**site_settings({}), "PYTHONPATH": str(project)}
    done = subprocess.run(
        [BARE_PYTHON, "manage.py", "play"], cwd=project, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "cannot make a virtual environment" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_empty_secret_key_is_made_anew(tmp_path):
    tmp_path.joinpath("secret-key").touch()
    assert len(local_secret_key(tmp_path)) > 40
    assert local_secret_key(tmp_path) == local_secret_key(tmp_path)


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_place_that_cannot_hold_the_data_is_said_in_a_sentence(tmp_path, place):
    tmp_path.joinpath("file").touch()
    command = [sys.executable, "manage.py", "play", "--data-dir", str(tmp_path / place)]
    done = subprocess.run(command, cwd=ROOT, env=site_settings({}), capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "Choose another place with --data-dir" in done.stderr
    assert "Traceback" not in done.stderr
