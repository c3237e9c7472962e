"""The page on which one reads and tries the API's schema, in a browser."""

import pytest

pytestmark = pytest.mark.browser


def test_the_readable_page_of_the_schema_can_be_read(new_page):
    page = new_page()
    page.goto("/api/v1/docs/")
    page.get_by_text("/api/v1/matches/{key}/turns/").first.click()
    page.get_by_text("Takes your turn.").first.wait_for()
