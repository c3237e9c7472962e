"""The words of Trans America: a sentence for every code of its rules and a title for every kind of shape in its scene.

Events begin with a name or a figure and have no full stop, since several of them make one line;
refusals and questions are whole sentences.
"""

from collections.abc import Callable, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.rules.contract import Saying
from games.words.catalogue import Catalogue, Facts, OptionWords, Sentence, listed
from games.words.places import place_words, with_place

# Translators: a line that begins in a city, as in "Denver to the east".
LINES_FROM_CITY: dict[str, Promise] = {
    "east": gettext_lazy("%(place)s to the east"),
    "south-east": gettext_lazy("%(place)s to the south-east"),
    "south-west": gettext_lazy("%(place)s to the south-west"),
    "west": gettext_lazy("%(place)s to the west"),
    "north-west": gettext_lazy("%(place)s to the north-west"),
    "north-east": gettext_lazy("%(place)s to the north-east"),
}

# Translators: a line with no city at its ends, as in "the line from 2 steps south of Omaha to the east".
LINES_FROM_JUNCTION: dict[str, Promise] = {
    "east": gettext_lazy("the line from %(junction)s to the east"),
    "south-east": gettext_lazy("the line from %(junction)s to the south-east"),
    "south-west": gettext_lazy("the line from %(junction)s to the south-west"),
    "west": gettext_lazy("the line from %(junction)s to the west"),
    "north-west": gettext_lazy("the line from %(junction)s to the north-west"),
    "north-east": gettext_lazy("the line from %(junction)s to the north-east"),
}

COLOURS: dict[str, Promise] = {
    "green": pgettext_lazy("group of cities", "green"),
    "blue": pgettext_lazy("group of cities", "blue"),
    "yellow": pgettext_lazy("group of cities", "yellow"),
    "red": pgettext_lazy("group of cities", "red"),
    "orange": pgettext_lazy("group of cities", "orange"),
}

BOARDS: dict[str, Promise] = {
    "america": gettext_lazy("America"),
    "europa": gettext_lazy("Europe"),
}


def line_words(facts: Facts) -> str:
    """A line of `Board.describe` as a noun: "Denver to the east", "the line from one step south of Omaha to the east"
    where no city is at its ends."""
    if facts["distance"]:
        return str(LINES_FROM_JUNCTION[facts["towards"]]) % {"junction": place_words(facts)}
    if "to" in facts:
        # Translators: a line between two cities.
        return _("%(place)s to %(to)s") % facts
    return str(LINES_FROM_CITY[facts["direction"]] % facts)


def with_line(sentence: Promise) -> Callable[[Facts], str]:
    """A sentence in which %(where)s is a line."""
    return lambda facts: str(sentence) % {**facts, "where": line_words(facts)}


def _laid(facts: Facts) -> str:
    return laid_words(facts["name"], [facts])


def _laid_both(facts: Facts) -> str:
    return laid_words(facts["name"], facts["rails"])


def laid_words(name: str, rails: Sequence[Facts]) -> str:
    """What somebody laid: one rail or two, plain or coloured."""
    wheres = []
    for rail in rails:
        where = line_words(rail)
        # Translators: a line on which a player laid a rail of that player's own colour.
        wheres.append(_("%(where)s (coloured rail)") % {"where": where} if rail["own"] else where)
    return _("%(name)s laid %(lines)s") % {"name": name, "lines": listed(wheres)}


def _joined(facts: Facts) -> str:
    return (
        ngettext("%(names)s's cities are joined", "%(names)s have all their cities joined", len(facts["seats"])) % facts
    )


def _passed_over(facts: Facts) -> str:
    return (
        ngettext(
            "%(names)s cannot lay a rail and is passed over",
            "%(names)s cannot lay a rail and are passed over",
            len(facts["seats"]),
        )
        % facts
    )


def _round_scored(facts: Facts) -> str:
    losses = []
    for name, penalty in zip(facts["all_names"], facts["penalties"], strict=True):
        if penalty:
            sentence = ngettext("%(name)s loses %(points)d point", "%(name)s loses %(points)d points", penalty)
        else:
            sentence = _("%(name)s loses nothing")
        losses.append(sentence % {"name": name, "points": penalty})
    return _("Round %(round)d is scored: %(losses)s") % {"round": facts["round"], "losses": listed(losses)}


def _barrier(facts: Facts) -> str:
    return (
        ngettext(
            "%(threshold)d point or fewer after a round will end the match from now on",
            "%(threshold)d points or fewer after a round will end the match from now on",
            facts["threshold"],
        )
        % facts
    )


def _lay(facts: Facts) -> str:
    return (
        ngettext(
            "Lay a rail worth %(points)d point, from the lines that glow.",
            "Lay rails worth up to %(points)d points, from the lines that glow.",
            facts["points"],
        )
        % facts
    )


def _too_dear(facts: Facts) -> str:
    return ngettext(
        "That line is double and costs %(cost)d points; you have %(left)d point left: %(where)s.",
        "That line is double and costs %(cost)d points; you have %(left)d points left: %(where)s.",
        facts["left"],
    ) % {**facts, "where": line_words(facts)}


def _line_title(facts: Facts) -> str:
    return ngettext("%(where)s: %(cost)d point", "%(where)s: %(cost)d points", facts["cost"]) % {
        **facts,
        "where": line_words(facts),
    }


def _rail_title(facts: Facts) -> str:
    where = line_words(facts)
    if "name" in facts:
        return _("%(where)s: %(name)s's rail") % {"where": where, "name": facts["name"]}
    return _("%(where)s: rail") % {"where": where}


def _city_title(facts: Facts) -> str:
    return _("%(city)s, %(colour)s city") % {"city": facts["city"], "colour": COLOURS[facts["colour"]]}


def _own_city_title(facts: Facts) -> str:
    return _("%(city)s, %(colour)s city, one of yours") % {
        "city": facts["city"],
        "colour": COLOURS[facts["colour"]],
    }


def _city_out_title(facts: Facts) -> str:
    return _("%(city)s, %(colour)s city, out of play") % {"city": facts["city"], "colour": COLOURS[facts["colour"]]}


def _dealt_city_title(facts: Facts) -> str:
    return _("%(city)s, %(colour)s city of %(name)s") % {
        "city": facts["city"],
        "colour": COLOURS[facts["colour"]],
        "name": facts["name"],
    }


def _own_line_title(facts: Facts) -> str:
    # Translators: a line that can be built with a rail of the player's own colour.
    return ngettext(
        "%(where)s, with your own rail: %(cost)d point",
        "%(where)s, with your own rail: %(cost)d points",
        facts["cost"],
    ) % {**facts, "where": line_words(facts)}


def _missing_title(facts: Facts) -> str:
    # Translators: the title of all lines that a player would have needed to join five cities.
    return (
        ngettext(
            "What %(name)s lacked: %(penalty)d point",
            "What %(name)s lacked: %(penalty)d points",
            facts["penalty"],
        )
        % facts
    )


def _map_title(facts: Facts) -> str:
    return _("Board of %(board)s") % {"board": BOARDS[facts["board"]]}


def _board_title(facts: Facts) -> str:
    return _("Board of %(board)s, round %(round)d") % {"board": BOARDS[facts["board"]], "round": facts["round"]}


QUESTIONS: dict[str, Sentence] = {
    "place-marker": gettext_lazy("Set your start marker on any free junction."),
    "lay": _lay,
    "lay-more": gettext_lazy("Lay one more single line, or stop."),
    "wait": gettext_lazy("%(name)s is to move."),
    "wait-house": gettext_lazy("The house is dealing or scoring."),
}

# Moves that are not made on the board: what their buttons say.
MOVES: dict[str, Sentence] = {
    "move-stop": gettext_lazy("Stop here"),
}

REFUSALS: dict[str, Sentence] = {
    "match-is-over": gettext_lazy("The match is over."),
    "house-to-move": gettext_lazy("Nobody can move while the house is dealing or scoring."),
    "not-your-turn": gettext_lazy("It is not your turn: %(name)s is to move."),
    "place-first": gettext_lazy("Set your start marker first."),
    "already-placed": gettext_lazy("Your start marker is already on the board."),
    "unknown-junction": gettext_lazy("The board has no junction %(junction)s."),
    "junction-taken": with_place(gettext_lazy("%(name)s's start marker is already there: %(where)s.")),
    "unknown-line": gettext_lazy("The board has no line %(line)s."),
    "line-turned-round": gettext_lazy("Write that line the other way round: %(right)s."),
    "line-blocked": with_line(gettext_lazy("That line carries a rail that only %(name)s can use: %(where)s.")),
    "line-taken": with_line(gettext_lazy("That line is already built: %(where)s.")),
    "line-not-connected": with_line(gettext_lazy("That line does not touch your network: %(where)s.")),
    "too-dear": _too_dear,
    "must-lay-first": gettext_lazy("Lay at least one rail before you stop."),
    "no-coloured-rails-here": gettext_lazy("This match is played without coloured rails."),
    "no-coloured-rails-left": gettext_lazy("You have laid all your coloured rails for this round."),
}

EVENTS: dict[str, Sentence] = {
    "placed": with_place(gettext_lazy("%(name)s starts from %(where)s")),
    "laid": _laid,
    "laid-both": _laid_both,
    "stopped": gettext_lazy("%(name)s stopped after one rail"),
    "joined": _joined,
    "last-rail": gettext_lazy("%(rails)d rails are laid, and none is left"),
    "nobody-can-lay": gettext_lazy("%(names)s can no longer lay a rail"),
    "passed-over": _passed_over,
    "round-dealt": gettext_lazy("Round %(round)d is dealt; %(name)s starts"),
    "round-scored": _round_scored,
    "barrier": _barrier,
}

SHEET: dict[str, Sentence] = {
    "sheet-start": gettext_lazy("Start"),
    "sheet-round": gettext_lazy("Round %(round)d"),
}

# Titles of shapes. Lines take what `Board.describe` gives, junctions what `Board.describe_junction` gives.
TITLES: dict[str, Sentence] = {
    "map": _map_title,  # board
    "board": _board_title,  # board, round
    "line": _line_title,  # a line that can be built, and its cost
    "own-line": _own_line_title,  # the same with a coloured rail
    "rail": _rail_title,  # a built line, and the seat of a coloured rail
    "missing": _missing_title,  # the seat, its penalty
    "junction": place_words,
    "city": _city_title,  # city: its name; colour
    "own-city": _own_city_title,
    "city-out": _city_out_title,
    "dealt-city": _dealt_city_title,  # and the seat that had it
    "marker": with_place(gettext_lazy("%(name)s's start marker: %(where)s")),  # a junction, and the seat
}


def merge(sayings: Sequence[Saying]) -> list[Saying]:
    """Two rails of one turn are told together."""
    told: list[Saying] = []
    for saying in sayings:
        before = told[-1] if told else None
        if before is not None and before.code == saying.code == "laid" and _seat(before) == _seat(saying):
            told[-1] = Saying("laid-both", {"seat": _seat(saying), "rails": [before.params, saying.params]})
        else:
            told.append(saying)
    return told


def _seat(saying: Saying) -> int:
    return int(saying.params["seat"])


CATALOGUE = Catalogue(
    title=gettext_lazy("Trans America"),
    about=gettext_lazy(
        "Everybody builds one network together, and secretly hopes that it reaches their own five cities first."
    ),
    sentences={**QUESTIONS, **MOVES, **REFUSALS, **EVENTS, **SHEET, **TITLES},
    options={
        "board": OptionWords(gettext_lazy("Board"), gettext_lazy("The map on which the match is played."), BOARDS),
        "barrier": OptionWords(
            gettext_lazy("Moving barrier"),
            gettext_lazy(
                "After round 2 the end of the match moves up to 3 points below the last player, so that it ends sooner."
            ),
        ),
        "vexation": OptionWords(
            gettext_lazy("Vexation"),
            gettext_lazy("In each round everybody has three rails of their own colour that nobody else can use."),
        ),
    },
    merge=merge,
)
