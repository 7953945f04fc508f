"""Opens the page of `show --html` in a browser as a reader does: ticks, unfolds, saves; and has what was saved scored.

    tick.py BROWSER STORYSIM
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from devtools import Tab

# Conversations; two tellings of one story; people watching in secret, and lists of people; a storyboard with a value that is set.
BOARDS = [
    ("white-lies", []),
    ("white-lies-calibrated", []),
    ("world-model", []),
    ("gallery", []),
    ("first-order-mislead", ["--set", "mislead_distance=5"]),
]
COUNT, FROM, SEED = 4, 3, 7
QUESTIONS = "[...document.querySelectorAll('fieldset')]"


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def read(tab):
    """What the page has of every question: as a reader sees it, and as it is saved."""
    # What is out of sight is not laid out, and then has no text.
    tab.run("document.querySelectorAll('section').forEach((of) => (of.style.contentVisibility = 'visible'))")
    return tab.run(
        f"""{QUESTIONS}.map((of) => ({{
            id: of.querySelector("input").name,
            question: of.querySelector("legend").innerText.replace(/^\\d+\\. /, ""),
            choices: [...of.querySelectorAll("label")].map((label) => label.innerText),
            story: [...of.closest("section").querySelectorAll(".part")].map((part) => part.innerText),
            context: of.closest("section").querySelector(".context")?.innerText ?? "",
            is_folded: !of.querySelector("dl"),
            sees: of.innerText,
        }}))"""
    )


def as_rows(tab, rows):
    """The page says what the rows say, and no answer before it is unfolded."""
    found = read(tab)
    assert sorted(of["id"] for of in found) == sorted(rows), "every question of these stories, once"
    for of in found:
        row = rows[of["id"]]
        for name in ["question", "choices", "context"]:
            assert of[name] == row[name], (of[name], row[name])
        lines = row["story"].splitlines()
        assert of["story"] == lines if len(lines) > 1 else " ".join(of["story"]) == row["story"], of["story"]
        assert of["is_folded"] and "evidence" not in of["sees"], of["sees"]
    return [of["id"] for of in found]


def unfold(tab, at, row, ticked):
    """The answer, what settles it, and what is then marked in the story; from then on nothing can be ticked there."""
    question = f"{QUESTIONS}[{at}]"
    tab.click(f"{question}.querySelector('.fold')")
    words = tab.run(f"[...{question}.querySelectorAll('dd')].map((of) => of.innerText)")
    marked = tab.run(f"[...{question}.closest('section').querySelectorAll('.marked')].map((of) => of.innerText)")
    steps = f"[...{question}.closest('section').querySelectorAll('.marked')].map((of) => Number(of.dataset.mark))"
    assert words[0] == row["answer"], words
    assert sorted(set(tab.run(steps))) == sorted(row["evidence"]), (tab.run(steps), row["evidence"])
    assert words[-len(marked) :] == marked if marked else words[-1].startswith("none; "), (words, marked)
    is_locked = tab.run(f"[...{question}.querySelectorAll('input')].every((of) => of.disabled)")
    right, wrong = (
        tab.run(f"[...{question}.querySelectorAll('label.{name} span')].map((of) => of.innerText)")
        for name in ["right", "wrong"]
    )
    assert is_locked and right == [row["answer"]], (is_locked, right)
    assert wrong == ([ticked] if ticked not in (None, row["answer"]) else []), (ticked, wrong)
    tab.click(f"{question}.querySelector('.fold')")
    assert tab.run(f"{question}.closest('section').querySelectorAll('.marked').length") == 0
    return len(marked)


def tick(tab, ids, rows):
    """Ticks two of three questions, every second of them right. Returns what is ticked."""
    ticked = {}
    for at, of in enumerate(ids):
        if at % 3 < 2:
            row = rows[of]
            number = row["label"] if at % 2 else (row["label"] + 1) % len(row["choices"])
            tab.click(f"{QUESTIONS}[{at}].querySelectorAll('label')[{number}]")
            ticked[of] = row["choices"][number]
            assert tab.run("document.querySelector('output').value") == f"{len(ticked)} of {len(ids)} ticked"
    return ticked


def by_keyboard(tab, ids, rows):
    """Ticks the last choice of the first question, unfolds its answer, and saves, all with keys alone."""
    tab.run(f"document.activeElement.blur(); {QUESTIONS}[0].querySelector('input').focus()")
    choices = rows[ids[0]]["choices"]
    tab.press(" ", "Space", " ")
    for _ in choices[1:]:
        tab.press("ArrowDown")
    assert tab.run(f"{QUESTIONS}[0].querySelector('input:checked').value") == choices[-1]
    outline = tab.run("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none", "one sees where one is"
    tab.press("Tab")
    tab.press("Enter", text="\r")
    assert tab.run(f"!!{QUESTIONS}[0].querySelector('dl')")
    tab.run("document.querySelector('.bar input').focus()")
    tab.press("Enter", text="\r")
    return {ids[0]: choices[-1]}


def scored(program, rows_at, file, ticked, rows):
    """The saved file is what was ticked, and is scored as that."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines == [{"id": of, "response": f"Answer: {choice}"} for of, choice in ticked.items()], lines
    report = json.loads(run(program, "score", rows_at, file, "--format", "json"))
    (model,) = report["models"]
    right = sum(rows[of]["answer"] == choice for of, choice in ticked.items())
    assert (model["overall"]["right"], model["overall"]["of"]) == (right, len(ticked)), model["overall"]
    assert model["rules"] == {"cue": len(ticked)} and model["model"] == file.stem, model
    return right


def fits(tab, page):
    """On a narrow screen nothing stands out to the side, and the bar hides nothing at the end."""
    tab.open(page, width=360, height=640)
    assert tab.run("document.documentElement.scrollWidth") <= 360, tab.run("document.documentElement.scrollWidth")
    # What comes into sight is laid out only then, so the end of the page moves.
    end = "scrollTo(0, document.documentElement.scrollHeight)"
    tab.run(f"(async () => {{ for (let i = 0; i < 5; i++) {{ {end}; await new Promise(requestAnimationFrame); }} }})()")
    last = tab.run(f"{QUESTIONS}.at(-1).getBoundingClientRect().bottom")
    assert last <= tab.run("document.querySelector('.bar').getBoundingClientRect().top"), last


def is_alone(tab, page):
    """The page asked for nothing but itself, and had no error to tell of."""
    urls = [event["params"]["request"]["url"] for event in tab.events if event.get("method") == "Network.requestWillBeSent"]
    assert set(urls) <= {page.as_uri()} | {url for url in urls if url.startswith("blob:")}, urls
    told = [event for event in tab.events if event.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")]
    assert not told, told


def one_board(program, tab, folder, board, settings):
    common = ["--seed", str(SEED), *settings]
    page, rows_at = folder / f"{board}.html", folder / f"{board}.jsonl"
    run(program, "show", board, "--count", str(COUNT), "--index", str(FROM), *common, "--html", page)
    run(program, "generate", board, "--count", str(FROM + COUNT), *common, "--quiet", "--out", rows_at)
    rows = {row["id"]: row for row in map(json.loads, rows_at.read_text().splitlines()) if row["index"] >= FROM}
    tab.events.clear()
    tab.open(page)
    assert tab.run("document.querySelector('.bar button').disabled"), "there is nothing to save yet"
    ids = as_rows(tab, rows)
    ticked = tick(tab, ids, rows)
    tab.run(f"document.querySelector('.bar input').value = ' {board}: by/mouse '")
    tab.click("document.querySelector('.bar button')")
    file = tab.saved(folder)
    assert file.name == f"{board}-by-mouse.jsonl", file
    right = scored(program, rows_at, file, ticked, rows)
    marked = sum(unfold(tab, at, rows[of], ticked.get(of)) for at, of in enumerate(ids))
    assert marked > 0
    # What is ticked stays so once the answer is known, and when the page is loaded again.
    for is_loaded_again in [False, True]:
        if is_loaded_again:
            tab.open(page)
            assert tab.run("document.querySelector('.bar input').value") == "responses"
            assert tab.run(f"{QUESTIONS}.every((of) => of.querySelector('input').disabled && !of.querySelector('dl'))")
            assert tab.run("document.querySelectorAll('label.right').length") == len(ids)
        tab.click("document.querySelector('.bar button')")
        assert tab.saved(folder).read_text().splitlines() == file.read_text().splitlines()
    is_alone(tab, page)
    # Another person starts over.
    tab.run("window.confirm = () => true")
    tab.click("document.querySelector('.again')")
    tab.open(page)
    assert tab.run("document.querySelector('output').value") == f"0 of {len(ids)} ticked"
    assert not tab.run("document.querySelectorAll('input:checked, fieldset input:disabled, .right, .wrong').length")
    ticked = by_keyboard(tab, ids, rows)
    scored(program, rows_at, tab.saved(folder), ticked, rows)
    fits(tab, page)
    print(f"{board:20} {len(ids):3} questions, {marked:3} parts marked; {right} right as ticked and as scored")


def main(browser, program):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        with Tab(browser, folder) as tab:
            for board, settings in BOARDS:
                one_board(program, tab, folder, board, settings)


if __name__ == "__main__":
    main(*sys.argv[1:])
