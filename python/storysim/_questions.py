"""Rows of whole stories, taken apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from storysim._errors import RowError
from storysim._storysim import _field_names

QUESTIONS = "questions"
"""The key of a story's list of questions."""

_FIELDS = _field_names()


def questions(rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The rows of questions: of a row of a whole story (`shape="stories"`), one for each of its questions, the same as without
    `shape`. Any other row comes as it is. `rows` may be a DataFrame of pandas.
    """
    if isinstance(rows, (str, bytes, Mapping)) or not isinstance(rows, Iterable):
        raise TypeError(f"rows are a list of dicts, not {type(rows).__name__}: board.rows(100), story.rows or [row]")
    if hasattr(rows, "iterrows"):
        rows = rows.to_dict("records")  # a DataFrame of pandas
    for number, row in enumerate(rows):
        if isinstance(row, Mapping) and isinstance(row.get(QUESTIONS), (list, tuple)):
            yield from _of_story(number, row)
        else:
            yield row


def _of_story(number: int, story: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for at, question in enumerate(story[QUESTIONS]):
        if not isinstance(question, Mapping):
            kind = type(question).__name__
            raise RowError(f"row {number} ({story.get('id', '')}): question {at} is {kind}, and has to be a dict")
        row = {**story, **question}
        del row[QUESTIONS]
        in_order = {name: row.pop(name) for name in _FIELDS if name in row}
        yield {**in_order, **row}
