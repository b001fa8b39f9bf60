"""What every route needs: the services, and the language to answer in."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Query, Request

from ui.i18n import pick_language
from ui.roles import for_role, match_of, role_of
from ui.services import Services, get_services


def language(
    lang: Annotated[str | None, Query(description="it or en; otherwise Accept-Language decides")] = None,
    accept_language: Annotated[str | None, Header()] = None,
) -> str:
    """The language asked for, Italian when in doubt."""
    return pick_language(lang or accept_language)


def services(request: Request) -> Services:
    """The services as whoever asks may use them."""
    return for_role(get_services(), role_of(request.headers), match_of(request.headers))


ServicesDep = Annotated[Services, Depends(services)]
LangDep = Annotated[str, Depends(language)]
