"""Memory does not grow with the number of rows, or of calls. `python/benches/memory.py` does the same at length."""

import subprocess
import sys
from pathlib import Path

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("memory is read from /proc", allow_module_level=True)

BENCHES = Path(__file__).parents[1] / "benches"
MEGABYTES = 2**20


def growth(through, count):
    """By how many bytes the memory of a process grows that does this and nothing else: here, other libraries would take some, too."""
    measure = f"import memory; print(memory.growth(memory.{through}, {count}))"
    done = subprocess.run([sys.executable, "-c", measure], cwd=BENCHES, check=True, capture_output=True, text=True)
    return int(done.stdout)


def test_rows():
    # As dicts, rows take some 5 kB each, so all of them would take 500 MB.
    assert growth("through_rows", 100_000) < 8 * MEGABYTES


def test_batches():
    pytest.importorskip("pyarrow")
    assert growth("through_batches", 200_000) < 16 * MEGABYTES


def test_calls():
    # It takes less than 1 MB. What each call leaves behind would show from some 100 bytes on.
    assert growth("through_calls", 16_000) < 2 * MEGABYTES
