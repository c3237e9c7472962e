"""The drawn picture of an account that has uploaded none: a letter as a station on tracks that its number decides.

Not for uploaded pictures (accounts/avatars.py). Nothing that a person typed comes into the drawing but one letter or
digit, so it needs no escaping and no look-up.
"""

import hashlib
import math

from accounts.names import GUEST_PREFIX

# Ground and track: muted inks of old timetables, each pair apart in lightness. The signal red of the site is not here.
_INKS = (
    ("#24405e", "#8fb3d1"),
    ("#2d5a4c", "#9cc7ad"),
    ("#5b3a5e", "#c6a5c9"),
    ("#6a4a1f", "#d9b878"),
    ("#37474f", "#a9bcc4"),
    ("#4a5220", "#bcc585"),
    ("#1f5560", "#8cc3cc"),
    ("#5a4034", "#cfae9b"),
)
_SIZE = 64
_BEND = 13


def initial_of(name: str) -> str:
    """The letter or digit that stands for a name: "L" for "Guest-Larch-4821"."""
    return name.removeprefix(GUEST_PREFIX)[:1].upper()


def draw(number: int, initial: str) -> str:
    """An SVG of 64 x 64 units. `number` is the account's id; `initial` is one letter A-Z or digit."""
    bits = int.from_bytes(hashlib.sha256(f"avatar {number}".encode()).digest()[:8])
    bits, ink = divmod(bits, len(_INKS))
    bits, eighth = divmod(bits, 8)
    bits, tracks = divmod(bits, 2)
    ground, track = _INKS[ink]
    offsets = (-_BEND, 0, _BEND) if tracks else (-_BEND / 2, _BEND / 2)
    lines = []
    for offset in offsets:
        bits, bend = divmod(bits, 3)
        y, far = _SIZE / 2 + offset, _SIZE / 2 + offset + (bend - 1) * _BEND
        lines.append(f"M-20 {y:g}H14C30 {y:g} 34 {far:g} 50 {far:g}H84")
    bits, stops = divmod(bits, 8)
    dots = "".join(
        f'<circle cx="{_SIZE / 2 + 25 * math.cos(turn):.1f}" cy="{_SIZE / 2 + 25 * math.sin(turn):.1f}" r="3"/>'
        for place in range(3)
        if stops >> place & 1
        for turn in [math.radians(45 * eighth + 120 * place)]
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}" width="256" height="256">'
        f'<rect width="{_SIZE}" height="{_SIZE}" fill="{ground}"/>'
        f'<path d="{"".join(lines)}" fill="none" stroke="{track}" stroke-width="3.5"'
        f' transform="rotate({45 * eighth} {_SIZE / 2:g} {_SIZE / 2:g})"/>'
        f'<g fill="{ground}" stroke="{track}" stroke-width="2">{dots}</g>'
        f'<circle cx="32" cy="32" r="17" fill="#fdf9ef" stroke="#1b2233" stroke-width="3"/>'
        f'<text x="32" y="40" text-anchor="middle" font-family="Rockwell, Georgia, serif" font-size="23"'
        f' font-weight="600" fill="#1b2233">{initial}</text></svg>'
    )
