"""What the outside sees and may ask for: games, agents, positions as data, limits, typed errors."""
