"""Time zone, language, look, token: what people set, and that it holds."""

import re
import zoneinfo

import pytest
from django.http import JsonResponse
from django.test import Client
from django.urls import path, reverse
from django.utils import timezone, translation
from rest_framework.authtoken.models import Token

from accounts.zones import zone_names
from tests.people import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice(client):
    alice = person("Alice")
    client.force_login(alice)
    return alice


def store(client, **values):
    return client.post(
        reverse("settings"), {"part": "preferences", "timezone": "UTC", "language": "", "theme": ""} | values
    )


def test_preferences_are_stored(client, alice):
    response = store(client, timezone="Asia/Tokyo", language="en", theme="night")
    assert response.url == reverse("settings")
    alice.refresh_from_db()
    assert (alice.timezone, alice.language, alice.theme) == ("Asia/Tokyo", "en", "night")
    assert 'data-theme="night"' in client.get(reverse("settings")).content.decode()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("timezone", "Moon/Base"),
        ("timezone", "../etc/passwd"),
        ("timezone", ""),
        ("language", "xx"),
        ("theme", "pink"),
    ],
)
def test_nonsense_is_refused_at_its_field(client, alice, field, value):
    response = store(client, **{field: value})
    assert list(response.context["preferences"].errors) == [field]
    alice.refresh_from_db()
    assert (alice.timezone, alice.language, alice.theme) == ("UTC", "", "")


def test_all_zones_can_be_chosen_and_all_are_real(client, alice):
    page = client.get(reverse("settings")).content.decode()
    assert len(zone_names()) > 400
    for name in zone_names():
        assert f'value="{name}"' in page
        zoneinfo.ZoneInfo(name)
    assert '<optgroup label="Europe">' in page


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("UTC", "UTC"),
        ("Europe/Berlin", "Berlin"),
        ("America/Argentina/Buenos_Aires", "Argentina, Buenos Aires"),
        ("Antarctica/DumontDUrville", "Dumont d’Urville"),
        ("America/Argentina/ComodRivadavia", "Argentina, Comodoro Rivadavia"),
        ("Australia/NSW", "New South Wales"),
    ],
)
def test_zones_are_called_as_people_write_their_places(client, alice, name, place):
    page = client.get(reverse("settings")).content.decode()
    assert re.search(rf'<option value="{name}"[^>]*>{place}</option>', page)


def whereabouts(request):
    return JsonResponse({"zone": timezone.get_current_timezone_name(), "language": translation.get_language()})


urlpatterns = [path("whereabouts/", whereabouts)]


@pytest.mark.urls(__name__)
def test_each_request_is_in_the_persons_time_zone(client, alice, settings):
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    assert client.get("/whereabouts/").json() == {"zone": "UTC", "language": "en"}
    alice.timezone, alice.language = "America/Lima", "de"
    alice.save()
    response = client.get("/whereabouts/")
    assert response.json() == {"zone": "America/Lima", "language": "de"}
    assert response["Content-Language"] == "de"
    assert Client().get("/whereabouts/").json()["zone"] == "UTC"
    assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.urls(__name__)
def test_a_zone_that_the_system_no_longer_knows_is_utc(client, alice):
    alice.timezone = "Europe/Atlantis"
    alice.save()
    assert client.get("/whereabouts/").json()["zone"] == "UTC"


@pytest.mark.urls(__name__)
def test_a_request_without_a_session_asks_nothing_of_the_database(django_assert_num_queries):
    with django_assert_num_queries(0):
        Client().get("/whereabouts/")


def test_a_session_that_no_site_ever_gave_is_not_looked_for(client, django_assert_num_queries):
    client.cookies["sessionid"] = "abcdefgh\0ijklmnop"  # PostgreSQL takes no NUL
    with django_assert_num_queries(0):
        assert client.get(reverse("settings")).status_code == 302
        assert client.get("/api/v1/vacation/").status_code == 401


def test_a_token_is_shown_once_replaced_and_revoked(client, alice):
    page = reverse("settings")
    first = client.post(page, {"part": "token"}).content.decode()
    key = Token.objects.get(user=alice).key
    assert key in first
    assert key not in client.get(page).content.decode()
    client.post(page, {"part": "token"})
    [token] = Token.objects.filter(user=alice)
    assert token.key != key
    client.post(page, {"part": "no-token"})
    assert not Token.objects.exists()


def test_the_settings_of_others_stay_theirs(client, alice):
    bob = person("Bob")
    token = Token.objects.create(user=bob)
    client.post(reverse("settings"), {"part": "no-token", "user": bob.pk})
    store(client, theme="night", user=bob.pk, id=bob.pk)
    bob.refresh_from_db()
    assert bob.theme == ""
    assert Token.objects.filter(pk=token.pk).exists()


def test_an_unknown_part_changes_nothing(client, alice):
    assert client.post(reverse("settings"), {"part": "delete"}).status_code == 200
