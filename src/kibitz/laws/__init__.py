"""What every game must obey: each law is a sentence and a function that can find it broken."""

from kibitz.laws import evaluation, indexing, notation, parity, rules, symmetry, view
from kibitz.laws.law import Broken as Broken
from kibitz.laws.law import Law as Law
from kibitz.laws.law import NotApplicable as NotApplicable
from kibitz.laws.runner import LawResult as LawResult
from kibitz.laws.runner import check_laws as check_laws
from kibitz.laws.runner import try_law as try_law
from kibitz.laws.sample import Sample as Sample

LAWS: tuple[Law, ...] = (
    Law(rules.a_new_game_is_unfinished, basic=True),
    Law(rules.turns_and_results_are_known_codes, basic=True),
    Law(rules.an_unfinished_game_has_moves_and_a_finished_one_has_none, basic=True),
    Law(rules.there_are_never_more_moves_than_declared, basic=True),
    Law(rules.no_move_is_listed_twice),
    Law(rules.both_sides_come_to_move),
    Law(rules.every_move_ends_its_turn_where_the_game_is_alternating),
    Law(rules.random_games_end),
    Law(rules.playing_a_move_leaves_the_old_position_alone),
    Law(rules.chance_sums_to_one_over_different_outcomes),
    Law(rules.rolls_do_not_follow_rolls_without_end),
    Law(rules.positions_with_equal_keys_have_equal_moves),
    Law(rules.moves_once_builds_each_turn_in_exactly_one_sequence),
    Law(symmetry.symmetries_keep_the_result),
    Law(symmetry.symmetries_keep_the_moves),
    Law(symmetry.symmetries_keep_the_odds),
    Law(symmetry.symmetries_commute_with_playing),
    Law(indexing.unmoves_are_the_moves_backwards),
    Law(indexing.numbers_are_those_of_positions_that_symmetries_make_one),
    Law(notation.the_text_of_a_game_loads_it_again),
    Law(notation.a_position_is_read_as_it_was_written),
    Law(notation.a_damaged_text_is_refused_or_is_a_position),
    Law(notation.the_texts_of_moves_are_words),
    Law(notation.the_texts_of_moves_are_all_different),
    Law(notation.the_texts_of_moves_are_understood),
    Law(notation.a_game_is_replayed_from_its_line),
    Law(view.the_layout_is_a_board),
    Law(view.the_pieces_fit_the_layout),
    Law(view.gestures_touch_only_cells_of_the_board),
    Law(view.gestures_tell_the_moves_apart),
    Law(parity.interpreted_and_compiled_rules_agree),
    Law(parity.compiled_rules_stay_in_bounds),
    Law(parity.compiled_and_interpreted_counts_are_equal),
)
# Asked of a game's heuristics; each of those is compiled for it.
HEURISTIC_LAWS: tuple[Law, ...] = (
    Law(evaluation.heuristics_name_their_game),
    Law(evaluation.each_weight_has_its_feature),
    Law(evaluation.scores_stay_within_the_bounds),
    Law(evaluation.candidates_are_moves),
    Law(evaluation.known_results_are_true),
    Law(evaluation.compiled_heuristics_say_what_interpreted_ones_say),
)
