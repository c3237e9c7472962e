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
from games.templatetags.branchline import duration, level_name
from games.words import option_help, option_label, option_value, title

PERSON, NOBODY = "person", ""
MOST_INVITED = 20


def pace_choices() -> list[tuple[int, str]]:
    return [(pace, duration(pace)) for pace in PACES]


def seat_numbers() -> list[int]:
    """How many may sit at a table of any game."""
    return sorted({number for game in GAMES.values() for number in game.seats})


class NewMatchForm(forms.Form):
    """Who sits where, how fast, who may come. Its fields follow the game: one a seat, one an option."""

    pace = forms.TypedChoiceField(
        label=gettext_lazy("Time for a turn"),
        coerce=int,
        choices=pace_choices,
        initial=DEFAULT_PACE,
        help_text=gettext_lazy("A turn should be taken within this time. Most are taken sooner."),
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
            "The result will count as soon as there are ratings. Never with computer opponents or guests."
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
        if not names:
            return []
        asked = functools.reduce(operator.or_, (Q(username__iexact=name) for name in names))
        found = {person.username.lower(): person for person in get_user_model().objects.filter(asked)}
        for name in names:
            if name.lower() not in found:
                raise forms.ValidationError(_("Nobody here is called “%(name)s”.") % {"name": name})
        return [person for person in found.values() if person != self.user]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        seats = [data.get(field.name, NOBODY) for field in self.seat_fields()]
        data["seats"] = 1 + sum(seat != NOBODY for seat in seats)
        data["opponents"] = [seat for seat in seats if seat in LEVELS]
        data["options"] = {option.key: data.get(f"option-{option.key}") for option in self.game.options}
        wants_people = PERSON in seats
        if wants_people and data.get("access") == Match.Access.INVITED and data.get("invited") == []:
            self.add_error("invited", _("Name at least one player, or let others join."))
        return data

    def facts(self) -> dict[str, Any]:
        """The arguments of `play.create_match` that the form has gathered."""
        data = self.cleaned_data
        names = ("seats", "opponents", "options", "pace", "access", "invited")
        return {name: data[name] for name in names} | {"rated": data.get("rated", False)}


class LobbyFilter(django_filters.FilterSet):
    """What to show in the lobby; it stays in the address."""

    game = django_filters.ChoiceFilter(
        label=gettext_lazy("Game"),
        empty_label=gettext_lazy("any game"),
        choices=lambda: [(key, title(key)) for key in GAMES],
    )
    pace = django_filters.TypedChoiceFilter(
        label=gettext_lazy("Time for a turn"),
        coerce=int,
        choices=lambda: [("", _("any")), *pace_choices()],
    )
    seats = django_filters.TypedChoiceFilter(
        field_name="seats_wanted",
        label=gettext_lazy("Players"),
        coerce=int,
        choices=lambda: [("", _("any number")), *((number, str(number)) for number in seat_numbers())],
    )
    rated = django_filters.TypedChoiceFilter(
        label=gettext_lazy("Rated"),
        coerce=lambda value: value == "yes",
        choices=[("", gettext_lazy("either")), ("yes", gettext_lazy("rated")), ("no", gettext_lazy("not rated"))],
    )

    class Meta:
        model = Match
        fields = ("game", "pace", "seats", "rated")

    @property
    def active(self) -> bool:
        """Whether anything is filtered out."""
        return any(self.data.get(name) for name in self.filters)

    @property
    def found(self) -> QuerySet[Match]:
        """The matches that fit; all of them when a filter makes no sense."""
        return self.qs if self.is_valid() else self.queryset
