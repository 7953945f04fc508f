"""Rows of whole stories, taken apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from storysim._errors import RowError
from storysim._given import RowsGiven, given_rows
from storysim._storysim import _field_names

QUESTIONS = "questions"
"""The key of a story's list of questions."""

_FIELDS = _field_names()


def questions(rows: RowsGiven) -> Iterator[dict[str, Any]]:
    """The rows of questions: of a row of a whole story (`shape="stories"`), one for each of its questions, the same as without
    `shape`. Any other row comes as it is, as a plain dict.

    `rows` is anything that yields dicts, or a table of rows: a dataset of `datasets` in any format, a DataFrame, or a table or
    stream of Arrow.
    """
    for number, row in enumerate(given_rows(rows)):
        if isinstance(row.get(QUESTIONS), list):
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
