"""One-player problems: solved, proved, generated and explained."""
