"""How many rows a second come out of `rows()` and `arrow()`, beside those of the command, all on one core.

    python python/benches/rows.py [BOARD...] [--seconds S]

The command is `storysim generate --jobs 1 --out /dev/null`, as it is installed with this package. What counts is the time of the
processor, since others may use the machine as well. Everything is timed in turn, several times, and the best time of each counts.
"""

import argparse
import os
import resource
import subprocess
import sys
import time

import storysim

ROUNDS = 3


def stories_for(board, seconds):
    """About how many stories take this long as dicts."""
    count, taken = 50, 0.0
    while taken < 0.2:
        count *= 2
        begun = time.perf_counter()
        for _ in board.rows(count):
            pass
        taken = time.perf_counter() - begun
    return max(1, int(count * seconds / taken))


def by_rows(board, count):
    return sum(1 for _ in board.rows(count))


def by_arrow(board, count):
    import pyarrow

    return sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(board.arrow(count)))


def by_command(board, count):
    command = [sys.executable, "-m", "storysim", "generate", board.name]
    command += ["--count", str(count), "--jobs", "1", "--out", "/dev/null", "--quiet"]
    subprocess.run(command, check=True)
    return None


def processor_time():
    """The time that this process and the commands that it has run have taken of processors."""
    usages = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def timed(function, board, count):
    begun = processor_time()
    rows = function(board, count)
    return processor_time() - begun, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("boards", nargs="*", default=["first-order-mislead", "second-order-mislead", "sally-anne"])
    parser.add_argument("--seconds", type=float, default=3.0, help="about how long one run of rows() takes")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'storyboard':24} {'command':>12} {'arrow()':>12} {'':>6} {'rows()':>12} {'':>6}   rows a second, share")
    for name in arguments.boards:
        board = storysim.Storyboard(name)
        count = stories_for(board, arguments.seconds)
        best = {}
        # What it takes to start the command is not what is compared.
        starting = min(timed(by_command, board, 1)[0] for _ in range(ROUNDS))
        for _ in range(ROUNDS):
            for function in (by_command, by_arrow, by_rows):
                taken, made = timed(function, board, count)
                rows = made or count
                taken -= starting if function is by_command else 0.0
                best[function] = min(best.get(function, (taken, rows)), (taken, rows))
        rows = best[by_rows][1]
        command, arrow, dicts = (rows / best[function][0] for function in (by_command, by_arrow, by_rows))
        print(f"{name:24} {command:12,.0f} {arrow:12,.0f} {arrow / command:6.2f} {dicts:12,.0f} {dicts / command:6.2f}")


if __name__ == "__main__":
    main()
