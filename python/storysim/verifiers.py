"""Tasks for environments of `verifiers`, which this module imports.

    taskset = storysim.verifiers.StorysimTaskset(storysim.verifiers.StorysimConfig(count=1000, seed=7))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import verifiers.v1 as vf

from storysim import trl
from storysim._storysim import Storyboard
from storysim.prompts import INSTRUCTION, prompt


class StorysimConfig(vf.TasksetConfig):
    """Which rows are asked. `evidence` is the share of the reward that is for quoting what settles the answer."""

    storyboard: str = "second-order-calibrated"
    count: int = 1000
    seed: int = 0
    twins: Literal["pairs", "triplets"] | None = None
    evidence: float = 0.0
    instruction: str = INSTRUCTION


class StorysimData(vf.TaskData):
    """A row as a task."""

    row: str
    """The row, as text."""
    answer: str
    """The right answer."""
    evidence: float = 0.0
    """The share of the reward that is for evidence."""


class StorysimTask(vf.Task[StorysimData, vf.State, vf.TaskConfig]):
    """A question about one story."""

    @vf.reward
    async def right_answer(self, trace: vf.Trace) -> float:
        """The reward of `storysim.trl.reward` for the last reply."""
        return trl.reward(evidence=self.data.evidence)([trace.last_reply], [self.data.row])[0]


class StorysimTaskset(vf.Taskset[StorysimTask, StorysimConfig]):
    """A task for every row of a number of stories."""

    def load(self) -> Iterator[StorysimTask]:
        """The tasks, in the order of the rows."""
        config = self.config
        board = Storyboard(config.storyboard)
        rows = board.rows(config.count, seed=config.seed, twins=config.twins, with_events=config.evidence > 0)
        for row in rows:
            item = trl.training_item(row)
            data = StorysimData(
                id=row["id"],
                name=row["id"],
                prompt=prompt(row, instruction=config.instruction),
                row=item["row"],
                answer=row["answer"],
                evidence=config.evidence,
            )
            yield StorysimTask(data, config.task)
