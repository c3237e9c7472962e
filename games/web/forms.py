"""Forms of the pages: a new match, and the lobby's filters."""

import functools
import operator
from collections.abc import Iterator
from typing import Any

import django_filters
from django import forms
from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Match
from games.play import DEFAULT_PACE, PACES
from games.rules.contract import LEVELS, Game
from games.rules.registry import GAMES
from games.templatetags.branchline import level_name
from games.words import option_help, option_label, option_value, title
from games.words.terms import duration

PERSON, NOBODY = "person", ""
MOST_INVITED = 20
HOUR, DAY = 60 * 60, 24 * 60 * 60
EACH_TURN, BANK = "turn", "bank"
"""Two kinds of clocks: a time for each turn, or a bank of time that each turn draws on."""
BANKS = (DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY)
INCREMENTS = (0, HOUR, 8 * HOUR, DAY)
"""Banks, and what each turn puts back into them, that the page offers, in seconds; the API takes more."""
RELIABILITIES = (80, 90, 95)
"""Least shares of turns in time that the page offers, in per cent."""
FIELDS_OF_REFUSALS = {
    "bad-pace": "pace",
    "bad-bank": "bank",
    "bad-increment": "increment",
    "bad-reliability": "min_reliability",
}
"""Where on the form a refusal of the table belongs; the others are said above it."""


NO_SUCH_CHOICE = {"invalid_choice": gettext_lazy("There is nothing like that to choose, so all matches are shown.")}
"""What a filter of the lobby says about an address that somebody made up."""


def pace_choices() -> list[tuple[int, str]]:
    return [(pace, duration(pace)) for pace in PACES]


def increment_choices() -> list[tuple[int, str]]:
    return [(more, duration(more) if more else _("nothing")) for more in INCREMENTS]


def reliability_choices() -> list[tuple[int | str, str]]:
    asked = [(least, _("at least %(least)d %% of turns in time") % {"least": least}) for least in RELIABILITIES]
    return [("", _("anybody")), *asked]


def people_named(names: list[str]) -> list[Any]:
    """The people of these names, in any case. Raises ValidationError for the first that nobody has."""
    if not names:
        return []
    asked = functools.reduce(operator.or_, (Q(username__iexact=name) for name in names))
    people = get_user_model().objects.filter(asked, is_active=True)
    found = {person.username.lower(): person for person in people}
    for name in names:
        if name.lower() not in found:
            raise forms.ValidationError(_("Nobody here is called “%(name)s”.") % {"name": name})
    return list(found.values())


def seat_numbers() -> list[int]:
    """How many may sit at a table of any game."""
    return sorted({number for game in GAMES.values() for number in game.seats})


class NewMatchForm(forms.Form):
    """Who sits where, how fast, who may come. Its fields follow the game: one a seat, one an option."""

    clock = forms.ChoiceField(
        label=gettext_lazy("Clock"),
        widget=forms.RadioSelect,
        required=False,
        initial=EACH_TURN,
        choices=[
            (EACH_TURN, gettext_lazy("A time for each turn")),
            (BANK, gettext_lazy("A bank of time for the whole match")),
        ],
    )
    pace = forms.TypedChoiceField(
        label=gettext_lazy("Time for a turn"),
        coerce=int,
        choices=pace_choices,
        initial=DEFAULT_PACE,
        required=False,
        help_text=gettext_lazy("When it is over, the computer plays the turn. Most are taken much sooner."),
    )
    bank = forms.TypedChoiceField(
        label=gettext_lazy("Bank of each player"),
        coerce=int,
        choices=lambda: [(bank, duration(bank)) for bank in BANKS],
        initial=7 * DAY,
        required=False,
        help_text=gettext_lazy("It runs while it is your turn. When it is empty, the computer plays the turn."),
    )
    increment = forms.TypedChoiceField(
        label=gettext_lazy("More for each turn"),
        coerce=int,
        choices=increment_choices,
        initial=8 * HOUR,
        required=False,
        help_text=gettext_lazy("Each turn puts this back into the bank, which never holds more than at the start."),
    )
    min_reliability = forms.TypedChoiceField(
        label=gettext_lazy("Reliability of those who join"),
        coerce=int,
        choices=reliability_choices,
        required=False,
        empty_value=None,
    )
    access = forms.ChoiceField(
        label=gettext_lazy("Who may join"),
        widget=forms.RadioSelect,
        initial=Match.Access.OPEN,
        choices=[
            (Match.Access.OPEN, gettext_lazy("Anybody: it is listed in the lobby")),
            (Match.Access.INVITED, gettext_lazy("Only those I invite")),
            (Match.Access.LINK, gettext_lazy("Anyone with the link")),
        ],
    )
    invited = forms.CharField(
        label=gettext_lazy("Invite by name"),
        required=False,
        help_text=gettext_lazy("Separate names with commas. They will see the invitation under Departures."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}),
    )
    rated = forms.BooleanField(
        label=gettext_lazy("Rated"),
        required=False,
        help_text=gettext_lazy(
            "The result changes the ratings of all who play. Never with computer opponents or guests."
        ),
    )

    def __init__(self, game: Game, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game, self.user = game, user
        seat_choices = [
            (PERSON, _("a person")),
            *((level, _("computer, %(level)s") % {"level": level_name(level)}) for level in LEVELS),
        ]
        least, most = game.seats.start, game.seats.stop - 1
        for number in range(2, most + 1):
            choices = seat_choices if number <= least else [(NOBODY, _("nobody")), *seat_choices]
            self.fields[f"seat-{number}"] = forms.ChoiceField(
                label=_("Seat %(number)d") % {"number": number},
                choices=choices,
                required=number <= least,
                initial=PERSON if number <= 3 else NOBODY,
            )
        for option in game.options:
            self.fields[f"option-{option.key}"] = self._option_field(option)
        if user.is_guest:
            del self.fields["rated"]

    def _option_field(self, option: Any) -> forms.Field:
        words = {
            "label": option_label(self.game.key, option.key),
            "help_text": option_help(self.game.key, option.key),
            "initial": option.default,
        }
        if isinstance(option.default, bool):
            return forms.BooleanField(required=False, **words)
        values = [(value, option_value(self.game.key, option.key, value)) for value in option.values]
        return forms.ChoiceField(choices=values, widget=forms.RadioSelect, **words)

    def seat_fields(self) -> Iterator[forms.BoundField]:
        return (field for field in self.visible_fields() if field.name.startswith("seat-"))

    def option_fields(self) -> Iterator[forms.BoundField]:
        return (field for field in self.visible_fields() if field.name.startswith("option-"))

    @property
    def options_have_errors(self) -> bool:
        return any(field.errors for field in self.option_fields())

    def clean_invited(self) -> list[Any]:
        """The invited people. A name that nobody has is an error that says which."""
        names = [name.strip() for name in self.cleaned_data["invited"].replace(";", ",").split(",") if name.strip()]
        if len(names) > MOST_INVITED:
            raise forms.ValidationError(_("At most %(most)d people can be invited at once.") % {"most": MOST_INVITED})
        return [person for person in people_named(names) if person != self.user]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        seats = [data.get(field.name, NOBODY) for field in self.seat_fields()]
        data["seats"] = 1 + sum(seat != NOBODY for seat in seats)
        data["opponents"] = [seat for seat in seats if seat in LEVELS]
        data["options"] = {option.key: data.get(f"option-{option.key}") for option in self.game.options}
        if data.get("clock") == BANK:
            data["pace"] = self._or_initial("increment", data)
            data["bank"] = self._or_initial("bank", data)
        else:
            data["pace"], data["bank"] = self._or_initial("pace", data), 0
        wants_people = PERSON in seats
        if wants_people and data.get("access") == Match.Access.INVITED and data.get("invited") == []:
            self.add_error("invited", _("Name at least one player, or let others join."))
        return data

    def _or_initial(self, name: str, data: dict[str, Any]) -> Any:
        """The value of a clock's field; a client that left it out gets what the form begins with."""
        return self.fields[name].initial if data.get(name) in (None, "") else data[name]

    def facts(self) -> dict[str, Any]:
        """The arguments of `play.create_match` that the form has gathered."""
        data = self.cleaned_data
        names = ("seats", "opponents", "options", "pace", "bank", "min_reliability", "access", "invited")
        return {name: data[name] for name in names} | {"rated": data.get("rated", False)}


class SeatInvitationForm(forms.Form):
    """Whom to ask to take a seat over."""

    name = forms.CharField(
        max_length=150,
        error_messages={"required": gettext_lazy("Name a player."), "max_length": gettext_lazy("Name a player.")},
    )

    def clean_name(self) -> Any:
        """The person of that name."""
        return people_named([self.cleaned_data["name"].strip()])[0]


class LobbyFilter(django_filters.FilterSet):
    """What to show in the lobby; it stays in the address."""

    game = django_filters.ChoiceFilter(
        label=gettext_lazy("Game"),
        error_messages=NO_SUCH_CHOICE,
        empty_label=gettext_lazy("any game"),
        choices=lambda: [(key, title(key)) for key in GAMES],
    )
    pace = django_filters.ChoiceFilter(
        label=gettext_lazy("Pace"),
        error_messages=NO_SUCH_CHOICE,
        empty_label=gettext_lazy("any"),
        choices=lambda: [*pace_choices(), (BANK, _("with a bank"))],
        method="filter_pace",
    )
    seats = django_filters.TypedChoiceFilter(
        field_name="seats_wanted",
        label=gettext_lazy("Players"),
        error_messages=NO_SUCH_CHOICE,
        coerce=int,
        choices=lambda: [("", _("any number")), *((number, str(number)) for number in seat_numbers())],
    )
    rated = django_filters.TypedChoiceFilter(
        label=gettext_lazy("Rated"),
        error_messages=NO_SUCH_CHOICE,
        coerce=lambda value: value == "yes",
        choices=[("", gettext_lazy("either")), ("yes", gettext_lazy("rated")), ("no", gettext_lazy("not rated"))],
    )

    class Meta:
        model = Match
        fields = ("game", "pace", "seats", "rated")

    def filter_pace(self, matches: QuerySet[Match], _name: str, value: str) -> QuerySet[Match]:
        return matches.filter(bank__gt=0) if value == BANK else matches.filter(bank=0, pace=int(value))

    @property
    def active(self) -> bool:
        """Whether anything is filtered out."""
        return any(self.data.get(name) for name in self.filters)

    @property
    def found(self) -> QuerySet[Match]:
        """The matches that fit; all of them when a filter makes no sense."""
        return self.qs if self.is_valid() else self.queryset
