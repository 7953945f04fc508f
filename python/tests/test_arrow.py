"""Arrow columns are those of the Parquet files."""

import pytest

import storysim

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

CASES = [
    ("first-order-mislead", {}),
    ("second-order-mislead", {"twins": "pairs", "with_events": True}),
    ("hitom-like", {"twins": "triplets"}),
    ("second-order-mislead", {"difficulty": True, "where": "quantile >= 50"}),
    ("sally-anne", {"with_events": True}),
    ("gallery", {"with_events": True}),
    ("phone-numbers", {"with_events": True}),
    ("world-model", {"with_events": True}),
    ("whispers", {}),
    ("story-length", {}),
    ("hitom-like", {"with_events": True}),
    ("second-order-mislead", {"prompt": "shots:2"}),
    ("sally-anne", {"prompt": "cot", "shape": "stories", "with_events": True}),
    ("world-model", {"shape": "stories"}),
    ("hitom-like", {"twins": "triplets", "shape": "stories", "with_events": True}),
    ("second-order-mislead", {"shape": "stories", "twins": "pairs"}),
]


@pytest.mark.parametrize(("board", "options"), CASES)
def test_columns_are_those_of_parquet(board, options, tmp_path, command):
    path = tmp_path / "rows.parquet"
    arguments = [f"--twins={options['twins']}"] if "twins" in options else []
    arguments += ["--with-events"] if "with_events" in options else []
    arguments += ["--difficulty"] if "difficulty" in options else []
    arguments += [part for name in ("prompt", "shape", "where") if name in options for part in (f"--{name}", options[name])]
    done = command("generate", board, "--count", 60, "--seed", 4, "--out", path, "--quiet", *arguments)
    assert done.returncode == 0, done.stderr.decode()
    expected = parquet.read_table(path)
    arrow = storysim.Storyboard(board).arrow(60, seed=4, **options)
    table = pa.RecordBatchReader.from_stream(arrow).read_all()
    table.validate(full=True)
    assert table.schema == expected.schema
    assert table == expected


def test_numbers_that_begin_alike(command, tmp_path):
    """Where most stories have no rows, the index 1 may come right before the index 12."""
    seldom = """\
storysim: 1
name: seldom
about: S1 misses T, and can hardly find out where T is.
characters: {pool: [Zoe, Ann, Bob, Cas]}
roles: [S1, T]
places: {complete: [a, b, c, d, e, f, g, h, i, j]}
start: a
horizon: 4
events:
  - {at: 0, move: {who: S1, to: b}}
  - {at: 1, move: {who: T, to: c}}
  - {at: 2, move: {who: S1, to: a}}
questions:
  - belief: [S1, T]
"""
    board, path = tmp_path / "seldom.yaml", tmp_path / "rows.parquet"
    board.write_text(seldom)
    assert command("generate", board, "--count", 100, "--seed", 26, "--out", path, "--quiet").returncode == 0
    table = pa.table(storysim.Storyboard(board).arrow(100, seed=26))
    indices = list(map(str, table["index"].to_pylist()))
    assert any(after.startswith(before) for before, after in zip(indices, indices[1:]))
    assert table == parquet.read_table(path)


def test_starts_in_several_places(tmp_path, command):
    apart = """\
storysim: 1
name: apart
characters: {pool: [Zoe, Ann, Bob]}
roles: [S1, T]
places: {complete: [a, b, c]}
start: {S1: a, else: b}
horizon: 6
questions:
  - belief: [S1, T]
"""
    board, path = tmp_path / "apart.yaml", tmp_path / "rows.parquet"
    board.write_text(apart)
    assert command("generate", board, "--count", 50, "--out", path, "--quiet").returncode == 0
    table = pa.table(storysim.Storyboard(board).arrow(50))
    assert table == parquet.read_table(path)
    assert storysim.audit(table.to_pylist())["rows"] == storysim.audit(storysim.Storyboard(board).rows(50))["rows"]


def test_batches(tiny):
    arrow = tiny.arrow(500, batch_bytes=10_000)
    batches = list(pa.RecordBatchReader.from_stream(arrow))
    assert len(batches) > 10
    assert pa.Table.from_batches(batches) == pa.table(tiny.arrow(500))
    assert pa.table(tiny.arrow(0)).num_rows == 0
    assert pa.schema(arrow) == batches[0].schema


def test_values_are_those_of_rows(tiny):
    table = pa.table(tiny.arrow(20, with_events=True))
    for row, columns in zip(tiny.rows(20, with_events=True), table.to_pylist(), strict=True):
        assert {key: columns[key] for key in ("id", "story", "answer", "choices", "evidence", "label")} == {
            key: row[key] for key in ("id", "story", "answer", "choices", "evidence", "label")
        }
        assert [[pair["shown"], pair["written"]] for pair in columns["names"]] == row["names"]
