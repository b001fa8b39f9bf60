"""One meld without a match: what it is under a regolamento, and why."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from scoring.meld import read_meld
from ui.api.bodies import Body, CardsText, SettingsText
from ui.api.deps import LangDep
from ui.api.models import ErrorOut, MeldQuestionOut
from ui.melds import meld_answer
from ui.services import ServiceError, regolamento_named
from ui.viewmodels import Message

router = APIRouter(tags=["score"])

_ERRORS: dict[int | str, dict[str, object]] = {status: {"model": ErrorOut} for status in (400, 422)}
_MANY = 100


class MeldBody(Body):
    """A meld in the order it lies; `settings` change fields, `crosswise` counts from 1."""

    cards: CardsText
    regolamento: str = "fibur"
    settings: SettingsText = ()
    crosswise: Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(max_length=_MANY)] = ()

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"cards": "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ JK", "regolamento": "fibur"},
                {"cards": "4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ 2♣ Q♥", "settings": ["semipulito=wild_at_end"]},
                {"cards": "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "crosswise": [6, 7]},
            ]
        },
    )


class MeldAnswerOut(BaseModel):
    """What a meld is; `points` are the cards', `countable` those of the legal part of an illegal one."""

    legal: bool
    classe: Annotated[str | None, Field(alias="class")]
    points: int
    bonus: int
    countable: int
    surplus: list[str]
    faults: list[str]
    reason: str
    questions: list[MeldQuestionOut]

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "legal": True,
                    "class": "semipulito",
                    "points": 75,
                    "bonus": 150,
                    "countable": 75,
                    "surplus": [],
                    "faults": [],
                    "reason": "semipulito: sette carte di fila prima del jolly",
                    "questions": [],
                }
            ]
        }
    )


@router.post("/meld", response_model=MeldAnswerOut, responses=_ERRORS)
def meld(body: MeldBody, lang: LangDep) -> MeldAnswerOut:
    """Class, points and reason of one meld, or every fault of it; an illegal meld is an answer, not an error."""
    if any(place > len(body.cards) for place in body.crosswise):
        raise ServiceError(Message("cli.meld.crosswise", {"place": max(body.crosswise), "count": len(body.cards)}))
    regolamento = regolamento_named(body.regolamento, body.settings)
    answer = meld_answer(read_meld(body.cards, regolamento), regolamento, lang, [at - 1 for at in body.crosswise])
    return MeldAnswerOut.model_validate(answer)
