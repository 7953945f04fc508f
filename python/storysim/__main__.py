"""The command `storysim`, also `python -m storysim`."""

from __future__ import annotations

import signal
import sys

from storysim import _storysim


def main() -> None:
    """Run the command with the arguments of the process, and end the process with its exit code."""
    # Python would hear Ctrl-C only after the command is done. The command listens for it where it has to clean up.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.exit(_storysim._run(["storysim", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
