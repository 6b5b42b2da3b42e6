"""A leaf that the intent drains and brings back, pushed to a lab with a routed flow: step by step, and none is lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.frr.waiting import becomes
from tests.lab.pushing import Pushing, pushing
from tests.lab.test_drain_live import Site as Backend
from tests.lab.test_drain_live import _ready
from tests.lab.test_drain_overlay_live import FAR, NEAR, PORT, Site, _hosts_known, _running, pytestmark, site

__all__ = ("pytestmark", "site")

LEAF = "fe-leaf-000"


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, healthy and with nothing to push."""
    with pushing(Backend(site.intent, site.folder, site.lab), tmp_path) as found:
        yield found


@contextmanager
def _flow(site: Site) -> Iterator[None]:
    """Packets between servers of two tenants behind other leaves all the while: every one of them is answered."""
    becomes(True, _hosts_known, site)
    with (
        _running(site, "store-001", "echo", FAR, PORT) as echo,
        _running(site, "train-000", "send", NEAR, FAR, PORT) as sender,
    ):
        _ready(echo)
        _ready(sender)
        yield
        sent, received = map(int, sender.communicate()[0].split())
    assert sent == received > 500


def _steps(lab: Pushing) -> list[tuple[str, str]]:
    """Stage and step of all that ended on the leaf in the last run, of those that change or prove."""
    steps = ("commit", "quiet", "check", "confirm")
    return [
        (stage, step) for name, stage, step, how, _ in lab.events() if (name, how) == (LEAF, "ended") and step in steps
    ]


@pytest.mark.long
def test_a_leaf_is_marked_before_its_ports_fall_and_until_they_are_up(site: Site, lab: Pushing) -> None:
    drained = lab.intent({LEAF: "drained"})
    with _flow(site):
        ended = lab.push(drained, "--commit", "--against", site.intent)
        assert ended.code == 0, ended.text
        away = _steps(lab)
        assert lab.running.inside(LEAF, "ip", "-br", "link", "show", "dev", "swp1").split()[1] == "DOWN"
        ended = lab.push(site.intent, "--commit", "--against", drained)
        assert ended.code == 0, ended.text
        back = _steps(lab)
        assert lab.running.inside(LEAF, "ip", "-br", "link", "show", "dev", "swp1").split()[1] == "UP"
    assert away == [
        *(("mark", step) for step in ("commit", "quiet", "confirm")),
        *(("drain", step) for step in ("commit", "quiet", "confirm")),
        ("change", "check"),  # what the intent says is what drained it
        ("undrain", "check"),
        ("", "quiet"),
    ]
    assert back == [
        *(("ports", step) for step in ("commit", "quiet", "confirm")),
        *(("undrain", step) for step in ("commit", "check", "confirm")),
    ]
