"""What the proofs need of Alquerque: its adapter, its endgames, and strategies that hold."""
