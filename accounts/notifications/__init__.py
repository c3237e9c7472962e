"""How people are told of something outside of an open page: what a message is, its kinds, and one module a channel.

`mail`, `push` and `webhook` each send a `Message` and raise a `SendError` when that does not work; `preferences` says
what a person wants, and when. Not for what a message says (games/notices.py composes it), nor for what is still to be
sent or tried again (games/delivery.py): nothing here knows of a game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Words: TypeAlias = "str | _StrPromise"

CHANNELS: dict[str, Words] = {
    "mail": gettext_lazy("E-mail"),
    "push": gettext_lazy("Push"),
    "webhook": gettext_lazy("Webhook"),
}
"""The ways to be told that a person chooses from, and what they are called. Open pages are always told."""


@dataclass(frozen=True)
class Kind:
    """A kind of notice: what it is called, when it comes, and the channels that a person gets it by who chose none."""

    label: Words
    help: Words
    defaults: tuple[str, ...]


KINDS: dict[str, Kind] = {
    "your-turn": Kind(gettext_lazy("Your turn"), gettext_lazy("A match waits for you."), ("mail", "push", "webhook")),
    "reminder": Kind(
        pgettext_lazy("kind of notice", "Reminder"),
        gettext_lazy("Most of the time for your turn is over."),
        ("mail", "push", "webhook"),
    ),
    "timed-out": Kind(
        gettext_lazy("Time ran out"),
        gettext_lazy("The computer took a turn for you, or took your seat."),
        ("mail", "push", "webhook"),
    ),
    "invited": Kind(
        gettext_lazy("Invitation"), gettext_lazy("Somebody asks you to play."), ("mail", "push", "webhook")
    ),
    "started": Kind(
        gettext_lazy("Match started"), gettext_lazy("The last seat was taken."), ("mail", "push", "webhook")
    ),
    "round-scored": Kind(
        gettext_lazy("Round scored"), gettext_lazy("A round of a match is over."), ("push", "webhook")
    ),
    "ended": Kind(gettext_lazy("Match ended"), gettext_lazy("The result is known."), ("mail", "push", "webhook")),
    "chat": Kind(gettext_lazy("Chat"), gettext_lazy("Somebody at the table said something."), ("push", "webhook")),
}
"""Every kind of notice by its code, in the order in which settings show them."""

TEST = "test"
"""The kind of a message that a person sends to themselves to see whether a channel works."""


@dataclass(frozen=True)
class Message:
    """What one person is told, in their language. It holds nothing that this very person may not know.

    id: the same for the same notice, however often it is sent: what receives it can tell a repetition by it.
    tag: names what it is about (a match); messages with the same tag belong together and may replace each other.
    lines: what happened, a sentence or more each; the deadline is one of them.
    data: for programs (JSON): codes, keys and addresses, no words.
    """

    id: str
    kind: str  # of KINDS, or TEST
    title: str
    url: str  # absolute
    button: str  # what the link to `url` says
    tag: str = ""
    topic: str = ""  # what it is about, in words, the same for all messages with its tag: "Trans America with Bob"
    lines: tuple[str, ...] = ()
    picture: bytes | None = field(default=None, repr=False)  # PNG
    alt: str = ""  # the picture in words
    mute_url: str = ""  # absolute; where this person switches messages with this tag off
    data: Mapping[str, Any] = field(default_factory=dict)


class SendError(Exception):
    """A message did not go out. `sentence` says why, for its receiver to read on the settings page.

    temporary: it may work later. Otherwise trying again is of no use.
    """

    def __init__(self, temporary: bool, sentence: str) -> None:
        super().__init__(sentence)
        self.temporary = temporary
        self.sentence = sentence


def absolute(path: str) -> str:
    """The address of a page of this site (a path with a leading slash) for use outside of it."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


def trial_message(key: str) -> Message:
    """What the test buttons of the settings send. key: makes its id, so that each try is a message of its own."""
    return Message(
        id=f"test-{key}",
        kind=TEST,
        title=_("This is a test from Branchline"),
        url=absolute("/"),
        button=_("Open Branchline"),
        lines=(_("If you can read this, notices reach you here."),),
        data={"kind": TEST, "url": absolute("/")},
    )
