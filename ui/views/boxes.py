"""From one side of the open smazzata to what the table component shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from scoring.cards import Card
from scoring.marks import MarkVerdict
from scoring.meld import Meld
from scoring.sections import Regolamento
from scoring.store.state import CardSource, DraftCard, DraftUnread, GroupRole, PhotoRef
from ui.components.table import LOOSE_GROUP, TINTS, CardBox, GroupBox, PhotoBox, RoleBox, TableBox, UnreadBox
from ui.faults import meld_faults
from ui.i18n import say, say_names, t
from ui.melds import marks_message, part_said, why
from ui.spot import centre, is_cut, spot
from ui.viewmodels import MatchView, MeldView, SideView
from ui.views.faces import meld_title, rank_words, spoken, suit_words

LABELS = [
    "working",
    "no_answer",
    "changed_elsewhere",
    "gone_elsewhere",
    "zoom_in",
    "zoom_out",
    "photo",
    "new_meld",
    "undo",
    "redo",
    "empty",
    "add_card",
    "several",
    "tray_hint",
    "fill",
    "add_these",
    "pile",
    "doubtful",
    "twin_same",
    "twin_two",
    "edit_meld",
    "more",
    "join_with",
    "split_before",
    "remove_meld",
    "close",
    "is_right",
    "likely",
    "earlier",
    "later",
    "remove",
    "move_to",
    "which_meld",
    "suit",
    "look",
    "what_is_it",
    "mark_pile",
    "on_pile",
    "write_covered",
    "none_covered",
    "unread",
    "not_a_card",
]
MOST_ALTERNATIVES = 5


@cache
def labels(lang: str) -> dict[str, str | dict[str, str]]:
    """The words the component needs."""
    words: dict[str, str | dict[str, str]] = {name: t(f"table.{name}", lang) for name in LABELS}
    words |= {"jolly": t("page.card.jolly", lang), "card_name": t("page.card.name", lang)}
    return words | {"ranks": dict(rank_words(lang)), "suits": dict(suit_words(lang))}


def side_box(match: MatchView, side: int, lang: str, revision: int) -> TableBox:
    """The table of one side: its photos, its melds numbered from 1, its loose cards last."""
    view = match.table.sides[side]
    names = say_names(match.table.names, lang)
    roles = role_boxes(names, lang)
    groups = [_meld_box(meld, side, view, roles, match.rules, lang) for meld in view.melds]
    if view.loose:
        groups.append(_loose_box(view, lang))
    shown = len(view.loose) + sum(len(meld.cards) for meld in view.melds)
    name = names[side]
    alt = t("table.photo_alt", lang, name=name, melds=len(view.melds), cards=shown)
    return TableBox(
        photos=tuple(_photo_box(photo, alt) for photo in view.photos),
        groups=tuple(groups),
        labels=labels(lang),
        roles=tuple(roles.values()),
        can_undo=match.can_undo,
        can_redo=match.can_redo,
        revision=revision,
    )


def role_key(role: GroupRole, owner: int) -> str:
    """The key of what a group is and whose; whose matters only for what belongs to a side."""
    return f"{role.value}-{owner}" if role.owned else role.value


def role_boxes(names: Sequence[str], lang: str) -> dict[str, RoleBox]:
    """All that a group can be, by key: each side's melds, hands and pozzetto, the discards, and what does not count.

    A side's letter is the first of its name where these differ; the letters of the roles stand before it.
    """
    initials = [name[:1].upper() for name in names]
    letters = initials if len(set(initials)) == len(names) and all(initials) else list("ABCDE"[: len(names)])
    boxes = []
    for role in GroupRole:
        sign = "" if role is GroupRole.LAID else t(f"role.{role.value}.letter", lang)
        if not role.owned:
            boxes.append(RoleBox(role.value, role.value, 0, sign, LOOSE_GROUP, t(f"role.{role.value}", lang)))
            continue
        for owner, (name, letter) in enumerate(zip(names, letters, strict=True)):
            text = t(f"role.{role.value}", lang, name=name)
            boxes.append(RoleBox(role_key(role, owner), role.value, owner, sign + letter, f"side-{owner}", text))
    return {box.key: box for box in boxes}


def hand_box(cards: Sequence[Card], title: str, total: str, lang: str, revision: int) -> TableBox:
    """Cards still held, entered one by one; their ids are their places."""
    boxes = tuple(CardBox(id=str(place), card=str(card), spoken=spoken(card, lang)) for place, card in enumerate(cards))
    hand = GroupBox(id="hand", label=str(len(cards)), tint="loose", title=title, cards=boxes, points=total, meld=False)
    return TableBox(photos=(), groups=(hand,), labels=labels(lang), melds=False, revision=revision)


def _photo_box(photo: PhotoRef, alt: str) -> PhotoBox:
    width, height = photo.size_wh
    return PhotoBox(photo.sha256, f"/api/photos/{photo.sha256}.jpg?side=1600", width, height, alt)


def _meld_box(
    meld: MeldView, side: int, view: SideView, roles: Mapping[str, RoleBox], rules: Regolamento, lang: str
) -> GroupBox:
    role = roles[role_key(meld.role, meld.owner)]
    if meld.role is not GroupRole.LAID:
        return _other_box(meld, view, role, lang)
    places = _stands_for(meld.meld, meld.cards)
    reading = meld.meld.reading
    twin = next((str(other.number) for other in view.melds if other.id == meld.twin_of), "")
    usual = meld.owner == side
    return GroupBox(
        id=meld.id,
        label=str(meld.number) if usual else f"{role.letter}{meld.number}",
        tint=str((meld.number - 1) % TINTS) if usual else role.tint,
        title=meld_title(meld.meld, lang),
        cards=tuple(_card_box(card, places.get(card.id), view, lang) for card in meld.cards),
        points=t("table.points", lang, points=meld.meld.points),
        chip=t("classe.named", lang, name=reading.name) if reading and reading.name else "",
        reason=_reason(meld.meld, rules, lang),
        faults=()
        if meld.covered
        else (
            *(say(fault, lang) for fault in meld_faults(meld.meld, rules)),
            *part_said(meld.meld, rules, lang),
        ),
        marks=_marks(meld, rules, lang),
        twin=t("table.twin", lang, number=twin) if twin else "",
        role=role.key,
        usual=usual,
        pile=meld.pile,
        covered=t("table.covered", lang) if meld.covered else "",
        unread=tuple(_unread_box(unread, meld.cards, lang) for unread in meld.unread),
    )


def _other_box(meld: MeldView, view: SideView, role: RoleBox, lang: str) -> GroupBox:
    """A group that is no meld: held, a pozzetto, the discards, or what does not count."""
    return GroupBox(
        id=meld.id,
        label=role.letter,
        tint=role.tint,
        title=role.text,
        cards=tuple(_card_box(card, None, view, lang) for card in meld.cards),
        meld=False,
        role=role.key,
        usual=False,
        unread=tuple(_unread_box(unread, meld.cards, lang) for unread in meld.unread),
    )


def _marks(meld: MeldView, rules: Regolamento, lang: str) -> str:
    """Where the crosswise cards say another class than was read; marks that say nothing known are no news here."""
    disagree = meld.marks.verdict is MarkVerdict.DISAGREE
    message = marks_message(meld.meld, meld.marks, rules) if disagree else None
    return say(message, lang) if message else ""


def _loose_box(view: SideView, lang: str) -> GroupBox:
    cards = tuple(_card_box(card, None, view, lang) for card in view.loose)
    return GroupBox(
        id=LOOSE_GROUP,
        label="–",
        tint=LOOSE_GROUP,
        title=t("table.loose", lang),
        cards=cards,
        chip=t("table.loose_chip", lang),
        reason=t("table.loose_hint", lang),
        meld=False,
        role=role_key(GroupRole.IGNORED, 0),
    )


def _card_box(card: DraftCard, wild_as: Card | None, view: SideView, lang: str) -> CardBox:
    doubts = [doubt for doubt in view.doubts if doubt.card_id == card.id]
    asked = [other for doubt in doubts for other in doubt.alternatives]
    cut = is_cut(card, view.photos)
    likely = dict.fromkeys([*asked, *(other for other, _ in card.alternatives)])
    return CardBox(
        id=card.id,
        card=str(card.card),
        spoken=spoken(card.card, lang),
        doubtful=bool(doubts),
        note=" ".join(_notes(card, wild_as, max((doubt.points_at_stake for doubt in doubts), default=0), cut, lang)),
        cut=cut,
        stands_for=str(wild_as) if wild_as else "",
        alternatives=tuple(str(other) for other in likely if other != card.card)[:MOST_ALTERNATIVES],
        quad=card.quad,
        photo=card.photo,
    )


def _unread_box(unread: DraftUnread, cards: Sequence[DraftCard], lang: str) -> UnreadBox:
    at, _ = spot(cards, unread.photo, centre(unread.quad))
    return UnreadBox(
        id=unread.id,
        at=len(cards) if at is None else at,
        quad=unread.quad,
        photo=unread.photo,
        note=t("table.at_stake", lang, points=unread.points_at_stake),
        alternatives=tuple(map(str, unread.alternatives)),
    )


def _notes(card: DraftCard, wild_as: Card | None, at_stake: int, cut: bool, lang: str) -> list[str]:
    notes = []
    if at_stake:
        notes.append(t("table.at_stake", lang, points=at_stake))
    if wild_as:
        notes.append(t("table.stands_for", lang, card=spoken(wild_as, lang)))
    if cut:
        notes.append(t("table.cut", lang))
    if card.source is CardSource.INFERRED:
        notes.append(t("table.inferred", lang))
    return notes


def _stands_for(meld: Meld, cards: Sequence[DraftCard]) -> dict[str, Card]:
    """Which card serves as a wild, and for what; of two equal cards the later one is taken."""
    wild = meld.reading.wild if meld.reading else None
    if wild is None:
        return {}
    return next(({card.id: wild.stands_for} for card in reversed(cards) if card.card == wild.card), {})


def _reason(meld: Meld, rules: Regolamento, lang: str) -> str:
    if meld.reading is None:
        return ""
    because = why(meld.reading, rules, lang)
    because = because[:1].upper() + because[1:] + "."
    if not meld.bonus:
        return because
    return t("table.reason", lang, why=because, cards=meld.card_points, bonus=meld.bonus)
