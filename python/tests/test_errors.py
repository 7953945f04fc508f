"""What is wrong is an exception that says what and where."""

import pickle
import warnings

import pytest
from conftest import TINY

import storysim


def test_a_broken_storyboard(tmp_path, command):
    path = tmp_path / "broken.yaml"
    path.write_text(TINY.replace("horizon", "horizn").replace("the_garden}}", "the_gardn}}"))
    with pytest.raises(storysim.StoryboardError) as caught:
        storysim.Storyboard(path)
    first = caught.value.problems[0]
    assert (first.severity, first.file) == ("error", str(path))
    assert first.line == 8 and first.column == 1 and first.labels[0].text == "horizn"
    assert str(first).startswith(f"{path}:8:1: error: ")
    done = command("check", path, env={"COLUMNS": "100", "PATH": "/usr/bin:/bin"})
    assert done.returncode == 1
    assert done.stderr.decode().strip() == str(caught.value).strip()
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.problems == caught.value.problems and str(again) == str(caught.value)


def test_an_impossible_storyboard_says_why():
    with pytest.raises(storysim.StoryboardError) as caught:
        storysim.Storyboard(TINY.replace("at: 2, meet", "at: 0, meet"))
    problem = caught.value.problems[0]
    assert problem.line == 10 and problem.severity == "error" and problem.message in str(caught.value)


def test_unknown_storyboards():
    with pytest.raises(storysim.StoryboardError, match="did you mean `sally-anne`"):
        storysim.Storyboard("sally-ann")
    with pytest.raises(FileNotFoundError, match="reading missing.yaml"):
        storysim.Storyboard("missing.yaml")
    with pytest.raises(TypeError, match="a name, a path or the text of one, not int"):
        storysim.Storyboard(7)
    with pytest.raises(storysim.StoryboardError, match="limit for a storyboard"):
        storysim.Storyboard("# " + "x" * (1 << 20) + "\n")


def test_unknown_parameters():
    with pytest.raises(storysim.StoryboardError, match="no parameter distance"):
        storysim.Storyboard("first-order-mislead", set={"distance": 3})
    for wrong in [{"mislead_distance": 2.5}, {"mislead_distance": True}, {3: 4}, ["mislead_distance"], {"mislead_distance": 2**70}]:
        with pytest.raises(TypeError, match="set has to be a dict from names to whole numbers"):
            storysim.Storyboard("first-order-mislead", set=wrong)
    with pytest.raises(storysim.StoryboardError, match="this window ends before it begins"):
        storysim.Storyboard("first-order-mislead", set={"mislead_distance": -5})


def test_wrong_arguments(tiny):
    for wrong in ["7", 1.5, None, True]:
        with pytest.raises(TypeError, match="count has to be a whole number"):
            tiny.rows(wrong)
    with pytest.raises(ValueError, match="seed has to be from 0"):
        tiny.rows(1, seed=-1)
    with pytest.raises(OverflowError, match="start \\+ count"):
        tiny.rows(2, start=2**64 - 1)
    with pytest.raises(ValueError, match='"pairs", "triplets" or None'):
        tiny.rows(1, twins="quadruplets")


def test_no_twins_where_nobody_believes_anything():
    with pytest.raises(storysim.StoryboardError) as caught:
        storysim.Storyboard(TINY.replace("  - belief: [S1, T]\n  - belief: [S1, S2, T]\n", "")).rows(1, twins=True)
    assert caught.value.problems


def test_warnings_are_warnings():
    with pytest.warns(storysim.StoryboardWarning, match="no `questions`") as caught:
        board = storysim.Storyboard(TINY.split("questions:")[0])
    assert len(caught) == 1 and board.warnings[0].severity == "warning"


def test_a_row_edited_by_hand(tiny):
    rows = list(tiny.rows(4))
    rows[2] = {**rows[2], "answer": "moon"}
    for take in [storysim.audit, lambda rows: storysim.score(rows, ["x"] * len(rows))]:
        with pytest.raises(storysim.RowError, match=f"row 2 .{rows[2]['id']}.: .*moon") as caught:
            take(rows)
        assert caught.value.row == 2
    for wrong, what in [
        ({"id": "x", "choices": 3}, "this is not a row: "),
        ({}, "has no `id`"),
    ]:
        with pytest.raises(storysim.RowError, match=what):
            storysim.extract(wrong, "x")
    with pytest.raises(TypeError, match="row 0 cannot be written as JSON"):
        storysim.audit([{**rows[0], "extra": {1, 2}}])
    with pytest.raises(storysim.RowError, match="no rows"):
        storysim.audit([])


def test_responses_that_do_not_fit(tiny):
    rows = list(tiny.rows(3))
    with pytest.raises(ValueError, match=f"model: there are 1 responses to {len(rows)} rows"):
        storysim.score(rows, ["attic"])
    with pytest.raises(ValueError, match="there is a response to 'x', but no such row"):
        storysim.score(rows, {"x": "attic"})
    with pytest.raises(TypeError, match="responses are a list or a dict, not int"):
        storysim.score(rows, 7)
    with pytest.raises(ValueError, match="model: response 0 cannot be read: .*not a string"):
        storysim.score(rows, [{"id": rows[0]["id"], "response": 7}])
    with pytest.raises(storysim.RowError, match="row 1 .*: row 0 has the same id"):
        storysim.score([rows[0], rows[0]], ["a", "b"])
