"""A number out of range is answered with the unit of its key."""

import re

import pytest
from pydantic import ValidationError

from fabricgen.intent.model import Intent
from fabricgen.source.pydantic_problems import from_pydantic
from tests.intent.test_intent_rules import edited

_PARTS = r"[0-9]+|metres|milliseconds|seconds|octets"
LENGTHS = ("cables", "default", "leaf_spine")


@pytest.mark.parametrize(
    ("path", "value", "bound"),
    [
        (LENGTHS, 0, "more than 0 metres"),
        (LENGTHS, -5, "more than 0 metres"),
        (LENGTHS, 100001, "100000 metres or less"),
        (("fabrics", "backend", "bgp"), {"hold_seconds": 0}, "3 seconds or more"),
        (("fabrics", "backend", "mtu"), 3, "68 to 16000 octets"),
        (("overrides",), {"link:be-leaf-000/Ethernet33/1": {"length_m": 0}}, "more than 0 metres"),
        (("overrides",), {"backend": {"roce": {"watchdog": {"detect_ms": 0}}}}, "milliseconds or more"),
        (("fabrics", "backend", "topology", "rails_per_leaf"), 0, "1 or more"),
    ],
)
def test_the_unit_is_named(path: tuple[str, ...], value: object, bound: str) -> None:
    with pytest.raises(ValidationError) as caught:
        edited((path, value))
    (problem,) = from_pydantic(caught.value.errors(), Intent)
    assert problem.code == "out-of-range"
    assert problem.fix.removeprefix("write ").endswith(bound)
    assert set(re.findall(_PARTS, bound)) <= set(re.findall(_PARTS, problem.why))
    if bound[0].isdigit():
        assert problem.fix == f"write {bound}"


@pytest.mark.parametrize(
    ("path", "value", "fix"),
    [
        # A name where a name is due: what means "on" is none, in quotes or without.
        (("management", "eapi"), True, "write e.g. eapi: {certificate: fabric}"),
        (("management", "eapi"), "profile", "write eapi: {certificate: profile}"),
        (("management", "eapi"), {"certificate": True}, "write e.g. certificate: fabric"),
        (("management", "eapi"), {"certificate": "True"}, "write e.g. certificate: fabric"),
        (("management", "vrf"), True, "write e.g. vrf: MGMT"),
        (("site",), 5, "write e.g. site: dc1"),
        (("management", "snmp", "location"), 5, 'write location: "5"'),
        # A list, a mapping or a word in place of what is wanted.
        (("fabrics", "backend", "connects", "train"), ["compute"], "write train: compute"),
        (("fabrics", "backend", "connects"), ["train"], "write a mapping, e.g. connects: {train: compute}"),
        (("placement",), {"train": "a.csv"}, "write e.g. placement: placement.csv"),
        (("overrides",), {"be-spine-00": "drained"}, "write be-spine-00: {state: drained}"),
        # An address of an example is one: it is not typed as it stands.
        (("management", "aaa"), {"key": "${env:K}"}, "add e.g. tacacs: [10.0.0.7] to management.aaa"),
    ],
)
def test_what_to_type_can_be_typed(path: tuple[str, ...], value: object, fix: str) -> None:
    with pytest.raises(ValidationError) as caught:
        edited((path, value))
    (problem,) = from_pydantic(caught.value.errors(), Intent)
    assert problem.fix == fix
