"""The files of FRR switches with unnumbered links: FRR takes every line, and prints all of them again in this order."""

import pytest

from tests.judges import frr
from tests.unnumbered.sites import SPINE, conf, fleet, text, tower

pytestmark = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")

SWITCHES = (SPINE, "fe-border-00")
"""A drained spine of the backend: maps of its own for each session; a leaf with sessions between loopbacks too."""


@pytest.mark.parametrize("name", SWITCHES)
def test_frr_keeps_every_line(name: str) -> None:
    wanted = text("frr", name, drained=True)
    with frr.load(wanted) as loaded:
        assert loaded.complaints == ()
        assert frr.differences(wanted, loaded.running) == ()
        said = [line for line in loaded.running.splitlines() if line.startswith(" neighbor ")]
    assert said == [line for line in wanted.splitlines() if line.startswith(" neighbor ")]


def test_frr_keeps_every_line_of_a_spine_below_superspines() -> None:
    wanted = conf(next(device for device in tower().values() if device.role == "spine"))
    with frr.load(wanted) as loaded:
        assert loaded.complaints == ()
        assert frr.differences(wanted, loaded.running) == ()


def test_sessions_stand_in_frrs_order_whatever_that_of_the_ports() -> None:
    """A dead port's cable is on a spare one: swp10 behind swp9, not behind swp1."""
    device = fleet("frr")[SPINE]
    bgp = device.routing.bgp
    turned = device._replace(routing=device.routing._replace(bgp=bgp._replace(neighbors=bgp.neighbors[::-1])))
    assert conf(turned) == conf(device)


def test_frr_refuses_a_session_of_a_group_that_is_not_there() -> None:
    wanted = text("frr", SPINE)
    spoilt = wanted.replace("interface peer-group LEAVES-UNNUMBERED", "interface peer-group LEAVES-UNNUMBERD", 1)
    assert spoilt != wanted
    with frr.load(spoilt) as loaded:
        assert loaded.complaints != ()
