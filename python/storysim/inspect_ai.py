"""Tasks for Inspect (`inspect_ai`), which this module imports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    mean,
    metric,
    scorer,
    stderr,
    value_to_float,
)
from inspect_ai.solver import TaskState, generate

from storysim import prompts
from storysim._reports import extract


@metric
def pair_accuracy() -> Any:
    """The share of pairs of twins in which both answers are right; not a number if there are no pairs."""

    def of(scores: list[SampleScore]) -> float:
        as_float = value_to_float()
        facts = ((score.score.metadata or {}, as_float(score.score.value) == 1.0) for score in scores)
        return prompts.pair_accuracy((fact.get("pair"), is_right) for fact, is_right in facts)

    return of


@metric
def chance() -> Any:
    """The accuracy of guessing among the choices."""

    def of(scores: list[SampleScore]) -> float:
        shares = [(score.score.metadata or {}).get("chance", 0.0) for score in scores]
        return sum(shares) / len(shares) if shares else float("nan")

    return of


@scorer(metrics=[grouped(accuracy(), "question"), stderr(), chance(), pair_accuracy()])
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
                "pair": prompts.pair_of(row),
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
    """A task for Inspect: a sample for every row, a solver, and a scorer with accuracies by kind and order.

    `source` is a storyboard or several, of which `count` stories are made with the given seed and twins, or rows. Rows that were
    made with a prompt (`prompt="shots:3"`) keep it; others ask what `instruction` says.
    """
    samples = [
        Sample(
            id=row["id"],
            input=_asked(row, instruction),
            target=row["answer"],
            metadata={"row": dict(row), "question": f"{row['kind']}_{row['order']}"},
        )
        for row in prompts.rows_of(source, count, **options)
    ]
    if not samples:
        raise ValueError("there are no rows to make a task of")
    dataset = MemoryDataset(samples, name=name)
    return Task(dataset=dataset, solver=solver or generate(), scorer=right_answer(), name=name)


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
