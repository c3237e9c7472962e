"""The page of notice settings, what a browser asks to be told by push, and the service worker."""

import re
import secrets
from collections.abc import Callable
from typing import Any

from allauth.core.ratelimit import consume, respond_429
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import PushSubscription, Webhook
from accounts.notifications import CHANNELS, SendError, mail, push, trial_message, vapid, webhook
from accounts.notifications.forms import NoticesForm, SubscriptionForm, WebhookForm
from accounts.notifications.preferences import preferences_of
from accounts.views import PersonsRequest
from accounts.zones import place_of

SHOWN = "shown_webhook"
"""In the session: the webhook whose secret the next page shows."""

Part = Callable[[PersonsRequest], HttpResponse]


@never_cache
@login_required
def notices_page(request: PersonsRequest) -> HttpResponse:
    """GET shows all parts; POST does the one that `part` names (_PARTS)."""
    if request.method != "POST":
        return _show(request)
    return _PARTS.get(request.POST.get("part", ""), _show)(request)


def _show(request: PersonsRequest, **context: Any) -> HttpResponse:
    """All parts of the page; `context` holds what one part has to say: a bound form with its errors."""
    user = request.user
    context.setdefault("form", NoticesForm(user=user))
    context.setdefault("webhook_form", WebhookForm())
    context |= {
        "channels": CHANNELS,
        "preferences": preferences_of(user),
        "zone": place_of(user.timezone),
        "gets_mail": bool(user.email) and not user.is_guest,
        "devices": user.push_subscriptions.order_by("created"),
        "webhooks": user.webhooks.order_by("created"),
        "most_webhooks": webhook.MOST,
        "shown_webhook": request.session.pop(SHOWN, None),
    }
    return render(request, "accounts/notices.html", context)


def _back(part: str = "") -> HttpResponse:
    return redirect(reverse("notices") + (f"#{part}" if part else ""))


def _outward(part: Part) -> Part:
    """A part that makes this site call somewhere while somebody waits: not too often."""

    def limited(request: PersonsRequest) -> HttpResponse:
        if not consume(request, action="outward_call"):
            return respond_429(request)
        return part(request)

    return limited


def _change_preferences(request: PersonsRequest) -> HttpResponse:
    form = NoticesForm(request.POST, user=request.user)
    if not form.is_valid():
        return _show(request, form=form)
    form.save()
    messages.success(request, _("Your preferences have been saved."))
    return _back()


def _try(request: PersonsRequest, send: Callable[[], object], sent: str) -> None:
    try:
        send()
    except SendError as problem:
        messages.error(request, _("The test did not work. %(why)s") % {"why": problem.sentence})
    else:
        messages.success(request, sent)


def _test_mail(request: PersonsRequest) -> HttpResponse:
    user = request.user
    sent = _("A mail is on its way to %(address)s.") % {"address": user.email}
    _try(request, lambda: mail.send_test_mail(user), sent)
    return _back("mail")


def _key() -> str:
    return secrets.token_hex(8)


# -- devices ----------------------------------------------------------------------------------------------------------


def _device(request: PersonsRequest) -> PushSubscription:
    return get_object_or_404(request.user.push_subscriptions, pk=_number(request))


def _test_device(request: PersonsRequest) -> HttpResponse:
    device = _device(request)
    _try(request, lambda: push.send_to(device, trial_message(_key())), _("The push service took the test."))
    return _back("push")


def _remove_device(request: PersonsRequest) -> HttpResponse:
    _device(request).delete()
    messages.success(request, _("You are not told on this device any more."))
    return _back("push")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def push_subscription(request: PersonsRequest) -> HttpResponse:
    """For scripts. GET: `key` to subscribe to, and `csrf`, the token for the POST. POST: SubscriptionForm; 201, or 400
    with `errors` by field and nothing stored."""
    if request.method == "GET":
        return JsonResponse({"key": vapid.public_key(), "csrf": get_token(request)})
    if not consume(request, action="outward_call"):
        return respond_429(request)
    form = SubscriptionForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"errors": form.errors.get_json_data()}, status=400)
    push.subscribe(request.user, **form.cleaned_data, device=device_name(request.headers.get("User-Agent", "")))
    return JsonResponse({}, status=201)


_BROWSERS = {"Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox"} | {
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows"} | {
    "CrOS": "ChromeOS",
    "Mac OS": "macOS",
    "Linux": "Linux",
}
"""Signs in what a browser calls itself, the more special one first: nearly all call themselves Safari, too."""


def device_name(user_agent: str) -> str:
    """What a person calls a browser: "Firefox on Linux"."""
    browser = next(
        (name for sign, name in _BROWSERS.items() if re.search(rf"\b{sign}\w*/", user_agent)), _("A browser")
    )
    system = next((name for sign, name in _SYSTEMS.items() if sign in user_agent), "")
    return _("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """At the root, because a service worker may only serve pages below its own address; and always the newest."""
    script = (settings.BASE_DIR / "frontend" / "static" / "js" / "sw.js").read_text()
    return HttpResponse(script, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Lets a phone keep the site like a program; some phones show messages of such sites only."""
    kept = {
        "name": "Branchline",
        "start_url": resolve_url("departures"),
        "display": "standalone",
        "background_color": "#f7f1e4",
        "theme_color": "#f7f1e4",
        "icons": [
            {"src": static("icons/branchline.svg"), "sizes": "any", "type": "image/svg+xml"},
            {"src": static("icons/branchline-180.png"), "sizes": "180x180", "type": "image/png"},
            {"src": static("icons/branchline-512.png"), "sizes": "512x512", "type": "image/png"},
        ],
    }
    return JsonResponse(kept, content_type="application/manifest+json")


# -- webhooks ---------------------------------------------------------------------------------------------------------


def _webhook(request: PersonsRequest) -> Webhook:
    return get_object_or_404(request.user.webhooks, pk=_number(request))


def _number(request: HttpRequest) -> int:
    """Which device or webhook a part is about; 0, which is none, when it does not say."""
    number = request.POST.get("number", "")
    return int(number) if re.fullmatch(r"[0-9]{1,18}", number) else 0


def _add_webhook(request: PersonsRequest) -> HttpResponse:
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            added = webhook.add(request.user, **form.cleaned_data)
        except webhook.TooManyWebhooks:
            form.add_error(None, _("You have %(most)s webhooks, and more are not possible.") % {"most": webhook.MOST})
        else:
            messages.success(request, _("The webhook has been added. Try it."))
            return _show_secret_of(request, added)
    return _show(request, webhook_form=form)


def _show_secret(request: PersonsRequest) -> HttpResponse:
    return _show_secret_of(request, _webhook(request))


def _renew_secret(request: PersonsRequest) -> HttpResponse:
    found = _webhook(request)
    Webhook.objects.filter(pk=found.pk).update(secret=webhook.new_secret())
    messages.success(request, _("The webhook has a new secret. What is signed with the old one is not from here."))
    return _show_secret_of(request, found)


def _show_secret_of(request: PersonsRequest, found: Webhook) -> HttpResponse:
    request.session[SHOWN] = found.pk
    return _back("webhooks")


def _test_webhook(request: PersonsRequest) -> HttpResponse:
    found = _webhook(request)
    _try(request, lambda: webhook.send(found, trial_message(_key())), _("The test has arrived."))
    return _back("webhooks")


def _resume_webhook(request: PersonsRequest) -> HttpResponse:
    webhook.resume(_webhook(request))
    messages.success(request, _("The webhook is on again."))
    return _back("webhooks")


def _remove_webhook(request: PersonsRequest) -> HttpResponse:
    _webhook(request).delete()
    messages.success(request, _("The webhook has been removed."))
    return _back("webhooks")


_PARTS: dict[str, Part] = {
    "preferences": _change_preferences,
    "test-mail": _outward(_test_mail),
    "test-device": _outward(_test_device),
    "remove-device": _remove_device,
    "add-webhook": _outward(_add_webhook),
    "test-webhook": _outward(_test_webhook),
    "show-secret": _show_secret,
    "renew-secret": _renew_secret,
    "resume-webhook": _resume_webhook,
    "remove-webhook": _remove_webhook,
}
