"""Reports: text to print, data to compute with, and a page for notebooks and browsers."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from storysim import _storysim
from storysim._errors import LogError, RowError, StoryboardWarning
from storysim._given import RowsGiven, given_row, is_gap, numbered
from storysim._questions import questions


def _framed(page: str, height: int) -> str:
    """A page within another page, so that neither's styles touch the other."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:{height}px;border:0" loading="lazy"></iframe>'
    )


def _counted(number: int, what: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


class Report:
    """A report. Print it to read it; `data` has every figure; in a notebook it shows itself with plots."""

    def __init__(self, text: str, data: dict[str, Any], page: str = ""):
        self.text = text
        self.data = data
        self._page = page

    def __str__(self) -> str:
        return self.text

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def html(self) -> str:
        """The report as a page: the text of an HTML file that needs nothing else."""
        return self._page or f"<pre>{html.escape(self.text)}</pre>"

    def _repr_html_(self) -> str:
        return _framed(self._page, 640) if self._page else self.html()


class Check(Report):
    """What `storysim check` reports about a storyboard."""

    def __init__(self, text: str, data: dict[str, Any], warnings: list[Any]):
        super().__init__(text, data)
        self.warnings = warnings

    @property
    def log10_probability(self) -> float:
        """The decimal logarithm of the probability that free play meets all conditions and goals."""
        return self.data["log10_probability"]

    @property
    def probability(self) -> float:
        """The probability that free play meets all conditions and goals; 0.0 if it is too small for a float."""
        return 10.0**self.log10_probability

    @property
    def log2_stories(self) -> float | None:
        """The entropy of a story in bits: there are about as many different stories as 2 to the power of this.

        None where people do more than walk, where shares are balanced, or where numbers are drawn.
        """
        bits = self.data["entropy_bits"]
        return bits and bits["mean"]

    @property
    def acceptance(self) -> float:
        """The share of drawn stories that are kept; 1.0 if no story is ever drawn again."""
        redrawn = self.data["redrawn"]
        return redrawn["accepted"] if redrawn else 1.0

    @property
    def shares(self) -> list[dict[str, Any]]:
        """For every question, how often it has which answer."""
        return self.data["questions"]

    @property
    def shortcuts(self) -> dict[str, Any] | None:
        """What the storyboard gives away to readers who follow no mind, if that was measured."""
        return self.data.get("shortcuts")

    def __repr__(self) -> str:
        bits = self.log2_stories
        parts = [
            f"log10 P = {self.log10_probability:.2f}",
            "stories not counted" if bits is None else f"stories ≈ 2^{bits:.0f}",
            f"accepted {self.acceptance:.3g}",
        ]
        if self.shortcuts:
            best = self.shortcuts["shortcut"]
            parts.append(f"best shortcut {best['name']} {100 * (best['right'] - best['chance']):+.1f} points")
        warned = len(self.warnings)
        parts.append(f"{warned} warning{'' if warned == 1 else 's'}")
        return f"<storysim.Check {self.data['storyboard']}: {', '.join(parts)}>"


class Audit(Report):
    """How well rows can be answered without following a mind."""

    @property
    def groups(self) -> list[dict[str, Any]]:
        """The findings about each group of questions."""
        return self.data["groups"]

    def above(self, points: float = 0.02) -> list[dict[str, Any]]:
        """The shortcuts that are further above chance than this in questions about minds, the worst first."""
        found = [
            {"board": group["board"], "question": group["question"], "kind": group["kind"], **shortcut}
            for group in self.groups
            if group["asks_for_minds"]
            for shortcut in group["shortcuts"]
            if shortcut["over"] > points
        ]
        return sorted(found, key=lambda shortcut: -shortcut["over"])

    def __repr__(self) -> str:
        best = next(iter(self.above(-1.0)), None)
        told = f", best shortcut {best['key']} {100 * best['over']:+.1f} points" if best else ""
        rows, groups = _counted(self.data["rows"], "row"), _counted(len(self.groups), "group")
        return f"<storysim.Audit of {rows} in {groups}{told}>"


class Score(Report):
    """How well models have answered rows, and the errors they made."""

    @property
    def models(self) -> dict[str, dict[str, Any]]:
        """The results of each model, by its name."""
        return {model["model"]: model for model in self.data["models"]}

    @property
    def accuracy(self) -> float:
        """The share of right answers, if there is one model."""
        return self._only()["overall"]["accuracy"]

    @property
    def chance(self) -> float:
        """The accuracy of guessing."""
        return self._only()["overall"]["chance"]

    @property
    def pair_accuracy(self) -> float | None:
        """The share of pairs of twins in which both answers are right; None if the rows have no twins."""
        twins = self._only().get("twins")
        return twins and twins["accuracy"]

    def _only(self) -> dict[str, Any]:
        if len(self.data["models"]) > 1:
            raise ValueError(f"there are several models: see .models[name], with {', '.join(self.models)}")
        return self.data["models"][0]

    def __repr__(self) -> str:
        told = ", ".join(
            f"{name} {model['overall']['accuracy']:.1%} of {model['overall']['of']}"
            for name, model in self.models.items()
        )
        return f"<storysim.Score: {told}>"


@dataclass(frozen=True)
class Extraction:
    """The answer that a response gives.

    `given` is "named", "outside" (a stated answer that is no choice), "nothing", "refusal" or "cut_off"; `answer` is the
    name in the row's spelling, if there is one; `rule` says how it was found. `errors` are the shortcuts that a wrong answer
    agrees with, and is empty if the answer is right.
    """

    given: str
    answer: str | None
    rule: str | None
    errors: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether the answer is right."""
        return not self.errors

    def __bool__(self) -> bool:
        return self.is_right


def extract(row: Mapping[str, Any], text: str, *, finish_reason: str | None = None) -> Extraction:
    """Find the answer in a model's response to a row, by the rules of `storysim score`.

    `finish_reason` is that of the model's interface: with "length" the response was cut off, with "content_filter" refused.
    Raises `RowError` if nothing could be right: the row has no choices, or its answer is none of them.
    """
    return extracted(given_row(row), text, finish_reason=finish_reason)


def extracted(
    row: Mapping[str, Any], text: str, *, finish_reason: str | None = None, number: int | None = None
) -> Extraction:
    """What `extract` finds, of a plain row. `number` says in messages which row it is, if it is one of several."""
    if not isinstance(text, str):
        kind = type(text).__name__
        raise TypeError(f"text has to be a string, not {kind}: storysim.extract(row, \"Answer: hall\")")
    response: Any = text
    if finish_reason is not None:
        response = {"id": row.get("id", ""), "response": text, "finish_reason": finish_reason}
    with numbered(number):
        given, answer, rule, errors = _storysim._extract(row, response)
    return Extraction(given, answer, rule, tuple(errors))


def audit(
    rows: RowsGiven,
    *,
    learn_on: RowsGiven | None = None,
    sample: int = 20_000,
    title: str = "rows",
) -> Audit:
    """Measure how well rows can be answered without following a mind, as `storysim audit` does.

    `rows` is anything that `questions` takes. Rows of whole stories are read as if every question were a row.
    Learners learn from half of the stories and are tested on the others; with `learn_on`, they learn from those rows.
    """
    auditor = _storysim._Auditor(sample, learn_on is not None)
    for number, row in enumerate(questions(() if learn_on is None else learn_on)):
        auditor.add(number, row, False)
    count = -1
    for count, row in enumerate(questions(rows)):
        auditor.add(count, row, True)
    if count < 0:
        raise RowError("there are no rows to audit")
    return Audit(*auditor.finish(title))


def score(
    rows: RowsGiven,
    responses: Any,
    *,
    model: str = "model",
    title: str = "rows",
) -> Score:
    """Score a model's responses to rows, as `storysim score` does.

    `rows` is anything that `questions` takes; rows of whole stories are read as if every question were a row.

    `responses` is a list or a column with one response for each row, or a dict from row ids to responses, or a list of dicts as
    files of responses have them (such as the samples that evaluation harnesses log). A response is text; None, or a gap in a
    column, means that there is none. For several models, give a dict from their names to such lists or dicts.
    """
    models = {model: responses}
    is_said = (isinstance(said, str) or _is_missing(said) for said in responses.values()) if isinstance(responses, Mapping) else ()
    if not all(is_said):
        models = dict(responses)
    if not models:
        raise ValueError("there are no responses to score")
    replies = [_Replies(name, said) for name, said in models.items()]
    scorer = _storysim._Scorer(list(models))
    seen: dict[str, int] = {}
    count = 0
    for count, row in enumerate(questions(rows), 1):
        number = count - 1
        row_id = str(row.get("id", ""))
        scorer.add(number, row, [reply.to(number, row_id) for reply in replies])
        if seen.setdefault(row_id, number) != number:
            raise RowError(f"row {number} ({row_id}): row {seen[row_id]} has the same id")
    if not count:
        raise RowError("there are no rows to score")
    for reply in replies:
        reply.finish(count, seen)
    return Score(*scorer.finish(title))


def _is_missing(response: Any) -> bool:
    return response is None or is_gap(response)


class _Replies:
    """The responses of one model, by row."""

    def __init__(self, model: str, responses: Any):
        self.model = model
        self.by_id: dict[str, Any] | None = None
        self.in_order: Sequence[Any] = ()
        if isinstance(responses, Mapping):
            self.by_id = dict(responses)
            return
        is_table = getattr(responses, "ndim", 1) > 1
        if isinstance(responses, (str, bytes)) or not isinstance(responses, Iterable) or is_table:
            kind = type(responses).__name__
            rather = "a column of it" if is_table else 'storysim.score(rows, ["hall", …])'
            raise TypeError(f"{model}: responses are a list or a dict, not {kind}: {rather}")
        responses = responses.to_pylist() if hasattr(responses, "to_pylist") else list(responses)
        if any(isinstance(response, Mapping) for response in responses):
            by_id: dict[str, Any] = {}
            self.by_id = by_id
            for number, response in enumerate(responses):
                self._keep(by_id, number, response)
        else:
            self.in_order = responses

    def _keep(self, by_id: dict[str, Any], number: int, response: Any) -> None:
        if not isinstance(response, Mapping):
            raise TypeError(f"{self.model}: response {number} is {type(response).__name__}, and others are dicts")
        try:
            row_id = _storysim._response_id(response)
        except ValueError as error:
            raise ValueError(f"{self.model}: response {number} cannot be read: {error}") from None
        # A harness writes a sample for every filter of one response.
        before = by_id.setdefault(row_id, response)
        if before is not response and before.get("resps", before) != response.get("resps", response):
            raise ValueError(f"{self.model}: response {number} is a second one to {row_id}, and says something else")

    def to(self, number: int, row_id: str) -> Any:
        """The response to a row."""
        if self.by_id is not None:
            response = self.by_id.get(row_id)
        else:
            response = self.in_order[number] if number < len(self.in_order) else None
        return None if _is_missing(response) else response

    def finish(self, rows: int, seen: Mapping[str, int]) -> None:
        """Raise an exception if there are responses to other rows, or too few."""
        if self.by_id is None:
            if len(self.in_order) != rows:
                raise ValueError(
                    f"{self.model}: there are {len(self.in_order)} responses to {rows} rows; None stands for no response"
                )
            return
        strange = next((row_id for row_id in self.by_id if row_id not in seen), None)
        if strange is not None:
            raise ValueError(f"{self.model}: there is a response to {strange!r}, but no such row")


def replay(
    log: Any,
    *,
    departures: str | None = None,
    containers: str | None = None,
    lenient: bool = False,
) -> list[dict[str, Any]]:
    """Answer the questions about a story made elsewhere, as `storysim replay` does.

    `log` is a dict (or a list of them), the text of JSON lines, or the path of a file of them (`os.PathLike`). With
    `lenient`, what is impossible is left out with a warning instead of an error.
    """
    import warnings

    name = "log"
    if isinstance(log, os.PathLike):
        name = os.fspath(log)
        with open(log, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    elif isinstance(log, str):
        lines = log.splitlines()
    elif isinstance(log, Mapping):
        lines = [_line("the log", log)]
    elif isinstance(log, Iterable) and not isinstance(log, (bytes, bytearray, Set)):
        lines = [_line(f"log {number}", one) for number, one in enumerate(log)]
    else:
        raise TypeError(
            f"a log is a dict, a list of dicts, text or a path, not {type(log).__name__}: "
            "storysim.replay(json.load(file)) or storysim.replay(pathlib.Path(\"log.jsonl\"))"
        )
    answers: list[dict[str, Any]] = []
    drawn, problems, is_wrong = "", [], False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        rows, text, found, has_error = _storysim._replay(line, (name, number), departures, containers)
        answers += rows
        drawn += text
        problems += found
        is_wrong = is_wrong or has_error
    if is_wrong and not lenient:
        raise LogError(drawn, problems)
    if drawn:
        warnings.warn(drawn, StoryboardWarning, stacklevel=2)
    return answers


def _line(what: str, log: Any) -> str:
    """A log as a line of JSON."""
    import json

    if not isinstance(log, Mapping):
        raise TypeError(f"{what} is {type(log).__name__}, and has to be a dict: storysim.replay([{{\"id\": \"a\", …}}, …])")
    try:
        return json.dumps(log)
    except TypeError as error:
        raise TypeError(f"{what} cannot be written as JSON: {error}") from None
