"""The ledger: matches kept as events in a database, and the pure fold that turns events into the present state."""
