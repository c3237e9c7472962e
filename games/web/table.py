"""What the page of a match shows: a running table with the turn that is being chosen, a past moment, an end.

Reads only, and only what the viewer may know: boards and panels come from views, the log from public events. Nothing of
HTTP; the views that answer requests are in `match.py`. Nothing that only one game has; that is in `panels`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import msgspec
from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import play, ratings, record
from games.models import Invitation, Match, Replaced, Seat, Turn
from games.rules.contract import LEVELS, Choices, Result, Saying
from games.rules.registry import GAMES
from games.selectors import names_then
from games.web.boards import board
from games.web.panels import Panel, panel, since
from games.web.panels.base import Option
from games.words import say, say_all
from games.words.catalogue import listed

LOG_LINES = 40
"""How many turns the log beside the board shows; its own page shows all."""
TIMED_OUT = "timed-out"
"""The code of the event that says that an opponent took a turn in somebody's place."""


@dataclass(frozen=True)
class Entry:
    """A line of the log. `scored`: it is the end of a round. `since`: the first line that is not new to the viewer."""

    turn: Turn
    text: str
    scored: bool
    since: bool = False


@dataclass
class Place:
    """A seat as everybody sees it.

    in_place_of: who sat here before, in one string. asked: who is invited to take the seat over.
    """

    seat: Seat
    points: int | None
    starts: bool
    notes: Sequence[str]
    mine: bool
    in_place_of: str = ""
    asked: str = ""


@dataclass
class Table:
    """A match as one person sees it.

    moves: the turn chosen so far, as plain JSON values; refused unless it is a legal beginning of a turn.
    """

    match: Match
    user: Any
    moves: list[Any] = field(default_factory=list)
    notice: str = ""
    """Why the last thing could not be done."""
    log_in_first: bool = False
    """Whether it could not be done because nobody is logged in."""

    # -- who is here --------------------------------------------------------------------------------------------------

    @cached_property
    def seats(self) -> list[Seat]:
        """All of them, with their people's ratings."""
        seats = list(self.match.seats.all())
        prefetch_related_objects(seats, "user__ratings")
        return seats

    @cached_property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @cached_property
    def mine(self) -> Seat | None:
        if not self.user.is_authenticated:
            return None
        return next((seat for seat in self.seats if seat.user_id == self.user.pk), None)

    @cached_property
    def viewer(self) -> int | None:
        return None if self.mine is None else self.mine.index

    @property
    def my_turn(self) -> bool:
        mine = self.mine
        return self.running and mine is not None and mine.waiting and not mine.level

    @property
    def running(self) -> bool:
        return self.match.status == Match.Status.RUNNING

    @property
    def over(self) -> bool:
        return self.match.status == Match.Status.OVER

    @property
    def revealed(self) -> bool:
        """Nothing is secret any more: the match was played to its end, or everybody has resigned."""
        return self.match.started is not None and self.match.ended is not None

    @property
    def is_creator(self) -> bool:
        return self.user.is_authenticated and self.match.creator_id == self.user.pk

    # -- before the start ---------------------------------------------------------------------------------------------

    @property
    def seats_free(self) -> range:
        """The numbers of the seats that nobody has taken."""
        return range(len(self.seats) + 1, self.match.seats_wanted + 1)

    @property
    def can_start(self) -> bool:
        return self.is_creator and len(self.seats) in GAMES[self.match.game].seats

    @cached_property
    def _invitations(self) -> list[Invitation]:
        return list(self.match.invitations.select_related("user"))

    @property
    def _asked_people(self) -> list[Any]:
        return [invitation.user for invitation in self._invitations]

    @property
    def invited(self) -> bool:
        return self.user in self._asked_people

    @property
    def host(self) -> Any:
        """Who made the match, for those who were invited to it."""
        return self.match.creator if self.invited and self.mine is None else None

    @property
    def asked_people(self) -> str:
        """Who has been invited and has not answered; for those who sit here."""
        return listed([user.username for user in self._asked_people]) if self.mine else ""

    @property
    def link(self) -> str:
        """The path of the private link, for those who sit here."""
        return reverse("join-by-link", args=[self.match.key, self.match.link_code]) if self.mine else ""

    levels = LEVELS

    # -- clocks, and who sits here instead of whom ---------------------------------------------------------------------

    @property
    def seated(self) -> bool:
        """The match runs and the viewer plays a seat of it."""
        return self.running and self.mine is not None and not self.mine.level

    @property
    def shown_clock(self) -> Seat | None:
        """The seat whose clock stands beside what is asked: mine when it runs, else the first of those to move."""
        seats = [seat for seat in self.awaited if not seat.level]
        return next((seat for seat in seats if seat is self.mine), seats[0] if seats else None)

    @property
    def people(self) -> list[Seat]:
        """The seats that are played by their people: those whose consent a pause needs."""
        return [seat for seat in self.seats if seat.user_id is not None and not seat.level]

    @property
    def pause_agreed(self) -> list[Seat]:
        return [seat for seat in self.people if seat.wants_pause]

    @property
    def pause_names(self) -> str:
        return listed([seat.name for seat in self.pause_agreed])

    @cached_property
    def my_invitation_seat(self) -> Seat | None:
        """The seat that I am invited to take over."""
        mine = (each for each in self._invitations if each.user == self.user and each.index is not None)
        return next((self.seats[each.index] for each in mine if each.index is not None), None) if self.running else None

    @cached_property
    def _replaced(self) -> list[Replaced]:
        return list(self.match.replaced.order_by("pk"))

    @cached_property
    def names_then(self) -> Callable[[int], list[str]]:
        """What the seats were called at an entry of the record."""
        return names_then(self.match, self._replaced)

    def _in_place_of(self, seat: Seat) -> str:
        """Who sat on a seat before its person of now. While a computer keeps it, its name is still the person's."""
        if seat.resigned:
            return ""
        return listed([each.name for each in self._replaced if each.index == seat.index])

    def _asked_to_take(self, seat: Seat) -> str:
        return listed([each.user.username for each in self._invitations if each.index == seat.index])

    # -- the board and the turn that is being chosen ------------------------------------------------------------------

    @cached_property
    def preview(self) -> play.Preview | None:
        """Where the chosen moves lead; None when it is not the viewer's turn. Raises Refusal."""
        if not self.my_turn or self.mine is None:
            return None
        return play.preview_turn(self.match, self.mine, self.mine.decision, self.moves)

    @property
    def choices(self) -> Choices | None:
        return self.preview.choices if self.preview else None

    @property
    def whole(self) -> bool:
        """The chosen turn can be sent."""
        return self.preview is not None and self.preview.choices is None

    @cached_property
    def state(self) -> Any:
        return record.load_state(self.match)

    @cached_property
    def view(self) -> Any:
        game = GAMES[self.match.game]
        if self.preview is not None:
            return self.preview.view
        if self.revealed:
            return game.unveil(self.state)
        return game.view(self.state, self.viewer)

    @cached_property
    def marked(self) -> Any:
        """The view in which all that happened since the viewer's last turn is marked, or a turn chosen, once whole."""
        return self.view if self.whole else since(self.match.game, self.view, self.turns_since_mine)

    @cached_property
    def svg(self) -> SafeString:
        return board(self.match.game, self.marked, self.names, self.choices)

    @property
    def turns_since_mine(self) -> list[list[dict[str, Any]]]:
        """The moves of each turn of this round since the viewer's last one; nothing where that was the very last."""
        turns: list[list[dict[str, Any]]] = []
        for each in self.log:
            if each.scored or self._is_my_own(each.turn):
                return turns
            turns.append(each.turn.moves or [])
        return turns if self.mine is not None else []

    @cached_property
    def panel(self) -> Panel:
        return panel(self.match.game, self.marked, self.viewer)

    @property
    def switch_values(self) -> list[tuple[str, str]]:
        """What the panel's switch can say, as far as the board offers it now."""
        if self.preview is None or self.preview.choices is None or self.panel.switch is None:
            return []
        scene = GAMES[self.match.game].scene(self.preview.view, self.preview.choices)
        offered = {shape.offer for shape in scene.shapes}
        return [(value, words) for value, words in self.panel.switch[1] if value in offered]

    @cached_property
    def asked(self) -> str:
        """What is asked now, in words."""
        if self.my_turn:
            if self.choices is None:
                return _("Your turn is complete. Confirm to send it.")
            return say(self.match.game, self.choices.asked, self.names)
        if self.over:
            return _("The match is over.")
        if not self.running:
            return _("The match has ended without a result.")
        awaited = [seat.name for seat in self.seats if seat.waiting]
        if not awaited:
            return _("The house is dealing or scoring.")
        return ngettext("%(names)s is to move.", "%(names)s are to move.", len(awaited)) % {"names": listed(awaited)}

    @cached_property
    def awaited(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.waiting] if self.running else []

    @cached_property
    def chosen(self) -> list[str]:
        """The moves chosen so far, in words: each as it was offered."""
        words = []
        for count, move in enumerate(self.moves):
            before = play.preview_turn(self.match, self.mine, self.mine.decision, self.moves[:count])  # type: ignore[arg-type, union-attr]
            words.append(next((label for label, _group, plain in self._offers(before) if plain == move), ""))
        return words

    def _offers(self, preview: play.Preview) -> list[tuple[str, str | None, Any]]:
        """Each legal move: its words, where on the board it is (None: nowhere), and itself as plain JSON."""
        if preview.choices is None:
            return []
        game = GAMES[self.match.game]
        shapes = [shape for shape in game.scene(preview.view, preview.choices).shapes if shape.move is not None]
        on_board = {msgspec.json.encode(shape.move): shape for shape in shapes}
        offers: list[tuple[str, str | None, Any]] = []
        for move in preview.choices.moves:
            written = msgspec.json.encode(move)
            shape, plain = on_board.get(written), msgspec.json.decode(written)
            if shape is not None and shape.title is not None:
                label = say(self.match.game, Saying(*shape.title), self.names)
                offers.append((label, str(shape.title[1].get("place", "")), plain))
            else:
                offers.append((say(self.match.game, Saying(f"move-{plain['type']}", plain), self.names), None, plain))
        return offers

    @cached_property
    def _beside(self) -> list[Option]:
        """The legal moves that are not made on the board."""
        if self.preview is None:
            return []
        return [self._option(label, move) for label, place, move in self._offers(self.preview) if place is None]

    @property
    def other_moves(self) -> list[Option]:
        """Those that have a button each."""
        return [option for option in self._beside if option.plain["type"] not in self.panel.menus]

    @property
    def menus(self) -> list[tuple[str, Any]]:
        """Those of which there are many: a template and its facts for each type."""
        types = {kind: [each for each in self._beside if each.plain["type"] == kind] for kind in self.panel.menus}
        return [self.panel.menus[kind](options) for kind, options in types.items() if options]

    @cached_property
    def listed_moves(self) -> list[tuple[str, list[Option]]]:
        """The legal moves on the board in words, grouped by the nearest place, for who does not choose on the board."""
        groups: dict[str, list[Option]] = {}
        if self.preview is not None:
            for label, group, move in self._offers(self.preview):
                if group is not None:
                    groups.setdefault(group, []).append(self._option(label, move))
        return sorted(groups.items())

    def _option(self, label: str, move: Any) -> Option:
        return Option(label, move, as_json(move), as_json([*self.moves, move]))

    @property
    def moves_json(self) -> str:
        return as_json(self.moves)

    @property
    def undone_address(self) -> str:
        """The page with the last chosen move taken back."""
        return self.address_of(self.moves[:-1])

    def address_of(self, moves: list[Any]) -> str:
        address = self.match.get_absolute_url()
        if not moves or self.mine is None:
            return address
        chosen: dict[str, str | int] = {"decision": self.mine.decision, "moves": as_json(moves)}
        return f"{address}?{urlencode(chosen)}"

    @property
    def title(self) -> str:
        """The first words of the document's title."""
        if self.my_turn:
            return _("Your turn")
        if self.over:
            return _("Over")
        return ""

    # -- beside the board ---------------------------------------------------------------------------------------------

    @cached_property
    def places(self) -> list[Place]:
        shown = self.panel if self.match.snapshot is not None else None
        return [
            Place(
                seat,
                shown.points[seat.index] if shown else None,
                bool(shown) and shown.start == seat.index,  # type: ignore[union-attr]
                shown.notes.get(seat.index, ()) if shown else (),
                seat.index == self.viewer,
                self._in_place_of(seat),
                self._asked_to_take(seat) if seat.resigned else "",
            )
            for seat in self.seats
        ]

    @cached_property
    def log(self) -> list[Entry]:
        """The latest turns, the last first."""
        turns = list(self.match.turns.order_by("-number")[:LOG_LINES])
        mine = next((turn for turn in turns if self._is_my_own(turn)), None)
        entries = [entry(self.match, turn, self.names_then(turn.number)) for turn in turns]
        if mine is None or mine is turns[0] or self.viewer is None:
            return entries
        return [Entry(each.turn, each.text, each.scored, since=each.turn is mine) for each in entries]

    @cached_property
    def since(self) -> list[Entry]:
        """What happened since the viewer's own last turn, or before their first one, in that order.

        Empty where their turn was the last, where nobody but the house has done anything before their first, and for
        whose seat an opponent plays.
        """
        if self.mine is None or self.mine.level:
            return []
        entries = self.log[: self._my_last]
        done = self._my_last is not None or any(each.turn.seat is not None for each in entries)
        return entries[::-1] if done else []

    @property
    def since_goes_back(self) -> bool:
        """More has happened since then than is told here."""
        return self.log_goes_on and len(self.since) == len(self.log)

    @property
    def before_mine(self) -> bool:
        """The viewer has not taken a turn yet."""
        return self._my_last is None and not self.log_goes_on

    @cached_property
    def _my_last(self) -> int | None:
        """Where in the log the viewer's own last turn is."""
        return next((at for at, each in enumerate(self.log) if self._is_my_own(each.turn)), None)

    def _is_my_own(self, turn: Turn) -> bool:
        """Whether the viewer took this turn: not an opponent for them, because their time was over."""
        if self.viewer is None or turn.seat != self.viewer:
            return False
        if turn.kind == Turn.Kind.TAKE_OVER:
            return True
        return turn.kind == Turn.Kind.TURN and all(event["code"] != TIMED_OUT for event in turn.events)

    @property
    def log_goes_on(self) -> bool:
        return self.match.version > LOG_LINES

    @cached_property
    def scored_panel(self) -> Panel:
        """What was beside the board when the last round had just been scored."""
        if self.scored is None or self.panel.shows_report:
            return self.panel
        state = record.state_at(self.match, self.scored.number)
        return panel(self.match.game, GAMES[self.match.game].view(state, self.viewer), self.viewer)

    @cached_property
    def scored(self) -> Turn | None:
        """The end of a round that the viewer has not answered by a turn yet."""
        after = 0
        for each in self.log:
            if each.scored:
                return each.turn if self.running else None
            if each.turn.kind == Turn.Kind.TURN:
                after += 1
                if each.turn.seat == self.viewer or after >= len(self.seats):
                    return None
        return None

    # -- the end ------------------------------------------------------------------------------------------------------

    @cached_property
    def result(self) -> Result | None:
        return GAMES[self.match.game].result(self.state) if self.over else None

    @cached_property
    def sheet_labels(self) -> list[str]:
        return [say(self.match.game, line.label, self.names) for line in self.result.sheet] if self.result else []

    @cached_property
    def ranking(self) -> list[tuple[Seat, list[int | None]]]:
        """The seats by rank, each with its amounts on the lines of the sheet."""
        if self.result is None:
            return []
        rows = [(seat, [line.amounts[seat.index] for line in self.result.sheet]) for seat in self.seats]
        return sorted(rows, key=lambda row: (row[0].rank or 0, row[0].index))

    @cached_property
    def rating_changes(self) -> list[ratings.Explanation]:
        """What the match did to ratings; nothing while that is being computed, and where the match did not count."""
        return ratings.explained(self.match) if self.over and self.match.rated else []

    @property
    def has_others(self) -> bool:
        """Somebody else than the viewer has played, and not only computers."""
        return any(seat.user_id not in (None, self.user.pk) for seat in self.seats)

    @property
    def left_early(self) -> list[Seat]:
        """The seats whose person did not stay, which rank last."""
        return [seat for seat in self.seats if seat.resigned]

    @property
    def winners(self) -> str:
        return listed([seat.name for seat in self.seats if seat.rank == 1])

    @property
    def shared_win(self) -> bool:
        return sum(seat.rank == 1 for seat in self.seats) > 1


@dataclass
class Moment(Table):
    """A match after turn `number` of its record, as the viewer may know it."""

    number: int = 0

    @property
    def running(self) -> bool:
        """Nobody is waited for in the past."""
        return False

    @property
    def previous(self) -> int:
        return self.number - 1

    @property
    def next(self) -> int:
        return self.number + 1

    @cached_property
    def state(self) -> Any:
        return record.state_at(self.match, self.number)

    @cached_property
    def entry(self) -> Entry | None:
        turn = self.match.turns.filter(number=self.number).first()
        return entry(self.match, turn, self.names_then(turn.number)) if turn else None

    turns_since_mine: ClassVar[list[list[dict[str, Any]]]] = []
    """A moment marks the turn that led to it alone."""

    @property
    def address(self) -> str:
        return reverse("match-moment", args=[self.match.key, self.number])


def entry(match: Match, turn: Turn, names: Sequence[str]) -> Entry:
    """A turn as a line of the log."""
    events = [msgspec.convert(event, Saying) for event in turn.events]
    return Entry(turn, say_all(match.game, events, names), scored=any(event.code == "round-scored" for event in events))


def as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
