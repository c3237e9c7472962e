"""What all tests share: which of them run on which services, that strict runs skip nothing, the browser's fixtures."""

import json
import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache

from config import processes
from tests import migrated
from tests.people import person

PASS = os.environ.get("BRANCHLINE_TEST_PASS", "")
STRICT = os.environ.get("BRANCHLINE_TEST_STRICT") == "1"
NO_SERVICES = os.environ.get("BRANCHLINE_TEST_NO_SERVICES", "")
REPORT = os.environ.get("BRANCHLINE_TEST_REPORT", "")
CHROMIUM = ["chromium", "chromium-browser", "google-chrome"]
LEAN_CHROMIUM = "chromium-headless-shell"
"""The same without windows, for about half the work. It shows no notifications: modules that need some are marked."""
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
REDIS_DATABASE_OF_STACK = 8 + WORKER


# -- which tests run ---------------------------------------------------------------------------------------------------


def pytest_collection_modifyitems(config, items):
    """`manage.py test` makes two passes: all tests on SQLite, then those that use a database on the real services."""
    needing_services = {
        item for item in items if item.get_closest_marker("postgres") or item.get_closest_marker("stack")
    }
    if PASS == "services":
        kept = [item for item in items if item in needing_services or uses_the_database(item)]
    elif PASS == "sqlite" and not NO_SERVICES:
        kept = [item for item in items if item not in needing_services]
    else:
        kept = list(items)
        reason = NO_SERVICES or "needs PostgreSQL and Redis: run `python3 manage.py test`"
        for item in needing_services:
            item.add_marker(pytest.mark.skip(reason=reason))
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    keep_browsers_apart(kept)
    # What takes longest begins first, so that the processes of a parallel run end together.
    items[:] = sorted(kept, key=lambda item: "tests/stack" not in item.nodeid and not drives_a_browser(item))


def keep_browsers_apart(items):
    """The browser's event loop runs until its module ends, and Django queries no database beside one."""
    modules = [{item.path for item in items if asks(item)} for asks in (drives_a_browser, uses_the_database)]
    if both := set.intersection(*modules):
        raise pytest.UsageError(
            f"tests with a browser and tests with a database in one module: {sorted(map(str, both))}"
        )


def drives_a_browser(item):
    return bool(item.get_closest_marker("browser"))


def uses_the_database(item):
    """Whether a test runs on the database of this process: it has the marker or asks for the fixture."""
    fixtures = {"db", "transactional_db", "django_db_setup", "live_server"}
    return bool(item.get_closest_marker("django_db")) or not fixtures.isdisjoint(item.fixturenames)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if STRICT and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"skipped in a strict run: {reason_of(report)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    if STRICT and report.skipped:
        report.outcome, report.longrepr = "failed", f"skipped in a strict run: {reason_of(report)}"
    return report


def reason_of(report):
    """Why a test was skipped, in its author's words."""
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


def pytest_terminal_summary(terminalreporter):
    """For `manage.py test`, which adds the passes up."""
    if REPORT:
        stats = terminalreporter.stats
        counts = {"passed": len(stats.get("passed", [])) + len(stats.get("xfailed", []))}
        counts["failed"] = sum(len(stats.get(name, [])) for name in ("failed", "error", "xpassed"))
        skipped = Counter(reason_of(report) for report in stats.get("skipped", []))
        Path(REPORT).write_text(json.dumps({**counts, "skipped": skipped}))


# -- fixtures ----------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _empty_cache(request):
    """Counters of attempts and the like of one test are nothing to the next."""
    if uses_the_database(request.node):
        cache.clear()


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb, django_db_modify_db_settings):
    """Each process of a parallel run begins with a copy of one database, which was migrated once."""
    if not os.environ.get("PYTEST_XDIST_WORKER"):
        return django_db_keepdb
    test = django_settings.DATABASES["default"]["TEST"]
    if django_settings.POSTGRES:
        test["TEMPLATE"] = migrated.template()
    else:
        migrated.file(Path(test["NAME"]))
    return True  # both go with the run


@pytest.fixture
def alice(db):
    return person("Alice", email="alice@example.org")


@pytest.fixture
def bob(db):
    return person("Bob")


@pytest.fixture
def charlie(db):
    """Who has no business here."""
    return person("Charlie")


@pytest.fixture(scope="session")
def embedded_site(tmp_path_factory):
    """The address of a site as `manage.py play` starts it, with its demo accounts and opponents that do not pause."""
    settings = {"BRANCHLINE_OPPONENT_PAUSE": "0"}
    with processes.embedded_site(tmp_path_factory.mktemp("site"), settings) as site:
        yield site.url


@pytest.fixture
def site_data(tmp_path):
    """A data directory for a site of the test's own, with the tables that it would make itself at its first start."""
    migrated.file(tmp_path / "branchline.sqlite3")
    return tmp_path


@pytest.fixture(scope="session")
def stack_site():
    """The production stack (`config.processes.Stack`) on a database of its own."""
    database = processes.new_database(os.environ["DATABASE_URL"], f"branchline_stack_{WORKER}", migrated.template())
    redis = "/".join([*os.environ["REDIS_URL"].split("/")[:3], str(REDIS_DATABASE_OF_STACK)])
    with processes.stack(database, redis, {"BRANCHLINE_OPPONENT_PAUSE": "0"}) as stack:
        yield stack


@pytest.fixture(scope="module")
def chromium(request):
    """A headless browser (playwright, synchronous). It ends with its module: its event loop would disturb others."""
    from playwright.sync_api import sync_playwright

    names = CHROMIUM if request.node.get_closest_marker("notifications") else [LEAN_CHROMIUM, *CHROMIUM]
    program = os.environ.get("BRANCHLINE_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip("needs Chromium: install it, or name it in BRANCHLINE_CHROMIUM")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
    quiet += ["--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=quiet)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium, embedded_site):
    """Opens a page of a person of its own: `new_page(width=1280, height=800, **context)`; addresses may begin with /.

    A script that breaks on any of them, or content that the site's own policy forbids, fails the test.
    """
    contexts, complaints = [], []

    def complain(message):
        if message.type == "error" and "Content Security Policy" in message.text:
            complaints.append(message.text)

    def open_page(width=1280, height=800, **options):
        context = chromium.new_context(
            base_url=embedded_site, viewport={"width": width, "height": height}, locale="en-GB", **options
        )
        contexts.append(context)
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", complain)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def browser_page(new_page):
    """One page on a desktop."""
    return new_page()
