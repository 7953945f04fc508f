"""Tasks for lm-evaluation-harness.

    storysim task lm-eval FOLDER BOARD... --count N [--seed S] [--twins]
    lm_eval --include_path FOLDER --tasks storysim --model hf --model_args pretrained=… --log_samples --output_path out

Every kind and order of question is a task in two forms: `…_choice` compares the likelihoods of the choices, `…_free` lets the
model write and finds its answer by the rules of `storysim score`. The logged samples can be scored: `responses()` reads them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from storysim._packages import needed_by
from storysim._reports import extract
from storysim._storysim import _lm_eval_tasks
from storysim.prompts import contrasts, pair_accuracy, prompt, rows_of, triplet_accuracy

__all__ = ["choice_results", "documents", "free_results", "lm_eval_task", "pair_accuracy", "responses", "triplet_accuracy"]


def document(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the harness keeps of a row; `row` is all of it, as text, since rows of several storyboards differ in form."""
    return {
        "id": row["id"],
        "choice_prompt": prompt(row, instruction="Answer:"),
        "free_prompt": row.get("prompt") or prompt(row),
        "choices": row["choices"],
        "label": row["label"],
        "answer": row["answer"],
        "row": json.dumps(row, ensure_ascii=False),
    }


def documents(path: Path) -> Any:
    """The documents of a file of rows, as the harness takes them. If there are pairs that count, each says to which it belongs, in
    `pair`; so with `triplet`.
    """
    with needed_by("lm_eval"):
        from datasets import Dataset, DatasetDict

    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = [document(row) for row in rows]
    of_rows = contrasts(rows)
    for kind in ("pair", "triplet"):
        names = [getattr(of_rows[row["id"]], kind) for row in rows]
        if any(names):
            found = [{**one, kind: name} for one, name in zip(found, names, strict=True)]
    return DatasetDict(test=Dataset.from_list(found))


def _results(doc: Mapping[str, Any], is_right: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"acc": float(is_right), "chance": 1 / len(doc["choices"])}
    # The harness wants every metric of every document of a task; those that count in no pair give none.
    return found | {f"{kind}_acc": (doc[kind], is_right) for kind in ("pair", "triplet") if kind in doc}


def choice_results(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, Any]:
    """The metrics of a document, given the likelihood of each choice."""
    return _results(doc, _likeliest(results) == doc["label"])


def free_results(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, Any]:
    """The metrics of a document, given what a model wrote."""
    said = results[0] if isinstance(results[0], str) else results[0][0]
    return _results(doc, extract(json.loads(doc["row"]), said).is_right)


def _likeliest(results: Sequence[Any]) -> int:
    likelihoods = [float(result[0]) for result in results]
    return likelihoods.index(max(likelihoods))


def responses(samples: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The response to every row, by its id, from the samples that the harness logs. Of likelihoods it is the likeliest choice."""
    found = {}
    for sample in samples:
        doc, said = sample["doc"], sample["resps"]
        if isinstance(said[0][0], str):
            found[doc["id"]] = said[0][0]
        else:
            found[doc["id"]] = doc["choices"][_likeliest([one[0] for one in said])]
    return found


def lm_eval_task(
    folder: str | Path,
    source: Any,
    count: int | None = None,
    *,
    name: str = "storysim",
    **options: Any,
) -> list[str]:
    """Write tasks for lm-evaluation-harness into a folder, as `storysim task lm-eval` does. Returns their names.

    `source` is a storyboard or several, of which `count` stories are made with the given seed and twins, or rows. The group
    `NAME` has all tasks, and the groups `NAME_choice` and `NAME_free` have means over those of one form. Rows that were made with a
    prompt (`prompt="shots:3"`) keep it where the model writes.
    """
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows_of(source, count, **options)]
    if not lines:
        raise ValueError("there are no rows to make tasks of")
    tasks, files = _lm_eval_tasks(name, lines)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in files:
        (folder / file).write_text(text, encoding="utf-8", newline="\n")
    return tasks
