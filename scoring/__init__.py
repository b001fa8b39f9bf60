"""Burraco's rules and points: pure, standard library only (the ledger in `scoring.store` stands apart)."""
