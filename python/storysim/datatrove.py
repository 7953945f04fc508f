"""A reader for pipelines of `datatrove`, which this module imports.

    reader = StorySimReader("second-order-calibrated", 1_000_000)
    writer = ParquetWriter("rows", adapter=reader.row, schema=reader.schema, compression="zstd")
    LocalPipelineExecutor([reader, writer], tasks=64).run()
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count as numbers
from itertools import islice
from typing import Any

from storysim._packages import needed_by
from storysim._parts import part
from storysim._storysim import Storyboard

with needed_by("datatrove"):
    from datatrove.data import Document, DocumentsPipeline
    from datatrove.pipeline.readers.base import BaseReader
    from datatrove.pipeline.writers.disk_base import DiskWriter

    import pyarrow as pa

BATCH_BYTES = 1 << 18
"""Roughly the text of the rows that are made at once."""


class StorySimReader(BaseReader):
    """Makes the rows of `count` stories, from index `start` on, each as a document.

    Every task makes its own range of stories, so a task that is run again makes the same documents, on any machine and with any
    executor. The text of a document is the row's `story` (`text_key` names another field), its id is that of the row, and all
    other fields are its metadata, as the columns of the Parquet files have them. `limit`, `skip`, `adapter` and
    `default_metadata` are those of every reader.
    """

    name = "storysim"

    def __init__(
        self,
        board: Storyboard | str | os.PathLike[str],
        count: int,
        *,
        seed: int = 0,
        start: int = 0,
        twins: str | bool | None = None,
        with_events: bool = False,
        prompt: str | None = None,
        shape: str | None = None,
        difficulty: bool = False,
        where: str | None = None,
        limit: int = -1,
        skip: int = 0,
        adapter: Callable[..., dict[str, Any]] | None = None,
        text_key: str = "story",
        default_metadata: dict[str, Any] | None = None,
    ):
        super().__init__(limit, skip, adapter, text_key, "id", default_metadata)
        _check_from("limit", limit, -1)
        _check_from("skip", skip, 0)
        self.board = board if isinstance(board, Storyboard) else Storyboard(board)
        self.start, self.count = start, count
        self.options: dict[str, Any] = {"seed": seed, "twins": twins, "with_events": with_events, "prompt": prompt, "shape": shape}
        self.options |= {"difficulty": difficulty, "where": where}
        columns = pa.schema(self.board.arrow(count, start=start, **self.options))
        if adapter is None and not (text_key in columns.names and pa.types.is_string(columns.field(text_key).type)):
            texts = ", ".join(column.name for column in columns if pa.types.is_string(column.type))
            raise ValueError(f"text_key has to be a field that is text, and is {text_key!r}: {texts}")
        more = {key: value for key, value in (default_metadata or {}).items() if key not in columns.names}
        self.schema = pa.schema([*columns, *(pa.field(key, pa.infer_type([value])) for key, value in more.items())])
        """The columns of what `row` makes of documents."""

    def run(self, data: DocumentsPipeline = None, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """The documents of a task, after those of the step before, if there is one."""
        if data:
            yield from data
        self._log_limit_scope(rank, world_size)
        until = None if self.limit == -1 else self.skip + self.limit
        rows = islice(self._rows(rank, world_size), self.skip, until)
        for at in numbers():
            with self.track_time():
                row = next(rows, None)
                document = None if row is None else self.get_document_from_dict(row, self.board.name, at)
                if document is not None:
                    self.update_doc_stats(document)
            if row is None:
                return
            if document is not None:
                yield document

    def _rows(self, rank: int, world_size: int) -> Iterator[dict[str, Any]]:
        """The rows of a task, with values as columns have them."""
        start, count = part(self.start, self.count, rank, world_size)
        columns = self.board.arrow(count, start=start, batch_bytes=BATCH_BYTES, **self.options)
        for batch in pa.RecordBatchReader.from_stream(columns):
            yield from batch.to_pylist()

    def row(self, writer: DiskWriter, document: Document) -> dict[str, Any]:
        """The row that a document was made of, with what other steps have added to its metadata: an adapter for writers."""
        found = {"id": document.id, self.text_key: document.text, **document.metadata}
        row = {name: found[name] for name in self.schema.names if name in found} | found
        schema = getattr(writer, "schema", None)
        strange = None if schema is None else next((name for name in row if schema.get_field_index(name) < 0), None)
        if strange is not None:
            more = f"schema=reader.schema.append(pyarrow.field({strange!r}, …))"
            raise ValueError(f"documents have {strange!r} in their metadata, and the schema has no such column: {more}")
        return row


def _check_from(name: str, number: int, least: int) -> None:
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"{name} has to be a whole number, not {type(number).__name__}")
    if number < least:
        raise ValueError(f"{name} has to be {least} or more, and is {number}")
