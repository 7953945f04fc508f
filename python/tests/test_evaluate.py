"""Audits, scores, extraction and replay say what the command says."""

import json

import pytest
from conftest import plain

import storysim


@pytest.fixture(scope="module")
def rows():
    return list(storysim.Storyboard("first-order-mislead").rows(200, seed=1, with_events=True))


@pytest.fixture
def files(rows, tmp_path):
    """The rows as a file, and responses to them: the answer, or where the target really is."""
    path, responses = tmp_path / "rows.jsonl", tmp_path / "model.jsonl"
    path.write_text("".join(plain(row) + "\n" for row in rows))
    said = [row["answer"] if number % 3 else f"Answer: {row['truth']}" for number, row in enumerate(rows)]
    lines = [json.dumps({"id": row["id"], "response": response}) for row, response in zip(rows, said)]
    responses.write_text("\n".join(lines))
    return path, responses, said


def printed(command, *arguments):
    done = command(*arguments)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_audit(rows, files, command):
    audit = storysim.audit(rows, title="rows.jsonl")
    told = json.loads(printed(command, "audit", files[0], "--format", "json"))
    assert {key: told[key] for key in audit.data} == audit.data
    assert "second_last_place" in str(audit) and audit.above(0.5)[0]["over"] > 0.5
    assert repr(audit).startswith("<storysim.Audit of 400 rows in 2 groups, best shortcut second_last_place +")
    assert "<svg" in audit.html() and audit._repr_html_().startswith("<iframe")


def test_audit_that_learns_elsewhere(rows):
    other = storysim.Storyboard("first-order-mislead").rows(200, seed=2, with_events=True)
    audit = storysim.audit(rows, learn_on=other)
    assert audit["rows"] == 400


def test_score(rows, files, command):
    path, responses, said = files
    score = storysim.score(rows, said, title="rows.jsonl")
    assert score.data == json.loads(printed(command, "score", path, responses, "--format", "json"))
    assert score.accuracy == score.models["model"]["overall"]["accuracy"] < 1
    assert 0 < score.chance < 1 and score.pair_accuracy is None
    by_id = {row["id"]: response for row, response in zip(rows, said)}
    dicts = [json.loads(line) for line in responses.read_text().splitlines()]
    assert storysim.score(rows, by_id).data == storysim.score(iter(rows), dicts).data == score.data
    assert str(score) in printed(command, "score", path, responses) or "model" in str(score)
    assert "<svg" in score.html()


@pytest.mark.parametrize(("board", "options"), [("sally-anne", {}), ("world-model", {}), ("hitom-like", {"twins": "triplets"})])
def test_whole_stories_are_read_as_the_rows_of_their_questions(board, options):
    board = storysim.Storyboard(board)
    options = {"seed": 3, "with_events": True, **options}
    rows, stories = list(board.rows(40, **options)), list(board.rows(40, shape="stories", **options))
    assert len(stories) < len(rows)
    spread = list(storysim.questions(stories))
    if board.name != "world-model":  # of which the telling of things comes after the other one
        assert [plain(row) for row in spread] == [plain(row) for row in rows]
    assert sorted(map(plain, spread)) == sorted(map(plain, rows)) and list(storysim.questions(rows)) == rows
    said = {row["id"]: row["truth"] for row in rows}
    assert storysim.score(stories, said).data == storysim.score(spread, said).data
    assert storysim.audit(stories, learn_on=stories).data == storysim.audit(spread, learn_on=spread).data


def test_whole_stories_in_columns():
    pa = pytest.importorskip("pyarrow")
    board = storysim.Storyboard("sally-anne")
    table = pa.table(board.arrow(30, shape="stories", with_events=True)).to_pylist()
    rows = list(board.rows(30, with_events=True))
    said = [row["truth"] for row in rows]
    assert storysim.score(table, said).data == storysim.score(rows, said).data
    assert storysim.audit(table).data == storysim.audit(rows).data


def test_a_whole_story_is_no_row():
    [story] = storysim.Storyboard("sally-anne").rows(1, shape="stories")
    for take in [lambda row: storysim.extract(row, "basket"), storysim.prompts.prompt]:
        with pytest.raises(storysim.RowError, match="a whole story with 6 questions: `storysim.questions`"):
            take(story)
    with pytest.raises(storysim.RowError, match="row 1 .sally-anne/0/0.: question 2 is int"):
        storysim.audit([*storysim.questions([story])][:1] + [{**story, "questions": [*story["questions"][:2], 7]}])


def test_scores_of_several_models(rows, files):
    said = files[2]
    score = storysim.score(rows, {"one": said, "two": dict(zip([row["id"] for row in rows], said[::-1]))})
    assert list(score.models) == ["one", "two"] and len(score["pairs"]) == 1
    with pytest.raises(ValueError, match="several models"):
        score.accuracy


def test_scores_of_twins():
    rows = list(storysim.Storyboard("second-order-mislead").rows(30, twins="pairs"))
    score = storysim.score(rows, [row["answer"] for row in rows])
    assert score.pair_accuracy == 1.0
    assert storysim.score(rows, [row["truth"] for row in rows]).pair_accuracy < 0.2


def test_rows_without_a_response(rows):
    score = storysim.score(rows, [rows[0]["answer"]] + [None] * (len(rows) - 1))
    assert score.models["model"]["without_response"] == len(rows) - 1


def test_extract(rows):
    row = rows[0]
    right = storysim.extract(row, f"She is not in the garden. Answer: {row['answer'].upper()}")
    assert (right.given, right.answer, right.rule, right.errors) == ("named", row["answer"], "cue", ())
    assert right.is_right and right
    wrong = storysim.extract(row, row["truth"])
    assert not wrong and wrong.errors[0] == "last_place" and wrong.rule == "whole"
    assert storysim.extract(row, "I can't help with that.").given == "refusal"
    assert storysim.extract(row, "So he went", finish_reason="length").given == "cut_off"
    assert storysim.extract(row, "").given == "nothing"


def test_rows_to_which_no_response_can_be_right(rows):
    row = rows[0]
    without = {key: value for key, value in row.items() if key not in ("choices", "label")}
    for changed, what in [
        ({**row, "answer": "moon"}, "the answer of this row, \"moon\", is not among its choices"),
        ({**row, "label": 1 - row["label"] if row["label"] < 2 else 0}, "the label of this row is ., which is "),
        ({**row, "choices": []}, "this row has no choices"),
        (without, "this row has no choices"),
    ]:
        for response in [row["answer"], "moon", ""]:
            with pytest.raises(storysim.RowError, match=rf"the row \({row['id']}\): {what}.* give the row as it was made"):
                storysim.extract(changed, response)


def test_arguments_of_the_wrong_type(rows):
    row = rows[0]
    for wrong, kind in [(7, "int"), (None, "NoneType"), (b"hall", "bytes"), (["hall"], "list")]:
        with pytest.raises(TypeError, match=rf"text has to be a string, not {kind}: storysim.extract\(row, \"Answer: "):
            storysim.extract(row, wrong)
    for wrong, kind in [(7, "int"), ([row], "list"), (None, "NoneType")]:
        for options in [{}, {"finish_reason": "stop"}]:
            with pytest.raises(TypeError, match=rf"a row is a dict, not {kind}: those that board.rows\("):
                storysim.extract(wrong, "hall", **options)
    for wrong, kind in [(set(), "set"), ({1}, "set"), (7, "int"), (None, "NoneType"), (b"{}", "bytes")]:
        with pytest.raises(TypeError, match=rf"a log is a dict, .*, not {kind}: storysim.replay\("):
            storysim.replay(wrong)
    with pytest.raises(TypeError, match=r"log 1 is int, and has to be a dict: storysim.replay\(\["):
        storysim.replay([LOG, 7])
    with pytest.raises(TypeError, match="the log cannot be written as JSON: .* set "):
        storysim.replay({**LOG, "events": {1}})
    for take in [storysim.audit, lambda rows: storysim.score(rows, ["hall"]), lambda rows: list(storysim.questions(rows))]:
        for wrong, kind in [(7, "int"), (row, "dict"), ("rows.jsonl", "str"), (None, "NoneType")]:
            with pytest.raises(TypeError, match=rf"rows are a list of dicts, not {kind}: board.rows\(100\)"):
                take(wrong)
    with pytest.raises(TypeError, match=r"responses are a list or a dict, not int: storysim.score\(rows, \["):
        storysim.score(rows, 7)
    with pytest.raises(ValueError, match="row 0 .*: the response cannot be read: a response is text, a dict or None, not int"):
        storysim.score(rows[:1], [7])


LOG = {
    "id": "a",
    "characters": ["Ann", "Bob"],
    "locations": ["hall", "attic"],
    "start": {"Ann": "hall", "Bob": "hall"},
    "events": [{"t": 0, "type": "enter", "who": "Ann", "place": "attic"}],
    "questions": [{"kind": "belief", "chain": ["Bob"], "about": "Ann", "answer": "attic"}],
}


def test_replay(tmp_path, command):
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(LOG) + "\n\n" + json.dumps({**LOG, "id": "b"}) + "\n")
    told = [json.loads(line) for line in printed(command, "replay", path).splitlines()]
    assert storysim.replay(path) == told and len(told) == 2
    assert storysim.replay(LOG) == told[:1]
    assert storysim.replay([LOG, {**LOG, "id": "b"}]) == storysim.replay(path.read_text()) == told
    assert storysim.replay(LOG, departures="vanish")[0]["answer"] is None


def test_logs_with_mistakes(tmp_path, command):
    broken = {**LOG, "events": [{"t": 0, "type": "enter", "who": "Anne", "place": "attic"}]}
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(LOG) + "\n" + json.dumps(broken) + "\n")
    with pytest.raises(storysim.LogError) as caught:
        storysim.replay(path)
    problem = caught.value.problems[0]
    assert problem.line == 2 and "Anne" in problem.labels[0].text and problem.file == str(path)
    told = command("replay", path, env={"COLUMNS": "100", "PATH": "/usr/bin:/bin"}).stderr.decode()
    assert told.startswith(str(caught.value).strip().splitlines()[0][:20]) or "Anne" in told
    with pytest.warns(UserWarning, match="Anne"):
        assert len(storysim.replay(path, lenient=True)) == 2
    with pytest.raises(ValueError, match='departures has to be "destination" or "vanish"'):
        storysim.replay(LOG, departures="never")
    with pytest.raises(TypeError, match="a log is a dict"):
        storysim.replay(7)


def test_check(command):
    board = storysim.Storyboard("second-order-goal")
    check = board.check()
    told = json.loads(printed(command, "check", "second-order-goal", "--format", "json"))
    for data in (told, check.data):
        data.pop("compile_seconds")
    assert check.data == told
    assert check.log10_probability == told["log10_probability"] and 0 < check.acceptance < 1
    assert check.log2_stories > 100 and check.shares[0]["kind"] == "belief" and check.shortcuts
    assert repr(check).startswith("<storysim.Check second-order-goal: log10 P = ")
    assert "Accepted: 1 attempt in" in str(check)


def test_built_in_storyboards(command):
    boards = storysim.storyboards()
    told = [json.loads(line) for line in printed(command, "list", "--format", "json").splitlines()]
    told = [board for board in told if "storyboard" in board]
    assert [(board.name, board.purpose, board.about, board.shortcuts) for board in boards] == [
        (board["storyboard"], board["purpose"], board["about"], board["shortcuts"]) for board in told
    ]
    assert storysim.schema() == json.loads(printed(command, "schema"))


def test_rows_that_went_through_a_table():
    pandas = pytest.importorskip("pandas")
    rows = list(storysim.Storyboard("sally-anne").rows(10))
    answers = [row["answer"] for row in rows]
    # Where a number is missing, a table has a number that is none, and makes 6.0 of 6.
    table = pandas.DataFrame(rows)
    assert table["mislead_distance"].dtype == float
    lines = table.to_json(orient="records", lines=True).splitlines()
    for given in [table, table.to_dict("records"), map(json.loads, lines)]:
        score = storysim.score(given, answers)
        assert score.accuracy == 1.0
        assert score.data == storysim.score(rows, answers).data
