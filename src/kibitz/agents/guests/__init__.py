"""Programs of others that play for us, each in its own process."""
