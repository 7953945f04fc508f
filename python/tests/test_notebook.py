"""The notebook runs from its first cell to its last, and shows what it promises."""

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
pytest.importorskip("datasets")

NOTEBOOK = Path(__file__).parents[1] / "examples" / "tour.ipynb"


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """The cells, after they were run one after another by a kernel of this Python."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert len(notebook.cells) == 10
    assert not any(cell.get("outputs") for cell in notebook.cells), "it is kept without outputs"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("cache")))
        folder = tmp_path_factory.mktemp("notebook")
        nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook.cells


def shown(cell, kind="text/plain"):
    """What a cell shows last."""
    return cell.outputs[-1].data[kind]


def test_no_cell_complains(cells):
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    # What other libraries say of progress is no complaint of ours.
    assert not [output for output in outputs if "StoryboardWarning" in output.get("text", "")]


def test_a_story_shows_itself(cells):
    assert "mistaken" in shown(cells[1], "text/html")
    assert "<iframe" in shown(cells[2], "text/html")
    steps = cells[3].outputs[-1].text.splitlines()
    assert len(steps) == 15 and steps[0].split() == ["0", *["the", "kitchen"] * 3]


def test_rows_and_dataset(cells):
    count, prompt = cells[4].outputs[-1].text.split(" rows\n", 1)
    assert int(count) > 1000 and 'Reply with one line that reads "Answer: "' in prompt
    assert f"num_rows: {count}" in shown(cells[5]) and "'prompt'" in shown(cells[5])
    assert "named" in shown(cells[6])


def test_scores(cells):
    scores = eval(shown(cells[7]))
    assert scores["no_minds"] < scores["some_minds"] < 1


def test_reports_are_tables_and_plots(cells):
    for cell in cells[8:]:
        page = shown(cell, "text/html")
        assert page.startswith("<iframe") and "&lt;svg" in page and "&lt;table" in page
