"""What a model is shown of a row."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from storysim._questions import questions
from storysim._storysim import Rows, Storyboard, _asked, _instruction

_Board: TypeAlias = "str | os.PathLike[str] | Storyboard"

INSTRUCTION = _instruction("cot")
"""What models are to do unless something else is said: what `generate --prompt cot` asks of them."""


def prompt(row: Mapping[str, Any], *, instruction: str = INSTRUCTION) -> str:
    """The context, the story, the question and its choices, and what is to be done: as `generate --prompt` writes it."""
    return f"{_asked(row)}\n{instruction}"


def conversation(row: Mapping[str, Any], *, instruction: str = INSTRUCTION) -> list[dict[str, str]]:
    """The messages of a chat that asks a row: those that it was made with (`prompt="shots:3"`), or its prompt as one message."""
    made = row.get("messages")
    return [dict(message) for message in made] if made else [{"role": "user", "content": prompt(row, instruction=instruction)}]


def rows_of(
    source: _Board | Iterable[_Board] | Iterable[Mapping[str, Any]],
    count: int | None = None,
    **options: Any,
) -> Iterable[Mapping[str, Any]]:
    """The rows that a client is to use: those of `count` stories of a storyboard or of several, or rows that are given; always a
    row for every question, also where rows are whole stories.
    """
    if isinstance(source, (str, os.PathLike, Storyboard)):
        source = [source]
    if isinstance(source, Mapping):
        raise TypeError("a single row was given: put it into a list")
    if count is None:
        if options:
            raise TypeError(f"{', '.join(options)} says how stories are made, so say how many: count=…")
        yield from questions(map(_row, source))  # type: ignore[arg-type]
        return
    for board in source:
        board = board if isinstance(board, Storyboard) else Storyboard(board)
        rows: Rows = board.rows(count, **options)
        yield from questions(rows)


def _row(given: Any) -> Any:
    """What was given, unless it is a storyboard."""
    if isinstance(given, (str, os.PathLike, Storyboard)):
        raise TypeError(f"{given!r} is a storyboard, so say how many stories: count=…")
    return given


def pair_of(row: Mapping[str, Any]) -> str | None:
    """What the two rows of a pair of twins have in common; None if the row has no twin."""
    twin = row.get("twin")
    return min(row["id"], twin) if twin else None


def triplet_of(row: Mapping[str, Any]) -> str | None:
    """What the three rows of a triplet have in common; None if the row belongs to none."""
    triplet = row.get("triplet")
    return triplet[0] if triplet else None


def pair_accuracy(answers: Iterable[tuple[str | None, bool]]) -> float:
    """The share of pairs in which both answers are right, given the pair of each answer and whether it is right.

    Answers whose twin is missing do not count. Without pairs it is not a number.
    """
    return _share_of_whole(answers, 2)


def triplet_accuracy(answers: Iterable[tuple[str | None, bool]]) -> float:
    """The share of triplets in which all answers are right: as `pair_accuracy`."""
    return _share_of_whole(answers, 3)


def _share_of_whole(answers: Iterable[tuple[str | None, bool]], size: int) -> float:
    """Of the sets that have this many answers, the share in which all are right."""
    sets: dict[str, list[bool]] = {}
    for name, is_right in answers:
        if name is not None:
            sets.setdefault(name, []).append(is_right)
    whole = [all(found) for found in sets.values() if len(found) == size]
    return sum(whole) / len(whole) if whole else float("nan")
