"""The command that the package installs is the command."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).parent / "storysim"


def test_the_command_is_installed():
    assert PROGRAM.exists() or shutil.which("storysim")
    told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True)
    assert told.returncode == 0 and told.stdout.startswith("storysim ")


@pytest.mark.parametrize(
    ("arguments", "code", "stream", "said"),
    [
        (["list"], 0, "stdout", "Built-in storyboards"),
        (["--help"], 0, "stdout", "Usage: storysim"),
        (["generate", "sally-anne", "--count", "2"], 0, "stdout", '{"id":"sally-anne/0/0/0"'),
        (["check", "{tmp}/broken.yaml"], 1, "stderr", "error:"),
        (["generate", "sally-anne"], 2, "stderr", "--count"),
        (["generate", "sally-ann", "--count", "2"], 2, "stderr", "did you mean `sally-anne`?"),
        (["check", "missing.yaml"], 3, "stderr", "reading missing.yaml"),
    ],
)
def test_exit_codes(arguments, code, stream, said, tmp_path):
    (tmp_path / "broken.yaml").write_text("storysim: 2\n")
    arguments = [argument.replace("{tmp}", str(tmp_path)) for argument in arguments]
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)
    assert (done.returncode, said in getattr(done, stream)) == (code, True), done.stderr


def test_ctrl_c_removes_what_is_unfinished(tmp_path):
    out = tmp_path / "rows.jsonl"
    process = subprocess.Popen(
        [PROGRAM, "generate", "first-order-mislead", "--count", "100000000", "--out", out], stderr=subprocess.PIPE
    )
    while not (tmp_path / "rows.jsonl.partial").exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and b"stopping" in said
    assert os.listdir(tmp_path) == []


def test_a_reader_that_leaves():
    shell = f"{PROGRAM} generate first-order-mislead --count 1000000 | head -n 1 > /dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60)
    assert done.stdout == "0\n", done.stderr
