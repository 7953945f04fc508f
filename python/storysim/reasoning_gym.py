"""A dataset and a curriculum for `reasoning_gym`, which this module imports.

    import reasoning_gym, storysim.reasoning_gym
    data = reasoning_gym.create_dataset("storysim", order=2, size=100, seed=7)

The curriculum has six ways to become harder: the order of belief, the mislead distance, the length of stories, the number of people, of
how many walks the hardest is told, and twins, which differ in one event.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from storysim._packages import needed_by
from storysim._reports import extract
from storysim._storysim import Storyboard
from storysim.prompts import prompt

with needed_by("reasoning_gym"):
    from reasoning_gym.coaching import BaseCurriculum, ScalarAttributeDefinition
    from reasoning_gym.factory import ProceduralDataset, register_dataset

NAME = "storysim"

ORDERS = (1, 2, 3, 4)
DISTANCES = (0, 5, 10, 20, 40)
LENGTHS = (10, 20, 40, 80, 160)
CHARACTERS = (5, 6, 8, 12)
HARDEST = (1, 4, 16, 64, 256)

NAMES = ("S1", "S2", "S3", "S4")

WAYS = ("order", "distance", "length", "characters", "hardest", "twins")


@dataclass
class StorysimConfig:
    """How hard stories are, and in what words they are told.

    `distance` is how many steps a false belief lasts at least; with 0, beliefs may be true as well. `hardest` is the number of walks of
    which the hardest is told, by the `quantile` of rows. `wording` is "plain", "varied", or the path to a pack of wordings.
    """

    order: int = 1
    distance: int = 0
    length: int = 20
    characters: int = 5
    hardest: int = 1
    twins: bool = False
    wording: str = "plain"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raise an exception if there are no such stories."""
        for name in ("order", "distance", "length", "characters", "hardest", "size"):
            value = getattr(self, name)
            assert isinstance(value, int) and not isinstance(value, bool), f"{name} is a whole number, not {value!r}"
        assert isinstance(self.twins, bool), f"twins is True or False, not {self.twins!r}"
        assert 1 <= self.order <= len(NAMES), f"order is from 1 to {len(NAMES)}"
        assert 0 <= self.distance, "distance is not negative"
        assert 1 <= self.hardest <= 100_000, "hardest is from 1 to 100000"
        assert isinstance(self.wording, str), f"wording is the name of a pack or the path to one, not {self.wording!r}"
        assert self.characters >= self.order + 2, "there is at least one person besides those who are asked about"
        assert self.length >= 10 + 2 * self.distance, "stories are as long as beliefs last, twice, and ten steps more"


def storyboard_of(config: StorysimConfig) -> str:
    """The text of the storyboard whose stories are this hard."""
    minds = ", ".join(NAMES[: config.order])
    if config.distance:
        # Those whose minds are asked about stay where they are, so that the target gets out of their sight often enough.
        still = f"events:\n  - {{from: end - {config.distance}, until: end, idle: [{minds}]}}\n"
        goal = f"ensure:\n  - {{mislead_distance: [{minds}, T], within: [{config.distance}, {config.length - 1}]}}\n"
    else:
        still = goal = ""
    hardest = f"hardest: {{of: {config.hardest}, by: quantile}}\n" if config.hardest > 1 else ""
    return f"""\
storysim: 1
name: gym-{config.order}
characters: {{pool: people, count: {config.characters}}}
roles: [{minds}, T]
places: {{complete: [kitchen, garden, study, cellar, attic, porch]}}
start: kitchen
horizon: {config.length}
{still}{goal}{hardest}questions:
  - belief: [{minds}, T]
"""


@lru_cache(maxsize=64)
def _board(text: str, wording: str) -> Storyboard:
    return Storyboard(text, wording=wording)


class StorysimDataset(ProceduralDataset):
    """Questions about beliefs; the item with an index depends on the configuration and the seed alone."""

    def __init__(self, config: StorysimConfig):
        super().__init__(config=config, seed=config.seed, size=config.size)
        self.board = _board(storyboard_of(config), config.wording)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        if not 0 <= idx < self.size:
            raise IndexError(f"there are {self.size} items")
        row = self._row(idx)
        return {
            "question": prompt(row),
            "answer": row["answer"],
            "metadata": {
                "source_dataset": NAME,
                "source_index": idx,
                "row": row,
                "difficulty": {name: getattr(self.config, name) for name in WAYS},
            },
        }

    def _row(self, idx: int) -> dict[str, Any]:
        """The row of an item. With twins, the items 2n and 2n + 1 are those of a pair. Stories that leave the answer open have none."""
        each = 2 if self.config.twins else 1
        index, number = divmod(idx, each)
        for attempt in range(1000):
            rows = self.board.rows(1, seed=self.seed, start=index + attempt * self.size, twins=self.config.twins)
            found = list(islice(rows, each))
            if len(found) == each:
                return found[number]
        raise ValueError(f"none of 1000 stories answers the question of {self.board.name}")

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """1.0 for the right answer, found by the rules of `storysim score`, otherwise 0.0."""
        return float(answer is not None and extract(entry["metadata"]["row"], answer).is_right)


class StorysimCurriculum(BaseCurriculum):
    """From short stories with few people to long ones, and from order 1 to order 4."""

    def __init__(self) -> None:
        super().__init__(StorysimCurriculum.__name__, StorysimConfig)
        levels = {
            "order": (ORDERS, "How many minds are nested"),
            "distance": (DISTANCES, "How many steps a false belief lasts at least"),
            "length": (LENGTHS, "How many steps a story has"),
            "characters": (CHARACTERS, "How many people there are"),
            "hardest": (HARDEST, "Of how many walks the hardest is told"),
            "twins": ((False, True), "Whether stories come in pairs that differ in one event"),
        }
        self._define_attributes(
            *(
                ScalarAttributeDefinition(name=name, field_name=name, levels=list(values), description=description)
                for name, (values, description) in levels.items()
            )
        )

    def generate_configuration(self, defaults: dict[str, Any] | None = None, context: Any = None) -> StorysimConfig:
        """The configuration of the current levels. Stories are made long enough, and people enough, for the rest."""
        config = super().generate_configuration(defaults, context)
        config.length = max(config.length, 10 + 2 * config.distance)
        config.characters = max(config.characters, config.order + 2)
        return config


register_dataset(NAME, StorysimDataset, StorysimConfig, StorysimCurriculum)
