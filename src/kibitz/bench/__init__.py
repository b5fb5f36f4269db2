"""The engine measured by `kibitz bench`: its signature on fixed positions, and its speed beside other programs.

The lines of `make bench` are built on the same positions; strength is measured by `kibitz match`.
"""
