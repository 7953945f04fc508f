"""Rows that are made by the workers of a cluster: each part by whoever has it, and again if it is lost."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import TINY

import storysim
from storysim._parts import divided, part

COUNT = 60


@pytest.mark.parametrize(("count", "parts"), [(0, 3), (1, 1), (7, 3), (100, 7), (3, 5), (10**9, 64)])
def test_parts_are_all_the_stories(count, parts):
    ranges = [part(5, count, number, parts) for number in range(parts)]
    assert ranges[0][0] == 5 and sum(length for _, length in ranges) == count
    assert all(start + length == after for (start, length), (after, _) in zip(ranges, ranges[1:]))
    assert max(length for _, length in ranges) - min(length for _, length in ranges) <= 1
    assert all(length > 0 for _, length in divided(5, count, parts)) or count == 0


PIPELINE = """
import os, sys
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers import ParquetWriter
from storysim.datatrove import StorySimReader

def slowly(data, rank=0, world_size=1):
    import time
    open(os.path.join(sys.argv[3], str(rank)), "w").write(str(os.getpid()))
    for document in data:
        time.sleep(float(sys.argv[4]))
        yield document

if __name__ == "__main__":
    reader = StorySimReader({board!r}, {count}, seed=3, with_events=True)
    writer = ParquetWriter(sys.argv[1], adapter=reader.row, schema=reader.schema, batch_size=5)
    LocalPipelineExecutor([reader, slowly, writer], tasks={tasks}, workers=2, logging_dir=sys.argv[2]).run()
"""
TASKS = 6


def names(folder):
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


def wait_until(is_so):
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.1)
    raise TimeoutError


@pytest.mark.parametrize("killed", ["a worker", "all"])
def test_datatrove_goes_on_where_it_was_killed(tiny, tmp_path, killed):
    pytest.importorskip("datatrove", reason="datatrove is not installed")
    import pyarrow as pa
    import pyarrow.parquet as pq

    script, out, logs, workers = (tmp_path / name for name in ("pipeline.py", "rows", "logs", "workers"))
    script.write_text(PIPELINE.format(board=TINY, count=COUNT, tasks=TASKS))
    workers.mkdir()
    command = [sys.executable, str(script), str(out), str(logs), str(workers)]
    stopped = subprocess.Popen([*command, "0.04"], start_new_session=True, stderr=subprocess.DEVNULL)
    done = logs / "completions"
    try:
        wait_until(lambda: names(done))
        wait_until(lambda: len(names(workers)) > len(names(done)))
        if killed == "a worker":
            last = max(workers.iterdir(), key=lambda path: path.stat().st_mtime)
            os.kill(int(last.read_text()), signal.SIGKILL)
            wait_until(lambda: len(names(done)) == TASKS - 1)
            time.sleep(0.5)
            assert stopped.poll() is None, "the run waits for the lost task, as the page about clusters says"
    finally:
        os.killpg(stopped.pid, signal.SIGKILL)
        stopped.wait()
    assert 0 < len(names(done)) < TASKS, "it was stopped on the way"
    assert subprocess.run([*command, "0"], stderr=subprocess.DEVNULL, timeout=120).returncode == 0
    assert pq.read_table(out) == pa.table(tiny.arrow(COUNT, seed=3, with_events=True))


OPTIONS = [
    {},
    {"with_events": True, "prompt": "cot"},
    {"with_events": True, "twins": "pairs", "prompt": "shots:1", "shape": "stories"},
]


def written(board, options, folder):
    """The Parquet files that two tasks of a pipeline write of four stories, with two rows in a batch."""
    from datatrove.pipeline.writers import ParquetWriter

    reader = storysim.datatrove.StorySimReader(board, 4, seed=3, **options)
    writer = ParquetWriter(str(folder), adapter=reader.row, schema=reader.schema, batch_size=2)
    for rank in range(2):
        for _ in writer.run(reader.run(None, rank, 2), rank, 2):
            pass
    return folder


@pytest.mark.parametrize("name", [board.name for board in storysim.storyboards()])
def test_datatrove_writes_the_columns_of_parquet(name, tmp_path):
    pytest.importorskip("datatrove", reason="datatrove is not installed")
    import pyarrow as pa
    import pyarrow.parquet as pq

    board = storysim.Storyboard(name)
    for number, options in enumerate(OPTIONS):
        try:
            expected = pa.table(board.arrow(4, seed=3, **options))
        except storysim.StoryboardError:  # no twins
            options = {**options, "twins": None}
            expected = pa.table(board.arrow(4, seed=3, **options))
        found = pq.read_table(written(board, options, tmp_path / str(number)))
        assert found == expected
        rows = list(storysim.questions(found.to_pylist()))
        asked = list(board.rows(4, seed=3, **{**options, "shape": None}))
        assert [(row["id"], row["question"]) for row in rows] == [(row["id"], row["question"]) for row in asked]
        assert storysim.score(rows, [row["answer"] for row in rows])["rows"] == len(asked)
    assert storysim.audit(rows)["rows"] == len(asked)


def test_what_other_steps_add_has_a_column(tiny, tmp_path):
    pytest.importorskip("datatrove", reason="datatrove is not installed")
    import pyarrow as pa
    import pyarrow.parquet as pq
    from datatrove.pipeline.writers import JsonlWriter, ParquetWriter

    reader = storysim.datatrove.StorySimReader(tiny, 5, text_key="question", default_metadata={"made": 7, "answer": "?"})

    def counted():
        for document in reader.run():
            document.metadata["words"] = len(document.text.split())
            yield document

    def write(writer):
        assert len(list(writer.run(counted()))) == len(list(tiny.rows(5)))

    with pytest.raises(ValueError, match=r"documents have 'words' .* schema=reader.schema.append\("):
        write(ParquetWriter(str(tmp_path / "a"), adapter=reader.row, schema=reader.schema))
    schema = reader.schema.append(pa.field("words", pa.int64()))
    write(ParquetWriter(str(tmp_path / "b"), adapter=reader.row, schema=schema))
    found = pq.read_table(tmp_path / "b")
    expected = pa.table(tiny.arrow(5))
    assert found.select(expected.schema.names) == expected
    assert found["made"].to_pylist() == [7] * len(found) and found["words"][0].as_py() > 3
    pytest.importorskip("orjson", reason="the writer of datatrove needs it")
    write(JsonlWriter(str(tmp_path / "c"), adapter=reader.row, compression=None))
    lines = (tmp_path / "c" / "00000.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == found.to_pylist()


def test_the_statistics_of_datatrove_have_the_time_of_drawing():
    reading = pytest.importorskip("storysim.datatrove", reason="datatrove is not installed")
    reader = reading.StorySimReader("second-order-calibrated", 300)
    begun = time.perf_counter()
    count = sum(1 for _ in reader.run())
    assert reader.stats.time_stats.total > 0.7 * (time.perf_counter() - begun)
    assert reader.stats.stats["doc_len"].n == count


def test_a_reader_of_datatrove(tiny):
    reading = pytest.importorskip("storysim.datatrove", reason="datatrove is not installed")
    reader = reading.StorySimReader(tiny, 10, text_key="question", skip=2, limit=5, default_metadata={"made": "here"})
    found = list(reader.run())
    wanted = list(tiny.rows(10))[2:7]
    assert [(one.id, one.text) for one in found] == [(row["id"], row["question"]) for row in wanted]
    assert all(one.metadata["made"] == "here" and one.metadata["answer"] for one in found)
    for wrong, error, message in [
        ({"seed": -1}, ValueError, "seed has to be from 0"),
        ({"skip": -1}, ValueError, "skip has to be 0 or more, and is -1"),
        ({"limit": -2}, ValueError, "limit has to be -1 or more, and is -2"),
        ({"limit": "5"}, TypeError, "limit has to be a whole number, not str"),
        ({"text_key": "choices"}, ValueError, "text_key has to be a field that is text, and is 'choices': id, board, "),
        ({"text_key": "storry"}, ValueError, "text_key .* is 'storry'"),
    ]:
        with pytest.raises(error, match=message):
            reading.StorySimReader(tiny, 10, **wrong)


@pytest.fixture(scope="module")
def cluster():
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield ray
    ray.shutdown()


def test_ray_makes_all_rows(cluster, tiny, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = storysim.ray.read(tiny, COUNT, seed=3, twins="pairs", blocks=5)
    data.write_parquet(str(tmp_path / "rows"))
    wanted = pa.table(tiny.arrow(COUNT, seed=3, twins="pairs"))
    found = pq.read_table(str(tmp_path / "rows"))
    assert found.schema.names == wanted.schema.names
    in_order = {id: at for at, id in enumerate(wanted["id"].to_pylist())}
    assert sorted(found.to_pylist(), key=lambda row: in_order[row["id"]]) == wanted.to_pylist()
    estimate = storysim.ray.StorySimDatasource(tiny, COUNT).estimate_inmemory_data_size()
    assert 0.5 < estimate / pa.table(tiny.arrow(COUNT)).nbytes < 2


def test_ray_makes_again_what_a_killed_worker_had(cluster, tiny, tmp_path):
    mark = tmp_path / "killed"

    def kill_once(row):
        if row["index"] == 40 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return {"id": row["id"], "story": row["story"]}

    found = storysim.ray.read(tiny, COUNT, seed=3, blocks=4).map(kill_once).take_all()
    assert mark.exists()
    assert sorted((row["id"], row["story"]) for row in found) == sorted(
        (row["id"], row["story"]) for row in tiny.rows(COUNT, seed=3)
    )
