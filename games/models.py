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
    pace = models.PositiveIntegerField()  # seconds a turn
    access = models.CharField(max_length=8, choices=Access.choices, default=Access.OPEN)
    link_code = models.CharField(max_length=24, default=new_code, editable=False)
    rated = models.BooleanField(default=False)
    rematch_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="rematches")
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="matches_created"
    )

    status = models.CharField(max_length=9, choices=Status.choices, default=Status.OPEN)
    created = models.DateTimeField(default=timezone.now)
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)

    version = models.PositiveIntegerField(default=0)  # turns stored so far
    snapshot = models.BinaryField(null=True)  # the state after them, as JSON of the game's state_type
    house_due = models.DateTimeField(null=True)  # since when the match waits for the house

    class Meta:
        indexes = [
            models.Index(fields=["house_due"], condition=Q(house_due__isnull=False), name="match_waits_for_house"),
            models.Index(fields=["status", "-created", "-id"], name="match_by_status"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.key}"

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.key])


class Seat(models.Model):
    """A place at a match: a person, or a computer opponent, or both when an opponent plays on for who resigned."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()  # 0 .. seats-1, clockwise
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="seats")
    level = models.CharField(max_length=8, blank=True)  # the opponent that moves this seat; empty: its person does
    name = models.CharField(max_length=40)  # as the log calls it; a person's name when the seat was taken
    resigned = models.BooleanField(default=False)

    waiting = models.BooleanField(default=False)  # the match waits for this seat
    decision = models.PositiveIntegerField(default=0)  # turns this seat has taken: the number of its next one
    deadline = models.DateTimeField(null=True)
    opponent_due = models.DateTimeField(null=True)  # when the computer opponent should move

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
        ]

    def __str__(self) -> str:
        return self.name


class Turn(models.Model):
    """One entry of a match's record: a seat's turn, a move of the house, or a resignation. Never changed.

    moves holds a turn as it was sent; `played` says how many of them were made before the turn was over (a rail that
    joins another's cities ends the round, and what was to follow is not laid).
    """

    class Kind(models.TextChoices):
        TURN = "turn"
        HOUSE = "house"
        RESIGNATION = "resignation"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()  # 1, 2, 3 ... in a match
    kind = models.CharField(max_length=11, choices=Kind.choices)
    seat = models.PositiveSmallIntegerField(null=True)
    decision = models.PositiveIntegerField(null=True)
    moves = models.JSONField(default=list)
    played = models.PositiveSmallIntegerField(default=0)
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


class Invitation(models.Model):
    """Somebody was asked to join a match. Gone when it is taken up or declined."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations")
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="one_invitation_a_person")]

    def __str__(self) -> str:
        return f"invitation of user {self.user_id} to match {self.match_id}"


class Notice(models.Model):
    """The outbox: something a person must be told, written with the turn that made it true, delivered after it."""

    class Kind(models.TextChoices):
        YOUR_TURN = "your-turn"
        STARTED = "started"
        ROUND_SCORED = "round-scored"
        ENDED = "ended"
        INVITED = "invited"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    # The seat's turn number for your-turn; the version of the match for the others.
    decision = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(default=timezone.now)
    due = models.DateTimeField(default=timezone.now)
    done = models.DateTimeField(null=True)  # delivered, or no longer true when it was to be

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "match", "kind", "decision"], name="one_notice_a_decision")
        ]
        indexes = [models.Index(fields=["due"], condition=Q(done__isnull=True), name="notice_outbox")]

    def __str__(self) -> str:
        return f"{self.kind} for user {self.user_id} about match {self.match_id}"
