"""Rows as they are given: as dicts, or as the tables of other libraries have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias

from storysim._errors import RowError


class Stream(Protocol):
    """What libraries for tables hand to each other: a table or a stream of Arrow, a DataFrame, `board.arrow(…)`."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The stream, in a capsule."""


RowsGiven: TypeAlias = Iterable[Mapping[str, Any]] | Stream
"""Whatever may stand for rows."""

_PLAIN = frozenset([str, int, bool, type(None), list, dict])
"""The types of the fields of rows as they are made."""


def given_rows(rows: RowsGiven) -> Iterator[dict[str, Any]]:
    """Each row as a plain dict. `rows` is anything that yields dicts, a dataset of `datasets` in any format, a DataFrame, or a table
    or stream of Arrow.
    """
    for number, row in enumerate(_one_by_one(rows)):
        yield given_row(row, number)


def given_row(row: Any, number: int | None = None) -> dict[str, Any]:
    """A row as a plain dict: arrays are lists, numbers are Python's own, and what a table leaves open is not there. `number` says in
    messages which row it is.
    """
    if not hasattr(row, "keys") or is_data_frame(row):
        at = "" if number is None else f"row {number}: "
        raise TypeError(f"{at}a row is a dict, not {type(row).__name__}: those that board.rows(…) and story.rows have")
    # What tables change, they change in many fields at once, so rows that did not come from one are told by a glance at each.
    if type(row) is dict and all(type(value) in _PLAIN for value in row.values()):
        return row
    return _plain(row if isinstance(row, Mapping) else dict(row))


def is_data_frame(value: Any) -> bool:
    """Whether this is a DataFrame of pandas."""
    return hasattr(value, "iterrows")


def is_table(value: Any) -> bool:
    """Whether this is a table of another library, or a dataset, rather than a list or a generator."""
    return is_data_frame(value) or any(hasattr(value, name) for name in ("__arrow_c_stream__", "to_pylist", "with_format"))


def is_gap(value: Any) -> bool:
    """Whether this is how a table says that there is nothing: a number that is none, or a word of pandas for it."""
    return isinstance(value, float) and value != value or type(value).__name__ in ("NAType", "NaTType")


@contextmanager
def numbered(number: int | None) -> Iterator[None]:
    """Says of an error about a row which one it is, if it is one of several."""
    try:
        yield
    except RowError as error:
        if number is None:
            raise
        raise RowError(f"row {number}{str(error).removeprefix('the row')}") from None


def _one_by_one(rows: Any) -> Iterable[Any]:
    """What is given, in a form in which every item is a row."""
    if is_data_frame(rows):
        return rows.to_dict("records")
    is_one = hasattr(rows, "keys") or isinstance(rows, (str, bytes, bytearray))
    if is_one or not (isinstance(rows, Iterable) or is_table(rows)):
        raise TypeError(
            f"rows are a list of dicts, not {type(rows).__name__}: board.rows(100), story.rows, [row], or a table of rows (a Dataset, "
            "a DataFrame, or a table of Arrow)"
        )
    if hasattr(rows, "__arrow_c_stream__"):
        import pyarrow

        return (row for batch in pyarrow.RecordBatchReader.from_stream(rows) for row in batch.to_pylist())
    if hasattr(rows, "to_pylist"):  # a batch of Arrow
        return rows.to_pylist()
    # A dataset may be set to yield arrays or tables.
    return rows.with_format(None) if hasattr(rows, "with_format") else rows


def _plain(value: Any) -> Any:
    """A value without what tables have made of it. They write whole numbers with a fraction where others are missing."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items() if not is_gap(part)}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return _plain(value.tolist()) if hasattr(value, "tolist") else value
