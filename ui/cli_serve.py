"""`burraco serve`: looks whether the server can start, says where it is, and starts it."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile

from ui.doors.authority import can_issue
from ui.doors.install import install_port
from ui.errors import ServiceError
from ui.i18n import say, t
from ui.settings import Settings, SettingsError, get_settings


def run(lang: str) -> int:
    """Start the server with the settings of the environment; 2 where it cannot start, saying why."""
    try:
        settings = get_settings()
    except SettingsError as error:
        print(say(error.message, lang), file=sys.stderr)
        return 2
    if settings.https and not settings.lan:
        print(t("cli.https_needs_lan", lang), file=sys.stderr)
        return 2
    if settings.https and not can_issue():
        print(t("cli.https_missing", lang), file=sys.stderr)
        return 2
    try:
        free = _port_is_free(settings.host, settings.port)
    except socket.gaierror:
        print(t("cli.no_host", lang, host=settings.host), file=sys.stderr)
        return 2
    taken = settings.port
    if free and settings.https:
        taken = install_port(settings)
        free = _port_is_free(settings.host, taken)
    if not free:
        print(t("cli.port_taken", lang, port=taken, host=settings.host), file=sys.stderr)
        return 2
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=settings.data_dir).close()
    except OSError:
        print(t("cli.not_written", lang, path=settings.data_dir), file=sys.stderr)
        return 2
    try:
        _serve(settings, lang)
    except ServiceError as error:
        print(say(error.message, lang), file=sys.stderr)
        return 2
    return 0


def _serve(settings: Settings, lang: str) -> None:
    from ui.app import serve
    from ui.opening import opened

    local = "localhost" if settings.host in ("127.0.0.1", "0.0.0.0", "::") or settings.lan else settings.host
    with opened(settings) as messages:
        for message in messages:
            print(say(message, lang), flush=True)
        scheme = "https" if settings.https else "http"
        print(t("cli.started", lang, url=f"{scheme}://{local}:{settings.port}"), flush=True)
        if settings.https:
            print(t("cli.https_install", lang, url=f"http://{local}:{install_port(settings)}"), flush=True)
        if settings.lan:
            _show_code(settings, lang)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn ends in order, then raises it again
        serve(settings)


def _show_code(settings: Settings, lang: str) -> None:
    """The table's code as a picture in the terminal, and where the others are."""
    from ui.doors.doors import KEY_FILE, PHONES
    from ui.doors.links import links, qr_terminal
    from ui.doors.pairing import Pairing

    found = links(settings, Pairing(settings.data_dir / KEY_FILE))
    if not found:
        print(t("cli.lan_none", lang), flush=True)
        return
    role, link = found[0]
    print(t("cli.lan", lang, role=t(f"door.role_{role.name.lower()}", lang)))
    if sys.stdout.isatty() and "utf" in (sys.stdout.encoding or "").lower():
        print(qr_terminal(link))
    print(link)
    scheme = "https" if settings.https else "http"
    print(t("cli.lan_page", lang, url=f"{scheme}://localhost:{settings.port}{PHONES}"), flush=True)


def _port_is_free(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        if os.name != "nt":  # on Windows this option would take a port that is in use
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except socket.gaierror:
            raise
        except OSError:
            return False
    return True
