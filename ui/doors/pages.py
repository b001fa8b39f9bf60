"""The pages at the door: plain HTML that needs neither a session nor anything from elsewhere."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from starlette.responses import HTMLResponse

from ui.i18n import t
from ui.settings import SOURCE_URL

_PAGE: Final = Template(Path(__file__).with_name("page.html").read_text("utf-8"))
_POLICY: Final = (
    "default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; img-src 'self'; manifest-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
READ_HASH: Final = """
function bringIn() {
  const form = document.querySelector("form");
  const code = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (!code) return;
  form.code.value = code;
  document.body.classList.add("entering");
  form.submit();
}
addEventListener("hashchange", bringIn);
bringIn();
"""
"""Takes the code out of the address, so that it stays in no history, and sends it: the one POST."""


def page(
    body: str, lang: str, status: int = 200, headers: Mapping[str, str] | None = None, script: str = ""
) -> HTMLResponse:
    """A whole page around `body`, which is HTML already."""
    nonce = secrets.token_urlsafe(12)
    html = _PAGE.substitute(
        lang=lang,
        nonce=nonce,
        body=body,
        script=script,
        licence=escape(t("footer.licence", lang)),
        source=escape(t("footer.source", lang)),
        source_url=SOURCE_URL,
    )
    policy = {"Content-Security-Policy": _POLICY.format(nonce=nonce), "Cache-Control": "no-store"}
    return HTMLResponse(html, status, headers={**policy, **(headers or {})})


def entrance(lang: str, fault: str | None, inside: str | None) -> str:
    """The pairing page: what went wrong, if anything, and the form; `inside` says which role is in already."""

    def say(key: str) -> str:
        return escape(t(key, lang))

    alert = f'<p class="fault" role="alert">{escape(fault)}</p>' if fault else ""
    known = f'<p>{escape(inside)} <a class="go" href="/">{say("door.go_on")}</a></p>' if inside else ""
    return f"""
<h1>{say("door.title")}</h1>
{alert}{known}
<p class="waiting" role="status">{say("door.entering")}</p>
<p>{say("door.how")}</p>
<form method="post" action="/entra">
  <label for="code">{say("door.code")}</label>
  <input id="code" name="code" required maxlength="80" autocomplete="off" autocapitalize="none" spellcheck="false">
  <button>{say("door.enter")}</button>
</form>"""


@dataclass(frozen=True, slots=True)
class Card:
    """A code as it is shown: whose it is, what it lets one do, its link, and that as a QR code."""

    name: str
    text: str
    link: str
    svg: str

    def html(self) -> str:
        """All four."""
        return (
            f"<section><h2>{escape(self.name)}</h2><p>{escape(self.text)}</p>{self.svg}"
            f"<p class='link'>{escape(self.link)}</p></section>"
        )


def phones(lang: str, roles: Sequence[Card], matches: Sequence[Card]) -> str:
    """The page on this machine with one code a role, and one for each match that is played."""

    def say(key: str) -> str:
        return escape(t(key, lang))

    none = "" if roles else f'<p class="fault" role="alert">{say("door.no_network")}</p>'
    own = f"""<h2>{say("door.one_match_title")}</h2><p>{say("door.one_match_how")}</p>
<div class="cards">{"".join(card.html() for card in matches)}</div>"""
    return f"""
<h1>{say("door.phones_title")}</h1>
<p>{say("door.phones_how")}</p>
{none}<div class="cards">{"".join(card.html() for card in roles)}</div>
{own if matches else ""}
<form method="post" action="/telefoni">
  <p>{say("door.renew_text")}</p>
  <button class="plain">{say("door.renew")}</button>
</form>
<p><a class="go" href="/">{say("door.back")}</a></p>"""
