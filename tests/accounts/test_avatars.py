"""Uploaded pictures: taken, made small and clean, or refused with one sentence. Drawn ones: safe and steady."""

import io
import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image, PngImagePlugin

from accounts.drawing import draw
from tests.people import person

pytestmark = pytest.mark.django_db

RED, BLUE = (200, 30, 30), (30, 30, 200)


@pytest.fixture
def alice(client):
    alice = person("Alice")
    client.force_login(alice)
    return alice


def encoded(image, form, **options):
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def halves(width=400, height=200):
    """Red on the left, blue on the right."""
    image = Image.new("RGB", (width, height), RED)
    image.paste(BLUE, (width // 2, 0, width, height))
    return image


def upload(client, content, name="picture.png"):
    file = SimpleUploadedFile(name, content, content_type="image/png")
    return client.post(reverse("settings"), {"part": "picture", "picture": file})


def stored(user):
    user.refresh_from_db()
    with Image.open(user.avatar.path) as image:
        image.load()
        return image


def close_to(pixel, colour):
    return all(abs(a - b) < 20 for a, b in zip(pixel[:3], colour, strict=True))


def refusal(response, alice):
    """The one sentence at the field; the account is as before."""
    alice.refresh_from_db()
    assert not alice.avatar
    [sentence] = response.context["picture"].errors["picture"]
    return sentence


def png_header(width, height):
    """A PNG that promises a size and holds next to nothing."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_the_middle_square_of_a_picture_is_kept_as_a_small_webp(client, alice, form):
    assert upload(client, encoded(halves(600, 300), form)).url == reverse("settings")
    image = stored(alice)
    assert image.format == "WEBP"
    assert image.size == (256, 256)
    assert close_to(image.convert("RGB").getpixel((40, 128)), RED)
    assert close_to(image.convert("RGB").getpixel((216, 128)), BLUE)
    assert alice.avatar_url == alice.avatar.url
    assert "picture" not in alice.avatar.name


def test_a_picture_that_a_camera_held_sideways_is_turned_upright(client, alice):
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees clockwise to see it upright: the left comes to the top
    upload(client, encoded(halves(300, 300), "JPEG", exif=exif))
    image = stored(alice).convert("RGB")
    assert close_to(image.getpixel((128, 40)), RED)
    assert close_to(image.getpixel((128, 216)), BLUE)


def test_where_and_with_what_a_picture_was_taken_is_forgotten(client, alice):
    exif = Image.Exif()
    exif[0x010F] = "Secret Camera Works"
    exif.get_ifd(0x8825)[1] = "N"
    note = PngImagePlugin.PngInfo()
    note.add_text("Comment", "Secret Camera Works")
    for content in [
        encoded(halves(), "JPEG", exif=exif, comment=b"Secret Camera Works"),
        encoded(halves(), "PNG", pnginfo=note, icc_profile=b"Secret Camera Works" * 10),
        encoded(halves(), "WEBP", exif=exif, xmp=b"Secret Camera Works"),
    ]:
        assert b"Secret Camera" in content
        upload(client, content)
        image = stored(alice)
        assert b"Secret Camera" not in Path(alice.avatar.path).read_bytes()
        assert not image.getexif()
        assert not {"exif", "xmp", "icc_profile"} & set(image.info)


def test_of_a_moving_picture_the_first_frame_is_kept(client, alice):
    frames = [Image.new("RGB", (64, 64), colour) for colour in (RED, BLUE)]
    upload(client, encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=100))
    image = stored(alice)
    assert not getattr(image, "is_animated", False)
    assert close_to(image.convert("RGB").getpixel((128, 128)), RED)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_every_kind_of_png_is_read(client, alice, mode):
    upload(client, encoded(Image.new(mode, (50, 80)), "PNG"))
    assert stored(alice).size == (256, 256)


def test_four_ink_jpegs_are_read(client, alice):
    upload(client, encoded(Image.new("CMYK", (50, 80)), "JPEG"))
    assert stored(alice).size == (256, 256)


def test_a_picture_with_holes_keeps_them(client, alice):
    upload(client, encoded(Image.new("RGBA", (50, 50), (0, 0, 0, 0)), "PNG"))
    assert stored(alice).convert("RGBA").getpixel((128, 128))[3] == 0


@pytest.mark.parametrize(
    "content", [b"Dear Bob, this is no picture.", b"\x00" * 100, b"<svg xmlns='http://www.w3.org/2000/svg'/>"]
)
def test_what_is_no_picture_is_refused_whatever_its_name_says(client, alice, content):
    assert refusal(upload(client, content), alice) == "This is not a JPEG, PNG, WebP or GIF picture."


def test_formats_beside_the_four_are_refused(client, alice):
    assert refusal(upload(client, encoded(halves(), "TIFF")), alice) == "This is not a JPEG, PNG, WebP or GIF picture."


def test_an_empty_file_is_refused(client, alice):
    assert refusal(upload(client, b""), alice) == "This file is empty."


def test_a_form_without_a_file_is_refused(client, alice):
    response = client.post(reverse("settings"), {"part": "picture"})
    assert refusal(response, alice)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_truncated_picture_is_refused(client, alice, form):
    noise = Image.effect_noise((300, 300), 90).convert("RGB")
    content = encoded(noise, form)
    sentence = refusal(upload(client, content[: len(content) // 2]), alice)
    assert sentence in ("This picture is damaged and cannot be read.", "This is not a JPEG, PNG, WebP or GIF picture.")


@pytest.mark.parametrize("size", [(4001, 4000), (10_000, 10_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)])
def test_a_picture_that_promises_too_many_pixels_is_refused_before_it_is_decoded(client, alice, size):
    sentence = refusal(upload(client, png_header(*size)), alice)
    assert sentence == "This picture has more than 16 million pixels. Please choose a smaller one."


def test_a_bomb_of_few_bytes_and_many_pixels_is_refused(client, alice):
    bomb = encoded(Image.new("1", (9000, 9000)), "PNG", optimize=True)
    assert len(bomb) < 50_000
    assert refusal(upload(client, bomb), alice).startswith("This picture has more than 16 million pixels.")


def test_a_file_of_more_than_two_megabytes_is_refused(client, alice):
    content = encoded(halves(), "PNG") + b"\x00" * (2 * 1024 * 1024)
    assert refusal(upload(client, content), alice) == "This file is larger than 2 MB. Please choose a smaller one."


def test_the_file_of_the_picture_before_is_deleted_once_the_new_one_is_stored(
    client, alice, django_capture_on_commit_callbacks
):
    upload(client, encoded(halves(), "PNG"))
    alice.refresh_from_db()
    first = Path(alice.avatar.path)
    with django_capture_on_commit_callbacks(execute=False):
        upload(client, encoded(halves(), "PNG"))
        assert first.exists()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("settings"), {"part": "no-picture"})
    alice.refresh_from_db()
    assert not alice.avatar
    assert [file.name for file in first.parent.iterdir()] == [first.name]  # the first change was never committed


# -- drawn pictures


def test_who_has_no_picture_gets_a_drawn_one_that_may_be_cached(client):
    guest = person("Guest-Larch-4821")
    assert guest.avatar_url == reverse("avatar", args=[guest.pk, "L"])
    response = client.get(guest.avatar_url)
    assert response["Content-Type"] == "image/svg+xml"
    assert "max-age" in response["Cache-Control"]
    drawing = ElementTree.fromstring(response.content)
    assert [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")] == ["L"]
    assert client.get(guest.avatar_url).content == response.content


def test_drawings_differ_and_hold_nothing_that_runs():
    drawings = [draw(number, "A") for number in range(200)]
    assert len(set(drawings)) > 180
    for drawing in drawings:
        for element in ElementTree.fromstring(drawing).iter():
            assert element.tag.rpartition("}")[2] in {"svg", "rect", "path", "g", "circle", "text"}
            assert not [name for name in element.attrib if name.startswith("on") or name in {"style", "href"}]


@pytest.mark.parametrize("address", ["1-%3Cscript%3E.svg", "1-ab.svg", "1-.svg", "x-A.svg", "-1-A.svg"])
def test_addresses_of_drawings_hold_a_number_and_one_letter(client, address):
    assert client.get(f"/accounts/avatars/{address}").status_code == 404
