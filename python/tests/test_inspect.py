"""Tasks for Inspect, run by it with a model that says what it is told to."""

import pytest

import storysim

inspect_ai = pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    rows = list(storysim.Storyboard("second-order-mislead").rows(6, seed=5, twins="pairs"))
    answers = {row["question"] + row["story"]: row["answer"] for row in rows}
    wrong = {row["question"] + row["story"] for row in rows if row["id"].endswith("/2/3")}

    def say(input, tools, tool_choice, config):
        asked = input[-1].text
        key = next(key for key in answers if key.split("?", 1)[1] in asked and key.split("?", 1)[0] in asked)
        said = "no idea" if key in wrong else f"Answer: {answers[key]}"
        output = ModelOutput.from_content("mockllm/model", said)
        # Otherwise it counts tokens by a list of words that it fetches from elsewhere.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=say)
    task = storysim.inspect_task(rows)
    folder = tmp_path_factory.mktemp("logs")
    [log] = inspect_ai.eval(task, model=model, log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return rows, wrong, log


def test_metrics(log):
    rows, wrong, log = log
    metrics = {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}
    reality = sum(row["kind"] == "reality" for row in rows)
    assert metrics["belief_1"] == metrics["belief_2"] == 1.0
    assert len(wrong) == 1 and metrics["reality_0"] == pytest.approx(1 - 1 / reality)
    assert metrics["all"] > 0.9
    assert 0 < metrics["chance"] < 1
    assert metrics["pair_accuracy"] == pytest.approx(1 - 1 / (len(rows) / 2))


def test_a_log_can_be_scored(log):
    from storysim.inspect_ai import responses

    rows, wrong, log = log
    score = storysim.score(rows, responses(log))
    assert score.accuracy == pytest.approx(1 - len(wrong) / len(rows))


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
