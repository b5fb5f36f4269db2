"""Perfect play: tables of solved positions and proofs."""
