"""Uploaded pictures: what is taken, how it is made small and clean, how it replaces the one before.

Not for the drawn default (accounts/drawing.py). Nothing of the uploaded file is kept but its picture: it is decoded
only when its header promises few enough pixels, and stored as a new file that this module has written.
"""

import io
import secrets

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps

from accounts.models import User

MAX_BYTES = 2 * 1024 * 1024
MAX_PIXELS = 16_000_000
SIDE = 256
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
"""Only these decoders are tried; what a file calls itself does not count."""


def read_picture(upload: UploadedFile) -> "ContentFile[bytes]":
    """The upload as a WebP file of 256 x 256 pixels: first frame, turned upright, the middle square, without metadata.

    Raises ValidationError with one sentence (codes: bytes, pixels, format, broken).
    """
    if upload.size is None or upload.size > MAX_BYTES:
        raise ValidationError(_("This file is larger than 2 MB. Please choose a smaller one."), code="bytes")
    too_many_pixels = ValidationError(
        _("This picture has more than 16 million pixels. Please choose a smaller one."), code="pixels"
    )
    try:
        picture = Image.open(upload, formats=FORMATS)
    except Image.DecompressionBombError:
        raise too_many_pixels from None
    except Exception:
        raise ValidationError(_("This is not a JPEG, PNG, WebP or GIF picture."), code="format") from None
    if picture.width * picture.height > MAX_PIXELS:
        raise too_many_pixels
    try:
        small = _square(picture)
    except Exception:
        raise ValidationError(_("This picture is damaged and cannot be read."), code="broken") from None
    file = io.BytesIO()
    small.save(file, "WEBP", quality=85)
    return ContentFile(file.getvalue())


def _square(picture: Image.Image) -> Image.Image:
    picture.load()
    picture = ImageOps.exif_transpose(picture)
    picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    fitted = ImageOps.fit(picture, (SIDE, SIDE), Image.Resampling.LANCZOS)
    # A new image has no metadata: position, camera, colour profile and comments stay behind with the old one.
    clean = Image.new(fitted.mode, fitted.size)
    clean.paste(fitted)
    return clean


def change_avatar(user: User, picture: "ContentFile[bytes] | None") -> None:
    """Gives `user` the picture (from `read_picture`) under a random name, or none.

    The file of the one before is deleted once the change is committed.
    """
    with transaction.atomic():
        before = User.objects.select_for_update().get(pk=user.pk).avatar
        old_name = before.name
        if picture is None:
            user.avatar = ""
        else:
            user.avatar.save(f"{secrets.token_hex(16)}.webp", picture, save=False)
        user.save(update_fields=["avatar"])
        if old_name:
            transaction.on_commit(lambda: before.storage.delete(old_name))
