"""Datasets of Hugging Face's library."""

import itertools
import json
import subprocess
import sys

import pytest
from conftest import TINY

import storysim

datasets = pytest.importorskip("datasets")
pa = pytest.importorskip("pyarrow")

from datasets.distributed import split_dataset_by_node  # noqa: E402


@pytest.fixture(autouse=True)
def quiet():
    datasets.disable_progress_bars()


def ids(rows):
    return [row["id"] for row in rows]


def test_a_dataset_has_the_columns_of_arrow(tiny, tmp_path):
    dataset = storysim.to_dataset(tiny, 50, seed=3, with_events=True, cache_dir=str(tmp_path))
    expected = pa.table(tiny.arrow(50, seed=3, with_events=True))
    assert dataset.to_list() == expected.to_pylist()
    assert storysim.audit(dataset)["rows"] == expected.num_rows


@pytest.mark.parametrize("streaming", [False, True])
def test_prompts_and_whole_stories(tiny, streaming, tmp_path):
    options = {"prompt": "shots:2", "shape": "stories"}
    dataset = storysim.to_dataset(tiny, 20, streaming=streaming, cache_dir=str(tmp_path), **options)
    assert list(dataset) == pa.table(tiny.arrow(20, **options)).to_pylist()
    assert "messages" in next(iter(dataset))["questions"][0]


def test_the_cache_is_found_again_and_only_for_the_same(tiny, tmp_path):
    def file_of(board=tiny, count=20, **options):
        return storysim.to_dataset(board, count, cache_dir=str(tmp_path), **options).cache_files[0]["filename"]

    first = file_of()
    assert file_of(storysim.Storyboard(TINY)) == first
    others = [
        file_of(seed=1),
        file_of(count=21),
        file_of(start=1),
        file_of(twins=True),
        file_of(with_events=True),
        file_of(difficulty=True),
        file_of(where="order == 1"),
        file_of(prompt="cot"),
        file_of(shape="stories"),
        file_of(storysim.Storyboard(TINY, set={"gap": 4})),
        file_of(storysim.Storyboard(TINY.replace("attic", "cellar"))),
    ]
    assert len({first, *others}) == 12
    one, other = (storysim.to_dataset(tiny, 20, seed=seed, cache_dir=str(tmp_path)) for seed in (0, 1))
    assert one._fingerprint != other._fingerprint
    lengths = [data.map(lambda row: {"n": len(row["story"])})["n"][:] for data in (one, other)]
    assert lengths[0] != lengths[1]


def test_made_by_several_processes(tiny, tmp_path):
    dataset = storysim.to_dataset(tiny, 40, num_proc=2, cache_dir=str(tmp_path))
    assert ids(dataset) == ids(tiny.rows(40))


def test_a_stream_is_in_order(tiny):
    stream = storysim.to_dataset(tiny, 60, seed=2, start=5, twins="pairs", streaming=True)
    assert ids(stream) == ids(tiny.rows(60, seed=2, start=5, twins="pairs"))
    assert stream.features == storysim.to_dataset(tiny, 1, twins="pairs", streaming=True).features


def test_a_stream_goes_on_where_it_was(tiny):
    def new():
        return storysim.to_dataset(tiny, 60, shards=7, streaming=True)

    every = ids(new())
    for stop in (0, 1, 17, len(every) - 1):
        stream = new()
        read = ids(itertools.islice(stream, stop))
        state = json.loads(json.dumps(stream.state_dict()))
        again = new()
        again.load_state_dict(state)
        assert read + ids(again) == every


def test_nodes_and_workers_share_the_rows(tiny):
    every = ids(tiny.rows(60))
    stream = storysim.to_dataset(tiny, 60, shards=8, streaming=True)
    nodes = [split_dataset_by_node(stream, rank=rank, world_size=2) for rank in range(2)]
    assert sorted(row for node in nodes for row in ids(node)) == sorted(every)
    workers = [stream.shard(num_shards=4, index=index) for index in range(4)]
    assert sorted(row for worker in workers for row in ids(worker)) == sorted(every)
    assert stream.num_shards == 8


def test_under_a_loader_of_torch(tiny):
    torch_data = pytest.importorskip("torch.utils.data", reason="torch takes more than 1.5 GB")
    stream = storysim.to_dataset(tiny, 60, streaming=True)
    loader = torch_data.DataLoader(stream, batch_size=None, num_workers=4)
    assert sorted(ids(loader)) == sorted(ids(tiny.rows(60)))


def test_wrong_arguments(tiny):
    with pytest.raises(ValueError, match="seed has to be from 0"):
        storysim.to_dataset(tiny, 3, seed=-1)
    with pytest.raises(storysim.StoryboardError, match="did you mean"):
        storysim.to_dataset("sally-ann", 3)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"streaming": True, "shards": 0}, ValueError, "shards has to be 1 or more, and is 0"),
        ({"streaming": True, "shards": -3}, ValueError, "shards has to be 1 or more, and is -3"),
        ({"streaming": True, "shards": "3"}, TypeError, "shards has to be a whole number, not str"),
        ({"shards": 3}, ValueError, "shards is for streaming=True only: leave it out"),
        ({"streaming": True, "num_proc": 2}, ValueError, "num_proc is for streaming=False only: leave it out"),
        ({"num_proc": 0}, ValueError, "num_proc has to be 1 or more, and is 0"),
    ],
)
def test_wrong_numbers_of_parts(tiny, options, error, message):
    with pytest.raises(error, match=message):
        storysim.to_dataset(tiny, 3, **options)


def test_no_stories(tiny, tmp_path):
    some = storysim.to_dataset(tiny, 1, cache_dir=str(tmp_path))
    none = storysim.to_dataset(tiny, 0, cache_dir=str(tmp_path))
    assert none.num_rows == 0 and none.features == some.features
    assert list(storysim.to_dataset(tiny, 0, streaming=True)) == []


def test_nothing_is_imported_unless_used():
    clients = ["datasets", "pyarrow", "numpy", "lm_eval", "inspect_ai", "trl", "verifiers", "reasoning_gym", "torch"]
    script = f"""
import sys, storysim
board = storysim.Storyboard("sally-anne")
list(board.rows(3)), board.arrow(3), board.check()
assert not set({clients}) & set(sys.modules), set({clients}) & set(sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


@pytest.mark.parametrize(
    ("use", "missing", "told"),
    [
        ("storysim.to_dataset", "datasets", "storysim.datasets needs another package: pip install datasets"),
        ("storysim.inspect_task", "inspect_ai", "storysim.inspect_task needs another package: pip install inspect-ai"),
        ("import storysim.ray", "ray pyarrow", "storysim.ray needs another package: pip install 'ray[data]'"),
        ("storysim.ray", "ray pyarrow", "storysim.ray needs another package: pip install 'ray[data]'"),
        ("import storysim.datasets", "datasets pyarrow", "storysim.datasets needs another package: pip install datasets"),
        ("import storysim.datatrove", "datatrove pyarrow", "storysim.datatrove needs another package: pip install 'datatrove[io]'"),
        ("import storysim.verifiers", "verifiers", "storysim.verifiers needs another package: pip install verifiers"),
        ("import storysim.reasoning_gym", "reasoning_gym", "another package: pip install reasoning-gym"),
    ],
)
def test_a_missing_package_is_named(use, missing, told):
    script = f"import sys, storysim\nsys.modules.update(dict.fromkeys({missing!r}.split()))\n{use}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    last = done.stderr.splitlines()[-1]
    assert told in last and "ModuleNotFoundError" in done.stderr
