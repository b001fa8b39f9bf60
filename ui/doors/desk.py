"""The desk at the door: takes pairing codes in, and shows them on the machine itself."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ui.doors.answers import asked_language, refusal, wants_page
from ui.doors.doors import Doors, Refusal
from ui.doors.links import links, match_link, qr_svg
from ui.doors.pages import READ_HASH, Card, entrance, page, phones
from ui.doors.pairing import COOKIE_LASTS_S, BadCode
from ui.doors.visit import Visit
from ui.i18n import t
from ui.metrics import REFUSALS
from ui.roles import Role
from ui.viewmodels import Message

_MOST_FORM_BYTES: Final = 4096


class Desk:
    """Answers the two pages at the door."""

    def __init__(self, doors: Doors) -> None:
        self._doors = doors

    def closed(self, request: Request, visit: Visit) -> Response:
        """The pairing page in place of what a stranger asked for; a program gets the same as a sentence."""
        if visit.method == "GET" and wants_page(request):
            lang = asked_language(request)
            ended = t("door.expired", lang) if visit.cookie(self._doors.cookie) else None
            return page(entrance(lang, ended, None), lang, 401, script=READ_HASH)
        return refusal(Refusal(401, Message("door.no_session")), request)

    async def entrance(self, request: Request, visit: Visit, role: Role | None) -> Response:
        """The pairing page, and the POST that brings a code in."""
        lang = asked_language(request)
        if request.method == "POST":
            return await self._enter(request, visit, lang)
        inside = t(f"door.inside_{role.name.lower()}", lang) if role is not None else None
        return page(entrance(lang, None, inside), lang, script=READ_HASH)

    async def _enter(self, request: Request, visit: Visit, lang: str) -> Response:
        pairing = self._doors.pairing
        assert pairing is not None
        wait_s = self._doors.failed_codes.take(visit.client, 0)
        if wait_s:
            fault = t("door.too_many", lang, seconds=wait_s)
            return page(entrance(lang, fault, None), lang, 429, {"Retry-After": str(wait_s)}, script=READ_HASH)
        try:
            cookie = pairing.enter(await _form_code(request))
        except BadCode as bad:
            self._doors.failed_codes.take(visit.client)
            REFUSALS.add(f"code_{bad.fault}")
            return page(entrance(lang, t(f"door.code_{bad.fault}", lang), None), lang, 403, script=READ_HASH)
        response = RedirectResponse("/", HTTPStatus.SEE_OTHER, headers={"Cache-Control": "no-store"})
        secure = visit.headers.get("origin", "").startswith("https://")
        response.set_cookie(
            self._doors.cookie, cookie, max_age=COOKIE_LASTS_S, path="/", secure=secure, httponly=True, samesite="lax"
        )
        return response

    async def phones(self, request: Request) -> Response:
        """The codes to bring phones in with; a POST ends them all, and every session with them."""
        pairing, lang = self._doors.pairing, asked_language(request)
        assert pairing is not None
        if request.method == "POST":
            pairing.forget_all()
            return RedirectResponse("/telefoni", HTTPStatus.SEE_OTHER)
        cards = []
        for role, address in links(self._doors.settings, pairing):
            name = role.name.lower()
            cards.append(Card(t(f"door.role_{name}", lang), t(f"door.may_{name}", lang), address, qr_svg(address)))
        played = await run_in_threadpool(self._doors.matches)
        matches = [
            Card(" – ".join(match.names), "", address, qr_svg(address))
            for match in played
            if not match.finished and (address := match_link(self._doors.settings, pairing, match.id))
        ]
        return page(phones(lang, cards, matches), lang)


async def _form_code(request: Request) -> str:
    """The code in a form; anything longer than a code needs is none."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MOST_FORM_BYTES:
            return ""
    values = parse_qs(body.decode("latin-1")).get("code", [""])
    return values[0][:200]
