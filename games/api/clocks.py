"""The API of clocks: pauses, seats that are taken over, notices that are not wanted, and vacations.

What may be done is said by `play.py` and `accounts/vacations.py`.
"""

from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import permissions
from rest_framework import serializers as fields
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import vacations
from games import limits, play
from games.api import serializers
from games.api.views import ACTION_RESPONSES, PROBLEM, MatchActionView, checked, find_player


class SeatInvitation(serializers.Body):
    invited = fields.CharField(max_length=40, help_text="Name of the person.")


class NewVacation(serializers.Body):
    days = fields.IntegerField(min_value=1, max_value=vacations.DAYS_A_YEAR)


class VacationAnswer(fields.Serializer):
    until = fields.DateTimeField(allow_null=True, help_text="null: you are not on vacation.")
    days_left = fields.IntegerField(help_text="Days that you may still take this year; planned ones count as taken.")


class PauseView(MatchActionView):
    """A wish that all clocks stand. They do when everybody who plays has it."""

    @extend_schema(operation_id="matches_ask_pause", request=None, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.ask_pause(key, request.user)
        return self.answer(request, key)

    @extend_schema(operation_id="matches_withdraw_pause", responses=ACTION_RESPONSES)
    def delete(self, request: Request, key: str) -> Response:
        play.withdraw_pause(key, request.user)
        return self.answer(request, key)


class ResumeView(MatchActionView):
    """Ends a pause: the clocks go on with what was left."""

    @extend_schema(operation_id="matches_resume", request=None, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.resume(key, request.user)
        return self.answer(request, key)


class MuteView(MatchActionView):
    """Whether you want no notices about a match."""

    @extend_schema(operation_id="matches_mute", request=None, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.mute(key, request.user, True)
        return self.answer(request, key)

    @extend_schema(operation_id="matches_unmute", responses=ACTION_RESPONSES)
    def delete(self, request: Request, key: str) -> Response:
        play.mute(key, request.user, False)
        return self.answer(request, key)


class InviteView(MatchActionView):
    """Asks somebody to take over a seat whose player resigned or was replaced."""

    @extend_schema(
        operation_id="matches_invite_to_seat", request=SeatInvitation, responses=ACTION_RESPONSES | {429: PROBLEM}
    )
    def post(self, request: Request, key: str, index: int) -> Response:
        invited = find_player(checked(SeatInvitation, request)["invited"])
        limits.count_invitation(request._request)
        play.invite_to_seat(key, request.user, index, invited)
        return self.answer(request, key)


class TakeOverView(MatchActionView):
    """Takes over the seat that you were invited to, and plays on from there."""

    @extend_schema(operation_id="matches_take_over", request=None, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.take_over(key, request.user)
        return self.answer(request, key)


class VacationView(APIView):
    """Days on which all your clocks stand."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="vacation_retrieve", responses={200: VacationAnswer, 401: PROBLEM})
    def get(self, request: Request) -> Response:
        return self.answer(request.user)

    @extend_schema(
        operation_id="vacation_start",
        request=NewVacation,
        responses={200: VacationAnswer, 400: PROBLEM, 401: PROBLEM, 409: PROBLEM},
    )
    def post(self, request: Request) -> Response:
        vacations.start_vacation(request.user, checked(NewVacation, request)["days"])
        return self.answer(request.user)

    @extend_schema(operation_id="vacation_end", responses={200: VacationAnswer, 401: PROBLEM})
    def delete(self, request: Request) -> Response:
        vacations.end_vacation(request.user)
        return self.answer(request.user)

    def answer(self, user: Any) -> Response:
        vacation = vacations.current_vacation(user)
        return Response({"until": vacation and vacation.until, "days_left": vacations.days_left(user)})


urlpatterns = [
    path("pause/", PauseView.as_view()),
    path("resume/", ResumeView.as_view()),
    path("mute/", MuteView.as_view()),
    path("seats/<int:index>/invite/", InviteView.as_view()),
    path("take-over/", TakeOverView.as_view()),
]
