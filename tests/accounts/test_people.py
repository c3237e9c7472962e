"""The rows of people: one name and one confirmed address each, in any case, by the database itself."""

import pytest
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction

from tests.people import person

pytestmark = pytest.mark.django_db


def test_the_database_itself_refuses_a_name_twice_in_any_case():
    person("Alice")
    with pytest.raises(IntegrityError), transaction.atomic():
        person("aLiCe")


def test_the_database_itself_refuses_a_confirmed_address_twice_in_any_case():
    person("Alice", email="alice@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        person("Bob", email="ALICE@example.org")


def test_any_number_of_people_have_no_address():
    person("Alice")
    person("Bob")
    person("Charlie")


def test_an_address_given_by_hand_counts_as_confirmed():
    alice = person("Alice", email="Alice@Example.org")
    address = EmailAddress.objects.get(user=alice)
    assert (address.email, address.verified, address.primary) == ("alice@example.org", True, True)


def test_a_person_has_a_page():
    assert person("Alice").get_absolute_url() == "/players/Alice/"
