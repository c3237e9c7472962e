"""People with pages in a browser."""

import pytest

from tests.web.browser import sign_up


@pytest.fixture(scope="session")
def accounts():
    """By name: the cookies of who has signed up on the site of this run."""
    return {}


@pytest.fixture
def page_of(new_page, accounts):
    """Opens a page of one of the people of these tests, who each sign up once."""

    def open_page(name="Alba", **options):
        if name not in accounts:
            page = new_page()
            sign_up(page, name)
            accounts[name] = page.context.storage_state()
        return new_page(storage_state=accounts[name], **options)

    return open_page
