"""What one visitor does: a game on a table, clocks, analysis, records, and the messages that ask for them."""
