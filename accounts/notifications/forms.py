"""The forms of the notice settings: what a person wants, a webhook, a browser's push subscription. Pages and the API
both check by them."""

from collections.abc import Callable, Iterator
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from accounts.models import NoticePreferences, User, Webhook
from accounts.notifications import CHANNELS, KINDS, push
from accounts.notifications.addresses import LONGEST, BadAddress, find_target
from accounts.notifications.preferences import chosen_channels, preferences_of

HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


class NoticesForm(forms.ModelForm):
    """A field for each kind of notice, named by its code, holds its channels."""

    use_required_attribute = False

    daily_hour = forms.TypedChoiceField(label=_("One mail a day comes at"), choices=HOURS, coerce=int)
    quiet_from = forms.TypedChoiceField(
        label=_("Quiet from"), choices=[("", _("off")), *HOURS], coerce=int, required=False, empty_value=None
    )
    quiet_to = forms.TypedChoiceField(
        label=_("until"), choices=[("", _("off")), *HOURS], coerce=int, required=False, empty_value=None
    )

    class Meta:
        model = NoticePreferences
        fields = ["mail_mode", "daily_hour", "quiet_from", "quiet_to"]
        widgets = {"mail_mode": forms.RadioSelect}

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data, instance=preferences_of(user))
        self.fields["mail_mode"].choices = NoticePreferences.MailMode.choices  # type: ignore[attr-defined]
        for code, kind in KINDS.items():
            self.fields[code] = forms.MultipleChoiceField(
                label=str(kind.label),
                help_text=str(kind.help),
                choices=list(CHANNELS.items()),
                widget=forms.CheckboxSelectMultiple,
                initial=chosen_channels(user, code),
                required=False,
            )

    def kinds(self) -> Iterator[BoundField]:
        """The rows of the table."""
        return (self[code] for code in KINDS)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        start, end = data.get("quiet_from"), data.get("quiet_to")
        if not self.errors.keys() & {"quiet_from", "quiet_to"}:
            if (start is None) != (end is None):
                missing = "quiet_from" if start is None else "quiet_to"
                self.add_error(missing, forms.ValidationError(_("Quiet hours have a beginning and an end.")))
            elif start is not None and start == end:
                self.add_error("quiet_to", forms.ValidationError(_("Quiet hours cannot end when they begin.")))
        return data

    def save(self, commit: bool = True) -> NoticePreferences:
        """Writes only what the form asks: what was sent last is written by others meanwhile."""
        wanted = {code: [each for each in CHANNELS if each in self.cleaned_data[code]] for code in KINDS}
        values = {name: self.cleaned_data[name] for name in self.Meta.fields} | {"wanted": wanted}
        preferences, _made = NoticePreferences.objects.update_or_create(user_id=self.instance.user_id, defaults=values)
        return preferences


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=_("Address"),
        max_length=500,
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Begins with https://. Discord and Slack give you one for a channel of yours."),
    )
    format = forms.ChoiceField(
        label=_("For"),
        choices=Webhook.Format.choices,
        initial=Webhook.Format.DISCORD,
        widget=forms.RadioSelect,
    )

    def clean_url(self) -> str:
        return checked_address(self.cleaned_data["url"])


class SubscriptionForm(forms.Form):
    """What a browser got from its push service. No person fills this in."""

    endpoint = forms.CharField(max_length=LONGEST)
    p256dh = forms.CharField(max_length=100)
    auth = forms.CharField(max_length=40)
    replaces = forms.CharField(max_length=LONGEST, required=False)

    def clean_endpoint(self) -> str:
        return checked_address(self.cleaned_data["endpoint"])

    def clean_p256dh(self) -> str:
        return self._checked("p256dh", push.check_key)

    def clean_auth(self) -> str:
        return self._checked("auth", push.check_secret)

    def _checked(self, name: str, check: Callable[[str], None]) -> str:
        key: str = self.cleaned_data[name]
        try:
            check(key)
        except ValueError:
            raise forms.ValidationError(_("These are not the keys of a push subscription."), "bad-keys") from None
        return key


def checked_address(url: str) -> str:
    """The address, if it may be called. Raises ValidationError with the code of BadAddress."""
    try:
        find_target(url)
    except BadAddress as problem:
        raise forms.ValidationError(problem.sentence, problem.code) from None
    return url
