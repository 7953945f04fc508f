"""One story, taken apart."""

import warnings

import pytest

import storysim


@pytest.fixture(scope="module")
def story():
    return storysim.Storyboard("sally-anne").story(0, seed=7)


def test_the_story_of_the_readme(story):
    assert story.id == "sally-anne/7/0" and story.index == 0 and story.seed == 7
    assert story.text.startswith("Celine moves the marble into the drawer. Oscar enters the garden.")
    assert story.context.startswith("Celine, Chika and Oscar start in the nursery.")
    assert story.cast == {"S1": "Celine", "S2": "Oscar"}
    assert sorted(story.characters) == ["Celine", "Chika", "Oscar"]
    assert len(story) == 8 and len(story.steps) == 8
    assert story.steps[6]["sentence"] == "Celine enters the garden"
    assert "Celine" not in story.steps[7]["witnesses"]
    assert story.rows[0]["answer"] == "drawer"
    assert story == story.board.story(0, seed=7) and story != story.board.story(1, seed=7)


def test_what_minds_hold(story):
    assert story.held(["marble"])[-1] == "basket"
    assert story.held(["S1", "marble"])[-1] == story.held(["Celine", "marble"])[-1] == "drawer"
    assert len(story.held(["S1", "S2", "marble"])) == 9
    walk = storysim.Storyboard("second-order-mislead")
    for index in range(5):
        told = walk.story(index)
        for row in told.rows:
            if row["kind"] == "belief":
                assert told.held([*row["chain"], row["about"]])[-1] == row["answer"], row["id"]


def test_names_that_are_not_in_the_story(story):
    with pytest.raises(LookupError, match="nobody and nothing in this story is called .Zoe.: there are S1, S2, "):
        story.held(["Zoe", "marble"])
    with pytest.raises(ValueError, match="marble has no mind"):
        story.held(["marble", "S1"])
    with pytest.raises(ValueError, match="at least a target"):
        story.held([])


def test_chains_that_are_none(story):
    example = r'story.held\(\["S1", "T"\]\) says where S1 thinks T is'
    for wrong, kind in [("S1", "str"), (None, "NoneType"), ({"S1"}, "set"), ({"S1": "T"}, "dict"), (7, "int")]:
        with pytest.raises(TypeError, match=f"chain has to be a list of names, not {kind}: {example}"):
            story.held(wrong)
    with pytest.raises(TypeError, match=f"list of names, and has int in it: {example}"):
        story.held(["S1", 7])
    assert story.held(("S1", "marble")) == story.held(["S1", "marble"])


def test_long_chains():
    story = storysim.Storyboard("free-play").story(0)
    minds = story.characters[:4] * 16
    assert len(story.held([*minds, "T"])) == len(story) + 1
    with pytest.raises(ValueError, match="at most 64 minds before its target, and this one has 65"):
        story.held([*minds, minds[0], "T"])
    with pytest.raises(ValueError, match="this one has 400"):
        story.held(["S1", "T"] * 200 + ["T"])


def test_events_are_those_of_the_rows(story):
    for row in story.board.rows(1, seed=7, with_events=True):
        assert story.events == row["events"]


def test_twins():
    board = storysim.Storyboard("second-order-mislead")
    story = board.story(42, twins="pairs")
    twin = story.twin()
    assert twin.id == "second-order-mislead/0/42-twin" and twin.twin() == story
    assert story.twins == [twin] and twin.twins == [story]
    step = story.rows[0]["differs_at"]
    assert story.events[:step] == twin.events[:step] and story.events[step] != twin.events[step]
    assert twin.rows[0]["twin"] == story.rows[0]["id"]
    assert twin.rows[0]["answer"] != story.rows[0]["answer"]
    assert len(storysim.Storyboard("hitom-like").story(3, twins="triplets").twins) == 2


@pytest.mark.parametrize("name", ["free-play", "second-order-calibrated", "telling-calibrated", "white-lies", "dynamic-minds"])
def test_the_twin_of_a_story_that_was_drawn_without(name):
    board = storysim.Storyboard(name)
    for index in range(8):
        story, pair = board.story(index, seed=1), board.story(index, seed=1, twins="pairs")
        texts = [pair.text, pair.twin().text]
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            twin = story.twin()
        assert twin == (pair if story.text == texts[1] else pair.twin())
        # A story that has no twin is drawn again where stories have twins.
        assert len(warned) == (story.text not in texts)
        assert all("another story has its index" in str(warning.message) for warning in warned)
        assert twin.rows[0]["twin"] and {twin.text, twin.twin().text} == set(texts)


def test_boards_without_twins():
    for name, why in [
        ("gallery", "twins differ in the answer to a `belief`, but no question asks for one"),
        ("first-order-mislead", "none of 100 stories has a twin"),
    ]:
        with pytest.raises(storysim.StoryboardError, match=why):
            storysim.Storyboard(name).story(42).twin()


def test_indices(tiny):
    assert tiny[3] == tiny.story(3)
    for wrong in [-1, 2**64]:
        with pytest.raises(IndexError, match="index has to be from 0"):
            tiny[wrong]
    with pytest.raises(TypeError, match="whole number, not str"):
        tiny["7"]
    with pytest.raises(TypeError, match="no slices"):
        tiny[1:2]
    with pytest.raises(TypeError, match="has no end"):
        iter(tiny)


def test_a_story_without_rows_still_tells_itself(tiny):
    told = next(story for story in map(tiny.story, range(500)) if len(story.rows) < 3)
    assert len(told.events) == 12 and told.text


def test_pages(story):
    assert "Celine moves the marble into the drawer" in story.html()
    assert story._repr_html_().startswith("<iframe srcdoc=")
    assert repr(story) == "<storysim.Story sally-anne/7/0: 8 steps, 6 rows>"
    assert str(story) == story.context + "\n\n" + story.text
