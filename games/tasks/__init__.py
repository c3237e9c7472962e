"""Work outside of requests, as Celery tasks: one module for each queue (and `opponents`, which is with the house).

Every task may be run twice, at once, late or never: each looks at the rows first, and the sweeps start again whatever
the rows say is still to be done. No rule of a game and no decision about a match is made here.
"""

from games.tasks import clocks, house, notices, ratings

__all__ = ["clocks", "house", "notices", "ratings"]
