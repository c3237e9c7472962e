"""The API's views: they parse, call the table or a selector, and write the answer."""

from typing import Any

import msgspec
from allauth.account.adapter import get_adapter
from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework import exceptions, permissions, status
from rest_framework.authtoken.models import Token
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from games import limits, pictures, play, record, selectors
from games.api import answers, serializers
from games.models import Match, Seat
from games.refusals import IllegalTurn, Refusal
from games.rules.registry import GAMES

PROBLEM = OpenApiResponse(serializers.Problem, description="A problem document; `code` is stable.")


def find_match(key: str) -> Match:
    try:
        return selectors.find_match(key)
    except Match.DoesNotExist:
        raise Refusal("no-such-match") from None


def find_player(name: str) -> Any:
    user = get_user_model().objects.filter(username__iexact=name).first()
    if user is None:
        raise Refusal("unknown-player", name=name)
    return user


def own_seat(match: Match, user: Any) -> Seat:
    seat = answers.own_seat(list(match.seats.all()), user)
    if seat is None:
        raise Refusal("not-seated")
    return seat


def names_of(match: Match) -> list[str]:
    return [seat.name for seat in match.seats.all()]


def checked(serializer_class: type[serializers.Body], request: Request) -> dict[str, Any]:
    serializer = serializer_class(data=request.data)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


class TokenView(APIView):
    """Exchanges a name (or e-mail) and a password for a token: send it as `Authorization: Token <token>`."""

    authentication_classes = ()
    permission_classes = (permissions.AllowAny,)
    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "token"

    @extend_schema(
        operation_id="token_create",
        request=serializers.Token,
        responses={200: serializers.TokenAnswer, 400: PROBLEM, 403: PROBLEM, 429: PROBLEM},
    )
    def post(self, request: Request) -> Response:
        body = checked(serializers.Token, request)
        field = "email" if "@" in body["login"] else "username"
        try:
            # The same counts of failed attempts as on the page, by address and by account.
            user = get_adapter().authenticate(request._request, **{field: body["login"]}, password=body["password"])
        except ValidationError as problem:
            raise exceptions.Throttled(detail=" ".join(problem.messages)) from None
        if user is None:
            raise exceptions.PermissionDenied(_("That name and password do not belong together."), "wrong-login")
        token, _created = Token.objects.get_or_create(user=user)
        return Response({"token": token.key})


class GamesView(APIView):
    """The games of the house."""

    @extend_schema(operation_id="games_list", responses=serializers.GameRow(many=True))
    def get(self, request: Request) -> Response:
        return Response([answers.game_row(game) for game in GAMES.values()])


class GameView(APIView):
    """One game: its options, the geometry of its boards, and how its moves are written."""

    @extend_schema(operation_id="games_retrieve", responses={200: serializers.GameAnswer, 404: PROBLEM})
    def get(self, request: Request, key: str) -> Response:
        if key not in GAMES:
            raise exceptions.NotFound()
        game = GAMES[key]
        answer = answers.game_row(game)
        answer["boards"] = msgspec.to_builtins(game.boards())
        answer["moves"] = msgspec.json.schema(game.move_type)
        return Response(answer)


class MatchFilter(filters.FilterSet):
    """Filters of the list of matches."""

    game = filters.CharFilter(help_text="Key of a game.")
    status = filters.ChoiceFilter(choices=Match.Status.choices)
    player = filters.CharFilter(field_name="seats__user__username", lookup_expr="iexact", help_text="Name of a player.")
    waiting = filters.BooleanFilter(method="only_waiting", help_text="Only matches in which it is your turn.")

    class Meta:
        model = Match
        fields = ("game", "status", "player", "waiting")

    def only_waiting(self, matches: QuerySet[Match], name: str, value: bool) -> QuerySet[Match]:
        user = self.request.user
        if not value:
            return matches
        return matches.filter(pk__in=Seat.objects.filter(user=user.pk, waiting=True, level="").values("match"))


class Cursor(CursorPagination):
    """Pages of matches."""

    page_size = 20
    page_size_query_param = "size"
    max_page_size = 100
    ordering: tuple[str, ...] = ("-created", "-id")

    def paginate_queryset(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().paginate_queryset(*args, **kwargs)
        except (ValueError, ValidationError, OverflowError):  # the position inside of the cursor is taken as it comes
            raise exceptions.NotFound(self.invalid_cursor_message) from None


class LogCursor(Cursor):
    """Pages of a log."""

    page_size = 50
    max_page_size = 200
    ordering = ("-number",)


class MatchesView(APIView):
    """Matches: those that are open to all, and one's own."""

    @extend_schema(
        operation_id="matches_list",
        parameters=[
            OpenApiParameter("game", str, description="Key of a game."),
            OpenApiParameter("status", str, enum=Match.Status.values),
            OpenApiParameter("player", str, description="Name of a player."),
            OpenApiParameter("waiting", bool, description="Only matches in which it is your turn."),
            OpenApiParameter("cursor", str, description="From `next` or `previous`."),
            OpenApiParameter("size", int, description="Matches a page, 100 at most."),
        ],
        responses={200: serializers.MatchPage, 400: PROBLEM},
    )
    def get(self, request: Request) -> Response:
        visible = Match.objects.filter(access=Match.Access.OPEN)
        if request.user.is_authenticated:
            mine = Match.objects.filter(seats__user=request.user) | Match.objects.filter(invitations__user=request.user)
            visible = Match.objects.filter(pk__in=mine.values("pk")) | visible
        filtered = MatchFilter(request.query_params, visible, request=request)
        if not filtered.is_valid():
            raise exceptions.ValidationError(filtered.errors)
        pages = Cursor()
        rows = (
            pages.paginate_queryset(
                selectors.with_seats(filtered.qs.select_related("creator").distinct()), request, self
            )
            or []
        )
        return pages.get_paginated_response([answers.match_row(match, request.user) for match in rows])

    @extend_schema(
        operation_id="matches_create",
        request=serializers.NewMatch,
        responses={201: serializers.MatchAnswer, 400: PROBLEM, 401: PROBLEM, 429: PROBLEM},
    )
    def post(self, request: Request) -> Response:
        body = checked(serializers.NewMatch, request)
        invited = [find_player(name) for name in body.pop("invited")]
        limits.count_new_match(request._request, bool(invited))
        match = play.create_match(request.user, body.pop("game"), invited=invited, **body)
        return Response(answers.match_answer(find_match(match.key), request.user), status=status.HTTP_201_CREATED)


class MatchView(APIView):
    """One match as you may see it."""

    @extend_schema(operation_id="matches_retrieve", responses={200: serializers.MatchAnswer, 404: PROBLEM})
    def get(self, request: Request, key: str) -> Response:
        return Response(answers.match_answer(find_match(key), request.user))


class MatchActionView(APIView):
    """Something that is done to a match; answers with the match."""

    permission_classes = (permissions.IsAuthenticated,)

    def answer(self, request: Request, key: str) -> Response:
        return Response(answers.match_answer(find_match(key), request.user))


ACTION_RESPONSES = {200: serializers.MatchAnswer, 400: PROBLEM, 401: PROBLEM, 403: PROBLEM, 404: PROBLEM, 409: PROBLEM}


class JoinView(MatchActionView):
    """Takes a seat."""

    @extend_schema(operation_id="matches_join", request=serializers.Join, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.join_match(key, request.user, checked(serializers.Join, request)["code"])
        return self.answer(request, key)


class LeaveView(MatchActionView):
    """Gives the seat back before the start."""

    @extend_schema(operation_id="matches_leave", request=None, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.leave_match(key, request.user)
        return self.answer(request, key)


class StartView(MatchActionView):
    """Starts with who is there."""

    @extend_schema(operation_id="matches_start", request=None, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.start_match(key, request.user)
        return self.answer(request, key)


class CancelView(MatchActionView):
    """Calls a match off that has not started."""

    @extend_schema(operation_id="matches_cancel", request=None, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.cancel_match(key, request.user)
        return self.answer(request, key)


class ResignView(MatchActionView):
    """Gives a running match up: a computer opponent plays on, and you rank last."""

    @extend_schema(operation_id="matches_resign", request=None, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.resign(key, request.user)
        return self.answer(request, key)


class DeclineView(MatchActionView):
    """Says no to an invitation."""

    @extend_schema(operation_id="matches_decline", request=None, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.decline_invitation(key, request.user)
        return self.answer(request, key)


class RematchView(MatchActionView):
    """The same match once more, with the same people invited; who asks second joins it. Answers with the new match."""

    @extend_schema(operation_id="matches_rematch", request=None, responses=ACTION_RESPONSES | {429: PROBLEM})
    def post(self, request: Request, key: str) -> Response:
        limits.count_new_match(request._request, invites=True)
        return self.answer(request, play.play_again(key, request.user).key)


class OpponentsView(MatchActionView):
    """Seats a computer opponent before the start."""

    @extend_schema(operation_id="matches_add_opponent", request=serializers.NewOpponent, responses=ACTION_RESPONSES)
    def post(self, request: Request, key: str) -> Response:
        play.add_opponent(key, request.user, checked(serializers.NewOpponent, request)["level"])
        return self.answer(request, key)


class OpponentView(MatchActionView):
    """Sends a computer opponent away before the start."""

    @extend_schema(operation_id="matches_remove_opponent", responses=ACTION_RESPONSES)
    def delete(self, request: Request, key: str, index: int) -> Response:
        play.remove_opponent(key, request.user, index)
        return self.answer(request, key)


class ChoicesView(MatchActionView):
    """Every legal next move of your turn."""

    @extend_schema(
        operation_id="matches_choices",
        responses={200: serializers.ChoicesAnswer, 401: PROBLEM, 403: PROBLEM, 404: PROBLEM, 409: PROBLEM},
    )
    def get(self, request: Request, key: str) -> Response:
        match = find_match(key)
        mine = own_seat(match, request.user)
        preview = play.preview_turn(match, mine, mine.decision, [])
        if preview.choices is None:  # the match was read before a turn, and its seats after it
            raise Refusal("not-your-turn")
        return Response(answers.choices(match, mine.decision, preview.choices, names_of(match)))


class TurnsView(MatchActionView):
    """Takes your turn. Repeating a turn that was taken gives the same answer; another one gives a conflict (409)."""

    @extend_schema(
        operation_id="matches_take_turn",
        request=serializers.NewTurn,
        responses={
            200: OpenApiResponse(
                serializers.PreviewAnswer, description="With `dry_run`: where this beginning of a turn leads."
            ),
            201: serializers.TurnAnswer,
            400: PROBLEM,
            401: PROBLEM,
            403: PROBLEM,
            404: PROBLEM,
            409: PROBLEM,
            422: PROBLEM,
        },
    )
    def post(self, request: Request, key: str) -> Response:
        body = checked(serializers.NewTurn, request)
        if body["dry_run"]:
            return self.preview(request, key, body)
        try:
            turn = play.take_turn(key, request.user, body["decision"], body["moves"])
        except IllegalTurn as refusal:
            raise refusal.told_with(names_of(find_match(key))) from None
        answer = answers.turn(turn.match, turn, [seat.name for seat in turn.match.seats.all()])
        return Response(answer, status=status.HTTP_201_CREATED)

    def preview(self, request: Request, key: str, body: dict[str, Any]) -> Response:
        match = find_match(key)
        mine = own_seat(match, request.user)
        names = names_of(match)
        try:
            preview = play.preview_turn(match, mine, body["decision"], body["moves"])
        except IllegalTurn as refusal:
            raise refusal.told_with(names) from None
        return Response(
            {
                "view": msgspec.to_builtins(preview.view),
                "choices": preview.choices and answers.choices(match, mine.decision, preview.choices, names),
            }
        )


class LogView(APIView):
    """What happened, the latest first."""

    @extend_schema(
        operation_id="matches_log",
        parameters=[OpenApiParameter("cursor", str), OpenApiParameter("size", int)],
        responses={200: serializers.LogPage, 404: PROBLEM},
    )
    def get(self, request: Request, key: str) -> Response:
        match = find_match(key)
        pages = LogCursor()
        turns = pages.paginate_queryset(match.turns.all(), request, self) or []
        names = selectors.names_then(match)
        return pages.get_paginated_response([answers.log_entry(match, turn, names(turn.number)) for turn in turns])


class RecordView(APIView):
    """The whole record of a match that is over, with the seed: anybody can check every deal."""

    @extend_schema(operation_id="matches_record", responses={200: serializers.RecordAnswer, 404: PROBLEM, 409: PROBLEM})
    def get(self, request: Request, key: str) -> Response:
        match = find_match(key)
        if match.ended is None:
            raise Refusal("not-over")
        return Response(answers.record_answer(match))


# Each sees a board of their own at this address: no cache may answer for the site, which compares what would be sent.
@method_decorator([cache_control(private=True, no_cache=True), conditional_page], "dispatch")
class PictureView(APIView):
    """The board as you may see it."""

    content_type = ""

    @extend_schema(
        parameters=[OpenApiParameter("theme", str, enum=["day", "night"])],
        responses={
            (200, "image/svg+xml"): OpenApiTypes.BINARY,
            304: OpenApiResponse(description="It is still the one whose `ETag` you sent as `If-None-Match`."),
            404: PROBLEM,
            409: PROBLEM,
        },
    )
    def get(self, request: Request, key: str, kind: str) -> HttpResponse:
        match = find_match(key)
        if match.snapshot is None:
            raise Refusal("not-running")
        mine = answers.own_seat(list(match.seats.all()), request.user)
        seat = mine.index if mine else None
        theme = "night" if request.query_params.get("theme") == "night" else "day"
        if kind == "svg":
            view = GAMES[match.game].view(record.load_state(match), seat)
            drawn = pictures.svg(match.game, view, names_of(match), theme)
            return HttpResponse(drawn, content_type="image/svg+xml")
        return HttpResponse(pictures.match_png(match, seat, theme), content_type="image/png")


@method_decorator(csp({"default-src": [SELF], "style-src": [SELF, UNSAFE_INLINE], "img-src": [SELF, "data:"]}), "get")
class DocsView(SpectacularSwaggerSplitView):
    """The schema as a readable page, its script at an address of its own.

    It writes styles into the page, which no other page of the site may.
    """

    authentication_classes = ()


class NowhereView(APIView):
    """Whatever under /api/v1/ has no address."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise exceptions.NotFound
