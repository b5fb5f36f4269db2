"""The indexed way to solve a game that numbers its positions: retrograde analysis, layer by layer."""
