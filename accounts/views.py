"""Account pages of our own: guests, keeping a guest's account, settings, drawn pictures. Log-in and the like are
django-allauth's views with our templates (accounts/urls.py)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.internal.flows.signup import complete_signup
from allauth.account.models import EmailAddress
from allauth.account.views import LogoutView as AllauthLogoutView
from allauth.account.views import SignupView as AllauthSignupView
from allauth.decorators import rate_limit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from rest_framework.authtoken.models import Token

from accounts import vacations
from accounts.avatars import change_avatar
from accounts.drawing import draw
from accounts.forms import VACATION_DAYS, KeepAccountForm, PictureForm, PreferencesForm, VacationForm
from accounts.guests import create_guest
from accounts.models import User

View = Callable[..., HttpResponse]


class PersonsRequest(HttpRequest):
    """A request of somebody who is logged in. For the types only: it is never made."""

    user: User


@require_POST
@rate_limit(action="guest")
def start_as_guest(request: HttpRequest) -> HttpResponse:
    """POST `next` (a path of this site, else departures) and `timezone` (what the browser says; may be missing)."""
    if not request.user.is_authenticated:
        create_guest(request, request.POST.get("timezone", ""))
    target = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
        target = settings.LOGIN_REDIRECT_URL
    return redirect(target)


class SignupView(AllauthSignupView):
    extra_context = {"here": "sign-up"}

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return super().form_valid(form)
        except ValidationError as name_taken:
            form.add_error("username", name_taken)
            return self.form_invalid(form)


@never_cache
@login_required
@sensitive_post_parameters("password1")
@rate_limit(action="signup")
def keep_account(request: PersonsRequest) -> HttpResponse:
    if not request.user.is_guest:
        return redirect("settings")
    form = KeepAccountForm(request.POST or None, guest=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            user = form.save(request)
        except ValidationError as name_taken:
            form.add_error("username", name_taken)
            request.user.refresh_from_db()  # the page goes on to show the guest
        else:
            messages.success(request, _("This account is yours to keep now."))
            return complete_signup(request, user=user, redirect_url=resolve_url(settings.LOGIN_REDIRECT_URL))
    return render(request, "accounts/keep.html", {"form": form})


def full_account_required(view: View) -> View:
    """A guest has neither address nor password to change: the way there is to keep the account."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and request.user.is_guest:
            return redirect("keep_account")
        return view(request, *args, **kwargs)

    return wrapped


class LogoutView(AllauthLogoutView):
    """Logs out by POST. A guest who logs out cannot come back, so a guest is asked first."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        user = self.request.user
        if user.is_authenticated and user.is_guest and "sure" not in self.request.POST:
            return self.render_to_response(self.get_context_data())
        return super().post(*args, **kwargs)


# -- settings ---------------------------------------------------------------------------------------------------------


@never_cache
@login_required
def settings_page(request: PersonsRequest) -> HttpResponse:
    """GET shows all parts; POST changes the one that `part` names (_PARTS)."""
    if request.method != "POST":
        return _show_settings(request)
    return _PARTS.get(request.POST.get("part", ""), _show_settings)(request)


def _show_settings(request: PersonsRequest, **context: Any) -> HttpResponse:
    """All parts of the page; `context` holds what one part has to say: a bound form with its errors, a new token."""
    user = request.user
    context.setdefault("preferences", PreferencesForm(instance=user))
    context.setdefault("picture", PictureForm())
    context["vacation"] = vacations.current_vacation(user)
    context["days_left"] = left = vacations.days_left(user)
    context.setdefault("vacation_form", VacationForm(initial={"days": min(VACATION_DAYS, left)}))
    context["has_token"] = Token.objects.filter(user=user).exists()
    context["claimed_address"] = EmailAddress.objects.get_new(user)
    return render(request, "accounts/settings.html", context)


def _change_preferences(request: PersonsRequest) -> HttpResponse:
    form = PreferencesForm(request.POST, instance=request.user)
    if not form.is_valid():
        request.user.refresh_from_db()
        return _show_settings(request, preferences=form)
    form.save()
    return _changed(request, _("Your preferences have been saved."))


def _upload_picture(request: PersonsRequest) -> HttpResponse:
    form = PictureForm(request.POST, request.FILES)
    if not form.is_valid():
        return _show_settings(request, picture=form)
    change_avatar(request.user, form.cleaned_data["picture"])
    return _changed(request, _("You have a new picture."))


def _remove_picture(request: PersonsRequest) -> HttpResponse:
    change_avatar(request.user, None)
    return _changed(request, _("Your picture has been removed."))


def _make_token(request: PersonsRequest) -> HttpResponse:
    """A new token takes the place of the old one. No other page shows it."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=request.user.pk)  # two presses at once make one token after the other
        Token.objects.filter(user=request.user).delete()
        token = Token.objects.create(user=request.user)
    return _show_settings(request, token=token)


def _revoke_token(request: PersonsRequest) -> HttpResponse:
    Token.objects.filter(user=request.user).delete()
    return _changed(request, _("The token has been revoked. Programs that used it are locked out."))


def _start_vacation(request: PersonsRequest) -> HttpResponse:
    """POST `days`, and `next` where the form stood on another page."""
    form = VacationForm(request.POST)
    if form.is_valid():
        try:
            vacation = vacations.start_vacation(request.user, form.cleaned_data["days"])
        except vacations.VacationRefusal as refusal:
            form.add_error("days", vacations.sentence(refusal))
        else:
            until = date_format(timezone.localtime(vacation.until), "j F")
            return _changed(request, _("You are on vacation until %(day)s. Your clocks stand.") % {"day": until})
    return _show_settings(request, vacation_form=form)


def _end_vacation(request: PersonsRequest) -> HttpResponse:
    vacations.end_vacation(request.user)
    return _changed(request, _("Welcome back. Your clocks run again."))


def _changed(request: HttpRequest, sentence: str) -> HttpResponse:
    """Says so on the settings, or on the page that the form names as `next`."""
    messages.success(request, sentence)
    came_from = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(came_from, {request.get_host()}, require_https=request.is_secure()):
        return redirect(came_from)
    return redirect("settings")


_PARTS: dict[str, View] = {
    "preferences": _change_preferences,
    "picture": _upload_picture,
    "no-picture": _remove_picture,
    "token": _make_token,
    "no-token": _revoke_token,
    "vacation": _start_vacation,
    "vacation-end": _end_vacation,
}


@require_safe
def drawn_avatar(request: HttpRequest, number: int, initial: str) -> HttpResponse:
    """The drawing that the address alone decides: no look-up, and it may be cached for long."""
    response = HttpResponse(draw(number, initial), content_type="image/svg+xml")
    response.headers["Cache-Control"] = "public, max-age=2592000, immutable"
    return response
