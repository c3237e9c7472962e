"""A site that tests may break, one for each module that asks for it."""

import pytest

from tests.stack.faults import breakable_site


@pytest.fixture(scope="module")
def whole_site():
    with breakable_site() as made:
        yield made


@pytest.fixture
def site(whole_site):
    """The site with all its parts at work, which it must be after the test as well."""
    for part in (whole_site.database.part, whole_site.redis.part, *whole_site.stack.parts.values()):
        if not part.runs:
            part.start()
    yield whole_site
    whole_site.box.refusal = whole_site.box.on_data = None
    whole_site.is_well()


@pytest.fixture
def ann(site):
    return site.person("Ann")


@pytest.fixture
def bob(site):
    return site.person("Bob")
