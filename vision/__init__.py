"""From a photo of a table to the cards that lie on it and the melds they form."""
