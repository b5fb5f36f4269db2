"""What every game must obey, and proofs of it: each law is a sentence and a function that can find it broken."""

from kibitz.laws import compiling, numbering, playing, showing, turning, writing
from kibitz.laws.law import Broken as Broken
from kibitz.laws.law import Law as Law
from kibitz.laws.law import Silent as Silent
from kibitz.laws.proving import Verdict as Verdict
from kibitz.laws.proving import prove as prove
from kibitz.laws.proving import verdicts as verdicts
from kibitz.laws.sample import Sample as Sample

LAWS: tuple[Law, ...] = (
    Law(playing.a_new_game_is_unfinished, basic=True),
    Law(playing.turns_and_results_are_known_codes, basic=True),
    Law(playing.an_unfinished_game_has_moves_and_a_finished_one_has_none, basic=True),
    Law(playing.there_are_never_more_moves_than_declared, basic=True),
    Law(playing.no_move_is_listed_twice),
    Law(playing.random_games_end),
    Law(playing.playing_a_move_leaves_the_old_position_alone),
    Law(playing.chance_sums_to_one_over_different_outcomes),
    Law(playing.positions_with_equal_keys_have_equal_moves),
    Law(playing.moves_once_builds_each_turn_in_exactly_one_sequence),
    Law(turning.symmetries_keep_the_result),
    Law(turning.symmetries_keep_the_moves),
    Law(turning.symmetries_keep_the_odds),
    Law(turning.symmetries_commute_with_playing),
    Law(numbering.unmoves_are_the_moves_backwards),
    Law(numbering.numbers_are_those_of_positions_that_symmetries_make_one),
    Law(writing.the_text_of_a_game_loads_it_again),
    Law(writing.a_position_is_read_as_it_was_written),
    Law(writing.a_damaged_text_is_refused_or_is_a_position),
    Law(writing.the_texts_of_moves_are_words),
    Law(writing.the_texts_of_moves_are_all_different),
    Law(writing.the_texts_of_moves_are_understood),
    Law(writing.a_game_is_replayed_from_its_line),
    Law(showing.the_layout_is_a_board),
    Law(showing.the_pieces_fit_the_layout),
    Law(showing.gestures_touch_only_cells_of_the_board),
    Law(showing.gestures_tell_the_moves_apart),
    Law(compiling.interpreted_and_compiled_rules_agree),
    Law(compiling.compiled_rules_stay_in_bounds),
    Law(compiling.compiled_and_interpreted_counts_are_equal),
)
