"""An MTU that nobody wrote is one that every model of the fabric carries; what is written stays."""

import pytest

from fabricgen.checks.routing.mtu import external_mtu, switch_mtu
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from tests.junos import intents

WRITTEN = "\n    mtu: 9202"


def planned(text: str) -> Plan:
    intent = validate(Intent, load_document(text, "intent.yaml"))
    catalog = load_catalog(None)
    return make_plan(intent, catalog, make_shapes(intent, catalog), Lock(), Exceptions())


@pytest.mark.parametrize("text", [intents.LOSSLESS, intents.FRONTEND])
def test_what_is_left_out_is_what_the_models_carry(text: str) -> None:
    """A QFX takes 9202 octets (JVD: a physical MTU of 9216), 12 fewer than the default."""
    assert WRITTEN in text
    bare = planned(text.replace(WRITTEN, ""))
    assert {fabric.fabric.mtu for fabric in bare.fabrics.values()} == {9202}
    assert {fabric.mtu for fabric in bare.intent.fabrics.values()} == {9202}
    assert list(switch_mtu(bare)) == []


def test_what_is_written_stays_and_is_judged() -> None:
    asked = planned(intents.LOSSLESS.replace(WRITTEN, "\n    mtu: 9214"))
    assert [(one.code, one.fix) for one in switch_mtu(asked)] == [("switch-mtu", "write mtu: 9202")]
    small = planned(intents.LOSSLESS.replace(WRITTEN, "\n    mtu: 9100"))
    assert {fabric.fabric.mtu for fabric in small.fabrics.values()} == {9100}


def test_models_that_carry_more_have_the_default() -> None:
    """9216 octets of an SN5400, 9398 of a 7220: no site of today moves."""
    text = intents.LOSSLESS.replace(WRITTEN, "")
    for model, system in (("nvidia-sn5400", "cumulus-5.11"), ("nokia-7220-ixr-h4", "srlinux-25.3")):
        made = text.replace("juniper-qfx5230-64cd", model).replace("juniper-qfx5240-64od", model)
        plan = planned(made.replace("junos-24.4", system))
        assert {fabric.fabric.mtu for fabric in plan.fabrics.values()} == {9214}


def test_peers_outside_are_held_to_it() -> None:
    """The rule over the intent alone knows 9214 only."""
    text = intents.FRONTEND.replace(WRITTEN, "")
    assert list(external_mtu(planned(text.replace("accept: [0.0.0.0/0", "mtu: 9202, accept: [0.0.0.0/0")))) == []
    (problem,) = external_mtu(planned(text.replace("accept: [0.0.0.0/0", "mtu: 9214, accept: [0.0.0.0/0")))
    assert problem.fix == "write mtu: 9202 or less"
