"""Links that a phone opens to come in, and their QR codes."""

from __future__ import annotations

import io

from ui.doors.doors import ENTRANCE
from ui.doors.install import install_port
from ui.doors.pairing import Pairing
from ui.doors.visit import lan_address
from ui.roles import PAIRED, Role
from ui.settings import Settings


def links(settings: Settings, pairing: Pairing) -> list[tuple[Role, str]]:
    """One link a role; none where this machine is in no network.

    The code stands behind `#`, which a browser sends to no server and writes into no log.
    """
    door = _door(settings)
    return [(role, f"{door}#{pairing.code(role)}") for role in PAIRED] if door else []


def match_link(settings: Settings, pairing: Pairing, match_id: str) -> str:
    """The link of a table that may touch and see one match only; "" where this machine is in no network."""
    door = _door(settings)
    return door and f"{door}#{pairing.code(Role.TABLE, match_id)}"


def _door(settings: Settings) -> str:
    address = lan_address(settings.host)
    if address is None:
        return ""
    host = f"[{address}]" if ":" in address else address
    # With HTTPS a phone must trust the machine first: the page that says how has the way in.
    return f"http://{host}:{install_port(settings)}/" if settings.https else f"http://{host}:{settings.port}{ENTRANCE}"


def qr_svg(text: str) -> str:
    """A QR code as SVG that takes the size its page gives it; black on white, as every reader expects."""
    import segno

    code = segno.make(text, error="m", micro=False)
    return str(code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True))


def qr_terminal(text: str) -> str:
    """A QR code as lines of half blocks for a terminal, white on black whatever the terminal's colours are."""
    import segno

    buffer = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(buffer, border=2, compact=True)
    return "".join(f"\x1b[97;40m{line}\x1b[0m\n" for line in buffer.getvalue().splitlines())
