"""The words of Paris Connection: a sentence for every code of its rules and a title for every kind of shape
in its scene.

Events begin with a name or a figure and have no full stop, since several of them make one line;
refusals and questions are whole sentences.
"""

from collections.abc import Callable, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.rules.contract import Saying
from games.words.catalogue import Catalogue, Facts, OptionWords, Sentence, listed
from games.words.places import place_words

COMPANIES: dict[str, Promise] = {
    "red": pgettext_lazy("company", "red"),
    "blue": pgettext_lazy("company", "blue"),
    "black": pgettext_lazy("company", "black"),
    "brown": pgettext_lazy("company", "brown"),
    "yellow": pgettext_lazy("company", "yellow"),
    "purple": pgettext_lazy("company", "purple"),
}

COMPANIES_FIRST: dict[str, Promise] = {
    "red": pgettext_lazy("company at the beginning of a sentence", "Red"),
    "blue": pgettext_lazy("company at the beginning of a sentence", "Blue"),
    "black": pgettext_lazy("company at the beginning of a sentence", "Black"),
    "brown": pgettext_lazy("company at the beginning of a sentence", "Brown"),
    "yellow": pgettext_lazy("company at the beginning of a sentence", "Yellow"),
    "purple": pgettext_lazy("company at the beginning of a sentence", "Purple"),
}


def with_companies(sentence: Promise) -> Callable[[Facts], str]:
    """A sentence in which companies stand in words: as %(company)s and %(Company)s, %(give)s, %(take)s, %(victim)s and
    %(building)s; and a hex, where there is one, as %(where)s."""
    return lambda facts: str(sentence) % _in_words(facts)


def _in_words(facts: Facts) -> Facts:
    words = {**facts}
    for key in ("company", "give", "take", "victim", "building"):
        if isinstance(words.get(key), str):
            words[key] = COMPANIES[words[key]]
    if "company" in facts:
        words["Company"] = COMPANIES_FIRST[facts["company"]]
    if "distance" in facts:
        words["where"] = place_words(facts)
    return words


def _build_more(facts: Facts) -> str:
    return ngettext(
        "Build %(left)d more locomotive of the %(company)s company, or stop.",
        "Build up to %(left)d more locomotives of the %(company)s company, or stop.",
        facts["left"],
    ) % _in_words(facts)


def _built(facts: Facts) -> str:
    return _built_all({**facts, "hexes": [facts]})


def _built_all(facts: Facts) -> str:
    """What somebody built in one turn, in the order of building."""
    return _("%(name)s built %(company)s at %(places)s") % {
        **_in_words(facts),
        "places": listed([place_words(hex_) for hex_ in facts["hexes"]]),
    }


def _earned(facts: Facts) -> str:
    # Translators: %(gain)d points of value, as in "red gains 4 and is worth 9".
    return _("%(company)s gains %(gain)d and is worth %(value)d") % _in_words(facts)


def _traded(facts: Facts) -> str:
    if facts["count"] == 1:
        return _("%(name)s returned a %(give)s share and took a %(take)s one") % _in_words(facts)
    return _("%(name)s returned a %(give)s share and took two %(take)s ones") % _in_words(facts)


def _dealt(facts: Facts) -> str:
    return (
        ngettext(
            "Everybody is dealt %(shares)d share; %(name)s starts",
            "Everybody is dealt %(shares)d shares; %(name)s starts",
            facts["shares"],
        )
        % facts
    )


def _ends_stall(facts: Facts) -> str:
    return (
        ngettext(
            "the match ends, since everybody has done nothing but swap %(times)d time running",
            "the match ends, since everybody has done nothing but swap %(times)d times running",
            facts["times"],
        )
        % facts
    )


def _move_trade(facts: Facts) -> str:
    take = {**facts, "take": facts["take"][0]}
    if len(facts["take"]) == 1:
        return _("Return a %(give)s share, take a %(take)s one") % _in_words(take)
    return _("Return a %(give)s share, take two %(take)s ones") % _in_words(take)


QUESTIONS: dict[str, Sentence] = {
    "build-or-trade": gettext_lazy("Build one to five locomotives of one company, or trade a share."),
    "trade": gettext_lazy("No company can build: trade a share."),
    "build-more": _build_more,
    "wait": gettext_lazy("%(name)s is to move."),
    "wait-house": gettext_lazy("The house is dealing or scoring."),
}

# Moves that are not made on the board: what their buttons say.
MOVES: dict[str, Sentence] = {
    "move-stop": gettext_lazy("Stop here"),
    "move-trade": _move_trade,
}

REFUSALS: dict[str, Sentence] = {
    "match-is-over": gettext_lazy("The match is over."),
    "house-to-move": gettext_lazy("Nobody can move while the house is dealing or scoring."),
    "not-your-turn": gettext_lazy("It is not your turn: %(name)s is to move."),
    "must-act-first": gettext_lazy("Build at least one locomotive before you stop."),
    "unknown-hex": gettext_lazy("The board has no hex %(hex)s."),
    "one-company-a-build": with_companies(
        gettext_lazy("You are building %(building)s in this turn: %(company)s must wait for another one.")
    ),
    "supply-empty": with_companies(gettext_lazy("The %(company)s company has nothing left in its supply.")),
    "supply-too-small": with_companies(gettext_lazy("The %(company)s company has only one left in its supply.")),
    "paris": gettext_lazy("Nobody builds in the middle of Paris."),
    "start-hex": with_companies(
        gettext_lazy("A station of Paris holds the one locomotive that starts there: %(where)s.")
    ),
    "already-there": with_companies(
        gettext_lazy("The %(company)s company has a locomotive in that hex already: %(where)s.")
    ),
    "hex-full": with_companies(gettext_lazy("That hex has no room for another locomotive: %(where)s.")),
    "ribbon": with_companies(
        gettext_lazy("A red and white ribbon bars the way of the %(company)s company there: %(where)s.")
    ),
    "not-adjacent": with_companies(
        gettext_lazy("That hex is not next to a locomotive of the %(company)s company: %(where)s.")
    ),
    "cut-off": with_companies(
        gettext_lazy("That would cut the %(victim)s company off from every free city: %(where)s.")
    ),
    "trade-while-building": with_companies(
        gettext_lazy("You are building %(company)s in this turn: a trade is a turn of its own.")
    ),
    "take-one-or-two": gettext_lazy("Take one share or two for the one that you return."),
    "mixed-companies": gettext_lazy("Both shares that you take must be of one company."),
    "same-company": with_companies(
        gettext_lazy("You return a %(company)s share: take shares of another company for it.")
    ),
    "share-not-held": with_companies(gettext_lazy("You hold no share of the %(company)s company.")),
}

EVENTS: dict[str, Sentence] = {
    "dealt": _dealt,
    "built": _built,
    "built-all": _built_all,
    "earned": _earned,
    "traded": _traded,
    "ends-last-city": gettext_lazy("%(city)s is reached, and the match ends"),
    "ends-supply": gettext_lazy("the match ends, since only one company has anything left in its supply"),
    "ends-stall": _ends_stall,
    "holdings-shown": gettext_lazy("All shares are shown and counted"),
}

SHEET: dict[str, Sentence] = {
    "sheet-company": with_companies(gettext_lazy("%(Company)s, worth %(value)d")),
    "sheet-penalty": gettext_lazy("Shares above the limit of %(limit)d"),
}


def _build_here(facts: Facts) -> str:
    if not facts["value"]:
        return _("%(Company)s at %(where)s") % _in_words(facts)
    # Translators: a place where a company can build, and by how much its value rises there.
    return _("%(Company)s at %(where)s: gains %(value)d") % _in_words(facts)


# Titles of shapes. Hexes take what `Board.describe` gives.
TITLES: dict[str, Sentence] = {
    "map": gettext_lazy("Board of France"),
    "board": gettext_lazy("Board of France, %(locomotives)d locomotives on it"),
    "city": gettext_lazy("%(city)s, worth %(value)d"),
    "last-city": gettext_lazy("%(city)s, worth %(value)d: the match ends when it is reached"),
    "station": gettext_lazy("%(station)s, a station of Paris"),
    "locomotive": with_companies(gettext_lazy("%(Company)s locomotive: %(where)s")),
    "new-locomotive": with_companies(gettext_lazy("%(Company)s locomotive: %(where)s, new")),
    "running-locomotive": with_companies(gettext_lazy("%(Company)s locomotive: %(where)s, in this build")),
    "value": with_companies(gettext_lazy("Value of the %(company)s company: %(value)d")),
    "build-here": _build_here,  # a hex, its value, and the company that may build there
}


def merge(sayings: Sequence[Saying]) -> list[Saying]:
    """The locomotives of one build are told together."""
    told: list[Saying] = []
    for saying in sayings:
        before = told[-1] if told else None
        if before is not None and before.code == "built-all" and saying.code == "built" and _same(before, saying):
            told[-1] = Saying("built-all", {**before.params, "hexes": [*before.params["hexes"], saying.params]})
        elif saying.code == "built":
            build = {key: saying.params[key] for key in ("seat", "company")}
            told.append(Saying("built-all", {**build, "hexes": [saying.params]}))
        else:
            told.append(saying)
    return told


def _same(one: Saying, other: Saying) -> bool:
    """Whether two builds are of one seat and one company."""
    return all(one.params[key] == other.params[key] for key in ("seat", "company"))


CATALOGUE = Catalogue(
    title=gettext_lazy("Paris Connection"),
    about=gettext_lazy(
        "Six companies grow out of Paris, built by everybody, while each player secretly gathers shares of those that "
        "will be worth most."
    ),
    sentences={**QUESTIONS, **MOVES, **REFUSALS, **EVENTS, **SHEET, **TITLES},
    options={
        "penalty": OptionWords(
            gettext_lazy("Penalty"),
            gettext_lazy("What is taken at the end from who holds more shares than the limit."),
            {
                "per-share": gettext_lazy("20 points for each share above the limit"),
                "once": gettext_lazy("20 points in all for too many shares"),
            },
        ),
        "cut_off": OptionWords(
            gettext_lazy("Cut-off ban"),
            gettext_lazy("Which companies nobody may cut off from the free cities."),
            {
                "first-city": gettext_lazy("no company without a city may be cut off"),
                "always": gettext_lazy("no company may be cut off"),
            },
        ),
        "show_holdings": OptionWords(
            gettext_lazy("Open holdings"), gettext_lazy("Everybody sees what shares the others hold.")
        ),
        "stall_guard": OptionWords(
            gettext_lazy("Stall guard"),
            gettext_lazy("When everybody has swapped one share for one three times running, the match ends."),
        ),
    },
    merge=merge,
)
