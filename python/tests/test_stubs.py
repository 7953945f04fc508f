"""The types that editors and type checkers are told are those of the compiled part."""

import subprocess
import sys

import pytest

pytest.importorskip("mypy", reason="mypy is not installed")

ALLOWED = """\
storysim._storysim.__all__  # PyO3 makes it; the stub has all names
storysim._storysim.Storyboard  # a class that cannot be a base beside others: no mistake that a checker should look for
storysim._storysim._redrawn  # used by pickle only, as the next two
storysim._storysim._reopened
storysim._storysim._resumed
"""


def test_the_stub_is_that_of_the_compiled_part(tmp_path):
    allowed, settings = tmp_path / "allowed", tmp_path / "mypy.ini"
    allowed.write_text(ALLOWED)
    settings.write_text(f"[mypy]\nfollow_imports = skip\ncache_dir = {tmp_path / 'cache'}\n")
    command = [sys.executable, "-m", "mypy.stubtest", "storysim._storysim"]
    options = ["--allowlist", str(allowed), "--mypy-config-file", str(settings)]
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
