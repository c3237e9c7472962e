"""Keeps `User.email` the one confirmed address of a person. Not for asking for it: django-allauth does that."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from django.dispatch import receiver


@receiver(email_confirmed)
def take_confirmed_address(email_address: EmailAddress, **_signal: Any) -> None:
    """The address becomes the account's; the one it replaces is told, in case its owner did not want that."""
    user = email_address.user
    before = user.email
    user.email = email_address.email
    user.save(update_fields=["email"])
    if before and before != user.email:
        get_adapter().send_mail("account/email/email_changed", before, {"user": user, "to_email": user.email})
