"""From a photo to a reading of the table: where the cards lie, what they are, which melds they form."""
