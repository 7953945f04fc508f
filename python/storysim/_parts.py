"""Stories, divided among those who make them."""

from __future__ import annotations


def part(start: int, count: int, number: int, parts: int) -> tuple[int, int]:
    """The range of stories of one of so many parts, as its start and its length; lengths differ by one at most."""
    first, last = (start + count * at // parts for at in (number, number + 1))
    return first, last - first


def divided(start: int, count: int, parts_max: int) -> list[tuple[int, int]]:
    """Ranges of stories, each with its start and its length. None is empty, unless there are no stories at all."""
    parts = max(1, min(count, parts_max))
    return [part(start, count, number, parts) for number in range(parts)]
