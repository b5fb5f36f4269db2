"""`python -m kibitz.cli`, the same as `kibitz`."""

from kibitz.cli.main import main

main()
