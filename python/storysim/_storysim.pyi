"""The part of storysim that is written in Rust."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, final

from typing_extensions import Self

from storysim._errors import Problem
from storysim._reports import Check

_Twins = Literal["pairs", "triplets"] | bool | None
_Shape = Literal["questions", "stories"]

class Storyboard:
    """A storyboard with the values of its parameters, ready to make stories."""

    def __new__(
        cls,
        board: str | os.PathLike[str],
        *,
        set: Mapping[str, int] | None = None,
        setting: str | os.PathLike[str] | None = None,
        wording: str | os.PathLike[str] | None = None,
        words: int | None = None,
        at_depth: float | None = None,
    ) -> Self: ...
    @property
    def name(self) -> str:
        """The name of the storyboard."""
    @property
    def about(self) -> str | None:
        """What the storyboard is about, in its author's words."""
    @property
    def text(self) -> str:
        """The text of the storyboard, as its author wrote it."""
    @property
    def file(self) -> str:
        """Where the text came from: a path, the name of a built-in storyboard, or `<text>`."""
    @property
    def set(self) -> dict[str, int]:
        """The values that were set."""
    @property
    def parameters(self) -> dict[str, int]:
        """All parameters with their values."""
    @property
    def warnings(self) -> list[Problem]:
        """What the author of the storyboard would want to know."""
    def check(self) -> Check:
        """Report what `storysim check` does."""
    def story(self, index: int, *, seed: int | None = None, twins: _Twins = None) -> Story:
        """The story with this index under a seed."""
    def __getitem__(self, index: int, /) -> Story: ...
    def rows(
        self,
        count: int,
        *,
        seed: int | None = None,
        start: int | None = None,
        twins: _Twins = None,
        with_events: bool = False,
        prompt: str | None = None,
        shape: _Shape | None = None,
        difficulty: bool = False,
        where: str | None = None,
    ) -> Rows:
        """The rows of `count` stories from the index `start` on, one after another, as dicts.

        `prompt` and `shape` are those of `storysim generate`: "plain", "cot" or "shots:K"; "questions" or "stories". `where`
        keeps only the rows for which it holds, such as "updates >= 3 and shortcuts_right == 0".
        """
    def arrow(
        self,
        count: int,
        *,
        seed: int | None = None,
        start: int | None = None,
        twins: _Twins = None,
        with_events: bool = False,
        prompt: str | None = None,
        shape: _Shape | None = None,
        batch_bytes: int | None = None,
        difficulty: bool = False,
        where: str | None = None,
    ) -> Arrow:
        """The rows of `count` stories as a stream of Arrow batches."""

@final
class Story:
    """A story or a twin of one."""

    @property
    def id(self) -> str:
        """What the ids of its rows begin with."""
    @property
    def board(self) -> Storyboard:
        """The storyboard of the story."""
    @property
    def seed(self) -> int:
        """The seed of the story."""
    @property
    def index(self) -> int:
        """The number of the story."""
    @property
    def context(self) -> str:
        """What a reader has to know beforehand."""
    @property
    def text(self) -> str:
        """The story, sentence by sentence."""
    @property
    def cast(self) -> dict[str, str]:
        """Who plays each role, and the place of each bind."""
    @property
    def characters(self) -> list[str]:
        """Everybody in the story."""
    @property
    def events(self) -> list[list[Any]]:
        """What happens, as data."""
    @property
    def steps(self) -> list[dict[str, Any]]:
        """What happens, to read."""
    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the story."""
    def held(self, chain: Sequence[str]) -> list[str | None]:
        """What the chain holds at the start and after each step. There are at most 64 minds before the target."""
    def twin(self) -> Story:
        """The story that differs from this one in one event and in the answer; of a twin, the story that it is a twin of.

        Of a story that was drawn without twins, it is the twin that stories with twins have at this index. There, a story that
        has no twin is drawn again; then the twin is that of another story, and a warning says so.
        """
    @property
    def twins(self) -> list[Story]:
        """All other stories of the pair or triplet."""
    def html(self) -> str:
        """The story as a page."""
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...

@final
class Rows(Iterator[dict[str, Any]]):
    """An iterator over rows, as dicts."""

    def __iter__(self) -> Rows: ...
    def __next__(self) -> dict[str, Any]: ...

@final
class Arrow:
    """Rows that other libraries take as a stream of Arrow batches."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class _Scorer:
    def __new__(cls, models: list[str]) -> Self: ...
    def add(self, number: int, row: Mapping[str, Any], responses: list[Any]) -> None: ...
    def finish(self, title: str) -> tuple[str, dict[str, Any], str]: ...

@final
class _Auditor:
    def __new__(cls, sample: int, is_taught_elsewhere: bool) -> Self: ...
    def add(self, number: int, row: Mapping[str, Any], is_audited: bool) -> None: ...
    def finish(self, title: str) -> tuple[str, dict[str, Any], str]: ...

def _extract(row: Mapping[str, Any], response: Any) -> tuple[str, str | None, str | None, list[str]]: ...
def _asked(row: Mapping[str, Any]) -> str: ...
def _lm_eval_tasks(name: str, rows: list[str]) -> tuple[list[str], list[tuple[str, str]]]: ...
def _field_names() -> list[str]: ...
def _instruction(kind: str) -> str: ...
def _replay(
    line: str, place: tuple[str, int], departures: str | None, containers: str | None
) -> tuple[list[dict[str, Any]], str, list[Problem], bool]: ...
def _response_id(response: Mapping[str, Any]) -> str: ...
def _built_in() -> list[dict[str, Any]]: ...
def _schema() -> str: ...
def _run(arguments: list[str]) -> int: ...
