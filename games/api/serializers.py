"""The bodies that the API takes, and the shapes of its answers for the schema."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from games.models import Match
from games.play import BANKS, DEFAULT_PACE, PACES
from games.rules.contract import LEVELS


class Body(serializers.Serializer):
    """A request's body. Fields that it does not know are refused: a misspelt one must not be passed over."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = set(data) - set(self.fields) if isinstance(data, dict) else ()
        if unknown:
            raise serializers.ValidationError({name: [_("There is no such field.")] for name in sorted(unknown)})
        return super().to_internal_value(data)


class Token(Body):
    login = serializers.CharField(max_length=254, help_text="Name or e-mail.")
    password = serializers.CharField(max_length=256, trim_whitespace=False)


class TokenAnswer(serializers.Serializer):
    token = serializers.CharField()


class NewMatch(Body):
    game = serializers.CharField(max_length=32)
    seats = serializers.IntegerField(min_value=1, max_value=12)
    options = serializers.DictField(required=False, help_text="See /games/{key}/ for each game's options.")
    pace = serializers.IntegerField(
        default=DEFAULT_PACE,
        min_value=0,
        max_value=PACES[-1],
        help_text="Seconds a turn, at least 3600. With a bank: seconds that each turn puts back into it.",
    )
    bank = serializers.IntegerField(
        default=0, min_value=0, max_value=BANKS[1], help_text="Seconds that each player begins with; 0: no bank."
    )
    min_reliability = serializers.IntegerField(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=100,
        help_text="Per cent of turns in time that joining asks for.",
    )
    access = serializers.ChoiceField(choices=Match.Access.choices, default=Match.Access.OPEN)
    rated = serializers.BooleanField(default=False)
    opponents = serializers.ListField(
        child=serializers.ChoiceField(choices=LEVELS), default=list, max_length=12, help_text="Computer opponents."
    )
    invited = serializers.ListField(
        child=serializers.CharField(max_length=40), default=list, max_length=12, help_text="Names of people."
    )


class Join(Body):
    code = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)


class NewOpponent(Body):
    level = serializers.ChoiceField(choices=LEVELS)


class NewTurn(Body):
    decision = serializers.IntegerField(min_value=0, max_value=2**31 - 1, help_text="`you.decision` of the match.")
    moves = serializers.ListField(child=serializers.DictField(), max_length=200)
    dry_run = serializers.BooleanField(default=False, help_text="Only look where a beginning of a turn leads.")


class SayingAnswer(serializers.Serializer):
    code = serializers.CharField()
    params = serializers.DictField()
    text = serializers.CharField(help_text="The sentence, in the language asked for.")


class ChoicesAnswer(serializers.Serializer):
    decision = serializers.IntegerField()
    asked = SayingAnswer()
    moves = serializers.ListField(child=serializers.DictField())
    costs = serializers.ListField(child=serializers.IntegerField())


class SeatAnswer(serializers.Serializer):
    index = serializers.IntegerField()
    name = serializers.CharField()
    player = serializers.CharField(allow_null=True, help_text="Name of the person's account.")
    opponent = serializers.CharField(allow_null=True, help_text="Level of the computer opponent that moves the seat.")
    resigned = serializers.BooleanField()
    waiting = serializers.BooleanField(help_text="The match waits for this seat.")
    deadline = serializers.DateTimeField(allow_null=True, help_text="null: its clock does not run.")
    time_left = serializers.IntegerField(
        allow_null=True, help_text="Seconds on a clock that stands, or in a bank between turns."
    )
    away_until = serializers.DateTimeField(allow_null=True, help_text="The player is on vacation.")
    wants_pause = serializers.BooleanField()
    points = serializers.IntegerField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)


class You(serializers.Serializer):
    seat = serializers.IntegerField()
    decision = serializers.IntegerField()
    waiting = serializers.BooleanField()
    muted = serializers.BooleanField(help_text="You want no notices about this match.")


class MatchRow(serializers.Serializer):
    key = serializers.CharField()
    game = serializers.CharField()
    options = serializers.DictField()
    status = serializers.ChoiceField(choices=Match.Status.choices)
    access = serializers.ChoiceField(choices=Match.Access.choices)
    rated = serializers.BooleanField()
    pace = serializers.IntegerField(help_text="Seconds a turn; with a bank, what each turn puts back into it.")
    bank = serializers.IntegerField(help_text="Seconds that each player begins with; 0: no bank.")
    min_reliability = serializers.IntegerField(allow_null=True)
    paused = serializers.DateTimeField(allow_null=True, help_text="Since when all clocks stand.")
    seats_wanted = serializers.IntegerField()
    creator = serializers.CharField(allow_null=True)
    created = serializers.DateTimeField()
    started = serializers.DateTimeField(allow_null=True)
    ended = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField(help_text="Turns stored so far; changes whenever the match does.")
    url = serializers.CharField()
    seats = SeatAnswer(many=True)
    you = You(allow_null=True)


class MatchAnswer(MatchRow):
    seed_sha256 = serializers.CharField(help_text="Shown from the start; proves the seed of the record.")
    link = serializers.CharField(allow_null=True, help_text="The private link, for those who sit in the match.")
    view = serializers.DictField(allow_null=True, help_text="All that you may know, as the game writes it.")
    result = serializers.DictField(allow_null=True)


class TurnAnswer(serializers.Serializer):
    number = serializers.IntegerField()
    kind = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    decision = serializers.IntegerField(allow_null=True)
    moves = serializers.ListField(child=serializers.DictField())
    played = serializers.IntegerField(help_text="How many of the moves were made before the turn was over.")
    in_time = serializers.BooleanField()
    created = serializers.DateTimeField()
    events = SayingAnswer(many=True)


class LogEntry(serializers.Serializer):
    number = serializers.IntegerField()
    kind = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    in_time = serializers.BooleanField(help_text="false: taken after the deadline, or by a computer because of it.")
    created = serializers.DateTimeField()
    events = SayingAnswer(many=True)


class PreviewAnswer(serializers.Serializer):
    view = serializers.DictField()
    choices = ChoicesAnswer(allow_null=True, help_text="null: the turn is whole.")


class Page(serializers.Serializer):
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)


class MatchPage(Page):
    results = MatchRow(many=True)


class LogPage(Page):
    results = LogEntry(many=True)


class OptionAnswer(serializers.Serializer):
    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field here, an argument of fields there
    help = serializers.CharField()
    default = serializers.JSONField()
    values = serializers.ListField(child=serializers.JSONField())


class GameRow(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    revision = serializers.IntegerField()
    least_seats = serializers.IntegerField()
    most_seats = serializers.IntegerField()
    options = OptionAnswer(many=True)
    rules = serializers.CharField(help_text="Address of the rules page.")


class GameAnswer(GameRow):
    boards = serializers.DictField(help_text="Geometry of each board.")
    moves = serializers.DictField(help_text="JSON Schema of a move.")


class RecordAnswer(serializers.Serializer):
    key = serializers.CharField()
    game = serializers.CharField()
    revision = serializers.IntegerField()
    options = serializers.DictField()
    players = serializers.ListField(child=serializers.CharField())
    seed = serializers.CharField(help_text="64 hex digits.")
    seed_sha256 = serializers.CharField()
    turns = serializers.ListField(child=serializers.DictField())


class Problem(serializers.Serializer):
    """application/problem+json (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    errors = serializers.DictField(  # type: ignore[assignment]  # the name of a field here, of a property there
        required=False, help_text="What is wrong, by field."
    )
    move = serializers.IntegerField(required=False, help_text="Index of the illegal move.")
