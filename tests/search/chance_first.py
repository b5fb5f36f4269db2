"""A game that begins with chance: a coin race in which the coin is thrown before anybody moves."""

from dataclasses import replace

from tests.laws.coin_race import State, coin_race

chance_first = replace(coin_race, name="chance_first", title="Chance first", start=lambda: State(0, 0, 0, True))
ends_at_once = replace(coin_race, name="ends_at_once", title="Ends at once", start=lambda: State(2, 0, 0, True))
