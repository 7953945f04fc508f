"""Other libraries' packages, of which each is needed by one module."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_PACKAGES = {
    "datatrove": "'datatrove[io]'",
    "inspect_ai": "inspect-ai",
    "lm_eval": "lm-eval",
    "ray": "'ray[data]'",
    "reasoning_gym": "reasoning-gym",
}
"""What `pip install` calls those packages that it calls otherwise."""


class MissingPackage(ModuleNotFoundError):
    """Something needs a package that is not installed, and says how to install it."""


@contextmanager
def needed_by(name: str) -> Iterator[None]:
    """Whatever is imported here and missing is named, as needed by `storysim.name`, with the command that installs it."""
    try:
        yield
    except MissingPackage:
        raise
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("", "storysim"):
            raise
        package = _PACKAGES.get(missing, missing)
        message = f"storysim.{name} needs another package: pip install {package} ({error})"
        raise MissingPackage(message, name=error.name) from error
