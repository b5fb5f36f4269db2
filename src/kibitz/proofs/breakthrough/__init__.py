"""What the proofs need of Breakthrough: its adapter and tables of the last rows."""
