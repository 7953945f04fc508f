"""The table of the libraries that the package was tested with is true."""

import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "python.md"
MARKS = ("<!-- versions -->\n", "<!-- versions end -->")
PINNED = ["datasets", "pyarrow", "lm-eval", "inspect-ai", "verifiers", "reasoning-gym", "datatrove", "nbclient", "ray"]
LARGE = ["trl", "torch"]
"""What is tested by hand, where it is installed. The table says with which version the tests passed last."""


def installed(client):
    try:
        return version(client).split("+")[0]
    except PackageNotFoundError:
        return None


def test_the_table_of_versions():
    text = DOCS.read_text(encoding="utf-8")
    before, rest = text.split(MARKS[0])
    table, after = rest.split(MARKS[1])
    told = dict(line.strip("| \n").split(" | ") for line in table.splitlines()[2:])
    if os.environ.get("STORYSIM_VERSIONS") == "write":
        told = {client: installed(client) or told.get(client) for client in [*PINNED, *LARGE]}
        lines = [f"| {client} | {number} |\n" for client, number in told.items() if number]
        table = "".join(["| library | version |\n|---|---|\n", *lines])
        DOCS.write_text(before + MARKS[0] + table + MARKS[1] + after, encoding="utf-8")
    lines = Path(__file__).with_name("requirements.txt").read_text().splitlines()
    pins = {name.partition("[")[0]: number for name, number in (line.split("==") for line in lines if "==" in line)}
    for client in PINNED:
        assert told[client] == pins[client] and installed(client) in (None, pins[client])
    assert list(told) == [client for client in [*PINNED, *LARGE] if client in told]
