"""Tasks for lm-evaluation-harness, run by it with its dummy model."""

import json

import pytest

import storysim
from storysim.lm_eval import responses, triplet_accuracy

pytest.importorskip("lm_eval", reason="lm-eval is not installed")


BOARDS = ["second-order-mislead", "hitom-like"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, command):
    """Tasks, written by the command that the docs name."""
    folder = tmp_path_factory.mktemp("tasks")
    done = command("task", "lm-eval", folder, *BOARDS, "--count", 6, "--seed", 5, "--twins")
    assert done.returncode == 0, done.stderr
    assert b"tasks written" in done.stdout
    return folder


def evaluated(folder, name="storysim"):
    """What the harness finds with its dummy model."""
    import os

    os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
    import lm_eval
    from lm_eval.tasks import TaskManager

    manager = TaskManager(include_path=str(folder), include_defaults=False)
    return lm_eval.simple_evaluate("dummy", tasks=[name], task_manager=manager, log_samples=True, bootstrap_iters=0)


@pytest.fixture(scope="module")
def results(folder):
    return evaluated(folder)


def test_both_ways_write_the_same_files(folder, tmp_path):
    names = storysim.lm_eval_task(tmp_path, BOARDS, 6, seed=5, twins=True)
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert files == {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {f"{name}.yaml" for name in names} < files.keys()


@pytest.mark.parametrize("options", [{"shape": "stories"}, {"prompt": "shots:2"}])
def test_whole_stories_and_examples(options, tmp_path):
    from storysim.lm_eval import documents

    for folder, more in (("plain", {}), ("other", options)):
        storysim.lm_eval_task(tmp_path / folder, "sally-anne", 4, seed=5, **more)
    names = sorted(path.name for path in (tmp_path / "plain").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "other").iterdir())
    rows = [name for name in names if name.endswith(".jsonl")]
    for name in rows:
        one, other = (documents(tmp_path / folder / name)["test"] for folder in ("plain", "other"))
        assert one["choice_prompt"][:] == other["choice_prompt"][:]
        if "shape" in options:
            assert (tmp_path / "plain" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
        else:
            asked = [json.loads(row)["prompt"] for row in other["row"]]
            assert other["free_prompt"][:] == asked and all(text.count("Answer:") > 2 for text in asked)


def test_triplets(tmp_path, command):
    done = command("task", "lm-eval", tmp_path, "hitom-like", "--count", 4, "--twins=triplets", "--name", "three")
    assert done.returncode == 0, done.stderr
    results = evaluated(tmp_path, "three")["results"]
    found = [result["triplet_acc,none"] for result in results.values() if "triplet_acc,none" in result]
    assert found and all(0 <= share <= 1 for share in found)
    assert triplet_accuracy([("a", True)] * 3 + [("b", True)] * 2 + [("b", False)] + [("c", True)]) == 0.5


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["sally-anne", "--count", 0], 2, "there are no rows"),
        (["sally-anne", "--count", 1, "--name", "../x"], 2, "--name: the name of tasks has letters"),
        (["sally-ann", "--count", 1], 2, "did you mean `sally-anne`?"),
    ],
)
def test_what_cannot_be_a_task(arguments, code, said, tmp_path, command):
    done = command("task", "lm-eval", tmp_path / "tasks", *arguments)
    assert done.returncode == code and said in done.stderr.decode()
    assert not (tmp_path / "tasks").exists()


def test_what_cannot_be_a_task_in_python(tmp_path):
    with pytest.raises(ValueError, match="there are no rows"):
        storysim.lm_eval_task(tmp_path, "sally-anne", 0)
    with pytest.raises(ValueError, match="letters, digits"):
        storysim.lm_eval_task(tmp_path, "sally-anne", 1, name="a b")
    with pytest.raises(ValueError, match="row 0: this is not a row"):
        storysim.lm_eval_task(tmp_path, [{"id": "x", "order": "high"}])
    assert list(tmp_path.iterdir()) == []


def test_every_kind_and_order_is_a_task_in_two_forms(folder, results):
    names = {path.stem for path in folder.glob("storysim_*_*_*.yaml")}
    assert names == set(results["samples"])
    assert {"storysim_belief_1_choice", "storysim_belief_2_free", "storysim_reality_0_free"} <= names


def test_metrics(results):
    for name, found in results["results"].items():
        assert 0 <= found["acc,none"] <= 1 and 0 < found["chance,none"] < 1, name
    pairs = results["results"]["storysim_belief_1_choice"]["pair_acc,none"]
    assert 0 <= pairs <= results["results"]["storysim_belief_1_choice"]["acc,none"]
    assert {"storysim", "storysim_choice", "storysim_free"} <= set(results["groups"])


def test_samples_can_be_scored(folder, results):
    for name, samples in results["samples"].items():
        rows = [json.loads(sample["doc"]["row"]) for sample in samples]
        score = storysim.score(rows, responses(samples))
        assert score.accuracy == pytest.approx(results["results"][name]["acc,none"]), name
        if name.endswith("_free"):
            logged = json.loads(json.dumps(samples, default=str))
            assert storysim.score(rows, logged).accuracy == score.accuracy
        if score.pair_accuracy is not None and name.endswith("_choice"):
            assert score.pair_accuracy <= score.accuracy
