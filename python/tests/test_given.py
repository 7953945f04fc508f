"""Whatever stands for rows: lists and generators, datasets, DataFrames and tables of Arrow."""

import json
import math
import warnings

import pytest

import storysim
from storysim import prompts, trl

datasets = pytest.importorskip("datasets")
pa = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")

BOARD = storysim.Storyboard("sally-anne")
OPTIONS = {"seed": 5, "twins": "pairs", "with_events": True}
ROWS = list(BOARD.rows(8, **OPTIONS))
TRUTHS = [row["truth"] for row in ROWS]


def parquet(folder, shape):
    """The path of a file of the rows."""
    import pyarrow.parquet

    path = folder / f"{shape}.parquet"
    pyarrow.parquet.write_table(pa.table(BOARD.arrow(8, shape=shape, **OPTIONS)), path)
    return path


FORMS = {
    "a list": lambda shape, folder: list(BOARD.rows(8, shape=shape, **OPTIONS)),
    "an iterator": lambda shape, folder: BOARD.rows(8, shape=shape, **OPTIONS),
    "a generator": lambda shape, folder: (dict(row) for row in BOARD.rows(8, shape=shape, **OPTIONS)),
    "a stream of storysim": lambda shape, folder: BOARD.arrow(8, shape=shape, **OPTIONS),
    "a table": lambda shape, folder: pa.table(BOARD.arrow(8, shape=shape, **OPTIONS)),
    "a batch": lambda shape, folder: pa.table(BOARD.arrow(8, shape=shape, **OPTIONS)).combine_chunks().to_batches()[0],
    "a reader": lambda shape, folder: pa.RecordBatchReader.from_stream(BOARD.arrow(8, shape=shape, **OPTIONS)),
    "a list of Arrow": lambda shape, folder: pa.table(BOARD.arrow(8, shape=shape, **OPTIONS)).to_pylist(),
    "a frame of rows": lambda shape, folder: pandas.DataFrame(list(BOARD.rows(8, shape=shape, **OPTIONS))),
    "a frame of a file": lambda shape, folder: pandas.read_parquet(parquet(folder, shape)),
    "rows of a frame": lambda shape, folder: [row for _, row in pandas.read_parquet(parquet(folder, shape)).iterrows()],
    "a dataset": lambda shape, folder: storysim.to_dataset(BOARD, 8, shape=shape, **OPTIONS),
    "a dataset of numpy": lambda shape, folder: storysim.to_dataset(BOARD, 8, shape=shape, **OPTIONS).with_format("numpy"),
    "a dataset of pandas": lambda shape, folder: storysim.to_dataset(BOARD, 8, shape=shape, **OPTIONS).with_format("pandas"),
    "a dataset of Arrow": lambda shape, folder: storysim.to_dataset(BOARD, 8, shape=shape, **OPTIONS).with_format("arrow"),
    "a streamed dataset": lambda shape, folder: storysim.to_dataset(BOARD, 8, shape=shape, streaming=True, **OPTIONS),
    "rows of numpy": lambda shape, folder: list(
        iter(storysim.to_dataset(BOARD, 8, shape=shape, streaming=True, **OPTIONS).with_format("numpy"))
    ),
}


@pytest.mark.parametrize("shape", ["questions", "stories"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_everywhere(form, shape, tmp_path):
    def given():
        return FORMS[form](shape, tmp_path)

    rows = list(storysim.questions(given()))
    assert [row["id"] for row in rows] == [row["id"] for row in ROWS]
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows
    assert storysim.score(given(), TRUTHS).data == storysim.score(ROWS, TRUTHS).data
    assert storysim.audit(given(), learn_on=given()).data == storysim.audit(ROWS, learn_on=ROWS).data
    assert [prompts.prompt(row) for row in rows] == [prompts.prompt(row) for row in ROWS]
    assert [storysim.extract(row, truth) for row, truth in zip(rows, TRUTHS)] == list(map(storysim.extract, ROWS, TRUTHS))
    assert trl.prompts(given())["prompt"][:] == trl.prompts(ROWS)["prompt"][:]


@pytest.mark.parametrize("form", ["a frame of a file", "a dataset of numpy", "a reader"])
def test_every_form_is_read_by_harnesses(form, tmp_path):
    pytest.importorskip("inspect_ai")
    task, plain = storysim.inspect_task(FORMS[form]("stories", tmp_path)), storysim.inspect_task(ROWS)
    assert [(sample.id, sample.input, sample.target) for sample in task.dataset] == [
        (sample.id, sample.input, sample.target) for sample in plain.dataset
    ]
    assert storysim.lm_eval_task(tmp_path / "tasks", FORMS[form]("questions", tmp_path)) == storysim.lm_eval_task(tmp_path / "plain", ROWS)


def test_rows_as_they_are_made_stay_as_they_are():
    assert all(given is row for given, row in zip(storysim.questions(ROWS), ROWS, strict=True))
    frame = pandas.DataFrame(ROWS)
    assert frame["mislead_distance"].dtype == float
    shown = [{name: value for name, value in row.items() if value is not None} for row in ROWS]
    assert [{name: value for name, value in row.items() if value is not None} for row in storysim.questions(frame)] == shown


def test_a_row_of_a_frame(tmp_path):
    frame = pandas.read_parquet(parquet(tmp_path, "questions"))
    row = frame.iloc[0]
    assert storysim.extract(row, TRUTHS[0]) == storysim.extract(ROWS[0], TRUTHS[0])
    assert prompts.prompt(row) == prompts.prompt(ROWS[0]) and prompts.conversation(row) == prompts.conversation(ROWS[0])
    with pytest.raises(TypeError, match="a single row was given: put it into a list"):
        trl.prompts(row)
    with pytest.raises(TypeError, match="a row is a dict, not DataFrame"):
        storysim.extract(frame, "x")


TAKERS = {
    "score": lambda rows: storysim.score(rows, ["x"]),
    "audit": storysim.audit,
    "questions": lambda rows: list(storysim.questions(rows)),
    "prompts": trl.prompts,
    "lm_eval_task": lambda rows: storysim.lm_eval_task("nowhere", rows),
    "inspect_task": lambda rows: storysim.inspect_task(rows),
}


@pytest.mark.parametrize("taker", TAKERS)
def test_what_is_no_rows(taker):
    if taker == "inspect_task":
        pytest.importorskip("inspect_ai")
    take = TAKERS[taker]
    for wrong, kind in [(BOARD.story(0), "Story"), (None, "NoneType"), (5, "int"), (b"x", "bytes"), ({"train": ROWS}, "dict")]:
        with pytest.raises(TypeError, match=rf"rows are a list of dicts, not {kind}: board.rows\(100\), story.rows, \[row\], or a table"):
            take(wrong)
    for wrong, kind in [([ROWS[0], None], "NoneType"), ([ROWS[0], 5], "int"), ([ROWS[0], BOARD.story(0)], "Story")]:
        with pytest.raises(TypeError, match=rf"row 1: a row is a dict, not {kind}: those that board.rows"):
            take(wrong)
    with pytest.raises(TypeError, match="rows are a list of dicts, not Series|a single row was given"):
        take(pandas.DataFrame(ROWS).iloc[0])
    with pytest.raises(TypeError, match="'sally-anne' is a storyboard, so say how many|rows are a list of dicts, not str"):
        take("sally-anne")


def test_rows_where_storyboards_are_asked_for():
    for rows in [pandas.DataFrame(ROWS), ROWS, 5, None]:
        with pytest.raises(TypeError, match="count says how many stories a storyboard makes, and .* is none: rows are given without it"):
            trl.prompts(rows, 3)


def test_rows_without_what_clients_need():
    for name in ("question", "story", "kind", "order", "answer", "choices"):
        changed = [ROWS[0], {key: value for key, value in ROWS[1].items() if key != name}]
        with pytest.raises(storysim.RowError, match=f"row 1.*{name}") as caught:
            trl.prompts(changed)
        assert caught.value.row == 1


def test_gaps_in_responses():
    said = [truth if number % 3 else None for number, truth in enumerate(TRUTHS)]
    plain = storysim.score(ROWS, said)
    assert plain.models["model"]["without_response"] == math.ceil(len(ROWS) / 3)
    column = pandas.Series([math.nan if text is None else text for text in said], dtype=object)
    by_id = {row["id"]: text for row, text in zip(ROWS, column)}
    for gaps in [column, list(column), by_id, pandas.Series(said, dtype="string"), pa.chunked_array([said]), {"model": column}]:
        assert storysim.score(ROWS, gaps).data == plain.data
    with pytest.raises(TypeError, match="responses are a list or a dict, not DataFrame: a column of it"):
        storysim.score(ROWS, pandas.DataFrame({"said": said}))


def test_scores_of_frames_warn_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        storysim.score(pandas.DataFrame(ROWS), TRUTHS)
