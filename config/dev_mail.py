"""The mails of an installation without a mail server: Django's file backend writes them, `/dev/mail` shows them.

Never part of production (`config/urls.py`): everybody who reaches the site can read all mails here.
"""

import base64
import email
import email.policy
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_sameorigin

END_OF_MAIL = b"\n" + b"-" * 79 + b"\n"
"""What the file backend writes after each mail of a file."""
MOST_LISTED = 200


@dataclass(frozen=True)
class Mail:
    """One mail: the file and the place in it say which; `written` is when its file was last written."""

    file: str
    number: int
    written: datetime
    message: EmailMessage

    @property
    def text(self) -> str:
        return self._content("plain")

    @property
    def html(self) -> str:
        return self._content("html")

    @property
    def html_with_pictures(self) -> str:
        """The HTML form with the pictures that came along in place of their `cid:` addresses, which only mail programs
        know."""
        html = self.html
        for part in self.message.walk():
            if part.get_content_maintype() == "image" and part["Content-ID"]:
                picture = base64.b64encode(part.get_content()).decode()
                data = f"data:{part.get_content_type()};base64,{picture}"
                html = html.replace(f"cid:{part['Content-ID'].strip().strip('<>')}", data)
        return html

    @property
    def attachments(self) -> list[str]:
        """Names of the attached files; the type of one without a name."""
        return [part.get_filename() or part.get_content_type() for part in self.message.iter_attachments()]

    def _content(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return part.get_content() if part else ""


def mails(request: HttpRequest) -> HttpResponse:
    """All mails, newest first."""
    return render(request, "dev/mails.html", {"mails": stored_mails()[:MOST_LISTED]})


def mail(request: HttpRequest, file: str, number: int) -> HttpResponse:
    """One mail with both its forms."""
    return render(request, "dev/mail.html", {"mail": find(file, number)})


@xframe_options_sameorigin
@csp(  # type: ignore[arg-type]  # its type forgets the view's arguments
    {"default-src": [NONE], "img-src": ["data:"], "style-src": [UNSAFE_INLINE], "frame-ancestors": [SELF]}
)
def html_part(request: HttpRequest, file: str, number: int) -> HttpResponse:
    """The HTML form as a mail program shows it: its own styles, no scripts; links open a page of their own."""
    return HttpResponse('<base target="_blank">' + find(file, number).html_with_pictures)


def find(file: str, number: int) -> Mail:
    """The mail at this place; Http404 when there is none. Only names that were listed are ever opened."""
    for each in stored_mails():
        if (each.file, each.number) == (file, number):
            return each
    raise Http404


def stored_mails() -> list[Mail]:
    """All mails in `settings.EMAIL_FILE_PATH`, newest first; none when mails go elsewhere."""
    if not settings.EMAIL_FILE_PATH or not Path(settings.EMAIL_FILE_PATH).is_dir():
        return []
    files = sorted(Path(settings.EMAIL_FILE_PATH).glob("*.log"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    return [mail for path in reversed(files) for mail in reversed(mails_in(path))]


def mails_in(path: Path) -> list[Mail]:
    """The mails of one file in the order they were sent."""
    written = datetime.fromtimestamp(path.stat().st_mtime, tz=timezone.get_current_timezone())
    return [
        Mail(path.name, number, written, email.message_from_bytes(text, policy=email.policy.default))
        for number, text in enumerate(path.read_bytes().split(END_OF_MAIL))
        if text.strip()
    ]
