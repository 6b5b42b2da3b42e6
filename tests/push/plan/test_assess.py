"""What it costs to bring a switch to its artifact: by the facts of two Devices, or by lines that tables know."""

import pytest

from fabricgen.device.device import Device
from fabricgen.diff.live import UNKNOWN
from fabricgen.diff.model import Blast, TextCause, TextClass
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.cost import Cost, Risk
from fabricgen.push.model import SwitchToChange
from fabricgen.push.plan.risk import UNSEEN, all_changes, secrets_between, subject_by_changes, subject_of, with_unseen
from tests.eos.fleet import samples

NOBODY = Blast(gpus=0, gpus_all=0, rails=(), tenants=(), bisection={})


@pytest.fixture(scope="module")
def device() -> Device:
    """A leaf of the demo's backend."""
    return next(one for name, one in samples().items() if name.startswith("demo backend") and one.role == "leaf")


def lines(risk: Risk, *facts: str) -> TextClass:
    """Lines that differ on one switch."""
    return TextClass(
        artifact="x", cause=TextCause.LIVE, devices=("x",), hunks=(), risk=risk, blast=NOBODY, kinds=facts
    )  # fmt: skip


def named(device: Device, risk: Risk) -> tuple[object, ...]:
    """All of a subject but why."""
    return device.name, device.fabric, device.role, device.system, risk


@pytest.mark.parametrize("risk", [Risk.NONE, Risk.HITLESS, Risk.SESSION_RESET, Risk.TRAFFIC_LOSS])
def test_lines_that_a_table_knows_cost_what_it_says(device: Device, risk: Risk) -> None:
    found = subject_of(device, lines(risk, "interface.description changed"), ())
    assert found[:-1] == named(device, risk)
    assert found.why == "the cost of every changed line is known"


def test_lines_that_no_table_knows_are_unknown_and_that_is_disruptive(device: Device) -> None:
    found = subject_of(device, lines(Risk.UNKNOWN, UNKNOWN, "qos.ecn changed"), ())
    assert found[:-1] == named(device, Risk.UNKNOWN)
    assert found.why == "lines whose cost is unknown"
    assert found.risk.is_disruptive


def test_a_known_kind_of_unknown_price_is_not_called_known(device: Device) -> None:
    """ECN lines of EOS come and go: whether that is one value changed or marking turned on, no line tells."""
    found = subject_of(device, lines(Risk.UNKNOWN, "qos.ecn changed"), ())
    assert found.risk is Risk.UNKNOWN
    assert "is known" not in found.why


def test_a_switch_without_lines_that_differ_costs_nothing(device: Device) -> None:
    assert subject_of(device, None, ()).risk is Risk.NONE


@pytest.mark.parametrize(("risk", "wanted"), [
    (Risk.NONE, Risk.UNKNOWN), (Risk.TRAFFIC_LOSS, Risk.UNKNOWN), (Risk.RELOAD, Risk.RELOAD),
])  # fmt: skip
def test_a_file_beside_that_differs_makes_it_unknown_at_least(device: Device, risk: Risk, wanted: Risk) -> None:
    found = subject_of(device, lines(risk, "x"), ("/etc/network/interfaces", "/etc/sysctl.d/fabric.conf"))
    assert found.risk is wanted
    assert found.why.startswith("/etc/network/interfaces, /etc/sysctl.d/fabric.conf differs")
    assert found.why.endswith("without --against the change is not rated")
    said = subject_of(device, lines(risk, "x"), ("/etc/network/interfaces",), "origin/main")
    assert said.why == "/etc/network/interfaces differs: its running configuration differs from origin/main"
    assert subject_of(device, None, ("/etc/network/interfaces",)).risk is Risk.UNKNOWN


def by_facts(old: Device, new: Device, *costs: Cost) -> SwitchToChange:
    """By facts, with these prices or the platform's."""
    prices = {cost.kind: cost for cost in costs} or PLATFORMS[new.system].costs
    return subject_by_changes(new, all_changes(old, new), prices, "origin/main")


def test_equal_devices_cost_nothing(device: Device) -> None:
    found = by_facts(device, device)
    assert found[:-1] == named(device, Risk.NONE)
    assert found.why == "0 changes from origin/main"


def test_the_worst_fact_decides_and_is_named(device: Device) -> None:
    one, *rest = device.interfaces.ethernet
    moved = device._replace(interfaces=device.interfaces._replace(ethernet=(one._replace(description="other"), *rest)))
    found = by_facts(device, moved)
    assert found[:-1] == named(device, Risk.NONE)  # a description, by the table of EOS
    assert found.why == "1 change from origin/main, the riskiest: interface.description"
    ports = (one._replace(description="other", enabled=not one.enabled), *rest)
    cut = device._replace(interfaces=device.interfaces._replace(ethernet=ports))
    assert by_facts(device, cut).why == "2 changes from origin/main, the riskiest: interface.enabled"
    both = moved._replace(state="drained")
    assert by_facts(device, both).risk is Risk.HITLESS  # device.state, RFC 8326 section 4
    assert by_facts(device, both).why.endswith("the riskiest: device.state")


def test_a_kind_without_a_price_is_unknown(device: Device) -> None:
    other = Cost("management.dns", Risk.NONE, Risk.NONE, Risk.NONE, "")
    assert by_facts(device, device._replace(state="drained"), other).risk is Risk.UNKNOWN


UNCHANGED = """\
--- system:/running-config
+++ session:/x-session-config
@@ -1,3 +1,3 @@
 username admin privilege 15 role network-admin secret sha512 <removed>
-hostname a
+hostname b
"""
"""Form: NAPALM's `eos` driver gives `show session-config named … diffs`, a unified diff."""
USER = "username admin privilege 15 role network-admin secret sha512 <removed>"
SESSION = """\
 router bgp 65001 vrf a
-  neighbor 10.0.0.1 password <removed>
+  neighbor 10.0.0.1 password <removed>
"""
"""Form: napalm_frr/difference.py."""


@pytest.mark.parametrize(("difference", "lines"), [
    ("", ()),
    (UNCHANGED, ()),
    (f"-{USER}\n+{USER}\n", (USER, USER)),
    (f"-{USER}\n", ()),
    (f"+{USER}\n-username other privilege 15 role network-admin secret sha512 <removed>", ()),
    (SESSION, ("neighbor 10.0.0.1 password <removed>",) * 2),
    ("-neighbor 10.0.0.1 password 7 <removed>\n+neighbor 10.0.0.2 password 7 <removed>", ()),
    # Written in another way, told by the driver whole, and cut in the middle of a word.
    ("-neighbor a password 7 <removed>\n+neighbor a password 8a <removed>",
     ("neighbor a password 7 <removed>", "neighbor a password 8a <removed>")),
    ("-key-of x\n+key-of <removed>", ("key-of <removed>",)),
    ("-key-of=x\n+key-of=<removed> y", ("key-of=<removed> y",)),
])  # fmt: skip
def test_lines_that_differ_by_a_secret_alone(difference: str, lines: tuple[str, ...]) -> None:
    assert secrets_between(difference) == lines


def priced(line: str) -> Risk:
    """A table that knows users."""
    return Risk.NONE if line.startswith("username ") else Risk.UNKNOWN


@pytest.mark.parametrize("has_changes", [False, True])
def test_a_secret_that_differs_costs_what_its_line_does(device: Device, *, has_changes: bool) -> None:
    harmless = subject_of(device, None, ())
    found = with_unseen(harmless, SESSION, priced, has_changes=has_changes)
    assert found[:-1] == named(device, Risk.UNKNOWN)
    assert found.why == UNSEEN
    assert with_unseen(harmless, f"-{USER}\n+{USER}\n", priced, has_changes=has_changes) == harmless
    worse = subject_of(device, lines(Risk.RELOAD, "x"), ())
    assert with_unseen(worse, SESSION, priced, has_changes=has_changes) == worse


def test_what_no_reader_compares_is_unknown(device: Device) -> None:
    harmless = subject_of(device, None, ())
    assert with_unseen(harmless, UNCHANGED, priced, has_changes=False).risk is Risk.UNKNOWN
    assert with_unseen(harmless, UNCHANGED, priced, has_changes=True) == harmless
    assert with_unseen(harmless, "", priced, has_changes=False) == harmless
