"""Tasks for Inspect (`inspect_ai`), which this module imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    SampleScore,
    Score,
    Target,
    accuracy,
    grouped,
    metric,
    scorer,
    stderr,
    value_to_float,
)
from inspect_ai.solver import TaskState, generate

from storysim import prompts
from storysim._reports import extract


def _answers(scores: list[SampleScore], kind: str) -> Iterator[tuple[str | None, bool]]:
    """The pair or the triplet in which each answer counts, and whether it is right."""
    as_float = value_to_float()
    return (((score.score.metadata or {}).get(kind), as_float(score.score.value) == 1.0) for score in scores)


@metric
def pair_accuracy() -> Any:
    """The share of pairs of twins in which both answers are right, as `storysim score` counts them; not a number without pairs."""

    def of(scores: list[SampleScore]) -> float:
        return prompts.pair_accuracy(_answers(scores, "pair"))

    return of


@metric
def triplet_accuracy() -> Any:
    """The share of triplets in which all three answers are right: as `pair_accuracy`."""

    def of(scores: list[SampleScore]) -> float:
        return prompts.triplet_accuracy(_answers(scores, "triplet"))

    return of


@metric
def chance() -> Any:
    """The accuracy of guessing among the choices."""

    def of(scores: list[SampleScore]) -> float:
        shares = [(score.score.metadata or {}).get("chance", 0.0) for score in scores]
        return sum(shares) / len(shares) if shares else float("nan")

    return of


_OF_ROWS = [grouped(accuracy(), "question"), stderr(), chance()]
"""The metrics of any rows."""


@scorer(metrics=[*_OF_ROWS, pair_accuracy(), triplet_accuracy()])
def right_answer() -> Any:
    """Whether the answer of a response, found by the rules of `storysim score`, is right; and which shortcut it agrees with."""

    async def of(state: TaskState, target: Target) -> Score:
        row = state.metadata["row"]
        stops = {"max_tokens": "length", "model_length": "length", "content_filter": "content_filter"}
        found = extract(row, state.output.completion, finish_reason=stops.get(state.output.stop_reason))
        return Score(
            value=CORRECT if found.is_right else INCORRECT,
            answer=found.answer,
            explanation=found.rule and f"found by the rule {found.rule}",
            metadata={
                "given": found.given,
                "errors": list(found.errors),
                "pair": state.metadata.get("pair"),
                "triplet": state.metadata.get("triplet"),
                "chance": 1 / len(row["choices"]),
            },
        )

    return of


def inspect_task(
    source: Any,
    count: int | None = None,
    *,
    solver: Any = None,
    name: str = "storysim",
    instruction: str = prompts.INSTRUCTION,
    **options: Any,
) -> Task:
    """A task for Inspect: a sample for every row, a solver, and a scorer with accuracies by kind and order, and of the pairs and
    triplets of twins if there are any that count.

    `source` is a storyboard or several, of which `count` stories are made with the given seed and twins, or rows. Rows that were
    made with a prompt (`prompt="shots:3"`) keep it; others ask what `instruction` says.
    """
    rows = list(prompts.rows_of(source, count, **options))
    if not rows:
        raise ValueError("there are no rows to make a task of")
    of_rows = prompts.contrasts(rows)
    samples = [
        Sample(
            id=row["id"],
            input=_asked(row, instruction),
            target=row["answer"],
            metadata={"row": row, "question": f"{row['kind']}_{row['order']}", **asdict(of_rows[row["id"]])},
        )
        for row in rows
    ]
    metrics = list(_OF_ROWS)
    if any(found.pair for found in of_rows.values()):
        metrics.append(pair_accuracy())
    if any(found.triplet for found in of_rows.values()):
        metrics.append(triplet_accuracy())
    dataset = MemoryDataset(samples, name=name)
    return Task(dataset=dataset, solver=solver or generate(), scorer=right_answer(), metrics=metrics, name=name)


def _asked(row: Mapping[str, Any], instruction: str) -> str | list[ChatMessage]:
    """What a model is asked: a text, or a conversation if there are examples."""
    messages = prompts.conversation(row, instruction=instruction)
    if len(messages) == 1:
        return messages[0]["content"]
    return [_MESSAGES[message["role"]](content=message["content"]) for message in messages]


_MESSAGES: dict[str, Any] = {"user": ChatMessageUser, "assistant": ChatMessageAssistant}


def responses(log: Any) -> dict[str, str]:
    """The response to every row, by its id, from a log of Inspect."""
    samples: Iterable[Any] = log.samples or []
    return {str(sample.id): sample.output.completion for sample in samples}
