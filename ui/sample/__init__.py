"""The pictures that ship: two sides of a table of our own, rendered by `python -m ui.sample.render`."""
