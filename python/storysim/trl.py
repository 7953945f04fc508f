"""Prompts and rewards for TRL's `GRPOTrainer`; they fit other trainers that call rewards in the same way.

    trainer = GRPOTrainer(model=…, reward_funcs=storysim.trl.reward(), train_dataset=storysim.trl.prompts("second-order-calibrated", 10_000))
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from storysim._reports import extract
from storysim.prompts import INSTRUCTION, conversation, rows_of


def prompts(source: Any, count: int | None = None, *, instruction: str = INSTRUCTION, **options: Any) -> Any:
    """A dataset of prompts: `prompt` as a conversation, and `row`, the text of the row, which the reward reads.

    `source` is a storyboard or several, of which `count` stories are made with the given seed and twins, or rows. Rows that were
    made with a prompt (`prompt="shots:3"`) keep it; others ask what `instruction` says.
    """
    from datasets import Dataset

    def items(rows: Any) -> Any:
        for row in rows:
            yield training_item(row, instruction=instruction)

    return Dataset.from_list(list(items(rows_of(source, count, **options))))


def training_item(row: Mapping[str, Any], *, instruction: str = INSTRUCTION) -> dict[str, Any]:
    """What trainers keep of a row."""
    asked = conversation(row, instruction=instruction)
    # What was asked need not be said twice.
    row = {name: value for name, value in row.items() if name not in ("prompt", "messages")}
    return {"prompt": asked, "answer": row["answer"], "row": json.dumps(row, ensure_ascii=False)}


def text_of(completion: Any) -> str:
    """The text of a completion: a string, or the last message of a conversation."""
    if isinstance(completion, str):
        return completion
    return str(completion[-1].get("content") or "") if completion else ""


def sentences(story: str) -> list[str]:
    """The sentences of a story."""
    return re.split(r"(?<=[.!?]) ", story)


def cited(row: Mapping[str, Any], text: str) -> float | None:
    """How well the sentences that a response quotes are those of the evidence, from 0 to 1: the harmonic mean of precision and
    recall. None where this cannot be told: there is no evidence, or the story has sentences that take no step.
    """
    told = sentences(row["story"])
    evidence = set(row["evidence"])
    if not evidence or len(told) != row["events"][-1][0] + 1:
        return None
    lower = text.lower()
    quoted = {step for step, sentence in enumerate(told) if sentence.lower().rstrip(".!?") in lower}
    return 2 * len(quoted & evidence) / (len(quoted) + len(evidence))


def reward(*, evidence: float = 0.0) -> Callable[..., list[float]]:
    """A reward: 1.0 for the right answer, otherwise 0.0.

    With `evidence`, this share of the reward is for quoting the sentences that settle the answer and no others, whatever the answer
    is. The prompts have to be made `with_events=True` then.
    """
    if not 0 <= evidence <= 1:
        raise ValueError(f"evidence is a share from 0 to 1, not {evidence}")

    def storysim_reward(completions: Sequence[Any], row: Sequence[str], **_: Any) -> list[float]:
        return [_reward(json.loads(one), text_of(completion), evidence) for completion, one in zip(completions, row, strict=True)]

    return storysim_reward


def _reward(row: Mapping[str, Any], text: str, evidence: float) -> float:
    is_right = float(extract(row, text).is_right)
    if not evidence:
        return is_right
    if "events" not in row:
        raise ValueError("a reward for evidence needs rows with events: make the prompts with_events=True")
    share = cited(row, text)
    return is_right if share is None else (1 - evidence) * is_right + evidence * share
