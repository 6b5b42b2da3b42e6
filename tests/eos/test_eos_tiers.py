"""Superspines, spines below them and leaves of a plane, judged as the roles of the demo are: see the files beside."""

from functools import cache

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.resolve.device import devices
from tests.eos.fleet import render
from tests.eos.modes import entered, stripped
from tests.eos.oracle import compare, paths, repeated
from tests.eos.references import loose
from tests.eos.rules import broken
from tests.eos.test_eos_oracle import kinds, pyavds, unexplained
from tests.resolve import tiers
from tests.some import some

DRAINED = Exceptions(devices={"be-super-01": "drained"}, ports={PortKey("be-spine-00", "Ethernet3/1"): "drained"})


@cache
def samples() -> dict[str, Device]:
    made = {
        "": tiers.lossless(),
        "drained ": tiers.lossless(DRAINED),
        "overlay ": tiers.overlay(tiers.EOS),
        "planes ": tiers.planes(),
    }
    return {f"{kind}{device.name}": device for kind, plan in made.items() for device in devices(plan)}


NAMES = (
    "be-spine-00",
    "be-super-03",
    "drained be-spine-00",
    "drained be-super-01",
    "overlay fe-spine-00",
    "overlay fe-super-00",
    "planes be-leaf-002",
    "planes be-spine-03",
)


@cache
def text_of(name: str) -> str:
    return render(samples()[name])


@pytest.mark.parametrize("name", some(NAMES, of=2))
def test_every_line_is_pyavds_and_in_its_order(name: str) -> None:
    ours, theirs = text_of(name), pyavds(samples()[name])
    assert unexplained(compare(ours, theirs)) == []
    assert repeated(ours) == []
    assert kinds(ours) == kinds(theirs)


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_is_broken_and_no_name_hangs(name: str) -> None:
    text = text_of(name)
    assert broken(text) == []
    assert loose(text) == []
    assert entered(stripped(text)) == paths(text)


def test_a_map_of_the_other_direction_is_seen() -> None:
    """The judge is not blind to which way a session leads."""
    text = text_of("be-spine-00")
    wrong = text.replace("SUPERSPINES-IPV4 route-map RM-SUPERSPINES-IPV4-OUT", "SUPERSPINES-IPV4 route-map RM-NONE")
    assert wrong != text
    assert unexplained(compare(wrong, pyavds(samples()["be-spine-00"])))
    assert loose(wrong)
