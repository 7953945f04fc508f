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
    with pytest.raises(storysim.RowError, match=rf"row 0 \({row['id']}\): .*with_events=True"):
        reward(["x"], [json.dumps({key: value for key, value in row.items() if key != "events"})])
    with pytest.raises(ValueError, match="a share from 0 to 1, not 2"):
        trl.reward(evidence=2)
    with pytest.raises(TypeError, match="a share from 0 to 1, not str"):
        trl.reward(evidence="x")


def test_rewards_have_different_names():
    names = [reward.__name__ for reward in (trl.reward(), trl.reward(evidence=0.5), trl.reward(evidence=0.25))]
    assert names == ["storysim_reward", "storysim_reward_evidence_0.5", "storysim_reward_evidence_0.25"]


@pytest.mark.parametrize("board", [board.name for board in storysim.storyboards()])
def test_perfect_quotes_and_the_right_answer_are_worth_one(board):
    rows = list(storysim.Storyboard(board).rows(10, seed=2, with_events=True))
    told = [trl.sentences(row["story"]) for row in rows]
    said = [
        f"{' '.join(sentences[step] for step in row['evidence'] if step < len(sentences))} Answer: {row['answer']}"
        for row, sentences in zip(rows, told)
    ]
    assert trl.reward(evidence=0.5)(said, [json.dumps(row) for row in rows]) == [1.0] * len(rows)


def test_what_is_quoted():
    row = {
        "id": "a",
        "story": "Ann enters hall. Joann enters hall. Ann enters hall. Ann enters hallway. Bob sees that Ann enters hall.",
        "events": [[step, "Ann", "enters", "hall"] for step in range(5)],
        "evidence": [2],
    }
    for text, share in [
        ("Ann enters hall.", 1.0),
        ("_Ann enters hall_, and so: hall", 1.0),
        ("Ann enters hallway.", 0.0),
        ("Joann enters hall. Bob sees that Ann enters hall!", 0.0),
        ("Ann enters hall. Ann enters hallway.", pytest.approx(2 / 3)),
        ("", 0.0),
    ]:
        assert trl.cited(row, text) == share, text
    assert trl.cited({**row, "evidence": []}, "Ann enters hall.") is None
    assert trl.cited({**row, "events": row["events"][:4]}, "Ann enters hall.") is None


@pytest.mark.parametrize("board", ["white-lies", "dynamic-minds"])
def test_what_cannot_be_quoted_is_worth_nothing(board):
    rows = list(storysim.Storyboard(board).rows(2, seed=2, with_events=True))
    texts = [json.dumps(row) for row in rows]
    for said in ([f"Answer: {row['answer']}" for row in rows], [row["story"] for row in rows]):
        assert trl.reward(evidence=0.5)(said, texts) == trl.reward()(said, texts)


@pytest.mark.parametrize("board", ["second-order-mislead", "sally-anne"])
def test_rewards_of_rows_in_columns(board):
    pa = pytest.importorskip("pyarrow")
    board = storysim.Storyboard(board)
    rows = list(board.rows(4, seed=3, with_events=True))
    tables = [
        storysim.to_dataset(board, 4, seed=3, with_events=True),
        pa.table(board.arrow(4, seed=3, with_events=True)),
        pa.table(board.arrow(4, seed=3, with_events=True)).to_pandas(),
    ]
    reward = trl.reward(evidence=0.5)
    said = [f"{trl.sentences(row['story'])[3]} Answer: {row['truth']}" for row in rows]
    expected = reward(said, [json.dumps(row) for row in rows])
    assert len(set(expected)) > 1
    for table in tables:
        assert reward(said, trl.prompts(table)["row"]) == expected


def test_rewards_of_rows_edited_by_hand(data):
    rows = [json.loads(row) for row in data["row"]]
    reward = trl.reward(evidence=0.5)

    def without(name):
        return {key: value for key, value in rows[1].items() if key != name}

    for wrong, what in [
        (without("story"), "are not those of a row"),
        (without("choices"), "no choices"),
        ({**rows[1], "events": [[]]}, "are not those of a row"),
        ({**rows[1], "events": 3.5}, "this is not a row"),
        ({**rows[1], "evidence": [10_000]}, "`evidence` is not a list of steps of its story"),
        ({**rows[1], "evidence": [[]]}, "this is not a row"),
        ({**rows[1], "answer": "moon"}, "not among its choices"),
    ]:
        with pytest.raises(storysim.RowError, match=f"row 1.*: .*?{what}") as caught:
            reward(["x", "x"], [json.dumps(rows[0]), json.dumps(wrong)])
        assert caught.value.row == 1
    assert reward(["x"], [json.dumps(without("evidence"))]) == [0.0]
    with pytest.raises(storysim.RowError, match="row 0: this is not the text of a row"):
        reward(["x"], ["sally-anne"])
    with pytest.raises(TypeError, match="a completion is text or a list of messages, not int"):
        reward([7], [data["row"][0]])


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
    hard = gym.create_dataset("storysim", order=2, hardest=64, wording="varied", size=4, seed=1)
    assert all(item["metadata"]["row"]["wording"] == "varied" for item in hard)
    ranks = (row["difficulty"]["quantile"] for row in hard.board.rows(10, difficulty=True))
    quantiles = [rank for rank in ranks if rank is not None]
    assert quantiles and sum(quantiles) / len(quantiles) > 90
    for wrong, message in [
        ({"order": "2"}, "order is a whole number, not '2'"),
        ({"hardest": 0}, "hardest is from 1 to 100000"),
        ({"wording": 3}, "wording is the name of a pack or the path to one, not 3"),
        ({"distance": 2.0}, "distance is a whole number, not 2.0"),
        ({"size": None}, "size is a whole number, not None"),
        ({"twins": "pairs"}, "twins is True or False, not 'pairs'"),
    ]:
        with pytest.raises(AssertionError, match=message):
            gym.create_dataset("storysim", **wrong)


def test_the_curriculum_of_reasoning_gym():
    pytest.importorskip("reasoning_gym")
    from storysim.reasoning_gym import StorysimCurriculum, StorysimDataset

    curriculum = StorysimCurriculum()
    assert set(curriculum.attributes) == {"order", "distance", "length", "characters", "hardest", "twins"}
    easy = curriculum.generate_configuration({"seed": 1, "size": 3})
    assert (easy.order, easy.distance, easy.length, easy.twins) == (1, 0, 10, False)
    for name, attribute in curriculum.attributes.items():
        curriculum.set_attr_level(name, len(attribute.levels) - 1)
    hard = curriculum.generate_configuration({"seed": 1, "size": 2})
    assert (hard.order, hard.distance, hard.length, hard.characters, hard.hardest, hard.twins) == (4, 40, 160, 12, 256, True)
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
