"""The API of a match's talk: its chat and one's own note. For those who sit there; what is stored is `chat.py`'s."""

from typing import Any

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions, status
from rest_framework import serializers as fields
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import chat
from games.api import serializers
from games.api.views import PROBLEM, checked, find_match, own_seat
from games.models import ChatMessage, Match, Seat

LARGEST_KEY = 2**63 - 1


class NewMessage(serializers.Body):
    # How long it may be is said by the table, which first leaves out what cannot be seen.
    text = fields.CharField(allow_blank=True, trim_whitespace=False, max_length=chat.MOST_LETTERS * 10)


class Seen(serializers.Body):
    message = fields.IntegerField(min_value=0, max_value=LARGEST_KEY, help_text="`id` of the last message seen.")


class NewNote(serializers.Body):
    text = fields.CharField(allow_blank=True, trim_whitespace=False, max_length=chat.MOST_NOTE_LETTERS * 10)


class MessageAnswer(fields.Serializer):
    id = fields.IntegerField()
    name = fields.CharField()
    text = fields.CharField(help_text="Plain text; no markup means anything in it.")
    created = fields.DateTimeField()


class SeenAnswer(fields.Serializer):
    name = fields.CharField()
    message = fields.IntegerField(help_text="`id` of the last message that this person has seen.")


class ChatAnswer(fields.Serializer):
    messages = MessageAnswer(many=True, help_text="In the order in which they were said.")
    seen = SeenAnswer(many=True, help_text="Of the other people at the table.")
    unread = fields.IntegerField()
    more = fields.BooleanField(help_text="There are earlier messages than these: ask with `all=true`.")
    closed = fields.BooleanField(help_text="Nothing more can be said.")


class NoteAnswer(fields.Serializer):
    text = fields.CharField()


_RESPONSES = {401: PROBLEM, 403: PROBLEM, 404: PROBLEM}


class TalkView(APIView):
    """For people at the table."""

    permission_classes = (permissions.IsAuthenticated,)

    def seat(self, request: Request, key: str) -> tuple[Match, Seat]:
        match = find_match(key)
        return match, own_seat(match, request.user)


class ChatView(TalkView):
    """What the people at a table say to each other. Nobody else reads it."""

    @extend_schema(
        operation_id="chat_list",
        parameters=[OpenApiParameter("all", bool, description="Everything, not only the latest messages.")],
        responses={200: ChatAnswer, **_RESPONSES},
    )
    def get(self, request: Request, key: str) -> Response:
        match, mine = self.seat(request, key)
        everything = request.query_params.get("all") == "true"
        said = chat.conversation(match, mine, latest=None if everything else chat.LATEST)
        others = [seat for seat in match.seats.all() if seat.user_id and seat.pk != mine.pk]
        return Response(
            {
                "messages": [_message(line.message) for line in said.lines],
                "seen": [{"name": seat.name, "message": seat.chat_seen} for seat in others],
                "unread": said.unread,
                "more": said.more,
                "closed": said.closed,
            }
        )

    @extend_schema(
        operation_id="chat_say",
        request=NewMessage,
        responses={201: MessageAnswer, 400: PROBLEM, 409: PROBLEM, 429: PROBLEM, **_RESPONSES},
    )
    def post(self, request: Request, key: str) -> Response:
        message = chat.say(key, request.user, checked(NewMessage, request)["text"])
        return Response(_message(message), status=status.HTTP_201_CREATED)


class ChatSeenView(TalkView):
    """Tells the others how far you have read."""

    @extend_schema(operation_id="chat_seen", request=Seen, responses={204: None, 400: PROBLEM, **_RESPONSES})
    def post(self, request: Request, key: str) -> Response:
        chat.mark_seen(key, request.user, checked(Seen, request)["message"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class NoteView(TalkView):
    """What you note about a match. Nobody else ever reads it."""

    @extend_schema(operation_id="note_retrieve", responses={200: NoteAnswer, **_RESPONSES})
    def get(self, request: Request, key: str) -> Response:
        match, _mine = self.seat(request, key)
        return Response({"text": chat.note_of(match, request.user)})

    @extend_schema(operation_id="note_write", request=NewNote, responses={200: NoteAnswer, 400: PROBLEM, **_RESPONSES})
    def put(self, request: Request, key: str) -> Response:
        note = chat.write_note(key, request.user, checked(NewNote, request)["text"])
        return Response({"text": note.text})


def _message(message: ChatMessage) -> dict[str, Any]:
    return {"id": message.pk, "name": message.name, "text": message.text, "created": message.created}


urlpatterns = [
    path("chat/", ChatView.as_view(), name="api-chat"),
    path("chat/seen/", ChatSeenView.as_view(), name="api-chat-seen"),
    path("note/", NoteView.as_view(), name="api-note"),
]
