"""Opens the pages of `audit` and `score` in a browser, and holds what it makes of them against the JSON of the same run.

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


def audited(page, report):
    found = sections(page)
    names = []
    for group in report["groups"]:
        order = f" of order {group['order']}" if group["order"] else ""
        names.append(f"{group['board']} question {group['question']}, {group['kind']}{order}")
    assert list(found) == ["All groups of questions", *names, "The shortcuts"], list(found)
    assert f"{report['rows']} rows." in next(page.all("body")).words()
    _, overview = table(found["All groups of questions"][0])
    cells = 0
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


def one_group(figures, group):
    plots = [Plot(figure) for figure in figures if not any(figure.all("table"))]
    (titles, rows), *_ = [table(figure) for figure in figures if any(figure.all("table"))]
    assert titles == ["shortcut", "which", "rows", "right", "95 % interval", "over", "says"], titles
    for line, finding in zip(rows, group["shortcuts"], strict=True):
        assert line[0] == finding["key"] + "*" * finding["is_learned"], line
        assert line[1] == " ".join((finding["which"] or "").split()) and line[2] == str(finding["rows"]), line
        same(line[3], 100 * finding["accuracy"])
        interval(line[4], finding["low"], finding["high"])
        same(line[5], 100 * finding["over"])
        same(line[6], 100 * finding["answered"] / finding["rows"])

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
        bits = f"{graph['way_count']} are used, {graph['way_bits']:.2f} bits, of at most {graph['way_bits_most']:.2f}"
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
    first = report["models"][0]
    for order, groups in first["mislead_distance_by_order"].items():
        lines, beside = found[f"Mislead distance, order {order}"]
        titles, rows = table(beside)
        assert Plot(lines).marks == len(rows) and titles[1:] == [model["model"] for model in report["models"]]
        assert [line[0] for line in rows] == [str(group["value"]) for group in groups], rows
        for line, group in zip(rows, groups):
            same(line[1].split("%")[0], 100 * group["accuracy"])
            cells += len(line)
    return cells


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
        commands = {"audit": [rows], "score": [rows, *answers]}
        for (command, arguments), read in zip(commands.items(), [audited, scored]):
            page = folder / f"{command}.html"
            report = json.loads(run(program, command, *arguments, "--format", "json", "--html", page))
            cells = read(browser.open(page), report)
            assert cells > 40, cells
            (light, of_light), (dark, of_dark) = browser.look(page, "light"), browser.look(page, "dark")
            assert min(light) > 200 and max(dark) < 60, (light, dark)
            assert len(of_light) > 20 and len(of_dark) > 20, (len(of_light), len(of_dark))
            print(f"{command:6} {cells:5} cells, and the plots beside them, as in the JSON; light and dark are drawn")


if __name__ == "__main__":
    main(*sys.argv[1:])
