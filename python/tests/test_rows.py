"""Rows are those of the command, byte for byte."""

import itertools
import json
import pickle

import pytest
from conftest import TINY, plain

import storysim
from storysim._storysim import _instruction

BOARDS = ["first-order-mislead", "second-order-goal", "sally-anne", "gallery", "phone-numbers", "whispers", "hitom-like"]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("with_events", [False, True])
def test_rows_are_those_of_the_command(board, with_events, written):
    events = ["--with-events"] if with_events else []
    expected = written(board, "--count", 40, "--seed", 7, *events)
    rows = storysim.Storyboard(board).rows(40, seed=7, with_events=with_events)
    assert [plain(row) for row in rows] == expected


@pytest.mark.parametrize(
    ("board", "twins"),
    [("second-order-mislead", "pairs"), ("sally-anne", "pairs"), ("hitom-like", "pairs"), ("hitom-like", "triplets")],
)
def test_twins_are_those_of_the_command(board, twins, written):
    expected = written(board, "--count", 20, "--seed", 3, f"--twins={twins}", "--with-events")
    rows = storysim.Storyboard(board).rows(20, seed=3, twins=twins, with_events=True)
    assert [plain(row) for row in rows] == expected


@pytest.mark.parametrize("twins", [None, "pairs"])
def test_rows_that_are_kept_are_those_of_the_command(twins, written):
    where = "updates >= 3 and not shortcuts_right > 0"
    options = ["--difficulty", "--where", where] + ([] if twins is None else [f"--twins={twins}"])
    expected = written("second-order-mislead", "--count", 60, "--seed", 3, *options)
    board = storysim.Storyboard("second-order-mislead")
    asked = {"seed": 3, "twins": twins, "difficulty": True, "where": where}
    rows = board.rows(60, **asked)
    first = next(rows)
    assert [plain(first), *map(plain, pickle.loads(pickle.dumps(rows)))] == expected
    assert 0 < len(expected) < len(list(board.rows(60, seed=3, twins=twins)))
    pa = pytest.importorskip("pyarrow")
    table = pa.table(board.arrow(60, **asked))
    assert table.column("id").to_pylist() == [json.loads(row)["id"] for row in expected]
    assert not list(board.rows(60, where="order > 9"))
    assert pa.table(board.arrow(60, where="order > 9")).num_rows == 0


@pytest.mark.parametrize("prompt", [None, "plain", "cot", "shots:3"])
@pytest.mark.parametrize("shape", ["questions", "stories"])
@pytest.mark.parametrize("options", [{}, {"twins": "pairs", "with_events": True}])
def test_prompts_and_shapes_are_those_of_the_command(prompt, shape, options, written):
    arguments = ["--prompt", prompt] if prompt else []
    arguments += ["--twins=pairs", "--with-events"] if options else []
    for name in ("second-order-mislead", "sally-anne"):
        expected = written(name, "--count", 12, "--seed", 3, "--shape", shape, *arguments)
        board = storysim.Storyboard(name)
        rows = board.rows(12, seed=3, prompt=prompt, shape=shape, **options)
        assert [plain(row) for row in rows] == expected


def test_two_tellings_of_a_story(written):
    expected = written("world-model", "--count", 10, "--shape", "stories")
    assert [plain(row) for row in storysim.Storyboard("world-model").rows(10, shape="stories")] == expected


def test_the_rows_of_whole_stories(tiny):
    stories = list(tiny.rows(20, shape="stories", prompt="cot"))
    rows = [{**story, **question} for story in stories for question in story["questions"]]
    for row in rows:
        del row["questions"]
    assert rows == list(tiny.rows(20, prompt="cot"))


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"prompt": "poem"}, ValueError, "prompt: a prompt is `plain`, `cot`, or `shots:K`"),
        ({"prompt": "shots:99"}, ValueError, "1 to 32 examples"),
        ({"prompt": 3}, TypeError, "prompt has to be a string, not int"),
        ({"shape": "pages"}, ValueError, "shape: a row is one of `questions` or `stories`"),
        ({"shape": b"stories"}, TypeError, "shape has to be a string, not bytes"),
        ({"where": "updates >"}, ValueError, "where:"),
        ({"where": "update > 3"}, ValueError, "did you mean `updates`"),
        ({"where": 3}, TypeError, "where has to be a string, not int"),
    ],
)
def test_other_prompts_and_shapes(options, error, said, tiny):
    for make in (tiny.rows, tiny.arrow):
        with pytest.raises(error, match=said):
            make(1, **options)


def test_values_of_parameters_are_in_the_ids(written):
    expected = written("first-order-mislead", "--count", 5, "--set", "mislead_distance=20")
    board = storysim.Storyboard("first-order-mislead", set={"mislead_distance": 20})
    assert [plain(row) for row in board.rows(5)] == expected
    assert board.set == {"mislead_distance": 20} and board.parameters == {"mislead_distance": 20}


def test_a_file_of_ones_own(tmp_path, written):
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY)
    expected = written(path, "--count", 10)
    for board in [path, str(path), TINY]:
        assert [plain(row) for row in storysim.Storyboard(board).rows(10)] == expected


def test_a_balanced_storyboard_of_ones_own(written):
    expected = written("second-order-calibrated", "--count", 6, "--seed", 2)
    board = storysim.Storyboard("second-order-calibrated")
    assert [plain(row) for row in board.rows(6, seed=2)] == expected


def test_rows_begin_anywhere(tiny):
    rows = list(tiny.rows(30, seed=1))
    later = list(tiny.rows(10, seed=1, start=20))
    assert later == [row for row in rows if row["index"] >= 20]
    last = list(tiny.rows(1, start=2**64 - 2))
    assert {row["index"] for row in last} == {2**64 - 2}


def test_rows_do_not_share_what_can_be_changed(tiny):
    rows = list(tiny.rows(5, with_events=True))
    untouched = json.loads(json.dumps(rows[1]))
    rows[0]["choices"].append("moon")
    rows[0]["names"].clear()
    rows[0]["foils"].clear()
    rows[0]["events"].clear()
    assert rows[1] == untouched


def test_many_batches(written):
    rows = storysim.Storyboard("first-order-mislead").rows(3000, seed=5)
    expected = written("first-order-mislead", "--count", 3000, "--seed", 5)
    for row, line in itertools.zip_longest(rows, expected):
        assert row == json.loads(line)


def test_no_stories(tiny):
    rows = tiny.rows(0)
    assert list(rows) == [] and list(rows) == []


@pytest.mark.parametrize("kind", ["plain", "cot"])
def test_a_prompt_is_that_of_the_command(written, kind):
    for line in written("sally-anne", "--count", 5, "--prompt", kind):
        row = json.loads(line)
        assert storysim.prompts.prompt(row, instruction=_instruction(kind)) == row["prompt"]


def test_what_cannot_be_asked():
    with pytest.raises(storysim.RowError, match="no `id`"):
        storysim.prompts.prompt({"story": "Ann waits."})
    with pytest.raises(ValueError, match="not `poem`"):
        _instruction("poem")
