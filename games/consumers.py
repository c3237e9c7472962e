"""The live socket of a page. It carries thin events only; the page then reads what it may see for itself."""

from typing import Annotated, Any

import msgspec
from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.core.cache import cache

from accounts.presence import mark_seen
from config.sessions import SessionStore
from games.models import Match
from games.nudges import match_group, user_group
from games.selectors import looking_key, seats_that_wait_for

MOST_WATCHED = 20
"""Matches that one page may follow."""
LOOKING_SECONDS = 40
"""How long somebody counts as looking who said so. Pages say it every 25 seconds."""
LOGGED_OUT = 4401
"""The code with which a socket is closed whose session does not hold any more. A page then opens another, to watch."""

Key = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]{10}\Z")]


class Said(msgspec.Struct):
    """What a page may say."""

    watch: Key | None = None
    looking: Key | None = None


class LiveConsumer(AsyncJsonWebsocketConsumer):
    """Sends {"kind": "count", "waiting": n} to a person, {"kind": "match", "match": key, "version": n} to watchers.

    A page asks with {"watch": key}. Anybody may watch a match: the event says no more than that something happened.
    {"looking": key} says that a match which the page follows is before the person's eyes; they need no mail about it.
    {"kind": "chat", "match": key, "message": n} and {"kind": "notice", "about": kind, "match": key, "url": path,
    "text": sentence} are for the person alone.
    """

    async def connect(self) -> None:
        self.watched: set[str] = set()
        self.looked_at: set[str] = set()
        await self.accept()
        user = self.scope["user"]
        if user.is_authenticated:
            await self.channel_layer.group_add(user_group(user.pk), self.channel_name)
            await self.waiting_changed({})

    async def disconnect(self, code: int) -> None:
        user = self.scope["user"]
        if user.is_authenticated:
            await self.channel_layer.group_discard(user_group(user.pk), self.channel_name)
            for key in self.looked_at:
                # Who has gone does not look any more, unless another page of theirs has said so since.
                if await cache.aget(looking_key(user.pk, key)) == self.channel_name:
                    await cache.adelete(looking_key(user.pk, key))
        for key in self.watched:
            await self.channel_layer.group_discard(match_group(key), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        """Takes up {"watch": key} and {"looking": key}; whatever else comes is passed over."""
        try:
            said = msgspec.json.decode(text_data or "", type=Said)
        except (msgspec.MsgspecError, RecursionError):
            return
        if said.watch is not None:
            await self._watch(said.watch)
        if said.looking in self.watched:
            await self._looks_at(said.looking)

    async def _watch(self, key: str) -> None:
        if key in self.watched or len(self.watched) >= MOST_WATCHED:
            return
        # Followed before it is looked at, so that nothing happens unseen in between.
        await self.channel_layer.group_add(match_group(key), self.channel_name)
        version = await database_sync_to_async(_version)(key)
        if version is None:
            await self.channel_layer.group_discard(match_group(key), self.channel_name)
            return
        self.watched.add(key)
        # Whatever happened since the page was made is told at once.
        await self.send_json({"kind": "match", "match": key, "version": version})

    async def _looks_at(self, key: str) -> None:
        user = self.scope["user"]
        if user.is_authenticated:
            self.looked_at.add(key)
            await cache.aset(looking_key(user.pk, key), self.channel_name, LOOKING_SECONDS)
            await database_sync_to_async(mark_seen)(user)

    async def match_changed(self, event: dict[str, Any]) -> None:
        await self.send_json({"kind": "match", "match": event["match"], "version": event["version"]})

    async def chat_changed(self, event: dict[str, Any]) -> None:
        await self.send_json({"kind": "chat", "match": event["match"], "message": event["message"]})

    async def notice_arrived(self, event: dict[str, Any]) -> None:
        await self.send_json({"kind": "notice", **event["notice"]})

    async def waiting_changed(self, event: dict[str, Any]) -> None:
        waiting = await database_sync_to_async(seats_that_wait_for(self.scope["user"]).count)()
        await self.send_json({"kind": "count", "waiting": waiting})

    async def sessions_ended(self, event: dict[str, Any]) -> None:
        session = SessionStore(self.scope["session"].session_key)
        if await get_user({"session": session}) != self.scope["user"]:
            await self.close(LOGGED_OUT)


def _version(key: str) -> int | None:
    return Match.objects.filter(key=key).values_list("version", flat=True).first()
