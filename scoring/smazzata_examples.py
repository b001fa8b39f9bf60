"""One smazzata as people write it and as programs do, for help and documentation; a test reads both."""

from __future__ import annotations

EXAMPLE_TEXT = """\
regolamento: fibur
giocatori: 4                # 2 to 6
fine: chiusura              # or: senza 100, tallone, tempo

[Noi]
3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥
K♠ K♥ K♦ JK
chiusura
scarto: 9♣

[Loro]
pozzetto: non preso         # or: giocato; non giocato A♥ 4♣ (or a sum: 120)
mano: A♥ 4♣                 # one line a player, cards or a sum
mano: 35
penalizzate: K♣
rettifica: -50 ritardo
"""

OTHER_LINES = """\
gioco: 3♥ 4♥ 5♥             # a meld may say that it is one
punti: 180 300              # instead of melds: points of the cards, then of the burrachi
senza scarto                # closed by laying the last card
"""
"""What a side may say besides."""

OTHER_KEYS = """\
sums = { card_points = 180, bonus_points = 300 }         # instead of melds
counts = { cards_by_value = { 10 = 7 }, burrachi = { pulito = 1 }, heaps = { 100 = 2 } }     # or counted
laid_last = true                                         # closed by laying the last card
players = 2                                              # of this side
"""
"""The same as keys of a side in TOML and JSON."""

EXAMPLE_TOML = """\
regolamento = "fibur"
players = 4
end = "closed"              # or: closed_without_bonus, stock, time

[[sides]]
name = "Noi"
melds = ["3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", "K♠ K♥ K♦ JK"]
closed = true
last_discard = "9♣"

[[sides]]
name = "Loro"
pozzetto = "not_taken"      # or: played; not_played with pozzetto_held = "A♥ 4♣" (or 120)
hands = ["A♥ 4♣", 35]       # one a player, cards or a sum
penalised = "K♣"
adjustments = [{ points = -50, reason = "ritardo" }]
"""
