"""The page says which leaves limit the MAC addresses of a server port, and which have no limit."""

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.resolve.device import devices
from fabricgen.summary.mac_limits import mac_limits
from fabricgen.summary.page import MacLimitLine
from fabricgen.summary.summary import summarize
from fabricgen.summary.text import page_text
from tests.checks.intents import plan

PORTS = "fabrics.frontend.server_ports"


def lines(made: Plan) -> tuple[MacLimitLine, ...]:
    return mac_limits(made.fabrics["frontend"])


def test_a_limit_is_printed_with_its_leaves() -> None:
    made = plan({PORTS: {"mac_limit": 70}})
    assert lines(made) == (MacLimitLine("eos", 70, "", 6, "fe-leaf-000"),)
    assert mac_limits(made.fabrics["backend"]) == ()
    assert "MAC limit     70 addresses per server port on 6 leaves with eos (fe-leaf-000 and 5 more)" in "\n".join(
        page_text(summarize(made))
    )


def test_twice_the_server_and_its_guests() -> None:
    (line,) = lines(plan({PORTS: {"mac_limit": "auto", "guests_per_server": 9}}))
    assert line.limit == 20


def test_none_is_said_with_its_reason() -> None:
    (line,) = lines(plan({PORTS: {"mac_limit": "none"}}))
    assert (line.limit, line.why) == (0, "`server_ports.mac_limit` is none")


@pytest.mark.parametrize(
    ("system", "multihoming", "limit"),
    [
        ("nxos-10.5", "active-backup", 0),
        ("sonic-202505", "evpn-esi", 0),
        ("cumulus-5.11", "evpn-esi", 0),
        ("cumulus-5.11", "active-backup", 70),
        ("frr-8.4", "evpn-esi", 70),
    ],
)
def test_a_leaf_of_a_system_that_cannot_has_none(system: str, multihoming: str, limit: int) -> None:
    """One leaf of six runs another system, by an override: it has a line of its own."""
    made = plan({PORTS: {"mac_limit": 70, "multihoming": multihoming}})
    found = lines(with_exceptions(made, Exceptions(systems={"fe-leaf-003": system})))
    own = next(line for line in found if line.system == system.partition("-")[0])
    assert (own.leaves, own.first, own.limit) == (1, "fe-leaf-003", limit)
    assert bool(own.why) == (not limit)
    assert sum(line.leaves for line in found) == 6


@pytest.mark.parametrize(
    ("model", "system", "multihoming", "limit"),
    [
        ("cisco-n9332d-gx2b", "nxos-10.5", "active-backup", 0),
        ("nvidia-sn4700", "cumulus-5.11", "evpn-esi", 0),
        ("nvidia-sn4700", "cumulus-5.11", "active-backup", 64),
    ],
)
def test_a_switch_of_such_a_system_has_none_either(model: str, system: str, multihoming: str, limit: int) -> None:
    """No file has it, so no comparison of two states names it. 64 is twice the server and its 31 guests."""
    switch = {"model": model, "os": system}
    frontend = {"fabrics.frontend.leaf": switch, "fabrics.frontend.spine": switch, f"{PORTS}.multihoming": multihoming}
    made = plan(frontend)
    port = next(row.name for row in _leaf(made).interfaces.ethernet if row.switching)
    made = plan({**frontend, "overrides": {f"fe-leaf-002/{port}": {"server_ports": {"bpdu_guard": False}}}})
    rows = _leaf(with_exceptions(made, resolve_inputs(made.intent, made.fabrics))).interfaces
    found = [row.switching for row in rows.ethernet if row.switching] + [lag.switching for lag in rows.lags]
    assert {row.mac_limit for row in found} == {limit}
    assert {row.bpdu_guard for row in found} == {True, False}


def _leaf(made: Plan) -> Device:
    return next(device for device in devices(made) if device.name == "fe-leaf-002")


def test_settings_of_one_leaf_are_its_own() -> None:
    made = plan({"overrides": {"fe-leaf-002": {"server_ports": {"mac_limit": "none"}}}, PORTS: {"mac_limit": 70}})
    found = lines(with_exceptions(made, resolve_inputs(made.intent, made.fabrics)))
    assert {(line.first, line.leaves, line.limit) for line in found} == {("fe-leaf-000", 5, 70), ("fe-leaf-002", 1, 0)}
