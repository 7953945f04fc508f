"""Reads what storysim wrote as people do: with duckdb, pyarrow and datasets.

    read.py STORYSIM

makes folders with that program and reads them, offline. Whatever reads them has to find the rows that
`storysim generate` prints, field by field.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SCRATCH = tempfile.TemporaryDirectory()
os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": f"{SCRATCH.name}/cache"}

import datasets  # noqa: E402  (reads the environment)
import duckdb  # noqa: E402
import pyarrow.parquet as parquet  # noqa: E402

datasets.disable_progress_bars()

BOARDS = ["first-order-mislead", "sally-anne"]
COUNT = 300
MAKE = ["--count", str(COUNT), "--seed", "5", "--with-events"]


def run(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def plain(row):
    """A row as it is printed, from one as it is read: what no row of its file lacks, and nothing that is null for want of it."""
    row = dict(row)
    for name in ["params", "cast", "foils"]:
        if isinstance(row.get(name), dict):
            row[name] = {key: value for key, value in row[name].items() if name == "foils" or value is not None}
    # Another shape in columns.
    row["names"] = [[name["shown"], name["written"]] if isinstance(name, dict) else name for name in row["names"]]
    row.pop("events", None)
    return row


def same(read, printed, by):
    wanted = []
    for row in printed:
        row = {key: value for key, value in row.items() if key != "events"}
        wanted.append({**row, "start": text(row["start"])})
    read = [plain(row) for row in read]
    for row in [*read, *wanted]:
        if not row.get("params", True):
            del row["params"]  # no columns have none
    key = lambda row: row["id"]  # noqa: E731
    read, wanted = sorted(read, key=key), sorted(wanted, key=key)
    assert len(read) == len(wanted), f"{by}: {len(read)} rows, not {len(wanted)}"
    for one, other in zip(read, wanted):
        assert one == other, f"{by} reads {one}\nnot {other}"
    print(f"{by:28} {len(read):6} rows, all as printed")


def main(program):
    printed = {}
    for board in BOARDS:
        printed[board] = [json.loads(line) for line in run(program, "generate", board, *MAKE, "--quiet").splitlines()]
    everything = [row for rows in printed.values() for row in rows]
    written_names(printed["first-order-mislead"])

    def make(form, *more):
        folder = Path(SCRATCH.name) / form.replace(".", "-")
        run(program, "generate", *BOARDS, *MAKE, "--quiet", "--format", form, "--out", str(folder), *more)
        return folder

    folder = make("parquet", "--shard-size", "70", "--split", "train=0.8,test=0.2")
    files = sorted(folder.glob("data/*/*.parquet"))
    assert len(files) > len(BOARDS) * 4, files
    rows = [row for file in files for row in parquet.ParquetFile(file).read().to_pylist()]
    same(rows, everything, "pyarrow")

    found = duckdb.sql(f"SELECT * FROM read_parquet('{folder}/data/*/*.parquet', union_by_name = true)")
    rows = [dict(zip(found.columns, row)) for row in found.fetchall()]
    same(rows, everything, "duckdb")
    share = duckdb.sql(
        f"SELECT avg(CASE WHEN false_belief THEN 1 ELSE 0 END) FROM '{folder}/data/first-order-mislead/*.parquet' "
        "WHERE kind = 'belief'"
    ).fetchall()[0][0]
    assert share == 1.0, share

    for form in ["parquet", "jsonl.zst", "jsonl"]:
        if form != "parquet":
            folder = make(form, "--shard-size", "70", "--split", "train=0.8,test=0.2")
        for board in BOARDS:
            splits = datasets.load_dataset(str(folder), board)
            assert set(splits) == {"train", "test"}, splits
            assert 0.6 < len(splits["train"]) / len(printed[board]) < 0.95, splits
            rows = [row for split in splits.values() for row in split]
            if form != "parquet":
                rows = [{**row, "start": text(row["start"])} for row in rows]
            same(rows, printed[board], f"datasets, {form}")


def written_names(rows):
    """A row's `names` lead from what readers see to what the storyboard has."""
    for row in rows:
        written = dict(row["names"])
        places = {event[3] for event in row["events"]} | {row["start"]}
        assert {written.get(choice, choice) for choice in row["choices"]} >= places, row
        if row["kind"] == "belief":
            assert written[row["answer"]] == row["cast"]["second"], row


def text(start):
    """`datasets` makes a struct of an object; Parquet has its text."""
    if not isinstance(start, dict):
        return start
    return json.dumps(start, separators=(",", ":"), ensure_ascii=False)


if __name__ == "__main__":
    main(sys.argv[1])
