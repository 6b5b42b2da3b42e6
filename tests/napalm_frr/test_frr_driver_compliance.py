"""NAPALM's own compliance report on a fabric with two cables swapped: it works with the driver, and names the ports."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from napalm_frr import FRRDriver
from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Link
from tests.napalm_frr import switches

NAMES = ("leaf", "spine1", "spine2")
TEXT = "frr defaults datacenter\nhostname {0}\nrouter bgp 65000\n bgp router-id 10.0.0.1\n{1}exit\n"
PEERS = "".join(
    f" neighbor 10.1.0.{peer} remote-as 65000\n neighbor 10.1.0.{peer} timers connect 1\n" for peer in (1, 3)
)
# What the plan says of the leaf's ports.
PLANNED = {"swp1": ("spine1", "swp7"), "swp2": ("spine2", "swp7")}


@pytest.fixture(scope="module")
def leaf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FRRDriver]:
    """A leaf whose port swp1 goes to spine2, and swp2 to spine1."""
    if frr.available() is not None:
        pytest.skip(f"judge: {frr.available()}")
    texts = {name: TEXT.format(name, PEERS if name == "leaf" else "") for name in NAMES}
    addresses = {"leaf": {"swp1": ["10.1.0.0/31"], "swp2": ["10.1.0.2/31"]}, "spine1": {}, "spine2": {}}
    cables = (Link(("leaf", "swp1"), ("spine2", "swp7")), Link(("leaf", "swp2"), ("spine1", "swp7")))
    with ExitStack() as stack:
        wired = stack.enter_context(frr.wire(texts, addresses, cables))
        sockets = {name: stack.enter_context(switches.lldp(wired[name])) for name in NAMES}
        state = tmp_path_factory.mktemp("state")
        found = stack.enter_context(switches.opened(wired["leaf"], state, lldp_socket=sockets["leaf"]))
        becomes({"swp1", "swp2"}, lambda: set(found.get_lldp_neighbors()))
        yield found


def _rules(ports: dict[str, tuple[str, str]]) -> list[dict[str, Any]]:
    return [
        {"get_facts": {"hostname": "leaf", "vendor": "FRRouting"}},
        {"get_lldp_neighbors": {port: [{"hostname": far, "port": peer}] for port, (far, peer) in ports.items()}},
    ]


def test_it_names_the_ports_that_are_cabled_wrong(leaf: FRRDriver) -> None:
    report = leaf.compliance_report(validation_source=_rules(PLANNED))
    assert not report["complies"]
    assert report["get_facts"]["complies"]
    ports = report["get_lldp_neighbors"]["present"]
    assert {name for name, row in ports.items() if not row["complies"]} == {"swp1", "swp2"}


def test_it_has_nothing_to_say_where_the_rules_are_the_cables(leaf: FRRDriver) -> None:
    swapped = {"swp1": PLANNED["swp2"], "swp2": PLANNED["swp1"]}
    assert leaf.compliance_report(validation_source=_rules(swapped))["complies"]


def test_counts_and_pings_are_judged_too(leaf: FRRDriver, tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(
        "---\n"
        "- get_bgp_neighbors:\n    global:\n      router_id: 10.0.0.1\n"
        "- ping:\n    _name: own_address\n    _kwargs: {destination: 10.1.0.0, count: 2}\n"
        "    success: {packet_loss: 0, _mode: strict}\n"
        "- ping:\n    _name: absent\n    _kwargs: {destination: 10.1.0.1, count: 1, timeout: 1}\n"
        "    success: {packet_loss: 0}\n"
    )
    report = leaf.compliance_report(validation_file=str(rules))
    assert report["get_bgp_neighbors"]["complies"]
    assert not report["absent"]["complies"]
