"""What every game's catalogue is made of: sentences by code, and the helpers that put names and lists into them.

Rules speak in codes and parameters (`games.rules.contract.Saying`); a catalogue holds, for each code of its game, one
whole sentence in gettext. Sentences are made when they are said, in the language that is active then. No rules here,
and no HTML: what comes out is plain text and is escaped where it is shown.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules.contract import OptionValue, Saying

Facts = dict[str, Any]
"""A saying's parameters, and where it has a `seat` its `name`, where it has `seats` their `names` in one string."""

Sentence = str | Promise | Callable[[Facts], str]
"""A lazily translated sentence with %(places)s for the facts, or what makes one of the facts."""

Words = str | Promise


def _match_over(facts: Facts) -> str:
    if len(facts["seats"]) > 1:
        sentence = ngettext(
            "%(names)s share the win with %(points)s point",
            "%(names)s share the win with %(points)s points",
            facts["points"],
        )
    else:
        sentence = ngettext(
            "%(names)s wins with %(points)s point", "%(names)s wins with %(points)s points", facts["points"]
        )
    return sentence % {**facts, "points": figure(facts["points"])}


def figure(amount: int) -> str:
    """A figure with a real minus sign."""
    return str(amount).replace("-", "−")


TABLE: dict[str, Sentence] = {
    "resigned": gettext_lazy("%(name)s resigns, and a computer plays on"),
    "abandoned": gettext_lazy("%(name)s resigns, and the match ends, since nobody is left"),
    "timed-out": gettext_lazy("%(name)s runs out of time, and a computer takes the turn"),
    "replaced": gettext_lazy("%(name)s runs out of time again, and a computer plays on"),
    "deserted": gettext_lazy("%(name)s runs out of time again, and the match ends, since nobody is left"),
    "taken-over": gettext_lazy("%(name)s takes the seat over from the computer"),
    "match-over": _match_over,
}
"""What happens at every table, whatever is played."""


@dataclass(frozen=True)
class OptionWords:
    """An option in the lobby: its label, one sentence of help, and the words for values other than yes and no."""

    label: Words
    help: Words
    values: Mapping[str, Words] = field(default_factory=dict)


@dataclass(frozen=True)
class Catalogue:
    """All words of a game.

    about: one sentence for who has never heard of it.
    merge: turns the events of one turn into those that are told, for games whose turns read better that way.
    """

    title: Words
    about: Words
    sentences: Mapping[str, Sentence]
    options: Mapping[str, OptionWords]
    merge: Callable[[Sequence[Saying]], Sequence[Saying]] = list

    def say(self, saying: Saying, names: Sequence[str]) -> str:
        """The sentence of a saying. names: the players' names by seat. Raises KeyError for a code without sentence."""
        facts: Facts = {**saying.params, "all_names": names}
        if (seat := saying.params.get("seat")) is not None:
            facts["name"] = names[seat]
        if "seats" in saying.params:
            facts["names"] = listed([names[seat] for seat in saying.params["seats"]])
        sentence = self.sentences[saying.code] if saying.code in self.sentences else TABLE[saying.code]
        return sentence(facts) if callable(sentence) else str(sentence) % facts

    def say_all(self, sayings: Sequence[Saying], names: Sequence[str]) -> str:
        """The sentences of several sayings, as one line."""
        line = ""
        for saying in self.merge(sayings):
            sentence = self.say(saying, names)
            # Translators: two things that happened in one turn, in one line of the log.
            line = _("%(first)s; %(second)s") % {"first": line, "second": sentence} if line else sentence
        return line

    def option_value(self, key: str, value: OptionValue) -> str:
        """The words for a value of an option."""
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        return str(self.options[key].values[value])


def listed(items: Sequence[str]) -> str:
    """Some items as people list them: "Ann", "Ann and Bob", "Ann, Bob and Cem"."""
    if not items:
        return ""
    *before, last = items
    if not before:
        return last
    start = before[0]
    for item in before[1:]:
        # Translators: the beginning of a list of three or more items.
        start = _("%(items)s, %(item)s") % {"items": start, "item": item}
    # Translators: a list with its last item.
    return _("%(items)s and %(last)s") % {"items": start, "last": last}
