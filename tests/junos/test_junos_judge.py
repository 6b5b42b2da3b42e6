"""Juniper's YANG models of QFX, 24.4R1, on every file; and that they reject what is wrong."""

import pytest

from tests.judges import junos
from tests.junos.sites import NAMES, sample
from tests.some import some

pytestmark = pytest.mark.skipif(junos.available() is not None, reason=str(junos.available()))


@pytest.mark.parametrize("name", some(NAMES, of=2))
def test_the_models_accept_a_file(name: str) -> None:
    assert junos.faults(sample(name).text) == []


BROKEN = {
    "a word that is none": ("tiers leaf", "peer-as 42", "peeras 42"),
    "pause for pfc": ("tiers leaf", "                        pfc mru", "                        pause mru"),
    "a fill level above 100": ("tiers leaf", "fill-level [ 55 90 ]", "fill-level [ 55 140 ]"),
    "a probability above 100": ("tiers leaf", "drop-probability [ 0 100 ]", "drop-probability [ 0 101 ]"),
    "a share above 100": ("tiers leaf", "transmit-rate percent 95", "transmit-rate percent 195"),
    "a threshold without a step": ("tiers leaf", "dynamic-threshold 7", "dynamic-threshold 11"),
    "a width that is none": ("tiers leaf", "maximum-ecmp 16", "maximum-ecmp 17"),
    "an action that is none": ("tiers leaf", "watchdog-action drop", "watchdog-action notify"),
    "a priority above 7": ("tiers leaf", "pfc-priority 3", "pfc-priority 8"),
    "a speed that is none": ("plain leaf", "speed 100g", "speed 101g"),
    "a VNI of 25 bits": ("plain leaf", "vni 10", "vni 2000000000"),
    "an instance of no type": ("plain leaf", "instance-type mac-vrf", "instance-type macvrf"),
    "a service of no type": ("plain leaf", "service-type vlan-based", "service-type vlan"),
    "a family that is none": ("plain leaf", "family inet {", "family ipv4 {"),
    "a part in global balancing": ("global spine", "helper-only;", "helper;"),
    "two parts in global balancing": ("global spine", "helper-only;", "helper-only; load-balancer-only;"),
    "a value that is missing": ("plain leaf", "router-id 10.", "router-id; #"),
    "a block that stays open": ("plain leaf", "info;\n        }\n    }\n}\n", "info;\n        }\n    }\n"),
    "an encapsulation that is none": ("plain leaf", "encapsulation vlan-bridge", "encapsulation bridge"),
    "seconds of too long a hold time": ("plain leaf", "hold-time 9", "hold-time 70000"),
    "a filter that matches in no way": ("plain leaf", " exact;", " equal;"),
    "a preference of 17 bits": ("front leaf", "value 32767;", "value 70000;"),
    "a condition of TCP": ("front leaf", "tcp-established;", "tcp-establishes;"),
    "a list of sources": ("front leaf", "source-prefix-list {", "source-prefixes-list {"),
    "a mode of gateways": ("plain leaf", "default-gateway do-not-advertise", "default-gateway none"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_the_models_reject(what: str) -> None:
    name, old, new = BROKEN[what]
    text = sample(name).text
    assert old in text
    assert junos.faults(text.replace(old, new, 1))
