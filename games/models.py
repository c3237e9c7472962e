"""The facts of matches that must last. Only `games/play.py` writes them; what they mean is its business and the rules'.

A match is its game, rules revision, options, seed and the append-only list of turns. Everything else in a row is kept
beside these so that reading and taking a turn cost the same late in a match as early, and follows from them.
"""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

KEY_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


def new_key() -> str:
    """The public name of a match: ten letters and figures that nobody guesses (49 bits) and everybody can read out."""
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(10))


def new_code() -> str:
    """The secret of a private link (about 119 bits)."""
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(24))


class Match(models.Model):
    """One match of one game."""

    class Status(models.TextChoices):
        OPEN = "open"  # seats can be taken
        RUNNING = "running"
        OVER = "over"  # played to its end
        CANCELLED = "cancelled"  # ended without a result

    class Access(models.TextChoices):
        OPEN = "open"  # in the lobby, anybody may join
        INVITED = "invited"  # named people may join
        LINK = "link"  # whoever has the link may join

    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    game = models.CharField(max_length=32)
    revision = models.PositiveSmallIntegerField()
    options = models.JSONField()
    seed = models.BinaryField(max_length=32)  # secret until the end
    seats_wanted = models.PositiveSmallIntegerField()
    pace = models.PositiveIntegerField()  # seconds a turn; with a bank: what each turn puts back into it
    bank = models.PositiveIntegerField(default=0)  # seconds that each seat begins with; 0: no bank, `pace` is the limit
    min_reliability = models.PositiveSmallIntegerField(null=True)  # per cent of turns in time that joining asks for
    access = models.CharField(max_length=8, choices=Access.choices, default=Access.OPEN)
    link_code = models.CharField(max_length=24, default=new_code, editable=False)
    rated = models.BooleanField(default=False)
    rematch_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="rematches")
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="matches_created"
    )

    status = models.CharField(max_length=9, choices=Status.choices, default=Status.OPEN)
    created = models.DateTimeField(default=timezone.now)
    joined = models.DateTimeField(default=timezone.now)  # when somebody last took a seat before the start
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)

    version = models.PositiveIntegerField(default=0)  # turns stored so far
    snapshot = models.BinaryField(null=True)  # the state after them, as JSON of the game's state_type
    house_due = models.DateTimeField(null=True)  # since when the match waits for the house
    paused = models.DateTimeField(null=True)  # since when all clocks stand, by consent of all people at the table
    rating_due = models.DateTimeField(null=True)  # since when the match is over and waits for its ratings

    class Meta:
        indexes = [
            models.Index(fields=["house_due"], condition=Q(house_due__isnull=False), name="match_waits_for_house"),
            models.Index(fields=["rating_due"], condition=Q(rating_due__isnull=False), name="match_waits_for_ratings"),
            models.Index(fields=["status", "-created", "-id"], name="match_by_status"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.key}"

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.key])


class Seat(models.Model):
    """A place at a match: a person, or a computer opponent, or both when an opponent plays on for who is gone.

    A clock runs while `deadline` is set. It stands while the seat is waited for without one (pause, vacation), and
    `time_left` then keeps what it showed; with a bank, `time_left` also keeps it between turns (games/clock.py).
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()  # 0 .. seats-1, clockwise
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="seats")
    level = models.CharField(max_length=8, blank=True)  # the opponent that moves this seat; empty: its person does
    name = models.CharField(max_length=40)  # as the log calls it; a person's name when the seat was taken
    resigned = models.BooleanField(default=False)  # its person gave up or was replaced, and nobody took it over yet

    waiting = models.BooleanField(default=False)  # the match waits for this seat
    decision = models.PositiveIntegerField(default=0)  # turns this seat has taken: the number of its next one
    deadline = models.DateTimeField(null=True)
    time_left = models.PositiveIntegerField(null=True)  # seconds on a clock that stands
    remind_at = models.DateTimeField(null=True)  # when its person is to be reminded of the deadline
    opponent_due = models.DateTimeField(null=True)  # when the computer opponent should move

    away_until = models.DateTimeField(null=True)  # its person is on vacation, as long as this is set
    wants_pause = models.BooleanField(default=False)
    timeouts = models.PositiveSmallIntegerField(default=0)  # in a row
    own_turns = models.PositiveIntegerField(default=0)  # turns that its person had to take and that are over
    late_turns = models.PositiveIntegerField(default=0)  # ... and did not take in time

    muted = models.BooleanField(default=False)  # its person wants no notices about this match
    chat_seen = models.BigIntegerField(default=0)  # the last message that its person has seen

    points = models.SmallIntegerField(null=True)
    rank = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="one_seat_an_index"),
            models.UniqueConstraint(fields=["match", "user"], name="one_seat_a_person"),
        ]
        indexes = [
            models.Index(fields=["user", "waiting", "deadline"], name="seat_my_turn"),
            models.Index(fields=["opponent_due"], condition=Q(opponent_due__isnull=False), name="seat_opponent_due"),
            models.Index(fields=["deadline"], condition=Q(deadline__isnull=False), name="seat_deadline"),
            models.Index(fields=["remind_at"], condition=Q(remind_at__isnull=False), name="seat_remind_at"),
        ]

    def __str__(self) -> str:
        return self.name


class Turn(models.Model):
    """One entry of a record: a seat's turn, a move of the house, or a change of who plays a seat. Never changed.

    moves holds a turn as it was sent; `played` says how many of them were made before the turn was over (a rail that
    joins another's cities ends the round, and what was to follow is not laid).
    """

    class Kind(models.TextChoices):
        TURN = "turn"
        HOUSE = "house"
        RESIGNATION = "resignation"  # its person gave up: an opponent plays on
        REPLACEMENT = "replacement"  # its person let the time run out: an opponent plays on
        TAKE_OVER = "take-over"  # another person plays on

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()  # 1, 2, 3 ... in a match
    kind = models.CharField(max_length=11, choices=Kind.choices)
    seat = models.PositiveSmallIntegerField(null=True)
    decision = models.PositiveIntegerField(null=True)
    moves = models.JSONField(default=list)
    played = models.PositiveSmallIntegerField(default=0)
    in_time = models.BooleanField(default=True)  # False: taken after the deadline, or by an opponent because of it
    events = models.JSONField(default=list)  # [{"code": ..., "params": ...}], public
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_turn_a_number"),
            models.UniqueConstraint(
                fields=["match", "seat", "decision"], condition=Q(kind="turn"), name="one_turn_a_decision"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of match {self.match_id}"


class Replaced(models.Model):
    """Somebody who sat at a running match and does no longer. They rank behind all who stayed."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="replaced")
    index = models.PositiveSmallIntegerField()  # of the seat
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="replaced")
    name = models.CharField(max_length=40)
    # The seat's counts until then, so that its next person does not inherit them and this one does not lose them.
    own_turns = models.PositiveIntegerField(default=0)
    late_turns = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "replaced"

    def __str__(self) -> str:
        return f"{self.name} at match {self.match_id}"


class Invitation(models.Model):
    """Somebody was asked to join a match, or to take over a seat. Gone when it is taken up or declined."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations")
    index = models.PositiveSmallIntegerField(null=True)  # of the seat to take over, in a match that runs
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="one_invitation_a_person")]

    def __str__(self) -> str:
        return f"invitation of user {self.user_id} to match {self.match_id}"


class Notice(models.Model):
    """The outbox: something a person must be told, written with the turn that made it true, delivered after it.

    What goes out over which channel is a `Delivery`; `done` says that those are written, or that none was needed.
    """

    class Kind(models.TextChoices):
        YOUR_TURN = "your-turn"
        STARTED = "started"
        ROUND_SCORED = "round-scored"
        ENDED = "ended"
        REMINDER = "reminder"
        TIMED_OUT = "timed-out"  # the computer played a turn for you, or plays your seat from now on
        INVITED = "invited"
        CHAT = "chat"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    # The seat's turn number for your-turn, reminder and timed-out; the message's key for chat; the version of the match
    # for the others.
    decision = models.PositiveBigIntegerField(default=0)
    created = models.DateTimeField(default=timezone.now)
    due = models.DateTimeField(default=timezone.now)
    done = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "match", "kind", "decision"], name="one_notice_a_decision")
        ]
        indexes = [models.Index(fields=["due"], condition=Q(done__isnull=True), name="notice_outbox")]

    def __str__(self) -> str:
        return f"{self.kind} for user {self.user_id} about match {self.match_id}"


class Delivery(models.Model):
    """A notice on its way over one channel: claimed by moving `due` on, checked once more, sent, done."""

    class Outcome(models.TextChoices):
        SENT = "sent"
        DROPPED = "dropped"  # no longer true, or no longer wanted, when it was to go out
        FAILED = "failed"  # given up

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deliveries")
    target = models.CharField(max_length=24)  # "mail", "push", "webhook:<key>"
    due = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    tried = models.DateTimeField(null=True)  # since when; each attempt moves `due` on, so that tells nothing of it
    done = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=7, choices=Outcome.choices, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [models.UniqueConstraint(fields=["notice", "target"], name="one_delivery_a_target")]
        indexes = [
            models.Index(fields=["due"], condition=Q(done__isnull=True), name="delivery_outbox"),
            models.Index(fields=["user", "target", "due"], condition=Q(done__isnull=True), name="delivery_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.target} of notice {self.notice_id}"


class ChatMessage(models.Model):
    """What somebody at the table said to the others. Plain text."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="chat")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=40)
    text = models.CharField(max_length=500)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class Note(models.Model):
    """What somebody wrote down about a match for themselves alone."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(max_length=5000, blank=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="one_note_a_person")]

    def __str__(self) -> str:
        return f"note of user {self.user_id} on match {self.match_id}"


OVER_ALL = ""
"""In place of a game: the rating over all games."""


class Rating(models.Model):
    """What a player is rated in one game, or over all of them (`OVER_ALL`), now. Follows from the changes."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings")
    game = models.CharField(max_length=32, blank=True)
    value = models.FloatField()
    matches = models.PositiveIntegerField()  # rated ones

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="one_rating_a_game")]
        indexes = [models.Index(fields=["game", "-value"], name="rating_leaderboard")]

    def __str__(self) -> str:
        return f"user {self.user_id} in {self.game or 'all games'}: {self.value:.0f}"


class RatedMatch(models.Model):
    """A match whose ratings are computed. Their keys are the order in which that was done: rebuilding keeps to it."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="rated_match")
    # Keys of the accounts that were rated, by seat; null: nobody's. They stay when an account goes, so that what the
    # others won from it can be reckoned again. Empty: the match did not count.
    people = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"rated match {self.match_id}"


class RatingChange(models.Model):
    """What a rated match did to one player's rating in its game, or over all games."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="rating_changes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rating_changes")
    game = models.CharField(max_length=32, blank=True)  # or OVER_ALL
    before = models.FloatField()
    after = models.FloatField()
    matches = models.PositiveIntegerField()  # rated ones, this included
    against = models.JSONField()  # [{"seat": ..., "rating": ..., "score": ..., "expected": ..., "change": ...}]
    created = models.DateTimeField(default=timezone.now)  # when the match ended

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user", "game"], name="one_change_a_match")]
        indexes = [models.Index(fields=["user", "game", "created"], name="rating_curve")]

    def __str__(self) -> str:
        return f"user {self.user_id} by match {self.match_id}: {self.before:.0f} to {self.after:.0f}"

    @property
    def gained(self) -> float:
        return self.after - self.before
