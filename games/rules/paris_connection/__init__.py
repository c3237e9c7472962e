"""Paris Connection: six railway companies grow out of Paris, and everybody holds shares in secret. The game is `game`."""

from games.rules.contract import Game
from games.rules.paris_connection.game import ParisConnection

game: Game = ParisConnection()
