"""The doors of the server: who is asking, what they may do, and how much of it (SECURITY.md has the threats)."""
