"""Routes of a leaf in maintenance are seen to be marked: the answers are in `tests/<os>/samples.py`."""

import json

import pytest

from fabricgen.platforms import SYSTEMS
from fabricgen.platforms.base.live.marks import Marks, by_hop
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from tests.live.marked import OURS, WANTED
from tests.platform_cases import samples


def test_every_driver_has_a_way() -> None:
    assert {profile.driver for profile in COMMIT_PROFILES.values() if profile.overlay} >= {
        "frr",
        "eos",
        "sonic",
        "cumulus",
    }
    assert all(profile.overlay for profile in COMMIT_PROFILES.values())


@pytest.mark.parametrize("name", SYSTEMS)
def test_routes_of_a_leaf_that_marks_and_of_one_that_does_not(name: str) -> None:
    module, outputs = samples(name).MARKED, samples(name).ROUTES
    assert {read.command for read in module.OVERLAY} <= outputs.keys()
    assert module.marks(outputs) == WANTED


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_cannot_be_read_shows_nothing(name: str) -> None:
    """Neither an answer that was refused nor one of another form counts as a leaf without routes."""
    module, outputs = samples(name).MARKED, samples(name).ROUTES
    for command in outputs:
        for wrong in (Output(None, "refused"), Output(["no", "table"])):
            assert module.marks({**outputs, command: wrong}) is None
    assert module.marks({}) is None


def test_json_that_came_as_text_is_read() -> None:
    texts = {command: Output(json.dumps(output.value)) for command, output in samples("frr").ROUTES.items()}
    assert samples("frr").MARKED.marks(texts) == WANTED


def test_own_routes_have_no_next_hop() -> None:
    assert by_hop([("", True), (OURS, True), (OURS, False)]) == {OURS: Marks(2, 1)}
