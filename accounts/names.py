"""The rules for names of accounts. Not for showing names, and not for names of computer opponents.

A name stands in addresses, mails and logs, and people tell each other apart by it. So it is plain ASCII (no letter of
one script passes for a letter of another, and nothing passes for the "@" of an e-mail address), names that differ only
in case are one name, and names that could be taken for the house or for a computer are refused.
"""

import re
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator, RegexValidator
from django.utils.translation import gettext_lazy as _

NAME_MIN_LENGTH = 2
NAME_MAX_LENGTH = 24
GUEST_PREFIX = "Guest-"
GONE_PREFIX = "Gone-"
"""How the names begin that stand in matches for deleted accounts; the account's number follows."""

_FORM = re.compile(r"\A[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?\Z")

# The last line is what computer opponents are called: the log of a match names people and computers alike.
_RESERVED = """
    admin administrator anonymous api branchline deleted everybody everyone gamemaster help helpdesk house host
    info mail me mod moderator nobody none null official operator owner player postmaster robot root security settings
    somebody someone spectator staff support system team thehouse undefined unknown user webmaster you
    easy medium hard opponent
    atlas beacon cinder drover ember flint
"""
_RESERVED_BEGINNINGS = ("admin", "computer", "guest", "moderator", "branchline", "opponent")

# What the eye takes for one sign is one sign here: l and 1 for i, 0 for o, 3 for e, 5 for s; separators do not count.
_LOOKS = str.maketrans("l1035", "iioes", "._-")


def _look(name: str) -> str:
    return name.lower().translate(_LOOKS)


_RESERVED_LOOKS = frozenset(map(_look, _RESERVED.split()))
_RESERVED_BEGINNING_LOOKS = tuple(map(_look, _RESERVED_BEGINNINGS))


def refuse_reserved(name: str) -> None:
    """Raise ValidationError (code "reserved") for a name that could be the house's, a guest's, a computer's or nobody's
    any more."""
    look = _look(name)
    gone = look.startswith(_look(GONE_PREFIX)) and name[-1].isdigit()
    if gone or look in _RESERVED_LOOKS or look.startswith(_RESERVED_BEGINNING_LOOKS):
        raise ValidationError(_("This name is reserved. Please choose another one."), code="reserved")


form_validators: list[Callable[[Any], None]] = [
    MinLengthValidator(NAME_MIN_LENGTH, _("A name has at least 2 characters.")),
    MaxLengthValidator(NAME_MAX_LENGTH, _("A name has at most 24 characters.")),
    RegexValidator(
        _FORM,
        _("A name is made of letters from a to z, digits, and “-”, “_” or “.” between them."),
        code="form",
    ),
]
"""What every name keeps to, a guest's too."""

username_validators = [*form_validators, refuse_reserved]
"""What a name that a person chooses keeps to. settings.ACCOUNT_USERNAME_VALIDATORS points here."""
