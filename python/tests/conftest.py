"""What several tests need."""

import json
import subprocess
import sys

import pytest

import storysim

TINY = """\
storysim: 1
name: tiny
characters: {pool: [Ann, Bob, Cas, Dan]}
roles: [S1, S2, T]
places: {complete: [kitchen, the_garden, attic, hall]}
start: kitchen
parameters: {gap: 3}
horizon: 12
events:
  - {at: 2, meet: {who: [S1, T], in: the_garden}}
  - {from: 3, for: gap, idle: [S1]}
questions:
  - belief: [S1, T]
  - belief: [S1, S2, T]
  - reality: T
"""


READERS = {
    "perfect": lambda row: row["answer"],
    "reality": lambda row: row["truth"] if row["truth"] in row["choices"] else row["choices"][0],
    "first choice": lambda row: row["choices"][0],
    "often right": lambda row: row["answer"] if sum(row["id"].encode()) % 4 else row["choices"][-1],
    "silent": lambda row: "I cannot tell.",
}
"""Models that a harness asks: what each says to a row."""

TWINS = {"sally-anne": "pairs", "second-order-mislead": "pairs", "hitom-like": "triplets"}
"""Storyboards with questions whose answer is the same in twins, and others."""


@pytest.fixture(scope="session")
def tiny():
    """A small storyboard, given as text."""
    return storysim.Storyboard(TINY)


@pytest.fixture(scope="session")
def command():
    """Runs the command that the package installs, and returns what it has done."""

    def run(*arguments, **options):
        command = [sys.executable, "-m", "storysim", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, timeout=120, **options)

    return run


@pytest.fixture(scope="session")
def written(command):
    """The lines that `storysim generate` writes."""

    def lines(*arguments):
        done = command("generate", *arguments, "--quiet", "--jobs", 1)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().splitlines()

    return lines


def plain(row):
    """A row as the command writes it: without blanks, and with letters as they are."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))
