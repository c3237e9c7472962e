"""Trans America: rails on a shared lattice until somebody's five secret cities are joined. The game is `game`."""

from games.rules.contract import Game
from games.rules.trans_america.game import TransAmerica

game: Game = TransAmerica()
