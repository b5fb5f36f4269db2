"""Looking ahead. Nothing here has heard of a game: rules come in through the seam's slots."""
