"""Every test of accounts has a media folder of its own."""

import pytest


@pytest.fixture(autouse=True)
def _own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
