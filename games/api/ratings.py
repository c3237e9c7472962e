"""The API's views of ratings: leaderboards, a player, and what a match changed. They read only."""

from typing import Any

from django.contrib.auth import get_user_model
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import ratings, selectors
from games.api.serializers import Page
from games.api.views import PROBLEM, find_match
from games.models import OVER_ALL, Rating
from games.rules.registry import GAMES

ALL = "all"
"""What the rating over all games is called here, in place of a game's key."""


class RatingAnswer(serializers.Serializer):
    game = serializers.CharField(help_text="Key of a game, or `all`.")
    place = serializers.IntegerField()
    rating = serializers.FloatField()
    matches = serializers.IntegerField(help_text="Rated ones.")
    provisional = serializers.BooleanField(help_text="Fewer than ten rated matches.")


class LeaderboardRow(RatingAnswer):
    player = serializers.CharField()


class LeaderboardPage(Page):
    count = serializers.IntegerField()
    results = LeaderboardRow(many=True)


class PlayerAnswer(serializers.Serializer):
    name = serializers.CharField()
    url = serializers.CharField()
    since = serializers.DateTimeField()
    reliability = serializers.IntegerField(allow_null=True, help_text="Per cent of turns in time; null: too few turns.")
    ratings = RatingAnswer(many=True)


class AgainstAnswer(serializers.Serializer):
    name = serializers.CharField()
    rating = serializers.FloatField(help_text="Theirs, before the match.")
    score = serializers.FloatField(help_text="1 ahead of them, 0.5 level, 0 behind.")
    expected = serializers.FloatField()
    change = serializers.FloatField()


class ChangeAnswer(serializers.Serializer):
    player = serializers.CharField()
    before = serializers.FloatField()
    after = serializers.FloatField()
    k = serializers.IntegerField()
    matches = serializers.IntegerField(help_text="Rated ones of this game, this one included.")
    against = AgainstAnswer(many=True)
    before_over_all = serializers.FloatField()
    after_over_all = serializers.FloatField()


class MatchRatingsAnswer(serializers.Serializer):
    due = serializers.BooleanField(help_text="The match is over and its ratings are being computed.")
    changes = ChangeAnswer(many=True)


class Pages(PageNumberPagination):
    """Pages of a leaderboard."""

    page_size = 50
    page_size_query_param = "size"
    max_page_size = 200


def rating_answer(place: int, row: Rating) -> dict[str, Any]:
    return {
        "game": row.game or ALL,
        "place": place,
        "rating": row.value,
        "matches": row.matches,
        "provisional": ratings.is_provisional(row.matches),
    }


class LeaderboardView(APIView):
    """Everybody with a rating in a game, or over all of them (`all`), the best first."""

    @extend_schema(
        operation_id="leaderboards_retrieve",
        parameters=[
            OpenApiParameter("page", int, description="From 1 on."),
            OpenApiParameter("size", int, description="Players a page, 200 at most."),
        ],
        responses={200: LeaderboardPage, 404: PROBLEM},
    )
    def get(self, request: Request, key: str) -> Response:
        if key != ALL and key not in GAMES:
            raise exceptions.NotFound()
        pages = Pages()
        board = ratings.leaderboard(OVER_ALL if key == ALL else key)
        rows = ratings.placed(pages.paginate_queryset(board, request, self) or [])
        return pages.get_paginated_response(
            [rating_answer(place, row) | {"player": row.user.username} for place, row in rows]
        )


class PlayerView(APIView):
    """A player, with their ratings."""

    @extend_schema(operation_id="players_retrieve", responses={200: PlayerAnswer, 404: PROBLEM})
    def get(self, request: Request, name: str) -> Response:
        player = get_user_model().objects.filter(username__iexact=name, is_active=True).first()
        if player is None:
            raise exceptions.NotFound()
        rows = [place for row in player.ratings.order_by("game") for place in ratings.placed([row])]
        return Response(
            {
                "name": player.username,
                "url": player.get_absolute_url(),
                "since": player.created,
                "reliability": selectors.reliability(player.pk),
                "ratings": [rating_answer(place, row) for place, row in rows],
            }
        )


class MatchRatingsView(APIView):
    """What a rated match did to its players' ratings, and against whom."""

    @extend_schema(operation_id="matches_ratings", responses={200: MatchRatingsAnswer, 404: PROBLEM})
    def get(self, request: Request, key: str) -> Response:
        match = find_match(key)
        changes = [
            {
                "player": each.row.user.username,
                "before": each.row.before,
                "after": each.row.after,
                "k": each.factor,
                "matches": each.row.matches,
                "against": [vars(one) for one in each.against],
                "before_over_all": each.over_all.before,
                "after_over_all": each.over_all.after,
            }
            for each in ratings.explained(match)
        ]
        return Response({"due": match.rating_due is not None, "changes": changes})
