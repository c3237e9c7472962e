"""What this site does differently from django-allauth's defaults, and why nobody learns from it who has an account.

The promise: a newcomer plays at once after sign-up, and no page tells whether an e-mail address has an account. With
allauth's usual settings these exclude each other (65.x: with optional confirmation and PREVENT_ENUMERATION = True,
sign-up with a taken address is refused, which tells; only mandatory confirmation hides it, which makes people wait).
So PREVENT_ENUMERATION is "strict": sign-up with any address makes an account and logs in, and the address is only a
claim, until it is confirmed:

- a claimed address is a row of EmailAddress that is not verified; any number of accounts may claim the same one;
- only one account can have it confirmed (allauth's constraint unique_verified_email), and only then it is `User.email`
  (accounts/addresses.py; allauth itself is told of no such field, ACCOUNT_USER_MODEL_EMAIL_FIELD = None);
- the mail that goes out after sign-up, after a guest keeps the account and after a change of the address is the
  confirmation, or, when somebody else has confirmed this address, a hint to its owner that there is an account already
  (`send_confirmation_mail`). The pages are the same in both cases, and both send one mail;
- log-in and password reset by address prefer the account that has it confirmed;
- a reset for an unknown address says the same on the page and sends a mail too.

Names are public: that a name is taken may be said.
"""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from rest_framework.authtoken.models import Token

from accounts.models import User
from accounts.signals import logged_out

_MISMATCH = _("The name or e-mail address and the password do not match.")


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": _("This account is closed."),
        "duplicate_email": _("This is already your address."),
        "email_password_mismatch": _MISMATCH,
        "username_password_mismatch": _MISMATCH,
        "enter_current_password": _("This is not your password."),
        "incorrect_password": _("This is not your password."),
        "too_many_login_attempts": _("Too many failed attempts. Please wait a few minutes and try again."),
        "username_taken": _("Somebody already has this name. Please choose another one."),
    }

    def is_safe_url(self, url: str | None) -> bool:
        """Whether a `next` stays on this site. Django's own check also knows addresses that cannot be read."""
        request = self.request
        hosts = {request.get_host()} if request is not None else set()
        return url_has_allowed_host_and_scheme(url, allowed_hosts=hosts)

    def logout(self, request: HttpRequest) -> None:
        """Django's own signal comes while the session still holds."""
        user = request.user
        super().logout(request)
        logged_out.send(User, user=user)

    def set_password(self, user: Any, password: str) -> None:
        """A change or a reset also locks out whoever got a token by the password before."""
        super().set_password(user, password)
        Token.objects.filter(user=user).delete()

    def can_delete_email(self, email_address: Any) -> bool:
        """A claim can be taken back. The confirmed address can only be replaced, or a lost password were the end."""
        return not email_address.verified

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        address = emailconfirmation.email_address
        if address.can_set_verified():
            super().send_confirmation_mail(request, emailconfirmation, signup)
        else:
            self.send_account_already_exists_mail(address.email)

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Tells people that their password was changed, at the confirmed address only. Others stay unsent:

        a changed address is told by accounts/addresses.py to the confirmed one before, and never to a mere claim.
        """
        if user.email and template_prefix in ("account/email/password_changed", "account/email/password_reset"):
            super().send_notification_mail(template_prefix, user, context, user.email)
