"""Every test of accounts has a media folder of its own; and somebody who is a little faster."""

import pytest
from django.contrib.auth import get_user_model

from tests.people import person


@pytest.fixture(autouse=True)
def _own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


class Rival:
    """Takes the name "aLiCe" while a form's password is looked at: its name was free a moment before."""

    def validate(self, password, user=None):
        if not get_user_model().objects.filter(username="aLiCe").exists():
            person("aLiCe")


@pytest.fixture
def rival(settings):
    settings.AUTH_PASSWORD_VALIDATORS = [{"NAME": f"{__name__}.Rival"}]
