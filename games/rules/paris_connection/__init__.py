"""Paris Connection: six companies grow out of Paris, and everybody holds shares of them in secret. See `game`."""

from games.rules.contract import Game
from games.rules.paris_connection.game import ParisConnection

game: Game = ParisConnection()
