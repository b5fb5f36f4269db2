"""The board as files without a server: one page for a game, or a site for many."""
