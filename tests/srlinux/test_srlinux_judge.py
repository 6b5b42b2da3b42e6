"""Nokia's models take every file of every site, and refuse what is broken in them."""

import pytest

from tests.judges import srlinux
from tests.some import some
from tests.srlinux import xgs
from tests.srlinux.sites import samples, text_of

pytestmark = pytest.mark.skipif(srlinux.available() is not None, reason=str(srlinux.available()))


@pytest.mark.parametrize("name", some(sorted(samples()), of=2))
def test_the_models_take_every_file(name: str) -> None:
    assert xgs.faults(text_of(name)) == []


BROKEN = [
    ("demo backend leaf", '"breakout-port-speed": "400G"', '"breakout-port-speed": "450G"', "Invalid enumeration"),
    ("demo backend leaf", '"pfc-pause-frame-priority": 3', '"pfc-pause-frame-priority": 9', "allowed range"),
    ("demo backend leaf", '"forwarding-class": "fc3"', '"forwarding-class": "fc9"', "Invalid leafref"),
    ("demo backend leaf", '"detection-timer": 200', '"detection-timer": 5', "allowed range"),
    ("demo backend leaf", '"pfc-mapping-profile": "ROCE"', '"pfc-mapping-profile": "NONE"', "Invalid leafref"),
    ("demo backend leaf", '"unicast-queue": "unicast-6"', '"unicast-queue": "unicast-8"', "Invalid leafref"),
    ("demo backend leaf", '"hash-seed": 0', '"hash-seed": 70000', "Invalid union"),
    ("demo backend leaf", '"sequence": 0', '"sequence": 2', "allowed range"),
    ("demo frontend leaf", '"preference-value": 32767', '"preference-value": 70000', "out of the allowed range"),
    ("demo frontend leaf", '"evi": 20', '"evi": 70000', "allowed range"),
    ("demo frontend leaf", '"export-rt": "target:', '"export-rt": "', "Invalid union"),
    ("demo frontend leaf", '"vxlan-interface": "vxlan0.', '"vxlan-interface": "vxlan1.', "Invalid leafref"),
    ("demo frontend leaf", '"mtu"', '"mtuu"', "not found"),
    ("demo frontend leaf", '"aggregate-id": "lag1"', '"aggregate-id": "lag9"', "Invalid leafref"),
    ("demo frontend leaf", '"prefix-set": "PL-OWN-IPV4"', '"prefix-set": "PL-NONE"', "Invalid leafref"),
    ("demo frontend leaf", '"next-hop-group": "via-', '"next-hop-group": "by-', "Invalid leafref"),
    ("demo frontend leaf", "srl_nokia-network-instance:mac-vrf", "srl_nokia-network-instance:mac", "identity"),
    ("demo frontend border-leaf", '"import-policy": [', '"import-policies": [', "not found"),
    ("bare backend leaf", '"peer-group": "SPINES', '"peer-group": "SPINE', "Invalid leafref"),
    ("demo backend spine", '"motd-banner"', '"mottd-banner"', "not found"),
]


@pytest.mark.parametrize(("name", "old", "new", "why"), BROKEN, ids=[f"{name}: {new}" for name, _, new, _ in BROKEN])
def test_the_models_refuse_what_is_broken(name: str, old: str, new: str, why: str) -> None:
    text = text_of(name)
    assert old in text
    found = xgs.faults(text.replace(old, new))
    assert any(why in fault for fault in found), found


def test_half_a_document_is_refused() -> None:
    assert xgs.faults(text_of("demo backend leaf")[:-40]) != []
