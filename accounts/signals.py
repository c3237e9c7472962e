"""What other parts of the site may want to know of people. Not for what accounts do themselves."""

from django.dispatch import Signal

renamed = Signal()
"""An account has another name now. Sent inside the transaction, with `user`."""
