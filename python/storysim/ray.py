"""A source for Ray Data, which this module imports.

    storysim.ray.read("second-order-calibrated", 1_000_000).write_parquet("rows")
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

from storysim._packages import needed_by
from storysim._parts import divided
from storysim._storysim import Storyboard

with needed_by("ray"):
    import ray.data
    from ray.data.block import BlockMetadata
    from ray.data.datasource import Datasource, ReadTask

    import pyarrow as pa

SAMPLE_STORIES = 20
"""How many stories are made to estimate the size of all."""


class StorySimDatasource(Datasource):
    """The rows of `count` stories, from index `start` on, in blocks that Ray makes where and when it needs them.

    Every block is a range of stories, so one that is lost is made again, with the same rows. Columns are those of the Parquet
    files.
    """

    def __init__(self, board: Storyboard | str | os.PathLike[str], count: int, *, seed: int = 0, start: int = 0, **options: Any):
        super().__init__()
        self.board = board if isinstance(board, Storyboard) else Storyboard(board)
        self.start, self.count = start, count
        self.options = {"seed": seed, **options}
        self.board.arrow(count, start=start, **self.options)  # raises what is wrong with the arguments

    def get_name(self) -> str:
        """What Ray calls the source in its messages."""
        return f"storysim {self.board.name}"

    def estimate_inmemory_data_size(self) -> int | None:
        """Roughly the bytes of all rows."""
        sample = min(self.count, SAMPLE_STORIES)
        table = pa.table(self.board.arrow(sample, start=self.start, **self.options))
        return table.nbytes * self.count // max(1, sample)

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None
    ) -> list[ReadTask]:
        """A task for each range of stories, of which there are as many as are wanted."""
        unknown = BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
        schema = pa.schema(self.board.arrow(0, **self.options))
        limit = {} if per_task_row_limit is None else {"per_task_row_limit": per_task_row_limit}
        return [
            ReadTask(partial(_tables, self.board, start, count, self.options), unknown, schema=schema, **limit)
            for start, count in divided(self.start, self.count, parallelism)
        ]


def _tables(board: Storyboard, start: int, count: int, options: dict[str, Any]) -> Iterator[pa.Table]:
    for batch in pa.RecordBatchReader.from_stream(board.arrow(count, start=start, batch_bytes=1 << 26, **options)):
        yield pa.Table.from_batches([batch])


def read(board: Storyboard | str | os.PathLike[str], count: int, *, blocks: int | None = None, **options: Any) -> ray.data.Dataset:
    """The rows of `count` stories as a dataset of Ray, divided into `blocks` ranges, or as many as Ray thinks right.

    `options` are those of `board.arrow`: `seed`, `start`, `twins`, `with_events`, `prompt`, `shape`,
    `difficulty`, `where`.
    """
    return ray.data.read_datasource(StorySimDatasource(board, count, **options), override_num_blocks=blocks)
