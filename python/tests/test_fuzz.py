"""Whatever comes over the boundary: an answer, or an ordinary exception."""

import json

import pytest
from conftest import TINY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import storysim
from storysim import prompts, trl

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(max_size=8), parts, max_size=4),
    max_leaves=12,
)
ANYTHING = JSON | st.binary() | st.sets(st.integers()) | st.tuples(st.text()) | st.builds(object)
FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
ORDINARY = (ValueError, TypeError, LookupError, OverflowError, OSError)
BOARD = storysim.Storyboard(TINY)
ROWS = list(BOARD.rows(20, with_events=True, twins=True))


def tried(function, *arguments, **options):
    """The result, or None if there is an ordinary exception. A panic is none."""
    try:
        return function(*arguments, **options)
    except ORDINARY:
        return None


@FUZZ
@given(ANYTHING, ANYTHING)
def test_storyboards(board, values):
    tried(storysim.Storyboard, board, set=values)


@FUZZ
@given(st.lists(st.sampled_from(TINY.splitlines()) | st.text(max_size=20), min_size=2, max_size=25))
def test_texts_of_storyboards(lines):
    tried(storysim.Storyboard, "\n".join(lines) + "\n")


@FUZZ
@given(st.integers(0, len(TINY)), st.integers(0, 20), st.text(max_size=10))
def test_storyboards_with_mistakes(at, length, text):
    tried(storysim.Storyboard, TINY[:at] + text + TINY[at + length :] + "\n")


@FUZZ
@given(ANYTHING, ANYTHING, ANYTHING, ANYTHING)
def test_rows(count, seed, start, twins):
    rows = tried(BOARD.rows, count, seed=seed, start=start, twins=twins)
    if rows is not None:
        tried(next, rows, None)
    arrow = tried(BOARD.arrow, count, seed=seed, start=start, twins=twins)
    assert arrow is None or hasattr(arrow, "__arrow_c_stream__")


@FUZZ
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_every_story(index, seed):
    story = BOARD.story(index, seed=seed)
    assert [row["index"] for row in story.rows] == [index] * len(story.rows)
    if index < 2**64 - 1:
        assert story.rows == list(BOARD.rows(1, seed=seed, start=index))


@FUZZ
@given(st.lists(ANYTHING, max_size=4) | ANYTHING)
def test_chains(chain):
    tried(BOARD.story(1).held, chain)


@FUZZ
@given(st.sampled_from(ROWS), st.dictionaries(st.sampled_from(sorted(ROWS[0])), ANYTHING, max_size=5), st.text())
def test_rows_that_were_changed(row, changes, text):
    row = {**row, **changes}
    tried(storysim.extract, row, text)
    tried(storysim.score, [row], [text])
    tried(storysim.audit, [row])


@FUZZ
@given(st.sampled_from(ROWS), st.dictionaries(st.sampled_from(sorted(ROWS[0])), JSON, max_size=3), st.text())
def test_rewards_of_rows_that_were_changed(row, changes, text):
    row = {**row, **changes}
    for reward in (trl.reward(), trl.reward(evidence=0.5)):
        try:
            [worth] = reward([text], [json.dumps(row)])
        except storysim.RowError as error:
            assert str(error).startswith("row 0")
        else:
            assert 0 <= worth <= 1


@FUZZ
@given(st.sampled_from(ROWS), st.dictionaries(st.sampled_from(sorted(ROWS[0])), JSON, max_size=3))
def test_prompts_of_rows_that_were_changed(row, changes):
    try:
        [row] = prompts.rows_of([{**row, **changes}])
    except (storysim.RowError, TypeError) as error:
        assert str(error).startswith("row 0")
    else:
        assert trl.training_item(row)["answer"] == row["answer"]


@FUZZ
@given(st.lists(ANYTHING, min_size=1))
def test_what_stands_for_no_rows(anything):
    for take in (storysim.audit, lambda rows: storysim.score(rows, []), lambda rows: list(prompts.rows_of(rows))):
        with pytest.raises((TypeError, storysim.RowError), match="row 0|is a storyboard, so say how many"):
            take(anything)


@FUZZ
@given(ANYTHING, ANYTHING)
def test_rows_that_are_none(rows, responses):
    tried(storysim.extract, rows, responses)
    tried(storysim.score, rows, responses)
    tried(storysim.score, ROWS[:3], responses)
    tried(storysim.audit, rows)


@FUZZ
@given(ANYTHING)
def test_logs(log):
    tried(storysim.replay, log, lenient=False)


@FUZZ
@given(st.text(max_size=300))
def test_every_response_is_read(text):
    found = storysim.extract(ROWS[0], text)
    assert found.given in {"named", "outside", "nothing", "refusal", "cut_off"}
    assert (found.answer is not None) == (found.given == "named")
    assert json.loads(json.dumps(found.errors)) == list(found.errors)
