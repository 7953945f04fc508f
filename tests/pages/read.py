"""Opens the pages of `audit` and `score`, those of experiments too, in a browser, and holds what it makes of them against the
JSON of the same run.

    read.py BROWSER STORYSIM

Tables are read cell by cell. Of plots the words are read, and where their bars, intervals and dashed lines end.
"""

import json
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

from png import pixels

RULE, LEARNED, INK = "#1F6FB4", "#B5560B", "#1B1F24"
DRAWN_MAX = 20


class Element:
    def __init__(self, tag, attributes=()):
        self.tag, self.attributes, self.children, self.text = tag, dict(attributes), [], ""

    def all(self, *tags):
        for child in self.children:
            if child.tag in tags:
                yield child
            yield from child.all(*tags)

    def words(self):
        return " ".join((self.text + "".join(" " + child.words() for child in self.children)).split())


class Reader(HTMLParser):
    """What a browser writes of its tree is well-formed, but for elements that have no end."""

    EMPTY = {"meta", "link", "br", "img", "input", "hr"}

    def __init__(self):
        super().__init__()
        self.root = Element("")
        self.path = [self.root]

    def handle_starttag(self, tag, attributes):
        element = Element(tag, attributes)
        self.path[-1].children.append(element)
        if tag not in self.EMPTY:
            self.path.append(element)

    def handle_endtag(self, tag):
        assert self.path[-1].tag == tag, f"</{tag}> in {self.path[-1].tag}"
        self.path.pop()

    def handle_data(self, data):
        self.path[-1].text += data


class Plot:
    """What is drawn in a figure."""

    def __init__(self, figure):
        (svg,) = [child for child in figure.children if child.tag == "svg"]
        self.caption = next(figure.all("figcaption")).words()
        self.legend = [item.words() for item in figure.all("li")]
        self.words = [text.words() for text in svg.all("text")]
        self.colours = [
            rect.attributes["fill"]
            for rect in svg.all("rect")
            if rect.attributes["fill"] in (RULE, LEARNED) and rect.attributes["stroke"] == "none"
        ]
        self.rects = [
            tuple(float(rect.attributes[name]) for name in ("x", "y", "width", "height"))
            for rect in svg.all("rect")
            if rect.attributes["fill"] in (RULE, LEARNED) and rect.attributes["stroke"] == "none"
        ]
        self.strokes = []
        self.marks = sum(1 for _ in svg.all("circle"))
        self.circles = [(float(circle.attributes["cx"]), float(circle.attributes["cy"])) for circle in svg.all("circle")]
        self.levels = {text.words(): float(text.attributes["y"]) for text in svg.all("text")}
        for line in svg.all("polyline", "line"):
            if line.attributes.get("stroke") == INK:
                points = [tuple(map(float, point.split(","))) for point in line.attributes["points"].split()]
                self.strokes.append((points[0], points[-1]))


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def same(shown, share, digits=1):
    """A number as it is shown is the one of the report, rounded."""
    shown = float(shown.strip().rstrip("%"))
    assert abs(shown - share) <= 0.5 * 10**-digits + 1e-6, (shown, share)


def table(figure):
    titles = [cell.words() for cell in figure.all("th")]
    rows = [[cell.words() for cell in row.all("td")] for row in next(figure.all("tbody")).all("tr")]
    return titles, rows


def interval(shown, low, high):
    for number, bound in zip(re.findall(r"[\d.]+", shown), [low, high], strict=True):
        same(number, 100 * bound)


def sections(page):
    """The figures below each heading."""
    found, heading = {}, None
    for element in next(page.all("body")).children:
        if element.tag == "h2":
            heading = element.words()
            assert heading not in found, heading
            found[heading] = []
        elif element.tag == "figure":
            found[heading].append(element)
    return found


def bars(plot, shares):
    """Bars begin at one line, and are as long as their share. Where a share is on the axis."""
    assert len(plot.rects) == len(shares), (len(plot.rects), len(shares), plot.caption)
    left = min(x for x, *_ in plot.rects)
    width = max(w for *_, w, _ in plot.rects) / max(shares)
    for (x, _, length, _), share in zip(plot.rects, shares):
        assert abs(x - left) <= 1 and abs(length - width * share) <= 2, (x, length, share, plot.caption)
    return lambda share: left + width * share


def columns(plot, shares):
    assert len(plot.rects) == len(shares), (len(plot.rects), len(shares), plot.caption)
    scale = max(h for *_, h in plot.rects) / max(shares)
    for (_, _, _, height), share in zip(plot.rects, shares):
        assert abs(height - scale * share) <= 2, (height, share, plot.caption)
    for share in shares:
        assert f"{share * 100:.1f}%" in plot.words, (share, plot.words)


def name_of(group):
    order = f" of order {group['order']}" if group["order"] else ""
    return f"{group['board']} question {group['question']}, {group['kind']}{order}"


def solved(figures, joint):
    """What the choices of all questions of a story give away: a line for all of them, and one for every group."""
    (found,) = figures
    titles, rows = table(found)
    assert titles == ["questions", "rows", "chance", "left", "decided", "of these", "right", "95 % interval", "over"], titles
    for line, finding in zip(rows, [joint["all"], *joint["groups"]], strict=True):
        assert line[0] == ("all" if finding is joint["all"] else name_of(finding)), line
        assert line[1] == str(finding["rows"]), line
        for at, key in [(2, "chance"), (4, "decided"), (6, "accuracy"), (8, "over")]:
            same(line[at], 100 * finding[key])
        same(line[3], finding["left"], 2)
        assert (line[5] == "") == (finding["decided_right"] is None), line
        if line[5]:
            same(line[5], 100 * finding["decided_right"])
        interval(line[7], finding["low"], finding["high"])
    return sum(map(len, rows))


def audited(page, report):
    found = sections(page)
    names = [name_of(group) for group in report["groups"]]
    joint = ["All questions of a story"] if report["joint"] else []
    assert list(found) == ["All groups of questions", *joint, *names, "The shortcuts"], list(found)
    assert f"{report['rows']} rows." in next(page.all("body")).words()
    _, overview = table(found["All groups of questions"][0])
    cells = solved(found[joint[0]], report["joint"]) if joint else 0
    for name, group, line in zip(names, report["groups"], overview, strict=True):
        worst = group["shortcuts"][0]
        assert line[0] == name and line[1].startswith(worst["key"]) and line[2] == str(group["rows"]), line
        tree = next(finding for finding in group["shortcuts"] if finding["key"] == "tree")
        for shown, share in zip([line[3], line[4], line[6]], [group["chance"], worst["accuracy"], tree["accuracy"]]):
            same(shown, 100 * share)
        cells += one_group(found[name], group)
    _, about = table(found["The shortcuts"][0])
    keys = {finding["key"] for group in report["groups"] for finding in group["shortcuts"]}
    assert [line[0] for line in about] == sorted(keys)
    return cells


def learned_by_sight(plot, beside, sights):
    """What boosted trees learn: bars with intervals, and the figures beside them."""
    x = bars(plot, [seen["accuracy"] for seen in sights])
    assert plot.colours == [RULE if seen["follows_minds"] else LEARNED for seen in sights]
    across = [(a, b) for a, b in plot.strokes if a[1] == b[1]]
    for (a, b), seen in zip(across, sights, strict=True):
        assert abs(a[0] - x(seen["low"])) <= 2 and abs(b[0] - x(seen["high"])) <= 2, (a, b, seen)
    titles, rows = beside
    assert titles == ["sight", "what is seen", "asks most for", "right", "over", "95 % interval"], titles
    for line, seen in zip(rows, sights, strict=True):
        assert line[:2] == [seen["key"], seen["about"]], line
        same(line[3], 100 * seen["accuracy"])
        same(line[4], 100 * seen["over"])


def one_group(figures, group):
    plots = [Plot(figure) for figure in figures if not any(figure.all("table"))]
    (titles, rows), *tables = [table(figure) for figure in figures if any(figure.all("table"))]
    assert titles == ["shortcut", "which", "rows", "right", "95 % interval", "over", "says"], titles
    for line, finding in zip(rows, group["shortcuts"], strict=True):
        assert line[0] == finding["key"] + "*" * finding["is_learned"], line
        assert line[1] == " ".join((finding["which"] or "").split()) and line[2] == str(finding["rows"]), line
        same(line[3], 100 * finding["accuracy"])
        interval(line[4], finding["low"], finding["high"])
        same(line[5], 100 * finding["over"])
        same(line[6], 100 * finding["answered"] / finding["rows"])

    sights = group["learning"]["sights"]
    if sights:
        learned_by_sight(plots.pop(1), tables[0], sights)
    accuracies, answers, positions, *others = plots
    drawn = [f for at, f in enumerate(group["shortcuts"]) if at < DRAWN_MAX or f["key"] == "tree"]
    x = bars(accuracies, [finding["accuracy"] for finding in drawn])
    assert accuracies.colours == [LEARNED if finding["is_learned"] else RULE for finding in drawn]
    across = [(a, b) for a, b in accuracies.strokes if a[1] == b[1]]
    assert len(across) == len(drawn), (len(across), len(drawn))
    for (a, b), finding in zip(across, drawn):
        assert abs(a[0] - x(finding["low"])) <= 2 and abs(b[0] - x(finding["high"])) <= 2, (a, b, finding)
    upright = [a[0] for a, b in accuracies.strokes if a[0] == b[0]]
    dashes = [at for at in upright if abs(at - x(group["chance"])) <= 1]
    assert len(dashes) > len(drawn), "the line of chance"
    for finding in drawn:
        assert f"{finding['accuracy'] * 100:.1f}%" in accuracies.words
        assert any(word.startswith(finding["key"]) for word in accuracies.words), finding["key"]
    assert len(accuracies.legend) == 2

    labels = group["labels"]
    all_rows = sum(labels["positions"])
    shares = [count / all_rows for _, count in labels["answers"]]
    bars(answers, shares[:DRAWN_MAX])
    assert f"{labels['answer_bits']:.2f} bits, of at most {labels['answer_bits_most']:.2f}" in answers.caption
    columns(positions, [count / all_rows for count in labels["positions"]])
    assert f"{labels['position_bits']:.2f} bits, of at most {labels['position_bits_most']:.2f}" in positions.caption
    if group["evidence"]:
        evidence, *others = others
        columns(evidence, group["evidence"])
        assert evidence.words.count("20–30%") == 1
    if group["graph"]:
        graph = group["graph"]
        places, ways, *others = others
        bars(places, [share for _, share in graph["places"]][:DRAWN_MAX])
        bars(ways, [share for *_, share in graph["ways"]][:DRAWN_MAX])
        assert f"{graph['moves']} moves in {graph['stories']} stories, to {graph['place_count']} places" in places.caption
        bits = f"{graph['way_count']} ways, {graph['way_bits']:.2f} bits, of at most {graph['way_bits_most']:.2f}"
        assert bits in ways.caption
        assert "{} → {}".format(*graph["ways"][0][:2]) in ways.words
    assert not others
    return sum(len(line) for line in rows)


def scored(page, report):
    found = sections(page)
    _, rows = table(found["Accuracy"][0])
    cells = 0
    for line, model in zip(rows, report["models"], strict=True):
        overall = model["overall"]
        assert line[:3] == [model["model"], str(overall["of"]), str(overall["right"])], line
        same(line[3], 100 * overall["accuracy"])
        interval(line[4], overall["low"], overall["high"])
        same(line[5], 100 * overall["chance"])
        assert line[6] == str(model["without_response"])
        cells += len(line)
    for pair, line in zip(report["pairs"], table(found["Differences on the same rows"][0])[1], strict=True):
        wanted = [pair[name] for name in ("first", "second", "of", "both", "only_first", "only_second", "neither")]
        assert line[:7] == [str(value) for value in wanted], line
        same(line[7], 100 * pair["difference"])
        cells += len(line)
    bar_of_errors, errors = found["Errors"]
    kinds = [(model["model"], of) for model in report["models"] for of in model["errors_by_question"]]
    for line, (model, of) in zip(table(errors)[1], kinds, strict=True):
        assert line[:2] == [f"{model}: {of['kind']}, order {of['order']}", str(of["of"])], line
        counts = sorted(cell for cell in line[2:] if cell)
        assert counts == sorted(f"{error['count']} ({error['equals']})" for error in of["classes"]), line
        cells += len(line)
    words = Plot(bar_of_errors).words
    for model, of in kinds:
        assert f"{model}: {of['kind']}, order {of['order']}"[:33] in " ".join(words), words
        for share in [error["count"] / of["of"] for error in of["classes"]]:
            assert share < 0.06 or f"{share * 100:.0f}%" in words, (share, words)
    for by in ["role", "class", "lie", "level", "format", "kind"]:
        lines = [[spoken(group) for group in model["groups"].get(by, [])] for model in report["models"]]
        figures = found.get(f"By {by}", [])
        # Numbers are also plotted.
        assert len(figures) == (0 if len(lines[0]) < 2 else 2 if by == "level" else 1), (by, len(figures))
        cells += sum(beside(figure, lines) for figure in figures[-1:])
    first = report["models"][0]
    for order, groups in first["mislead_distance_by_order"].items():
        lines, numbers = found[f"Mislead distance, order {order}"]
        titles, rows = table(numbers)
        assert Plot(lines).marks == len(rows) and titles[1:] == [model["model"] for model in report["models"]]
        assert [line[0] for line in rows] == [str(group["value"]) for group in groups], rows
        for line, group in zip(rows, groups):
            same(line[1].split("%")[0], 100 * group["accuracy"])
            cells += len(line)
    return cells


def spoken(group):
    """A group whose value stands in tables as people say it."""
    words = {True: "yes", False: "no"}
    return {**group, "value": words[group["value"]]} if isinstance(group["value"], bool) else group


def first_line(plot, groups):
    """The first line of a plot, whose marks are circles: where each is, against what stands on the axis of shares."""
    floor, ceiling = plot.levels["0%"], plot.levels["100%"]
    assert len(plot.circles) == len(groups), (len(plot.circles), len(groups), plot.caption)
    values = [group["value"] for group in groups]
    left, right = plot.circles[0][0], plot.circles[-1][0]
    for (x, y), group in zip(plot.circles, groups):
        at = (group["value"] - values[0]) / (values[-1] - values[0])
        assert abs(x - (left + at * (right - left))) <= 1.5, (x, group)
        assert abs((floor - y) / (floor - ceiling) - group["accuracy"]) <= 0.01, (y, floor, ceiling, group)


def beside(figure, lines):
    """The table beside a plot: the values of several lines, which may have other values than each other."""
    _, rows = table(figure)
    wanted = {}
    for at, groups in enumerate(lines):
        for group in groups:
            wanted.setdefault(str(group["value"]), {})[at] = group
    assert [row[0] for row in rows] == list(dict.fromkeys(row[0] for row in rows)) and len(rows) == len(wanted)
    for row in rows:
        for at, cell in enumerate(row[1:]):
            group = wanted[row[0]].get(at)
            assert bool(cell) == bool(group), (row, group)
            if group:
                accuracy, low, high, of = re.findall(r"[\d.]+", cell)
                for shown, share in zip([accuracy, low, high], [group["accuracy"], group["low"], group["high"]]):
                    same(shown, 100 * share)
                assert int(of) == group["of"], (cell, group)
    return sum(len(row) for row in rows)


def studied(page, report):
    """The section of an experiment: every figure, of every model."""
    found = sections(page)
    study = report["study"]
    assert f"The experiment {study['experiment']}" in found
    assert study["about"] in next(page.all("body")).words()
    cells = 0
    for figure in study["figures"]:
        parts = found[figure["title"]]
        if "each" in figure:
            cells += mapped(figure, parts)
            continue
        plots = [Plot(part) for part in parts if not any(part.all("table"))]
        tables = [part for part in parts if any(part.all("table"))]
        if figure["lines"]:
            drawn = [[line["groups"] for line in model["lines"]] for model in figure["models"]]
            names = [[f"{figure['lines']} {line['value']}" for line in model["lines"]] for model in figure["models"]]
        else:
            drawn = [[model["lines"][0]["groups"] for model in figure["models"]]]
            names = [[model["model"] for model in figure["models"]]]
        assert len(plots) == len(drawn), (len(plots), len(drawn))
        for plot, numbers, lines, legend in zip(plots, tables, drawn, names):
            assert plot.legend == legend, (plot.legend, legend)
            if isinstance(lines[0][0]["value"], int):
                first_line(plot, lines[0])
                shown = [word for word in plot.words if word.isdecimal()]
                assert shown == list(dict.fromkeys(shown)), shown
            else:
                shares = [group["accuracy"] for groups in lines for group in groups]
                bars(plot, shares)
                assert all(f"{share * 100:.1f}%" in plot.words for share in shares), plot.words
            cells += beside(numbers, lines)
        differences = [
            [model["model"], *(str(pair[name]) for name in ("first", "second")), pair]
            for model in figure["models"]
            for pair in model.get("within_stories", []) + model.get("between_stories", [])
        ]
        rest = tables[len(plots) :]
        assert len(rest) == bool(differences)
        for line, (*names_of, pair) in zip(table(rest[0])[1] if rest else [], differences, strict=True):
            assert line[:3] == names_of, (line, pair)
            same(line[8] if "p" in pair else line[3], 100 * pair["difference"])
            cells += len(line)
    return cells


def mapped(figure, parts):
    """The heat maps of a figure, each with its table: the percentages of all cells, in the order of the map, and empty ones."""
    maps = [(model, one) for model in figure["models"] for one in model["maps"]]
    cells = [cell for _, one in maps for cell in one["cells"]]
    downs, alongs = (sorted({cell[name] for cell in cells}) for name in ("down", "along"))
    assert len(parts) == 2 * len(maps), (len(parts), len(maps))
    for at, (model, one) in enumerate(maps):
        plot, (titles, rows) = Plot(parts[2 * at]), table(parts[2 * at + 1])
        assert f"{model['model']}, {figure['each']} {one['value']}" in plot.words, plot.words
        known = {(cell["down"], cell["along"]): cell for cell in one["cells"]}
        wanted = [known.get((down, along)) for down in downs for along in alongs]
        shown = [word for word in plot.words if word == "-" or word.endswith("%")][: len(wanted)]
        for word, cell in zip(shown, wanted, strict=True):
            assert (word == "-") == (cell is None), (word, cell)
            if cell:
                same(word, 100 * cell["accuracy"], 0)
        assert titles == [figure["down"], *(f"{figure['along']} {along}" for along in alongs)], titles
        for row in rows:
            filled = [known.get((down, along)) for down in downs if str(down) == row[0] for along in alongs]
            for shown, cell in zip(row[1:], filled, strict=True):
                assert (shown == "") == (cell is None), (shown, cell)
                if cell:
                    same(shown.split("%")[0], 100 * cell["accuracy"])
                    assert shown.endswith(f" of {cell['of']}"), (shown, cell)
    return len(cells)


class Browser:
    def __init__(self, program, folder):
        self.folder = folder
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=900,1100"]
        self.command = [program, *flags, f"--user-data-dir={folder}/profile"]

    def open(self, page):
        reader = Reader()
        reader.feed(run(*self.command, "--dump-dom", page.as_uri()))
        assert reader.path == [reader.root], "the page is not whole"
        return reader.root

    def look(self, page, scheme):
        """What is behind everything, and how many colours there are."""
        picture = self.folder / f"{page.stem}-{scheme}.png"
        number = {"dark": 0, "light": 1}[scheme]
        run(*self.command, f"--blink-settings=preferredColorScheme={number}", f"--screenshot={picture}", page.as_uri())
        width, height, rows = pixels(picture.read_bytes())
        assert width == 900 and height > 800, (width, height)
        colours = {colour for row in rows for colour in row}
        return rows[2][2], colours


def main(browser, program):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        rows, answers = folder / "rows.jsonl", [folder / "last.jsonl", folder / "random.jsonl"]
        boards = ["first-order-mislead", "sally-anne"]
        run(program, "generate", *boards, "--count", "120", "--seed", "7", "--quiet", "--out", rows)
        for responder, out in zip(["last-place", "random"], answers):
            run(program, "respond", rows, "--as", responder, "--out", out)
        browser = Browser(browser, folder)
        lies, told = folder / "lies.jsonl", [folder / "lies-below.jsonl", folder / "lies-random.jsonl"]
        run(program, "generate", "white-lies", "--count", "30", "--quiet", "--out", lies)
        for responder, out in zip(["order-below", "random"], told):
            run(program, "respond", lies, "--as", responder, "--out", out)
        reads = [
            ("audit", "audit", [rows], audited),
            ("score", "score", [rows, *answers], scored),
            ("lies", "score", [lies, *told], scored),
        ]
        for experiment, count in [("mislead", "4"), ("order", "60"), ("setting", "60")]:
            study, models = folder / experiment, []
            run(program, "generate", "--experiment", experiment, "--count", count, "--quiet", "--out", study)
            for responder in ["random", "order-below"]:
                models.append(folder / f"{experiment}-{responder}.jsonl")
                run(program, "respond", study, "--as", responder, "--out", models[-1])
            reads.append((experiment, "score", [study, *models], studied))
        for name, command, arguments, read in reads:
            page = folder / f"{name}.html"
            report = json.loads(run(program, command, *arguments, "--format", "json", "--html", page))
            cells = read(browser.open(page), report)
            assert cells > 30, cells
            (light, of_light), (dark, of_dark) = browser.look(page, "light"), browser.look(page, "dark")
            assert min(light) > 200 and max(dark) < 60, (light, dark)
            assert len(of_light) > 20 and len(of_dark) > 20, (len(of_light), len(of_dark))
            print(f"{name:7} {cells:5} cells, and the plots beside them, as in the JSON; light and dark are drawn")


if __name__ == "__main__":
    main(*sys.argv[1:])
