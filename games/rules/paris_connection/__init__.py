"""Paris Connection: six railway companies grow out of Paris, and everybody holds shares in secret. The game is `game`.

It is not in the registry yet: it has no opponents and no page of rules.
"""

from games.rules.paris_connection.game import ParisConnection

game = ParisConnection()
