"""Tasks for lm-evaluation-harness, run by it with its dummy model."""

import json
import subprocess
import sys

import pytest

import storysim
from storysim.lm_eval import responses

pytest.importorskip("lm_eval", reason="lm-eval is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Tasks, written by the command that the docs name."""
    folder = tmp_path_factory.mktemp("tasks")
    command = [sys.executable, "-m", "storysim.lm_eval", folder, "second-order-mislead", "hitom-like"]
    done = subprocess.run([*command, "--count", "6", "--seed", "5", "--twins"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "" and "tasks are written" in done.stdout
    return folder


@pytest.fixture(scope="module")
def results(folder):
    """What the harness finds with its dummy model."""
    import os

    os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
    import lm_eval
    from lm_eval.tasks import TaskManager

    manager = TaskManager(include_path=str(folder), include_defaults=False)
    return lm_eval.simple_evaluate("dummy", tasks=["storysim"], task_manager=manager, log_samples=True, bootstrap_iters=0)


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
