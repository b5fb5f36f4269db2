"""The engine measured: its signature on fixed positions, and its speed beside other programs."""
