"""Prompts and rewards for TRL's `GRPOTrainer`; they fit other trainers that call rewards in the same way.

    data = storysim.trl.prompts("second-order-calibrated", 10_000)
    trainer = GRPOTrainer(model=…, reward_funcs=storysim.trl.reward(), train_dataset=data)
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from storysim._errors import RowError
from storysim._given import given_row, numbered
from storysim._packages import needed_by
from storysim._reports import extracted
from storysim.prompts import INSTRUCTION, conversation, rows_of


def prompts(source: Any, count: int | None = None, *, instruction: str = INSTRUCTION, **options: Any) -> Any:
    """A dataset of prompts: `prompt` as a conversation, and `row`, the text of the row, which the reward reads.

    `source` is a storyboard or several, of which `count` stories are made with the given seed and twins, or rows. Rows that were
    made with a prompt (`prompt="shots:3"`) keep it; others ask what `instruction` says.
    """
    with needed_by("trl"):
        from datasets import Dataset

    def items(rows: Any) -> Any:
        for row in rows:
            yield training_item(row, instruction=instruction)

    return Dataset.from_list(list(items(rows_of(source, count, **options))))


def training_item(row: Mapping[str, Any], *, instruction: str = INSTRUCTION) -> dict[str, Any]:
    """What trainers keep of a row."""
    row = given_row(row)
    asked = conversation(row, instruction=instruction)
    # What was asked need not be said twice.
    row = {name: value for name, value in row.items() if name not in ("prompt", "messages")}
    return {"prompt": asked, "answer": row["answer"], "row": json.dumps(row, ensure_ascii=False)}


def text_of(completion: Any) -> str:
    """The text of a completion: a string, or the last message of a conversation."""
    if isinstance(completion, str):
        return completion
    if not isinstance(completion, (list, tuple)) or not all(isinstance(message, Mapping) for message in completion):
        kind = type(completion).__name__
        raise TypeError(f"a completion is text or a list of messages, not {kind}: [{{\"role\": …, \"content\": …}}]")
    return str(completion[-1].get("content") or "") if completion else ""


def sentences(story: str) -> list[str]:
    """The sentences of a story."""
    return re.split(r"(?<=[.!?]) ", story)


def cited(row: Mapping[str, Any], text: str) -> float | None:
    """How well the sentences that a response quotes are those of the evidence, from 0 to 1: the harmonic mean of precision and
    recall. A sentence that stands in the story several times counts once, wherever it was taken from.

    None where this cannot be told: the answer rests on no event, or the story has sentences that take no step or more than one.
    """
    row = given_row(row)
    told = _sentences_by_step(row)
    evidence = row.get("evidence")
    if not evidence or told is None:
        return None
    if not isinstance(evidence, list) or not all(isinstance(step, int) and 0 <= step < len(told) for step in evidence):
        raise _changed(row, "`evidence` is not a list of steps of its story")
    settling = {told[step] for step in evidence}
    quoted = _quoted(told, text)
    return 2 * len(quoted & settling) / (len(quoted) + len(settling))


def _sentences_by_step(row: Mapping[str, Any]) -> list[str] | None:
    """The sentences of a story, without their ends and in small letters, if each of them tells one step."""
    if not row.get("events"):
        raise _changed(row, "a reward for evidence needs rows with events: make them with_events=True")
    try:
        last = row["events"][-1]
        # In columns, events have names for their parts.
        steps = (last["step"] if isinstance(last, Mapping) else last[0]) + 1
        told = sentences(row["story"])
    except (LookupError, TypeError):
        raise _changed(row, "`events` and `story` are not those of a row") from None
    return [sentence.lower().rstrip(".!?") for sentence in told] if len(told) == steps else None


def _quoted(told: Sequence[str], text: str) -> set[str]:
    """Those of the sentences that stand in a text. What is part of a longer one is not quoted by that."""
    longest_first = sorted({sentence for sentence in told if sentence}, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    return set(re.findall(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", text.lower())) if pattern else set()


def _changed(row: Mapping[str, Any], what: str) -> RowError:
    return RowError(f"the row ({row.get('id', '')}): {what}")


def reward(*, evidence: float = 0.0) -> Callable[..., list[float]]:
    """A reward: 1.0 for the right answer, otherwise 0.0.

    With `evidence`, this share of the reward is for quoting the sentences that settle the answer and no others, whatever the answer
    is. The prompts have to be made `with_events=True` then. Where there is nothing to quote, or a story's sentences are not its steps
    (those of white lies and of stages), the whole reward is for the answer.
    """
    if isinstance(evidence, bool) or not isinstance(evidence, (int, float)):
        raise TypeError(f"evidence is a share from 0 to 1, not {type(evidence).__name__}")
    if not 0 <= evidence <= 1:
        raise ValueError(f"evidence is a share from 0 to 1, not {evidence}")

    def storysim_reward(completions: Sequence[Any], row: Sequence[Any], **_: Any) -> list[float]:
        answered = enumerate(zip(completions, row, strict=True))
        return [_reward(number, _row(number, one), text_of(completion), evidence) for number, (completion, one) in answered]

    if evidence:
        # Trainers log rewards by name.
        storysim_reward.__name__ = f"storysim_reward_evidence_{evidence:g}"
    return storysim_reward


def _row(number: int, row: Any) -> dict[str, Any]:
    """A row as prompts have it."""
    try:
        return given_row(json.loads(row) if isinstance(row, str) else row, number)
    except json.JSONDecodeError as error:
        raise RowError(f"row {number}: this is not the text of a row, which trl.prompts(…) has as `row`: {error}") from None


def _reward(number: int, row: Mapping[str, Any], text: str, evidence: float) -> float:
    is_right = float(extracted(row, text, number=number).is_right)
    if not evidence:
        return is_right
    with numbered(number):
        share = cited(row, text)
    return is_right if share is None else (1 - evidence) * is_right + evidence * share
