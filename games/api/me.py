"""The API of what a person wants to be told of, and of their webhooks. What it takes is checked by the forms of the
settings page; devices that are told by push are a matter of browsers and are not here."""

from typing import Any

from django.forms import BaseForm
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, permissions, status
from rest_framework import serializers as fields
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle
from rest_framework.views import APIView

from accounts.models import NoticePreferences, User, Webhook
from accounts.notifications import CHANNELS, KINDS, webhook
from accounts.notifications.addresses import BadAddress
from accounts.notifications.forms import NoticesForm, WebhookForm
from accounts.notifications.preferences import chosen_channels, preferences_of
from games.api import serializers
from games.api.problems import problem
from games.api.views import PROBLEM, checked


class NoticesBody(serializers.Body):
    wanted = fields.DictField(
        child=fields.ListField(child=fields.ChoiceField(choices=list(CHANNELS)), max_length=len(CHANNELS)),
        help_text="Kind of notice -> channels. A kind that is left out stays as it is.",
    )
    mail_mode = fields.ChoiceField(choices=NoticePreferences.MailMode.values)
    daily_hour = fields.IntegerField(min_value=0, max_value=23, help_text="In your time zone.")
    quiet_from = fields.IntegerField(min_value=0, max_value=23, allow_null=True, help_text="In your time zone.")
    quiet_to = fields.IntegerField(min_value=0, max_value=23, allow_null=True)

    def validate_wanted(self, wanted: dict[str, list[str]]) -> dict[str, list[str]]:
        for kind in wanted:
            if kind not in KINDS:
                raise fields.ValidationError(_("There is no kind of notice called “%(kind)s”.") % {"kind": kind})
        return wanted


class NoticesAnswer(fields.Serializer):
    wanted = fields.DictField(child=fields.ListField(child=fields.CharField()))
    mail_mode = fields.CharField()
    daily_hour = fields.IntegerField()
    quiet_from = fields.IntegerField(allow_null=True)
    quiet_to = fields.IntegerField(allow_null=True)


class NewWebhook(serializers.Body):
    url = fields.CharField(max_length=500, help_text="Begins with https:// and leads out to the public internet.")
    format = fields.ChoiceField(choices=Webhook.Format.values, default=Webhook.Format.JSON)


class WebhookAnswer(fields.Serializer):
    id = fields.IntegerField()
    url = fields.CharField()
    format = fields.CharField()
    created = fields.DateTimeField()
    result = fields.CharField(help_text="What came of the last call, for people; empty before the first.")
    result_at = fields.DateTimeField(allow_null=True)
    failing_since = fields.DateTimeField(allow_null=True)
    paused = fields.DateTimeField(allow_null=True, help_text="It failed for long and is not called any more.")


class NewWebhookAnswer(WebhookAnswer):
    secret = fields.CharField(help_text="For checking the signatures of `json`; told only here.")


class NoticesView(APIView):
    """What you want to be told of, by which channels, and when."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="me_notices_retrieve", responses={200: NoticesAnswer, 401: PROBLEM})
    def get(self, request: Request) -> Response:
        return Response(_notices(_person(request)))

    @extend_schema(
        operation_id="me_notices_update",
        request=NoticesBody,
        responses={200: NoticesAnswer, 400: PROBLEM, 401: PROBLEM},
    )
    def put(self, request: Request) -> Response:
        body = checked(NoticesBody, request)
        user = _person(request)
        kinds = _notices(user)["wanted"] | body.pop("wanted")
        form = NoticesForm(kinds | body, user=user)
        if not form.is_valid():
            raise exceptions.ValidationError(_errors(form))
        form.save()
        return Response(_notices(User.objects.get(pk=user.pk)))


class WebhooksView(APIView):
    """Your webhooks: addresses of yours that are called with your notices."""

    permission_classes = (permissions.IsAuthenticated,)
    throttle_scope = "webhooks"

    def get_throttles(self) -> list[BaseThrottle]:
        """A new address is looked up, and somebody else's name server may take its time."""
        return [ScopedRateThrottle()] if self.request.method == "POST" else []

    @extend_schema(operation_id="me_webhooks_list", responses={200: WebhookAnswer(many=True), 401: PROBLEM})
    def get(self, request: Request) -> Response:
        return Response([_webhook(each) for each in _person(request).webhooks.order_by("created")])

    @extend_schema(
        operation_id="me_webhooks_create",
        request=NewWebhook,
        responses={201: NewWebhookAnswer, 400: PROBLEM, 401: PROBLEM, 409: PROBLEM, 429: PROBLEM},
    )
    def post(self, request: Request) -> Response:
        form = WebhookForm(checked(NewWebhook, request))
        if not form.is_valid():
            return _refused(request, form)
        try:
            added = webhook.add(_person(request), **form.cleaned_data)
        except webhook.TooManyWebhooks:
            sentence = _("You have %(most)s webhooks, and more are not possible.") % {"most": webhook.MOST}
            return problem(request, 409, "too-many-webhooks", sentence)
        return Response(_webhook(added) | {"secret": added.secret}, status=status.HTTP_201_CREATED)


class WebhookView(APIView):
    """One of your webhooks."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="me_webhooks_delete", responses={204: None, 401: PROBLEM, 404: PROBLEM})
    def delete(self, request: Request, number: int) -> Response:
        get_object_or_404(_person(request).webhooks, pk=number).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


def _person(request: Request) -> User:
    assert isinstance(request.user, User)  # all of this is for who is logged in
    return request.user


def _refused(request: Request, form: WebhookForm) -> Response:
    (error,) = form.errors.as_data().get("url", [None])[:1]
    if error is None or error.code not in BadAddress.SENTENCES:
        raise exceptions.ValidationError(_errors(form))
    sentence = " ".join(error.messages)
    return problem(request, 400, error.code, sentence, errors={"url": [sentence]})


def _errors(form: BaseForm) -> dict[str, list[str]]:
    return {name: [str(sentence) for sentence in sentences] for name, sentences in form.errors.items()}


def _notices(user: User) -> dict[str, Any]:
    preferences = preferences_of(user)
    return {
        "wanted": {kind: list(chosen_channels(user, kind)) for kind in KINDS},
        "mail_mode": preferences.mail_mode,
        "daily_hour": preferences.daily_hour,
        "quiet_from": preferences.quiet_from,
        "quiet_to": preferences.quiet_to,
    }


def _webhook(found: Webhook) -> dict[str, Any]:
    answer: dict[str, Any] = {"id": found.pk}
    for name in ("url", "format", "created", "result", "result_at", "failing_since", "paused"):
        answer[name] = getattr(found, name)
    return answer


urlpatterns = [
    path("notices/", NoticesView.as_view()),
    path("webhooks/", WebhooksView.as_view()),
    path("webhooks/<int:number>/", WebhookView.as_view()),
]
