"""Training, export and the trained networks themselves."""
