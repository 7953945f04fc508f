"""How much memory it takes to go through many rows, and to call the package many times: as much at the end as near the beginning.

    python python/benches/memory.py [--rows 10000000] [--calls 1000000]

A tenth of the work is done first, since memory is taken then that is used again later.
"""

import argparse
import contextlib
import itertools
import json
import pickle
import time

import storysim

BOARD = "first-order-mislead"


def resident():
    """The memory that this process has taken, in bytes. Files that are mapped do not count: they come and go as the system likes."""
    with open("/proc/self/status", encoding="ascii") as status:
        return 1024 * int(next(line for line in status if line.startswith("RssAnon")).split()[1])


def through_rows(count):
    """Goes through this many rows, as dicts, and forgets them."""
    rows = storysim.Storyboard(BOARD).rows(count)
    return sum(1 for _ in itertools.islice(rows, count))


def through_batches(count):
    """Goes through this many rows, as Arrow batches, and forgets them."""
    import pyarrow

    batches = pyarrow.RecordBatchReader.from_stream(storysim.Storyboard(BOARD).arrow(count // 2))
    return sum(batch.num_rows for batch in batches)


def through_calls(count):
    """Calls what there is to call, this many times in all, also with what is wrong."""
    board = storysim.Storyboard("sally-anne")
    rows = list(board.rows(3, with_events=True))
    row, chain = rows[0], rows[0]["chain"]
    broken = {key: value for key, value in row.items() if key != "choices"}
    story = board.story(1)
    calls = [
        lambda: board.story(5, seed=9).rows,
        lambda: (story.events, story.steps, story.cast, story.text, story.characters),
        lambda: story.held([*chain, row["about"]]),
        lambda: story.held(["nobody"]),
        lambda: next(board.rows(2, prompt="cot", shape="stories")),
        lambda: list(pickle.loads(pickle.dumps(board.rows(1)))),
        lambda: storysim.extract(row, f"Answer: {row['answer']}"),
        lambda: storysim.extract(broken, "Answer: here"),
        lambda: storysim.prompts.prompt(row),
        lambda: board.rows(-1),
        lambda: board.story(2**80),
        lambda: storysim.score(rows, [None] * len(rows)),
        lambda: storysim.Storyboard("no-such-board"),
        lambda: storysim.Storyboard("storysim: 1\nname: 3\n"),
        lambda: (repr(board), hash(story), story == board.story(1), board.arrow(3).__arrow_c_schema__()),
        lambda: json.dumps(storysim.extract(row, "x" * 1000).errors),
    ]
    for call in itertools.islice(itertools.cycle(calls), count):
        with contextlib.suppress(ValueError, LookupError, OSError):
            call()
    return count


def growth(through, count):
    """By how many bytes memory grows while the work is done, after a tenth of it."""
    through(count // 10)
    before = resident()
    through(count)
    return resident() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--calls", type=int, default=1_000_000)
    given = parser.parse_args()
    works = [(through_rows, given.rows), (through_batches, given.rows), (through_calls, given.calls)]
    for through, count in works:
        begun = time.perf_counter()
        grown = growth(through, count)
        taken = time.perf_counter() - begun
        print(f"{through.__name__:16} {count:12,}   {grown / 2**20:+8.1f} MB of {resident() / 2**20:.0f} MB   {taken:6.0f} s")


if __name__ == "__main__":
    main()
