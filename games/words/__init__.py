"""The words of the house's games: what rules say in codes becomes sentences in the reader's language.

Everything below `games/rules` speaks in codes; pages, mails, the API's error texts and logs call these functions with
the game's key. Not for words of pages that belong to no game.
"""

from collections.abc import Sequence

from games.rules.contract import OptionValue, Saying
from games.words.catalogue import Catalogue
from games.words.paris_connection import CATALOGUE as PARIS_CONNECTION
from games.words.trans_america import CATALOGUE as TRANS_AMERICA

CATALOGUES: dict[str, Catalogue] = {"trans-america": TRANS_AMERICA, "paris-connection": PARIS_CONNECTION}


def title(game_key: str) -> str:
    """The game's name."""
    return str(CATALOGUES[game_key].title)


def about(game_key: str) -> str:
    """The game in one sentence, for who has never heard of it."""
    return str(CATALOGUES[game_key].about)


def say(game_key: str, saying: Saying, names: Sequence[str]) -> str:
    """The sentence of a saying. names: the players' names by seat."""
    return CATALOGUES[game_key].say(saying, names)


def say_all(game_key: str, sayings: Sequence[Saying], names: Sequence[str]) -> str:
    """The events of a turn as one line of the log."""
    return CATALOGUES[game_key].say_all(sayings, names)


def option_label(game_key: str, key: str) -> str:
    """What an option is called."""
    return str(CATALOGUES[game_key].options[key].label)


def option_help(game_key: str, key: str) -> str:
    """One sentence about what an option changes."""
    return str(CATALOGUES[game_key].options[key].help)


def option_value(game_key: str, key: str, value: OptionValue) -> str:
    """The words for a value of an option."""
    return CATALOGUES[game_key].option_value(key, value)
