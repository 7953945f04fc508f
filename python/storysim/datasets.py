"""Datasets of Hugging Face's library `datasets`, which this module imports."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from storysim._packages import needed_by
from storysim._parts import divided
from storysim._storysim import Storyboard

with needed_by("datasets"):
    import datasets
    import pyarrow as pa
    from datasets.builder import Key

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
    streaming: bool = False,
    shards: int | None = None,
    num_proc: int | None = None,
    cache_dir: str | None = None,
) -> datasets.Dataset | datasets.IterableDataset:
    """The rows of `count` stories as a `datasets.Dataset`, with the columns of the Parquet files.

    `seed` to `where` are those of `board.arrow`.

    It is written to the cache of `datasets` once, by `num_proc` processes: the same storyboard, values and arguments find it there
    again, and any other storyboard, argument or version of storysim does not.

    With `streaming`, nothing is written: it is a `datasets.IterableDataset` that makes rows as they are read. It is divided into
    `shards` ranges of stories (1024, or one for each story if there are fewer), which workers and nodes share, so no row comes
    twice; `state_dict()` and `load_state_dict()` go on where it was.
    """
    from storysim import __version__

    _check_only_for("shards", shards, "streaming=True", streaming)
    _check_only_for("num_proc", num_proc, "streaming=False", not streaming)
    board = board if isinstance(board, Storyboard) else Storyboard(board)
    options: dict[str, Any] = {"seed": seed, "start": start, "twins": twins, "with_events": with_events}
    options |= {"prompt": prompt, "shape": shape, "difficulty": difficulty, "where": where}
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
    if not builder.info.splits["train"].num_examples:
        return _empty(builder.info.features)  # `as_dataset` takes an empty split for a mistake
    return builder.as_dataset(split="train")


def _empty(features: datasets.Features) -> datasets.Dataset:
    return datasets.Dataset.from_dict({name: [] for name in features}, features=features)


def _check_only_for(name: str, number: int | None, what: str, is_so: bool) -> None:
    """Raise an exception if a number of parts is none, or is given where it would do nothing."""
    if number is None:
        return
    if not is_so:
        raise ValueError(f"{name} is for {what} only: leave it out")
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"{name} has to be a whole number, not {type(number).__name__}")
    if number < 1:
        raise ValueError(f"{name} has to be 1 or more, and is {number}")


def _streamed(board: Storyboard, parts: list[tuple[int, int]], options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of some ranges of stories, with values as columns have them."""
    for start, count in parts:
        for batch in pa.RecordBatchReader.from_stream(board.arrow(count, start=start, batch_bytes=1 << 18, **options)):
            yield from batch.to_pylist()
