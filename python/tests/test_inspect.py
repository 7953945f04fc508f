"""Tasks for Inspect, run by it with a model that says what it is told to."""

import pytest
from conftest import READERS, TWINS

import storysim

inspect_ai = pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")


def evaluated(rows, says, folder):
    """The log of a model that says to every row what the function does."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    asked = {storysim.prompts.prompt(row): row for row in rows}

    def say(input, tools, tool_choice, config):
        output = ModelOutput.from_content("mockllm/model", f"Answer: {says(asked[input[-1].text])}")
        # Otherwise it counts tokens by a list of words that it fetches from elsewhere.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=say)
    fast = {"log_realtime": False, "max_connections": 200, "max_samples": 500, "display": "none"}
    [log] = inspect_ai.eval(storysim.inspect_task(rows), model=model, log_dir=str(folder), **fast)
    assert log.status == "success", log.error
    return log


def metrics_of(log):
    return {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}


WRONG = "second-order-mislead/5/2/3"


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    rows = list(storysim.Storyboard("second-order-mislead").rows(6, seed=5, twins="pairs"))
    says = {row["id"]: row["answer"] for row in rows} | {WRONG: "no idea"}
    return rows, evaluated(rows, lambda row: says[row["id"]], tmp_path_factory.mktemp("logs"))


def test_metrics(log):
    rows, log = log
    metrics = metrics_of(log)
    reality = sum(row["kind"] == "reality" for row in rows)
    assert metrics["belief_1"] == metrics["belief_2"] == 1.0
    assert metrics["reality_0"] == pytest.approx(1 - 1 / reality)
    assert metrics["all"] > 0.9
    assert 0 < metrics["chance"] < 1
    assert "triplet_accuracy" not in metrics


@pytest.mark.parametrize("board", TWINS)
@pytest.mark.parametrize("says", READERS)
def test_pairs_and_triplets_are_those_of_score(board, says, tmp_path):
    from storysim.inspect_ai import responses

    rows = list(storysim.Storyboard(board).rows(8, seed=5, twins=TWINS[board]))
    log = evaluated(rows, READERS[says], tmp_path)
    metrics, score = metrics_of(log), storysim.score(rows, responses(log))
    assert metrics["all"] == pytest.approx(score.accuracy)
    assert metrics["pair_accuracy"] == pytest.approx(score.pair_accuracy)
    triplets = score.models["model"].get("triplets")
    assert ("triplet_accuracy" in metrics) == (triplets is not None) == (TWINS[board] == "triplets")
    if triplets:
        assert metrics["triplet_accuracy"] == pytest.approx(triplets["accuracy"])


def test_rows_without_twins_have_no_pairs(tmp_path):
    rows = list(storysim.Storyboard("sally-anne").rows(2, seed=5))
    assert not {"pair_accuracy", "triplet_accuracy"} & set(metrics_of(evaluated(rows, READERS["perfect"], tmp_path)))


def test_a_log_can_be_scored(log):
    from storysim.inspect_ai import responses

    rows, log = log
    score = storysim.score(rows, responses(log))
    assert score.accuracy == pytest.approx(1 - 1 / len(rows))


def test_examples_are_turns_of_a_conversation():
    rows = list(storysim.Storyboard("sally-anne").rows(2, seed=5, prompt="shots:2"))
    for shape in ("questions", "stories"):
        task = storysim.inspect_task("sally-anne", 2, seed=5, prompt="shots:2", shape=shape)
        asked = [[{"role": said.role, "content": said.text} for said in sample.input] for sample in task.dataset]
        assert asked == [row["messages"] for row in rows] and len(asked[0]) == 5


def test_without_rows():
    with pytest.raises(ValueError, match="no rows"):
        storysim.inspect_task([])
    with pytest.raises(TypeError, match="say how many: count="):
        storysim.inspect_task(["sally-anne"], seed=3)
