"""A reader for pipelines of `datatrove`, which this module imports.

    LocalPipelineExecutor([StorySimReader("second-order-calibrated", 1_000_000), ParquetWriter("rows")], tasks=64).run()
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from datatrove.data import DocumentsPipeline
from datatrove.pipeline.readers.base import BaseReader

from storysim._parts import part
from storysim._storysim import Storyboard


class StorySimReader(BaseReader):
    """Makes the rows of `count` stories, from index `start` on, each as a document.

    Every task makes its own range of stories, so a task that is run again makes the same documents, on any machine and with any
    executor. The text of a document is the row's `story` (`text_key` names another field), its id is that of the row, and all
    other fields are its metadata. `limit`, `skip`, `adapter` and `default_metadata` are those of every reader.
    """

    name = "storysim"

    def __init__(
        self,
        board: Storyboard | str,
        count: int,
        *,
        seed: int = 0,
        start: int = 0,
        twins: str | bool | None = None,
        with_events: bool = False,
        prompt: str | None = None,
        shape: str | None = None,
        limit: int = -1,
        skip: int = 0,
        adapter: Callable[..., dict[str, Any]] | None = None,
        text_key: str = "story",
        default_metadata: dict[str, Any] | None = None,
    ):
        super().__init__(limit, skip, adapter, text_key, "id", default_metadata)
        self.board = board if isinstance(board, Storyboard) else Storyboard(board)
        self.start, self.count = start, count
        self.options = {"seed": seed, "twins": twins, "with_events": with_events, "prompt": prompt, "shape": shape}
        self.board.rows(count, start=start, **self.options)  # raises what is wrong with the arguments

    def run(self, data: DocumentsPipeline = None, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """The documents of a task, after those of the step before, if there is one."""
        if data:
            yield from data
        self._log_limit_scope(rank, world_size)
        start, count = part(self.start, self.count, rank, world_size)
        rows = self.board.rows(count, start=start, **self.options)
        until = None if self.limit == -1 else self.skip + self.limit
        for at, row in enumerate(islice(rows, self.skip, until)):
            with self.track_time():
                document = self.get_document_from_dict(row, self.board.name, at)
                if document is None:
                    continue
                self.update_doc_stats(document)
            yield document
