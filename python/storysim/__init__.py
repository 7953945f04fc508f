"""Short stories with provable answers about what their characters believe, by the million.

>>> import storysim
>>> board = storysim.Storyboard("sally-anne")
>>> row = board.story(0, seed=7).rows[0]
>>> row["question"], row["answer"]
('Where does Celine think the marble is?', 'drawer')
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from storysim import _storysim
from storysim._errors import (
    Label,
    LogError,
    Problem,
    RowError,
    StoryboardError,
    StoryboardWarning,
    StorysimError,
)
from storysim._packages import needed_by
from storysim._questions import questions
from storysim._reports import Audit, Check, Extraction, Report, Score, audit, extract, replay, score
from storysim._storysim import Arrow, Rows, Story, Storyboard

try:
    __version__ = version("storysim")
except PackageNotFoundError:  # run from a folder that was not installed
    __version__ = "0"

__all__ = [
    "Arrow",
    "Audit",
    "BuiltIn",
    "Check",
    "Extraction",
    "Label",
    "LogError",
    "Problem",
    "Report",
    "RowError",
    "Rows",
    "Score",
    "Story",
    "Storyboard",
    "StoryboardError",
    "StoryboardWarning",
    "StorysimError",
    "audit",
    "extract",
    "questions",
    "replay",
    "schema",
    "score",
    "storyboards",
]


@dataclass(frozen=True)
class BuiltIn:
    """A storyboard that comes with storysim.

    `purpose` is what it is for; `shortcuts` is how far a reader gets in it who follows no mind, if that was measured.
    """

    name: str
    purpose: str
    about: str
    shortcuts: dict[str, Any] | None = None


def storyboards() -> list[BuiltIn]:
    """The storyboards that come with storysim, in the order of `storysim list`."""
    return [BuiltIn(**board) for board in _storysim._built_in()]


def schema() -> dict[str, Any]:
    """The JSON Schema of the storyboard format, for editors."""
    import json

    return json.loads(_storysim._schema())


# What needs other libraries is imported when it is used. Each module is named after the library that it is for.
_LATER = {
    "to_dataset": "datasets",
    "lm_eval_task": "lm_eval",
    "inspect_task": "inspect_ai",
    "StorysimTaskset": "verifiers",
}
_MODULES = ("datasets", "datatrove", "inspect_ai", "lm_eval", "prompts", "ray", "reasoning_gym", "trl", "verifiers")


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _LATER or name in _MODULES:
        with needed_by(name):
            module = import_module(f"storysim.{_LATER.get(name, name)}")
        return getattr(module, name) if name in _LATER else module
    raise AttributeError(f"module 'storysim' has no attribute {name!r}")


if "verifiers" in sys.modules:
    __all__.append("StorysimTaskset")  # among these names, the commands of verifiers look for the tasks of `vf-eval storysim`


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, *_MODULES})


if TYPE_CHECKING:
    from storysim.datasets import to_dataset
    from storysim.inspect_ai import inspect_task
    from storysim.lm_eval import lm_eval_task
    from storysim.verifiers import StorysimTaskset
