"""Limits of the MAC tables of VLANs, counted from the intent: a VLAN's table has the addresses of all of its servers.

Nokia's models of 25.3.1, srl_nokia-bridge-table-mac-limit: `maximum-entries` is what a table may hold, 1 to 250000.
"""

import json
from functools import cache

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import with_exceptions
from fabricgen.resolve.device import devices
from fabricgen.resolve.macs import ServerMacs, table_room
from tests.srlinux import sites
from tests.srlinux.sites import render

STORE, MOST = 20, 250_000
"""VLAN of the tenant with all storage servers, and the models' range."""


@cache
def fleet(storage: int, ports: str, overrides: str = "") -> tuple[Device, ...]:
    """Switches of the frontend of a site with so many storage servers, and these words of its server ports."""
    text = sites.words("demo")
    text = text.replace("slots: 0-3}\nfabrics", f"slots: 0-{storage - 1}}}\nfabrics")
    text = text.replace("store[0-3]", f"store[0-{storage - 1}]")
    text = text.replace("server_ports: {", f"server_ports: {{{ports}, ") + overrides
    plan = sites.plan_of(sites.read(text))
    found = resolve_inputs(plan.intent, plan.fabrics)
    return tuple(device for device in devices(with_exceptions(plan, found)) if device.fabric == "frontend")


def limits(found: tuple[Device, ...], vlan: int) -> set[int]:
    """What the files of all leaves say of one VLAN."""
    files = (json.loads(render(device)) for device in found if device.role == "leaf")
    instances = (row for file in files for row in file["srl_nokia-network-instance:network-instance"])
    return {row["bridge-table"]["mac-limit"]["maximum-entries"] for row in instances if row["name"] == f"VLAN-{vlan}"}


def test_a_small_vlan_has_room_for_8192() -> None:
    """4 servers with 31 guests each are 128 addresses."""
    assert limits(fleet(4, "guests_per_server: 31"), STORE) == {8192}


def test_a_vlan_has_room_for_the_guests_of_all_its_servers() -> None:
    """32 servers and 499 guests on each are 16,000 addresses; their ports may bring twice as many."""
    found = fleet(32, "guests_per_server: 499")
    assert limits(found, STORE) == {32768}
    assert limits(found, 110) == {8192}


def test_the_guests_of_one_leaf_are_in_the_tables_of_the_others() -> None:
    """An override of one leaf counts: its servers' addresses come to all leaves by EVPN."""
    own = "overrides: {fe-leaf-001: {server_ports: {guests_per_server: 499}}}\n"
    assert limits(fleet(32, "guests_per_server: 3", own), STORE) == {32768}


def test_a_limit_of_ports_that_is_higher_than_twice_the_guests_counts() -> None:
    """32 servers that may bring 1000 each."""
    assert limits(fleet(32, "guests_per_server: 3, mac_limit: 1000"), STORE) == {32768}


def test_no_other_system_is_told_a_number() -> None:
    """A Device without the number is not compared by it."""
    text = sites.words("demo").replace("{model: nokia-7220-ixr-d5, os: srlinux-25.3}", "{model: MODEL, os: OS}")
    text = text.replace("MODEL", "arista-7060x6-64pe").replace("OS", "eos-4.34")
    plan = sites.plan_of(sites.read(text), Exceptions())
    assert {vlan.macs for device in devices(plan) if device.evpn for vlan in device.evpn.vlans} == {0}


@pytest.mark.parametrize(
    ("servers", "room"),
    [(8, 8192), (9, 16384), (250, MOST), (500, MOST), (501, 250_500)],
)
def test_what_is_planned_is_told_and_no_more_than_the_models_take(servers: int, room: int) -> None:
    """500 addresses a server, of which the port lets twice as many in; only more than MOST of them is refused."""
    assert table_room(servers, ServerMacs(500, 1000), MOST) == room


def test_a_system_that_is_told_nothing_of_it_has_no_number() -> None:
    assert table_room(501, ServerMacs(500, 1000), 0) == 0
