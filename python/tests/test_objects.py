"""Objects can be pickled, sent to workers, and used after a fork."""

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest

import storysim


def test_pickles(tiny):
    story = tiny.story(4, seed=2, twins="pairs")
    for thing in [tiny, story, story.twin(), storysim.Storyboard("first-order-mislead", set={"mislead_distance": 9})]:
        again = pickle.loads(pickle.dumps(thing))
        assert again == thing and hash(again) == hash(thing) and type(again) is type(thing)
    report = storysim.score(list(tiny.rows(2)), [None] * len(list(tiny.rows(2))))
    assert pickle.loads(pickle.dumps(report)).data == report.data


@pytest.mark.parametrize("options", [{"twins": True, "with_events": True}, {"prompt": "shots:1", "shape": "stories"}])
def test_a_pickled_iterator_goes_on_where_it_was(tiny, options):
    rows = tiny.rows(50, seed=3, **options)
    for _ in range(17):
        next(rows)
    again = copy.copy(rows)
    assert list(pickle.loads(pickle.dumps(rows))) == list(again) == list(rows)


def test_a_balanced_storyboard_is_pickled_with_what_was_found():
    board = storysim.Storyboard("second-order-calibrated")
    again = pickle.loads(pickle.dumps(board))
    assert again.story(5).rows == board.story(5).rows


def rows_of(arguments):
    board, start = arguments
    return [row["id"] for row in board.rows(5, start=start)]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers(tiny, method):
    with multiprocessing.get_context(method).Pool(2) as pool:
        made = pool.map(rows_of, [(tiny, start) for start in range(0, 20, 5)])
    assert [row for part in made for row in part] == [row["id"] for row in tiny.rows(20)]


def test_what_was_begun_goes_on_after_a_fork():
    script = """
import os, sys, storysim
board = storysim.Storyboard("first-order-calibrated")
rows = board.rows(100, seed=1)
next(rows)
child = os.fork()
ids = [row["id"] for row in rows]
audit = storysim.audit(board.rows(30))
twins = [row["id"] for row in board.rows(2, twins=True)]
if child == 0:
    os._exit(0 if ids and audit["rows"] and twins else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    assert subprocess.run([sys.executable, "-c", script], timeout=120).returncode == 0


def test_an_iterator_for_several_threads(tiny):
    rows = tiny.rows(400)
    found = []

    def take():
        for row in rows:
            found.append(row["id"])

    threads = [threading.Thread(target=take) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(found) == sorted(row["id"] for row in tiny.rows(400))


def test_an_iterator_that_another_thread_reads_while_the_process_forks():
    script = """
import os, threading, storysim
rows = storysim.Storyboard("dynamic-minds").rows(10**6)
threading.Thread(target=lambda: [None for _ in rows], daemon=True).start()
stuck = 0
for _ in range(20):
    child = os.fork()
    if child == 0:
        try:
            next(rows)
        except RuntimeError as error:
            os._exit(1 if "make a new one in each process" in str(error) else 2)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 1), code
    stuck += code
assert stuck, "no fork while a row was made"
os._exit(0)
"""
    assert subprocess.run([sys.executable, "-c", script], timeout=120).returncode == 0


def test_an_iterator_that_is_looked_at_while_it_makes_a_row(tiny):
    script = """
import gc, storysim
said = []
class Curious:
    def __init__(self):
        self.itself = self
    def __del__(self):
        try:
            repr(rows)
        except ValueError as error:
            said.append(str(error))
rows = storysim.Storyboard("first-order-mislead").rows(3000)
gc.set_threshold(1, 1, 1)
for row in rows:
    Curious()
assert "this iterator is already making a row" in said, said
"""
    assert subprocess.run([sys.executable, "-c", script], timeout=120).returncode == 0


# Far more than can be made before Ctrl-C comes. If it is not heard, the memory that they may take is soon gone.
ARROW = "import pyarrow; pyarrow.table(storysim.Storyboard('first-order-mislead').arrow(10**6, batch_bytes=1 << 29))"
INTERRUPTED = {
    "a list of rows": ("list(storysim.Storyboard('first-order-mislead').rows(10**6))", b"KeyboardInterrupt"),
    # Whoever reads the stream is not Python, and only learns that it failed.
    "arrow": (ARROW, b"stopped by Ctrl-C"),
    "arrow, with all failures caught": (f"try:\n    {ARROW}\nexcept Exception:\n    pass\nlen('')\nprint('on')", b"KeyboardInterrupt"),
    "balancing": ("storysim.Storyboard(open('board.yaml').read())", b"KeyboardInterrupt"),
}


@pytest.mark.parametrize("what", INTERRUPTED)
def test_ctrl_c(what, tmp_path):
    # With another number of steps, what balancing finds is not known yet.
    text = storysim.Storyboard("second-order-calibrated").text
    assert "[100, 130]" in text
    (tmp_path / "board.yaml").write_text(text.replace("[100, 130]", "[101, 131]"))
    work, wanted = INTERRUPTED[what]
    # What pyarrow imports when it first makes a table may take seconds on a cold machine, and is not what is to be stopped.
    script = f"""
import pyarrow, resource, storysim
pyarrow.table(storysim.Storyboard("first-order-mislead").arrow(1))
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
print("begun", flush=True)
{work}
"""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"begun\n"
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
            begun = time.monotonic()
            went_on, said = process.communicate(timeout=60)
            assert wanted in said and not went_on, said.decode()
            assert time.monotonic() - begun < 10
            assert process.returncode in (1, 130, -signal.SIGINT)
        finally:
            process.kill()


def test_memory_does_not_grow(tiny):
    import resource

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    board = storysim.Storyboard("first-order-mislead")
    for _ in board.rows(2_000):
        pass
    before = peak()
    for _ in board.rows(30_000):
        pass
    assert peak() - before < 20_000, "kB"


def test_woven_boards(tmp_path):
    walks = "storysim: 1\nname: walks\ncharacters: {pool: people, count: 3}\nroles: [A, B]\nstart: p\n"
    (tmp_path / "walks.yaml").write_text(
        walks + "places: {complete: [p, q, r]}\nhorizon: 9\nquestions: [{belief: [A, B]}]\n"
    )
    two = tmp_path / "two.yaml"
    two.write_text("storysim: 1\nname: two\nweave: [second-order-mislead, walks.yaml]\n")
    board = storysim.Storyboard(two)
    rows = list(board.rows(2, with_events=True))
    assert {row["board"] for row in rows} == {"two"} and len(rows[0]["events"]) == 109
    assert set(rows[0]["cast"]) >= {"S1", "S2", "T", "A", "B"}
    assert [row["choices"] for row in rows if row["chain"] == [rows[0]["cast"]["A"]]][0] != rows[0]["choices"]
    assert list(pickle.loads(pickle.dumps(board)).rows(2)) == list(board.rows(2))
    two.write_text("storysim: 1\nname: two\nweave: [sally-anne, walks.yaml]\n")
    assert {"S1", "S2", "A", "B"} <= set(next(storysim.Storyboard(two).rows(1))["cast"])
    two.write_text("storysim: 1\nname: two\nweave: [white-lies-calibrated, walks.yaml]\n")
    with pytest.raises(storysim.StoryboardError, match="cannot be woven"):
        storysim.Storyboard(two)


def test_settings_and_wordings_are_part_of_the_text(tmp_path):
    plain = storysim.Storyboard("second-order-mislead")
    ship = storysim.Storyboard("second-order-mislead", setting="ship", wording="varied")
    assert ship.name == "second-order-mislead-ship" and "start: the_main_deck" in ship.text
    row, other = next(ship.rows(1)), next(plain.rows(1))
    assert row["wording"] == "varied" and "wording" not in other
    assert row["id"] == "second-order-mislead-ship/0/0/0" and "the main deck" in row["context"]
    assert list(pickle.loads(pickle.dumps(ship)).rows(3)) == list(ship.rows(3))
    again = storysim.Storyboard(ship.text, wording="plain")
    assert list(storysim.Storyboard("second-order-mislead-ship").rows(3)) == [
        {name: value for name, value in row.items() if name != "wording"} for row in again.rows(3)
    ]
    mine = tmp_path / "mine.yaml"
    mine.write_text("storysim_pack: 1\nkind: setting\nname: mine\nplaces: {complete: [a, b, c, d]}\nstart: a\n")
    assert storysim.Storyboard("first-order-mislead", setting=mine).name == "first-order-mislead-mine"


def test_stories_are_as_long_as_wanted():
    long = storysim.Storyboard("first-order-mislead", words=5_000, at_depth=0.25)
    short = storysim.Storyboard("first-order-mislead")
    for row, other in zip(long.rows(20), short.rows(20), strict=True):
        assert abs(row["words"] - 5_000) <= 50 and len(row["story"].split()) == row["words"]
        assert row["params"]["words"] == 5_000 and row["params"]["depth"] == 25
        first = row["own_steps"][0]
        assert row["answer"] == other["answer"] and row["evidence"] == [first + step for step in other["evidence"]]
        assert other["story"] in row["story"] and "words" not in other
    depths = [row["depth"] for row in long.rows(20) if row["kind"] == "belief"]
    assert all(abs(depth - 25) <= 1 for depth in depths)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at_depth": 0.5}, "`at_depth` says nothing without `words`"),
        ({"words": 100, "at_depth": 1.5}, "`at_depth` is 0 to 1, in whole percent, not 1.5"),
        ({"words": 100, "at_depth": 0.123}, "`at_depth` is 0 to 1, in whole percent, not 0.123"),
        ({"words": 100, "at_depth": float("nan")}, "`at_depth` is 0 to 1"),
        ({"words": 0}, "a story has 1 to 10000000 words"),
        ({"words": -1}, "can't convert negative int|out of range|negative"),
    ],
)
def test_lengths_that_cannot_be(options, message):
    with pytest.raises((ValueError, OverflowError, storysim.StoryboardError), match=message):
        storysim.Storyboard("first-order-mislead", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"setting": "dinner"}, "`dinner` is a pack of the kind `white-lie`, not `setting`"),
        ({"wording": "ship"}, "`ship` is a pack of the kind `setting`, not `wording`"),
        ({"setting": "shp"}, "did you mean `ship`"),
        ({"setting": 3}, "the name of a pack or the path to one"),
    ],
)
def test_packs_that_do_not_fit(options, message):
    with pytest.raises((ValueError, TypeError, storysim.StoryboardError), match=message):
        storysim.Storyboard("first-order-mislead", **options)


def test_a_storyboard_with_places_of_its_own_fits_no_setting():
    with pytest.raises(storysim.StoryboardError, match="names a place of its own"):
        storysim.Storyboard("sally-anne", setting="ship")
