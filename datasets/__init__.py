"""Labelled pictures of tables, rendered from procedural decks."""
