"""Tasks for environments of `verifiers`, which this module imports.

    taskset = storysim.verifiers.StorysimTaskset(storysim.verifiers.StorysimConfig(count=1000, seed=7))

The commands of verifiers find it as `storysim`: `vf-eval storysim --env.taskset.count 100`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from storysim import trl
from storysim._packages import needed_by
from storysim._storysim import Storyboard
from storysim.prompts import INSTRUCTION, prompt

with needed_by("verifiers"):
    import verifiers.v1 as vf


class StorysimConfig(vf.TasksetConfig):
    """Which rows are asked: `set` to `prompt` are those of `Storyboard` and of `board.rows`. Rows without a `prompt` are asked with
    the instruction. `evidence` is the share of the reward that is for quoting what settles the answer.
    """

    storyboard: str = "second-order-calibrated"
    set: dict[str, int] = {}
    count: int = 1000
    seed: int = 0
    start: int = 0
    twins: Literal["pairs", "triplets"] | None = None
    prompt: str | None = None
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

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the right answer is found to be right."""
        return trl.reward()([f"Answer: {self.data.answer}"], [self.data.row]) == [1.0]


class StorysimTaskset(vf.Taskset[StorysimTask, StorysimConfig]):
    """A task for every row of a number of stories."""

    def load(self) -> Iterator[StorysimTask]:
        """The tasks, in the order of the rows."""
        config = self.config
        board = Storyboard(config.storyboard, set=config.set)
        rows = board.rows(
            config.count,
            seed=config.seed,
            start=config.start,
            twins=config.twins,
            with_events=config.evidence > 0,
            prompt=config.prompt,
        )
        for row in rows:
            item = trl.training_item(row)
            data = StorysimData(
                id=row["id"],
                name=row["id"],
                prompt=row.get("prompt") or prompt(row, instruction=config.instruction),
                row=item["row"],
                answer=row["answer"],
                evidence=config.evidence,
            )
            yield StorysimTask(data, config.task)
