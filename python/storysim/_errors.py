"""What can be wrong, as exceptions and as data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Label:
    """A place in a storyboard or a log, and what is remarked there."""

    line: int
    column: int
    text: str
    remark: str


@dataclass(frozen=True)
class Problem:
    """One problem: what it is, where it is, and what to do about it. The first label is the place itself."""

    severity: str
    message: str
    file: str
    labels: tuple[Label, ...] = field(default=())
    help: str | None = None

    @property
    def line(self) -> int | None:
        """The line of the problem, from 1."""
        return self.labels[0].line if self.labels else None

    @property
    def column(self) -> int | None:
        """The column of the problem, from 1, counted in characters."""
        return self.labels[0].column if self.labels else None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.labels else f"{self.file}: "
        return f"{place}{self.severity}: {self.message}"


class StorysimError(ValueError):
    """Anything that storysim finds wrong."""


class _Told(StorysimError):
    """An error with the problems that it consists of. As text it is what the command prints."""

    def __init__(self, text: str, problems: list[Problem] | None = None):
        super().__init__(text, problems or [])
        self.text = text
        self.problems = list(problems or [])

    def __str__(self) -> str:
        return ("\n" if self.problems else "") + self.text.rstrip()


class StoryboardError(_Told):
    """A storyboard cannot be used: `problems` says why, with places; printed, it shows them as the command does."""


class LogError(_Told):
    """A log of a story cannot be used: `problems` says why, with places."""


class RowError(StorysimError):
    """A row cannot be used: it was changed by hand, or is none. `row` is its number from 0, if it is one of several."""

    @property
    def row(self) -> int | None:
        """The number of the row among those that were given, from 0."""
        found = re.match(r"row (\d+)", str(self))
        return int(found[1]) if found else None


class StoryboardWarning(UserWarning):
    """A storyboard can be used, but its author would want to know."""
