"""Tasks for lm-evaluation-harness, run by it with its dummy model."""

import json

import pytest
from conftest import READERS, TWINS

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


def evaluated(folder, name="storysim", model="dummy"):
    """What the harness finds with a model, by default its own that says anything."""
    import os

    os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
    import lm_eval
    from lm_eval.tasks import TaskManager

    manager = TaskManager(include_path=str(folder), include_defaults=False)
    return lm_eval.simple_evaluate(model, tasks=[name], task_manager=manager, log_samples=True, bootstrap_iters=0)


def reader(says):
    """A model that says to every row what the function does, and finds the choice of that name the likeliest."""
    from lm_eval.api.model import LM

    class Reader(LM):
        def loglikelihood(self, requests, **_):
            said = [says(json.loads(request.doc["row"])) for request in requests]
            return [(0.0 if request.args[1].strip() == text else -1.0, False) for request, text in zip(requests, said)]

        def loglikelihood_rolling(self, requests, **_):
            raise NotImplementedError

        def generate_until(self, requests, **_):
            return [f"Answer: {says(json.loads(request.doc['row']))}" for request in requests]

    return Reader()


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
    of_tasks = {name: found for name, found in results["results"].items() if name != "storysim"}
    for name, found in of_tasks.items():
        assert 0 <= found["acc,none"] <= 1 and 0 < found["chance,none"] < 1, name
    pairs = results["results"]["storysim_belief_1_choice"]["pair_acc,none"]
    assert 0 <= pairs <= results["results"]["storysim_belief_1_choice"]["acc,none"]
    assert {"storysim_choice", "storysim_free"} <= set(results["groups"])


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


@pytest.mark.parametrize("board", TWINS)
@pytest.mark.parametrize("says", READERS)
def test_pairs_and_triplets_are_those_of_score(board, says, tmp_path):
    storysim.lm_eval_task(tmp_path, board, 20, seed=5, twins=TWINS[board])
    found = evaluated(tmp_path, model=reader(READERS[says]))
    counted = 0
    for name, samples in found["samples"].items():
        rows = [json.loads(sample["doc"]["row"]) for sample in samples]
        scored = storysim.score(rows, responses(samples)).models["model"]
        for metric, key in [("pair_acc", "twins"), ("triplet_acc", "triplets")]:
            share = scored[key]["accuracy"] if key in scored else None
            assert found["results"][name].get(f"{metric},none") == (share and pytest.approx(share)), (name, metric)
            counted += share is not None
    assert counted >= 2


def test_half_a_pair_does_not_count(tmp_path):
    rows = list(storysim.Storyboard("sally-anne").rows(20, seed=5, twins="pairs"))
    storysim.lm_eval_task(tmp_path, [row for row in rows if not row["id"].startswith("sally-anne/5/3-twin/")])
    results = evaluated(tmp_path, model=reader(READERS["perfect"]))["results"]
    assert results["storysim_belief_1_free"]["pair_acc,none"] == 1.0


def test_rows_with_twins_beside_rows_without(tmp_path):
    board = storysim.Storyboard("second-order-mislead")
    storysim.lm_eval_task(tmp_path, [*board.rows(6, seed=5, twins=True), *board.rows(6, seed=6)])
    results = evaluated(tmp_path, model=reader(READERS["perfect"]))["results"]
    assert results["storysim_belief_2_choice"]["pair_acc,none"] == 1.0


def test_forms_are_not_averaged_and_chance_has_no_direction(results):
    assert not [metric for metric in results["results"].get("storysim", {}) if metric.startswith(("acc", "chance"))]
    for form in ("choice", "free"):
        assert 0 <= results["groups"][f"storysim_{form}"]["acc,none"] <= 1
    for name, direction in results["higher_is_better"].items():
        assert direction["acc"] is True and direction["chance"] is None, name
