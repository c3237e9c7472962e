"""The expansions of Railroad Ink by the value of the option `expansion`. One is one module and one more line here."""

from games.rules.railroad_ink.expansions.base import NONE, Bonus, Demand, Expansion
from games.rules.railroad_ink.expansions.lake import LAKE
from games.rules.railroad_ink.expansions.lava import LAVA
from games.rules.railroad_ink.expansions.meteor import METEOR
from games.rules.railroad_ink.expansions.river import RIVER

EXPANSIONS: dict[str, Expansion] = {each.key: each for each in (NONE, RIVER, LAKE, METEOR, LAVA)}

__all__ = ["EXPANSIONS", "Bonus", "Demand", "Expansion"]
