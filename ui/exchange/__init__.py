"""What leaves the program and comes back: a match as JSON, tables, a sheet to sign, a picture to share."""
