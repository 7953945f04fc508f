"""Tasks for lm-evaluation-harness.

    python -m storysim.lm_eval FOLDER BOARD... --count N [--seed S] [--twins]
    lm_eval --include_path FOLDER --tasks storysim --model hf --model_args pretrained=… --log_samples --output_path out

Every kind and order of question is a task in two forms: `…_choice` compares the likelihoods of the choices, `…_free` lets the
model write and finds its answer by the rules of `storysim score`. The logged samples can be scored: `responses()` reads them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from storysim._reports import extract
from storysim.prompts import pair_accuracy, pair_of, prompt, rows_of

FUNCTIONS = '''"""What the tasks of this folder do. Written by `python -m storysim.lm_eval`."""

import pathlib

from storysim import lm_eval
from storysim.lm_eval import choice_results, free_results, pair_accuracy  # noqa: F401


def load(rows, **_):
    """The documents of a task."""
    return lm_eval.documents(pathlib.Path(__file__).parent / rows)
'''

TASK = """\
task: {task}
custom_dataset: !function functions.load
dataset_kwargs: {{rows: {rows}}}
test_split: test
output_type: {output}
doc_to_text: {text}
doc_to_target: {target}
{form}metric_list:
{metrics}metadata: {{version: 1.0, kind: {kind}, order: {order}}}
"""

METRIC = "  - {{metric: {name}, aggregation: {aggregation}, higher_is_better: {higher}}}\n"

FORMS = {
    "choice": {
        "output": "multiple_choice",
        "text": "choice_prompt",
        "target": "label",
        "form": "doc_to_choice: choices\nprocess_results: !function functions.choice_results\n",
    },
    "free": {
        "output": "generate_until",
        "text": "free_prompt",
        "target": "answer",
        "form": "process_results: !function functions.free_results\n"
        "generation_kwargs: {until: [], max_gen_toks: 1024, do_sample: false}\n",
    },
}


def document(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the harness keeps of a row; `row` is all of it, as text, since rows of several storyboards differ in form."""
    return {
        "id": row["id"],
        "choice_prompt": prompt(row, instruction="Answer:"),
        "free_prompt": prompt(row),
        "choices": row["choices"],
        "label": row["label"],
        "answer": row["answer"],
        "row": json.dumps(row, ensure_ascii=False),
    }


def documents(path: Path) -> Any:
    """The documents of a file of rows, as the harness takes them."""
    from datasets import Dataset, DatasetDict

    with open(path, encoding="utf-8") as file:
        return DatasetDict(test=Dataset.from_list([document(json.loads(line)) for line in file]))


def _results(doc: Mapping[str, Any], is_right: bool) -> dict[str, Any]:
    row = json.loads(doc["row"])
    found = {"acc": float(is_right), "chance": 1 / len(row["choices"])}
    if pair := pair_of(row):
        found["pair_acc"] = (pair, is_right)
    return found


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
    """Write tasks for lm-evaluation-harness into a folder, for `--include_path`. Returns their names.

    `source` is a storyboard or several, of which `count` stories are made with the given seed and twins, or rows. The group
    `NAME` has all tasks.
    """
    groups: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows_of(source, count, **options):
        groups.setdefault((row["kind"], row["order"]), []).append(row)
    if not groups:
        raise ValueError("there are no rows to make tasks of")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "functions.py").write_text(FUNCTIONS, encoding="utf-8")
    tasks: dict[str, list[str]] = {form: [] for form in FORMS}
    is_paired = False
    for (kind, order), rows in sorted(groups.items()):
        has_twins = all(pair_of(row) for row in rows)
        is_paired = is_paired or has_twins
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        file = f"{name}_{kind}_{order}.jsonl"
        (folder / file).write_text("".join(lines), encoding="utf-8")
        for form, parts in FORMS.items():
            task = f"{name}_{kind}_{order}_{form}"
            metrics = _metrics(has_twins)
            text = TASK.format(task=task, rows=file, kind=kind, order=order, metrics=metrics, **parts)
            (folder / f"{task}.yaml").write_text(text, encoding="utf-8")
            tasks[form].append(task)
    for form, names in tasks.items():
        _write_group(folder, f"{name}_{form}", names)
    _write_group(folder, name, [f"{name}_{form}" for form in tasks])
    return [task for names in tasks.values() for task in names]


def _metrics(has_twins: bool) -> str:
    metrics = METRIC.format(name="acc", aggregation="mean", higher="true")
    metrics += METRIC.format(name="chance", aggregation="mean", higher="false")
    if has_twins:
        metrics += METRIC.format(name="pair_acc", aggregation="!function functions.pair_accuracy", higher="true")
    return metrics


def _write_group(folder: Path, name: str, tasks: list[str]) -> None:
    listed = "".join(f"  - {task}\n" for task in tasks)
    metrics = "".join(f"  - {{metric: {metric}, weight_by_size: true}}\n" for metric in ("acc", "chance"))
    text = f"group: {name}\ntask:\n{listed}aggregate_metric_list:\n{metrics}metadata: {{version: 1.0}}\n"
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def main() -> None:
    """Write tasks, as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m storysim.lm_eval", description="Write tasks for lm-evaluation-harness.")
    parser.add_argument("folder", help="where to write them; give it to lm_eval as --include_path")
    parser.add_argument("boards", nargs="+", metavar="BOARD", help="storyboard files, or names of built-in storyboards")
    parser.add_argument("--count", type=int, required=True, help="how many stories to make of each storyboard")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--twins", nargs="?", const="pairs", choices=["pairs", "triplets"], help="add twins, for pair accuracy")
    parser.add_argument("--name", default="storysim", help="what the names of tasks begin with")
    given = parser.parse_args()
    options = {"seed": given.seed, "twins": given.twins}
    tasks = lm_eval_task(given.folder, given.boards, given.count, name=given.name, **options)
    print(f"{len(tasks)} tasks are written; run them with\n  lm_eval --include_path {given.folder} --tasks {given.name} --model …")


if __name__ == "__main__":
    main()
