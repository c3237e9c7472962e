"""Every game of the house by its key. A new game is one more line here."""

from games.rules import paris_connection, trans_america
from games.rules.contract import Game

GAMES: dict[str, Game] = {game.key: game for game in (trans_america.game, paris_connection.game)}
