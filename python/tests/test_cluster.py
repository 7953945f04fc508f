"""Rows that are made by the workers of a cluster: each part by whoever has it, and again if it is lost."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import TINY, plain

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
import sys
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers import JsonlWriter
from storysim.datatrove import StorySimReader

def slowly(data, rank=0, world_size=1):
    import time
    for document in data:
        time.sleep(float(sys.argv[3]))
        yield document

if __name__ == "__main__":
    reader = StorySimReader({board!r}, {count}, seed=3, with_events=True)
    writer = JsonlWriter(sys.argv[1], compression=None)
    LocalPipelineExecutor([reader, slowly, writer], tasks=6, workers=2, logging_dir=sys.argv[2]).run()
"""


def documents(folder):
    lines = [line for path in sorted(Path(folder).glob("*.jsonl")) for line in path.read_text().splitlines()]
    return [json.loads(line) for line in lines]


def rows_of(found):
    """The rows that documents were made of."""
    fields = list(next(iter(storysim.Storyboard(TINY).rows(1, with_events=True))))
    whole = [{"id": one["id"], "story": one["text"], **one["metadata"]} for one in found]
    return [plain({name: row[name] for name in fields}) for row in whole]


def test_datatrove_goes_on_where_a_worker_was_killed(tiny, tmp_path):
    pytest.importorskip("datatrove")
    pytest.importorskip("orjson", reason="the writer of datatrove needs it")
    script, out, logs = tmp_path / "pipeline.py", tmp_path / "rows", tmp_path / "logs"
    script.write_text(PIPELINE.format(board=TINY, count=COUNT))
    command = [sys.executable, str(script), str(out), str(logs)]
    stopped = subprocess.Popen([*command, "0.02"], start_new_session=True, stderr=subprocess.DEVNULL)
    done = logs / "completions"
    for _ in range(600):
        if done.exists() and list(done.iterdir()):
            break
        time.sleep(0.1)
    os.killpg(stopped.pid, signal.SIGKILL)
    stopped.wait()
    completed = len(list(done.iterdir()))
    assert 0 < completed < 6, "it was stopped on the way"
    assert subprocess.run([*command, "0"], stderr=subprocess.DEVNULL, timeout=120).returncode == 0
    assert rows_of(documents(out)) == [plain(row) for row in tiny.rows(COUNT, seed=3, with_events=True)]


def test_a_reader_of_datatrove(tiny):
    reading = pytest.importorskip("storysim.datatrove", reason="datatrove is not installed")
    reader = reading.StorySimReader(tiny, 10, text_key="question", skip=2, limit=5, default_metadata={"made": "here"})
    found = list(reader.run())
    wanted = list(tiny.rows(10))[2:7]
    assert [(one.id, one.text) for one in found] == [(row["id"], row["question"]) for row in wanted]
    assert all(one.metadata["made"] == "here" and one.metadata["answer"] for one in found)
    with pytest.raises(ValueError, match="seed has to be from 0"):
        reading.StorySimReader(tiny, 10, seed=-1)


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
