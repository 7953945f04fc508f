"""What a model is shown of a row, and which rows are asked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from storysim._errors import RowError
from storysim._given import given_row, is_data_frame, is_table
from storysim._questions import questions
from storysim._reports import extracted
from storysim._storysim import Storyboard, _asked, _instruction

_BOARD = (str, os.PathLike, Storyboard)

INSTRUCTION = _instruction("cot")
"""What models are to do unless something else is said: what `generate --prompt cot` asks of them."""


def prompt(row: Mapping[str, Any], *, instruction: str = INSTRUCTION) -> str:
    """The context, the story, the question and its choices, and what is to be done: as `generate --prompt` writes it."""
    return f"{_asked(given_row(row))}\n{instruction}"


def conversation(row: Mapping[str, Any], *, instruction: str = INSTRUCTION) -> list[dict[str, str]]:
    """The messages of a chat that asks a row: those that it was made with (`prompt="shots:3"`), or its prompt as one message."""
    messages = given_row(row).get("messages")
    return messages or [{"role": "user", "content": prompt(row, instruction=instruction)}]


def rows_of(source: Any, count: int | None = None, **options: Any) -> Iterator[dict[str, Any]]:
    """The rows that a client is to use: those of `count` stories of a storyboard or of several, or rows that are given, in any form
    that `storysim.questions` takes; always a row for every question, also where rows are whole stories.
    """
    if hasattr(source, "keys") and "id" in source and not is_data_frame(source):
        raise TypeError("a single row was given: put it into a list")
    if count is not None:
        is_one = isinstance(source, _BOARD) or is_table(source) or not isinstance(source, Iterable)
        for board in [source] if is_one else source:
            yield from questions(_board(board).rows(count, **options))
        return
    if options:
        raise TypeError(f"{', '.join(options)} says how stories are made, so say how many: count=…")
    given = source if isinstance(source, (list, tuple)) else [source]
    if named := [board for board in given if isinstance(board, _BOARD)]:
        raise TypeError(f"{named[0]!r} is a storyboard, so say how many stories: count=…")
    for number, row in enumerate(questions(source)):
        yield _whole(row, number)


def _board(board: Any) -> Storyboard:
    """A storyboard that stories are to be made of."""
    if not isinstance(board, _BOARD):
        kind = type(board).__name__
        raise TypeError(f"count says how many stories a storyboard makes, and {kind} is none: rows are given without it")
    return board if isinstance(board, Storyboard) else Storyboard(board)


def _whole(row: dict[str, Any], number: int) -> dict[str, Any]:
    """A row that was given, if it can be asked and answered."""
    extracted(row, "", number=number)
    missing = [f"`{name}`" for name in ("question", "story", "kind", "order", "label") if row.get(name) is None]
    if missing:
        raise RowError(f"row {number} ({row['id']}): it has no {' and no '.join(missing)}: give the row as it was made")
    return row


@dataclass(frozen=True)
class Contrast:
    """The pair and the triplet of twins in which a row counts, each by the id of a row that stands for all; None if in none."""

    pair: str | None = None
    triplet: str | None = None


def contrasts(rows: Iterable[Mapping[str, Any]]) -> dict[str, Contrast]:
    """Where each of the rows counts, by its id, as in `storysim score`: a pair counts if its rows are there and their answers differ,
    a triplet if its rows are there and the answer to the story is that to neither twin. A triplet has one pair, the story and its
    first twin.
    """
    by_id = {row["id"]: row for row in rows}
    return {name: _contrast(row, by_id) for name, row in by_id.items()}


def _contrast(row: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> Contrast:
    if not row.get("twin"):
        return Contrast()
    triplet = row.get("triplet") or []
    is_of_three = len(triplet) == 3 and row["id"] in triplet
    ids = triplet if is_of_three else sorted([row["id"], row["twin"]])
    if not all(name in rows for name in ids):
        return Contrast()
    answers = [rows[name]["answer"] for name in ids]
    is_in_pair = answers[0] != answers[1] and row["id"] in ids[:2]
    is_in_triplet = is_of_three and answers[0] not in answers[1:]
    return Contrast(pair=ids[0] if is_in_pair else None, triplet=ids[0] if is_in_triplet else None)


def pair_accuracy(answers: Iterable[tuple[str | None, bool]]) -> float:
    """The share of pairs in which both answers are right, given for each answer the pair in which it counts (`Contrast.pair`) and
    whether it is right.

    Answers without a pair do not count, nor those whose twin has not been answered. Without pairs it is not a number.
    """
    return _share_of_whole(answers, 2)


def triplet_accuracy(answers: Iterable[tuple[str | None, bool]]) -> float:
    """The share of triplets in which all three answers are right: as `pair_accuracy`, with `Contrast.triplet`."""
    return _share_of_whole(answers, 3)


def _share_of_whole(answers: Iterable[tuple[str | None, bool]], size: int) -> float:
    """Of the sets that have this many answers, the share in which all are right."""
    sets: dict[str, list[bool]] = {}
    for name, is_right in answers:
        if name is not None:
            sets.setdefault(name, []).append(is_right)
    whole = [all(found) for found in sets.values() if len(found) == size]
    return sum(whole) / len(whole) if whole else float("nan")
