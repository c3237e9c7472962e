"""What other parts of the site may want to know of people. Not for what accounts do themselves."""

from django.dispatch import Signal

renamed = Signal()
"""An account has another name now. Sent inside the transaction, with `user`."""

logged_out = Signal()
"""A person has logged out in one of their browsers. Sent after the session is gone, with `user`."""

vacation_changed = Signal()
"""A person's vacation has begun or is over; `accounts.vacations.until` says which. Sent after that is stored, and again
until all who listen came through, with `user`: it may come twice."""
