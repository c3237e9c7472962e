"""Playing without signing up: an account that lives in the browser's session until its owner keeps it.

Not for the form by which a guest keeps it (accounts/forms.py). Who calls `create_guest` limits how often.
"""

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

from accounts.models import User
from accounts.zones import known_zone


def create_guest(request: HttpRequest, zone: str = "") -> User:
    """A new guest account, logged in. `zone` is what the browser says; nonsense there means UTC."""
    guest = User.objects.create_guest(known_zone(zone))
    get_adapter().login(request, guest)
    return guest
