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
