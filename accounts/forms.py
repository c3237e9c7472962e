"""The forms of the account pages: django-allauth's in our words, and our own. Not for what views do with them."""

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from accounts.avatars import FORMATS, read_picture
from accounts.models import Theme, User
from accounts.names import GUEST_PREFIX
from accounts.signals import renamed
from accounts.vacations import DAYS_A_YEAR
from accounts.zones import known_zone, zone_choices

VACATION_DAYS = 7
"""What a vacation form begins with, where so many days are left."""

_PASSWORD_HELP = _("At least 8 characters, not only digits, and not a common password.")


class _OurWords:
    """Mixin for allauth's forms: labels in our words, beside the field and not inside it."""

    words: dict[str, tuple[Any, Any]] = {}
    """Field -> label, help text (None: as it is)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        for field in fields.values():
            field.widget.attrs.pop("placeholder", None)
        for name, (label, help_text) in self.words.items():
            fields[name].label = label
            if help_text is not None:
                fields[name].help_text = help_text


class LoginForm(_OurWords, allauth_forms.LoginForm):
    words = {"login": (_("Name or e-mail address"), None), "password": (_("Password"), None)}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignupForm(_OurWords, allauth_forms.SignupForm):
    words = {
        "username": (_("Name"), _("Others see it. Letters from a to z and digits, with - _ . between them.")),
        "email": (_("E-mail address"), _("For notices about your matches and a lost password. Nobody else sees it.")),
        "password1": (_("Password"), _PASSWORD_HELP),
    }
    # Filled in by the browser (zone.js); without it the person chooses one in the settings.
    timezone = forms.CharField(
        required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-time-zone": True, "autocomplete": "off"})
    )

    def clean_timezone(self) -> str:
        return known_zone(self.cleaned_data["timezone"])

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        # allauth has compared the password with the name; the address it cannot, as it knows no such field.
        if data.get("email") and data.get("password1") and "password1" not in self.errors:
            try:
                validate_password(data["password1"], User(username=data.get("username") or "", email=data["email"]))
            except ValidationError as error:
                self.add_error("password1", error)
        return data

    def save(self, request: HttpRequest) -> User:
        """The new account. Raises ValidationError when somebody took the name after the form was found valid."""
        try:
            with transaction.atomic():
                return self._save_account(request)
        except IntegrityError as clash:
            raise get_adapter().validation_error("username_taken") from clash

    def _save_account(self, request: HttpRequest) -> User:
        return super().save(request)

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        if self.cleaned_data["timezone"]:
            user.timezone = self.cleaned_data["timezone"]
            user.save(update_fields=["timezone"])


class KeepAccountForm(SignupForm):
    """A guest's account gets a name, an address and a password; everything else stays as it is."""

    field_order = ["username", "email", "password1"]

    def __init__(self, *args: Any, guest: User, **kwargs: Any) -> None:
        self.guest = guest
        super().__init__(*args, initial={"username": guest.username.removeprefix(GUEST_PREFIX)}, **kwargs)
        del self.fields["timezone"]

    def _save_account(self, request: HttpRequest) -> User:
        self.guest.is_guest = False
        user: User = get_adapter().save_user(request, self.guest, self)
        setup_user_email(request, user, [EmailAddress(email=self.cleaned_data["email"])])
        renamed.send(User, user=user)
        return user


class AddEmailForm(_OurWords, allauth_forms.AddEmailForm):
    words = {"email": (_("New e-mail address"), _("It takes effect once you follow the link that we send there."))}


class ChangePasswordForm(_OurWords, allauth_forms.ChangePasswordForm):
    words = {
        "oldpassword": (_("Current password"), None),
        "password1": (_("New password"), _PASSWORD_HELP),
        "password2": (_("New password again"), None),
    }


class ResetPasswordForm(_OurWords, allauth_forms.ResetPasswordForm):
    words = {"email": (_("E-mail address"), None)}


class ResetPasswordKeyForm(_OurWords, allauth_forms.ResetPasswordKeyForm):
    words = {
        "password1": (_("New password"), _PASSWORD_HELP),
        "password2": (_("New password again"), None),
    }


class ReauthenticateForm(_OurWords, allauth_forms.ReauthenticateForm):
    words = {"password": (_("Password"), None)}


class PictureForm(forms.Form):
    """`cleaned_data["picture"]` is the finished file."""

    picture = forms.FileField(
        label=_("A new picture"),
        help_text=_("JPEG, PNG, WebP or GIF, up to 2 MB. Its middle square is shown."),
        widget=forms.FileInput(attrs={"accept": ",".join(f"image/{name.lower()}" for name in FORMATS)}),
        error_messages={"empty": _("This file is empty.")},
    )

    def clean_picture(self) -> "ContentFile[bytes]":
        return read_picture(self.cleaned_data["picture"])


class VacationForm(forms.Form):
    """For how many days all clocks of a person shall stand. How many there are left is the view's to say."""

    days = forms.IntegerField(
        label=_("Days"),
        initial=VACATION_DAYS,
        min_value=1,
        max_value=DAYS_A_YEAR,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        error_messages={
            name: _("A vacation lasts between one and %(most)s days.") % {"most": DAYS_A_YEAR}
            for name in ("invalid", "min_value", "max_value", "required")
        },
    )


class _AnyChoice(forms.ChoiceField):
    """A required choice among which the empty one is as good as the others."""

    empty_values = (None,)


class PreferencesForm(forms.ModelForm):
    use_required_attribute = False  # a browser would take the empty choice for none

    timezone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        help_text=_("Deadlines are shown in it. Choose the nearest place in your zone."),
        error_messages={"invalid_choice": _("There is no such time zone.")},
    )
    language = _AnyChoice(label=_("Language"))
    theme = _AnyChoice(label=_("Appearance"), choices=Theme.choices)

    class Meta:
        model = User
        fields = ["timezone", "language", "theme"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages = [(code, get_language_info(code)["name_local"]) for code, _name in settings.LANGUAGES]
        self.fields["language"].choices = [("", _("as in my browser")), *languages]  # type: ignore[attr-defined]
