"""The pages of the dashboard, one module each, and what they share."""
