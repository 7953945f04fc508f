"""The table of the libraries that the package was tested with is true."""

import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "python.md"
MARKS = ("<!-- versions -->\n", "<!-- versions end -->")
CLIENTS = ["datasets", "pyarrow", "lm-eval", "inspect-ai", "verifiers", "reasoning-gym"]


def line(client):
    return f"| {client} | {version(client)} |\n"


def test_the_table_of_versions():
    text = DOCS.read_text(encoding="utf-8")
    before, rest = text.split(MARKS[0])
    table, after = rest.split(MARKS[1])
    if os.environ.get("STORYSIM_VERSIONS") == "write":
        table = "| library | version |\n|---|---|\n" + "".join(map(line, CLIENTS))
        DOCS.write_text(before + MARKS[0] + table + MARKS[1] + after, encoding="utf-8")
    for client in CLIENTS:
        try:
            expected = line(client)
        except PackageNotFoundError:
            continue
        assert expected in table
    pinned = Path(__file__).with_name("requirements.txt").read_text().splitlines()
    for client in CLIENTS:
        assert any(pin.startswith(f"{client}==") and f"| {client} | {pin.split('==')[1]} |" in table for pin in pinned)
