"""Datasets of Hugging Face's library `datasets`, which this module imports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import datasets
import pyarrow as pa
from datasets.builder import Key

from storysim._parts import divided
from storysim._storysim import Storyboard

SHARDS_MAX = 1024
"""The largest number of parts that a streamed dataset is divided into."""


@dataclass
class RowsConfig(datasets.BuilderConfig):
    """All that the rows of a dataset depend on: the cache is found by it."""

    board: Storyboard | None = None
    count: int = 0
    options: dict[str, Any] | None = None
    made_by: str = ""


class RowsBuilder(datasets.ArrowBasedBuilder):
    """Writes rows into the cache, column by column."""

    BUILDER_CONFIG_CLASS = RowsConfig

    def _arrow(self, part: tuple[int, int]) -> Any:
        start, count = part
        return self.config.board.arrow(count, **{**self.config.options, "start": start})

    def _info(self) -> datasets.DatasetInfo:
        schema = pa.schema(self._arrow((0, 0)))
        return datasets.DatasetInfo(
            description=self.config.board.about or "", features=datasets.Features.from_arrow_schema(schema)
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        parts = divided(self.config.options["start"], self.config.count, SHARDS_MAX)
        return [datasets.SplitGenerator(name="train", gen_kwargs={"parts": parts})]

    def _generate_shards(self, parts: list[tuple[int, int]]) -> Iterator[dict[str, Any]]:
        for start, count in parts:
            yield {"start": start, "count": count}

    def _generate_tables(self, parts: list[tuple[int, int]]) -> Iterator[tuple[Key, pa.Table]]:
        schema = self.info.features.arrow_schema
        for number, part in enumerate(parts):
            for at, batch in enumerate(pa.RecordBatchReader.from_stream(self._arrow(part))):
                yield Key(number, at), pa.Table.from_batches([batch]).cast(schema)


def to_dataset(
    board: Storyboard | str,
    count: int,
    *,
    seed: int = 0,
    start: int = 0,
    twins: str | bool | None = None,
    with_events: bool = False,
    prompt: str | None = None,
    shape: str | None = None,
    streaming: bool = False,
    shards: int | None = None,
    num_proc: int | None = None,
    cache_dir: str | None = None,
) -> datasets.Dataset | datasets.IterableDataset:
    """The rows of `count` stories as a `datasets.Dataset`, with the columns of the Parquet files.

    `seed` to `shape` are those of `board.arrow`.

    It is written to the cache of `datasets` once: the same storyboard, values and arguments find it there again, and any other
    storyboard, argument or version of storysim does not.

    With `streaming`, nothing is written: it is a `datasets.IterableDataset` that makes rows as they are read. It is divided into
    `shards` ranges of stories (1024, or one for each story if there are fewer), which workers and nodes share, so no row comes
    twice; `state_dict()` and `load_state_dict()` go on where it was.
    """
    from storysim import __version__

    board = board if isinstance(board, Storyboard) else Storyboard(board)
    options = {"seed": seed, "start": start, "twins": twins, "with_events": with_events, "prompt": prompt, "shape": shape}
    board.arrow(count, **options)  # raises what is wrong with the arguments
    if streaming:
        features = datasets.Features.from_arrow_schema(pa.schema(board.arrow(0, **options)))
        parts = divided(start, count, SHARDS_MAX if shards is None else shards)
        options.pop("start")
        arguments = {"board": board, "parts": parts, "options": options}
        return datasets.IterableDataset.from_generator(_streamed, features=features, gen_kwargs=arguments)
    config = {"board": board, "count": count, "options": options, "made_by": __version__}
    builder = RowsBuilder(cache_dir=cache_dir, dataset_name=f"storysim-{board.name}", **config)
    builder.download_and_prepare(num_proc=num_proc)
    return builder.as_dataset(split="train")


def _streamed(board: Storyboard, parts: list[tuple[int, int]], options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of some ranges of stories, with values as columns have them."""
    for start, count in parts:
        for batch in pa.RecordBatchReader.from_stream(board.arrow(count, start=start, batch_bytes=1 << 18, **options)):
            yield from batch.to_pylist()
