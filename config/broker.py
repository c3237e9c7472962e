"""Redis as the broker, by a transport that lets go of what it holds when the connection does.

kombu's own puts messages that were not confirmed yet back into their queues whenever a connection ends. When that ends
because Redis is away, it fails, and the worker with it: it neither works any more nor ends. Here they stay where they
are; the rows in the database say what is to be done, and the sweep finds it.
"""

from kombu.transport import redis


class Channel(redis.Channel):
    """A channel that puts nothing back."""

    do_restore = False


class Transport(redis.Transport):
    """What CELERY_BROKER_TRANSPORT names."""

    Channel = Channel
