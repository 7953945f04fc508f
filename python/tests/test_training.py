"""Prompts, rewards and curricula for trainers."""

import inspect
import json

import pytest

import storysim
from storysim import trl

datasets = pytest.importorskip("datasets")


@pytest.fixture(scope="module")
def data():
    return trl.prompts("second-order-mislead", 5, seed=3, with_events=True)


def test_prompts(data):
    rows = list(storysim.Storyboard("second-order-mislead").rows(5, seed=3, with_events=True))
    assert [json.loads(row) for row in data["row"]] == rows
    asked = data[0]["prompt"][0]
    assert asked["role"] == "user" and rows[0]["story"] in asked["content"] and rows[0]["question"] in asked["content"]


def test_prompts_with_examples_and_of_whole_stories():
    options = {"seed": 3, "prompt": "shots:2"}
    rows = list(storysim.Storyboard("second-order-mislead").rows(4, **options))
    for shape in ("questions", "stories"):
        data = trl.prompts("second-order-mislead", 4, shape=shape, **options)
        assert [item["prompt"] for item in data] == [row["messages"] for row in rows]
        assert len(data[0]["prompt"]) == 5
        kept = [{name: row[name] for name in row if name not in ("prompt", "messages")} for row in rows]
        assert [json.loads(row) for row in data["row"]] == kept


def test_what_prompts_are_not_made_of():
    with pytest.raises(TypeError, match="'sally-anne' is a storyboard, so say how many"):
        trl.prompts("sally-anne")
    with pytest.raises(TypeError, match="a single row"):
        trl.prompts(next(storysim.Storyboard("sally-anne").rows(1)))


class Trainer:
    """Calls a reward as `GRPOTrainer` does: with keywords, and with a list for every column of the dataset but the prompt.

    `test_trl.py` has the real one, which needs torch.
    """

    def __init__(self, reward_funcs, train_dataset):
        self.rewards, self.data = reward_funcs, train_dataset

    def step(self, completions):
        items = [self.data[number] for number in range(len(completions))]
        columns = {key: [item[key] for item in items] for key in items[0] if key not in ("prompt", "completion")}
        prompts = [item["prompt"] for item in items]
        return self.rewards(
            prompts=prompts, completions=completions, completion_ids=[[1]] * len(items), trainer_state=None, **columns
        )


def test_the_reward_is_exact(data):
    answers = [json.loads(row)["answer"] for row in data["row"]]
    trainer = Trainer(trl.reward(), data)
    right = [[{"role": "assistant", "content": f"<think>who knows</think> Answer: {answer}"}] for answer in answers]
    assert trainer.step(right) == [1.0] * len(answers)
    assert trainer.step(["I cannot tell."] * len(answers)) == [0.0] * len(answers)
    assert trl.reward().__name__ == "storysim_reward"
    assert list(inspect.signature(trl.reward()).parameters)[:2] == ["completions", "row"]


def test_the_reward_may_be_for_evidence(data):
    rows = [json.loads(row) for row in data["row"]]
    number = next(number for number, row in enumerate(rows) if len(row["evidence"]) > 1)
    row, text = rows[number], data["row"][number]
    told = trl.sentences(row["story"])
    quoted = " ".join(told[step] for step in row["evidence"])
    reward = trl.reward(evidence=0.4)
    assert reward([f"{quoted} Answer: {row['answer']}"], [text]) == [1.0]
    assert reward([f"Answer: {row['answer']}"], [text]) == [0.6]
    assert reward([f"{quoted} Answer: the moon."], [text]) == [pytest.approx(0.4)]
    [everything] = reward([f"{row['story']} Answer: {row['answer']}"], [text])
    assert 0.6 < everything < 0.8
    with pytest.raises(ValueError, match="with_events=True"):
        reward(["x"], [json.dumps({key: value for key, value in row.items() if key != "events"})])
    with pytest.raises(ValueError, match="a share from 0 to 1"):
        trl.reward(evidence=2)


def test_reasoning_gym():
    gym = pytest.importorskip("reasoning_gym")
    import storysim.reasoning_gym  # noqa: F401

    data = gym.create_dataset("storysim", order=2, distance=10, length=40, size=6, seed=7)
    items = list(data)
    assert items == list(gym.create_dataset("storysim", order=2, distance=10, length=40, size=6, seed=7))
    assert len({item["question"] for item in items}) == 6
    for item in items:
        row = item["metadata"]["row"]
        assert row["order"] == 2 and row["false_belief"] and row["mislead_distance"] >= 10
        assert data.score_answer(f"Answer: {item['answer']}", item) == 1.0
        assert data.score_answer(row["truth"], item) == data.score_answer(None, item) == 0.0
    pairs = list(gym.create_dataset("storysim", twins=True, size=4, seed=1))
    rows = [item["metadata"]["row"] for item in pairs]
    assert [rows[0]["twin"], rows[2]["twin"]] == [rows[1]["id"], rows[3]["id"]]
    with pytest.raises(IndexError):
        data[6]


def test_the_curriculum_of_reasoning_gym():
    pytest.importorskip("reasoning_gym")
    from storysim.reasoning_gym import StorysimCurriculum, StorysimDataset

    curriculum = StorysimCurriculum()
    assert set(curriculum.attributes) == {"order", "distance", "length", "characters", "twins"}
    easy = curriculum.generate_configuration({"seed": 1, "size": 3})
    assert (easy.order, easy.distance, easy.length, easy.twins) == (1, 0, 10, False)
    for name, attribute in curriculum.attributes.items():
        curriculum.set_attr_level(name, len(attribute.levels) - 1)
    hard = curriculum.generate_configuration({"seed": 1, "size": 2})
    assert (hard.order, hard.distance, hard.length, hard.characters, hard.twins) == (4, 40, 160, 12, True)
    hard.validate()
    assert [item["metadata"]["row"]["order"] for item in StorysimDataset(hard)] == [4, 4]


def test_verifiers():
    pytest.importorskip("verifiers", reason="verifiers is not installed")
    import asyncio

    from storysim.verifiers import StorysimConfig, StorysimTaskset

    class Trace:
        """What a task needs of a rollout to score it."""

        def __init__(self, last_reply):
            self.last_reply, self.rewards, self.metrics = last_reply, {}, {}

        def record_reward(self, name, value, weight):
            self.rewards[name] = value * weight

    tasks = list(StorysimTaskset(StorysimConfig(storyboard="second-order-mislead", count=3, seed=3)))
    rows = list(storysim.Storyboard("second-order-mislead").rows(3, seed=3))
    assert [json.loads(task.data.row) for task in tasks] == rows
    for task, row in zip(tasks, rows):
        assert task.data.id == row["id"] and row["story"] in task.data.prompt
        for reply, expected in [(f"Answer: {row['answer']}", 1.0), ("I cannot tell.", 0.0)]:
            trace = Trace(reply)
            asyncio.run(task.score(trace))
            assert trace.rewards == {"right_answer": expected}
