"""The rules of Burraco: cards, melds, smazzate and matches as pure values and functions."""
