"""What a text says, read back without the adapter, is what the Device says: addresses, sessions, maps, classes."""

import re

import pytest

from fabricgen.device.device import Device
from fabricgen.device.qos import Qos
from fabricgen.platforms.nxos.platform import NXOS
from fabricgen.resolve.device import devices
from tests.nxos.fleet import NAMES, made, planned, render, samples, text_of
from tests.nxos.rules import Text, blocks

SECTIONS = tuple(NAMES)


def after(lines: list[str], start: str) -> list[str]:
    """What follows a start in the lines that have it."""
    return [line.removeprefix(start) for line in lines if line.startswith(start)]


def one(lines: list[str], start: str) -> str:
    """The same where at most one has it; empty where none has."""
    found = after(lines, start)
    assert len(found) < 2
    return found[0] if found else ""


def interfaces_told(text: Text) -> dict[str, tuple[str, ...]]:
    starts = ("description ", "mtu ", "vrf member ", "ip address ", "ipv6 address ")
    return {
        above[0].removeprefix("interface "): tuple(one(lines, start) for start in starts)
        for above, lines in text.items()
        if len(above) == 1
        and above[0].startswith("interface ")
        and "breakout" not in above[0]
        and "nve" not in above[0]
    }


def interfaces_wanted(device: Device) -> dict[str, tuple[str, ...]]:
    parts = device.interfaces
    found: dict[str, tuple[str, ...]] = {
        row.name: (
            row.description,
            str(row.profile.mtu) if row.profile.routed else "9216",
            row.vrf,
            str(row.ipv4),
            str(row.ipv6),
        )
        for row in (*parts.ethernet, *parts.idle)
    }
    found |= {
        f"{row.parent}.{row.vlan_id}": (row.description, str(row.mtu), row.vrf, str(row.ipv4), str(row.ipv6))
        for row in parts.subinterfaces
    }
    found |= {
        f"loopback{row.number}": (row.description, "", row.vrf, str(row.ipv4), str(row.ipv6)) for row in parts.loopbacks
    }
    found |= {
        f"Vlan{row.vlan_id}": (row.description, str(row.mtu), row.vrf, str(row.ipv4), str(row.ipv6))
        for row in (device.evpn.gateways if device.evpn else ())
    }
    found["mgmt0"] = ("out of band", "", "management", str(device.management.address), "")
    return found


Session = tuple[str, str, str, str, str, str, str]


def sessions_told(text: Text) -> set[Session]:
    """VRF, address, AS, description, maps in and out, prefixes at most, of each family."""
    found = set()
    for above, lines in text.items():
        if len(above) < 3 or not above[-1].startswith("address-family") or not above[-2].startswith("neighbor "):
            continue
        vrf = above[1].removeprefix("vrf ") if above[1].startswith("vrf ") else ""
        session, maps = text[above[:-1]], after(lines, "route-map ")
        found.add(
            (
                vrf,
                above[-2].removeprefix("neighbor "),
                one(session, "remote-as "),
                one(session, "description "),
                next(line.removesuffix(" in") for line in maps if line.endswith(" in")),
                next(line.removesuffix(" out") for line in maps if line.endswith(" out")),
                one(lines, "maximum-prefix "),
            )
        )
    return found


def sessions_wanted(device: Device) -> set[Session]:
    bgp = device.routing.bgp
    groups = {group.name: group for group in bgp.groups}
    found = set()
    for row in bgp.neighbors:
        group = groups[row.group]
        maps = (row.route_map_in or group.route_map_in, row.route_map_out or group.route_map_out)
        beyond = f"restart {group.restart_minutes}" if group.restart_minutes else "warning-only"
        maximum = f"{group.maximum_routes} {beyond}"
        found.add(("", str(row.address), str(row.remote_as), row.description, *maps, maximum))
    for vrf in bgp.vrfs:
        for far in vrf.neighbors:
            maximum = f"{far.maximum_routes} restart 5"
            told = (str(far.remote_as), far.description, far.route_map_in, far.route_map_out, maximum)
            found.add((vrf.name, str(far.address), *told))
    return found


def groups_told(text: Text) -> dict[int, int]:
    """DSCP → group of the packets that have it."""
    found = dict.fromkeys(range(64), 0)
    for above, lines in text.items():
        if (
            above
            and above[0].startswith("policy-map type qos")
            and len(above) == 2
            and above[1] != "class class-default"
        ):
            name = above[1].removeprefix("class ")
            (line,) = text[(f"class-map type qos match-any {name}",)]
            numbers = line.removeprefix("match dscp ").split(",")
            found |= dict.fromkeys(map(int, numbers), int(lines[0].split()[-1]))
    return found


Queues = dict[tuple[str, int], tuple[int, int, tuple[int, ...]]]
"""Policy and queue → level, share, and marking: from, to, percent; empty where it does not mark."""


def queues_told(text: Text) -> Queues:
    found: Queues = {}
    for above, lines in text.items():
        if len(above) == 2 and above[0].startswith("policy-map type queuing"):
            mark = re.findall(r"\d+", one(lines, "random-detect ").replace("weight 0", ""))
            level, share = one(lines, "priority level "), one(lines, "bandwidth remaining percent ")
            number = re.sub(r"\D", "", above[1].rpartition("-")[2])
            key = (above[0].split()[-1], int(number or 0))
            found[key] = (int(level or 0), int(share or 0), tuple(map(int, mark)))
    return found


def queues_wanted(qos: Qos) -> Queues:
    found: Queues = {}
    for profile in qos.profiles:
        strict = [row.queue for row in profile.queues if not row.weight_percent]
        for row in profile.queues:
            level = strict.index(row.queue) + 1 if row.queue in strict else 0
            low, high, percent = row.ecn or (0, 0, 0)
            mark = (low // 1000, high // 1000, percent) if row.ecn else ()
            found[(f"OUT-{profile.name}", row.queue)] = (level, row.weight_percent, mark)
        idle = {row.queue for row in qos.class_queues} - {row.queue for row in profile.queues}
        found |= {(f"OUT-{profile.name}", number): (0, 0, ()) for number in idle}
    return found


@pytest.mark.parametrize("name", SECTIONS)
def test_what_is_told_is_what_is_wanted(name: str) -> None:
    device, text = samples()[name], blocks(text_of(name))
    assert interfaces_told(text) == interfaces_wanted(device)
    assert sessions_told(text) == sessions_wanted(device)


@pytest.mark.parametrize("name", [name for name in SECTIONS if " backend " in name and "tiers" not in name])
def test_classes_and_queues(name: str) -> None:
    device, text = samples()[name], blocks(text_of(name))
    qos = device.qos
    assert qos is not None
    queues = {row.traffic_class: row.queue for row in qos.class_queues}
    assert groups_told(text) == {dscp: queues[row.traffic_class] for row in qos.dscp_classes for dscp in row.dscps}
    assert queues_told(text) == queues_wanted(qos)
    speeds = {row.name: one(text[(f"interface {row.name}",)], "speed ") for row in device.interfaces.ethernet}
    assert speeds == {row.name: f"{row.profile.speed_gbps}000" for row in device.interfaces.ethernet}


@pytest.mark.parametrize("name", SECTIONS)
def test_numbers_of_the_overlay(name: str) -> None:
    device, text = samples()[name], blocks(text_of(name))
    evpn = device.evpn
    vlans = {row.vlan_id: row for row in evpn.vlans} if evpn else {}
    told = {
        int(above[0].split()[1]): lines
        for above, lines in text.items()
        if len(above) == 1 and re.match(r"vlan \d", above[0])
    }
    assert {number: (one(lines, "name "), one(lines, "vn-segment ")) for number, lines in told.items()} == {
        number: (row.name, str(row.vni)) for number, row in vlans.items()
    }
    for row in vlans.values():
        lines = text[("evpn", f"vni {row.vni} l2")]
        targets = [f"route-target {way} {row.route_target}" for way in ("import", "export")]
        assert lines == [f"rd {row.rd}", *targets]
    vnis = {vrf.name: vrf.vni for vrf in evpn.vrfs} if evpn else {}
    for vrf in device.routing.bgp.vrfs:
        lines = text[(f"vrf context {vrf.name}",)]
        assert (one(lines, "vni "), one(lines, "rd ")) == (f"{vnis[vrf.name]} l3", vrf.rd)
        for family in ("ipv4", "ipv6"):
            below = text[(f"vrf context {vrf.name}", f"address-family {family} unicast")]
            imported = {line.removesuffix(" evpn") for line in after(below, "route-target import ")}
            assert imported == set(vrf.import_targets)
            assert set(after(below, "route-target export ")) == {vrf.export_target, f"{vrf.export_target} evpn"}
            networks = text[
                (f"router bgp {device.routing.bgp.asn}", f"vrf {vrf.name}", f"address-family {family} unicast")
            ]
            assert after(networks, "network ") == [str(row) for row in getattr(vrf, f"networks_{family}")]


@pytest.mark.parametrize("name", SECTIONS)
def test_maps_and_lists(name: str) -> None:
    device, text = samples()[name], blocks(text_of(name))
    policy = device.routing.policy
    for found in policy.route_maps:
        for row in found.statements:
            action = "permit" if row.permit else "deny"
            lines = text[(f"route-map {found.name} {action} {row.sequence}",)]
            assert one(lines, "match community ") == row.match_community_list
            assert one(lines, "match ip address prefix-list ") == row.match_prefix_list_ipv4
            assert one(lines, "match ipv6 address prefix-list ") == row.match_prefix_list_ipv6
            preference = str(row.set_local_preference) if row.set_local_preference >= 0 else ""
            assert one(lines, "set local-preference ") == preference
            words = set(one(lines, "set community ").split())
            asked = {row.set_community, "graceful-shutdown" if row.set_graceful_shutdown else ""} - {""}
            assert words == asked | ({"additive"} if asked and not row.replace_communities else set())
    for listed in policy.prefix_lists:
        start = f"{'ip' if listed.family == 'ipv4' else 'ipv6'} prefix-list {listed.name} seq "
        assert after(text[()], start) == [
            f"{entry.sequence} permit {entry.prefix}" + (f" le {entry.longest}" if entry.longest else "")
            for entry in listed.entries
        ]
    for route in device.routing.static_routes:
        line = f"{'ip' if route.family == 'ipv4' else 'ipv6'} route {route.prefix} {route.next_hop or 'Null0'}"
        vrf = "management" if route.vrf == device.management.vrf else route.vrf
        assert line in text[(f"vrf context {vrf}",) if vrf else ()]


def test_rates_breakouts_and_fec() -> None:
    assert "shape min 0 mbps max 40 gbps" in text_of("demo backend leaf")
    assert "shape min 0 mbps max 750 mbps" in render(made("slow cap"))
    divided = render(made("divided"))
    assert "\ninterface breakout module 1 port 1 map 100g-8x\n" in divided
    assert divided.index("interface breakout") < divided.index("interface Ethernet1/1/1")
    assert render(made("fec")).count("  fec rs-fec\n") == 1
    assert "fec" not in text_of("demo backend leaf")


def test_flowlets_and_seeds() -> None:
    leaf, spine, wide = (text_of(name) for name in ("demo backend leaf", "demo backend spine", "wide backend leaf"))
    assert "\nhardware profile dlb\n  dlb-interface Eth1/33,Eth1/34," in leaf
    assert "  mode flowlet\n  flowlet-aging 128\n" in leaf
    assert "  mode per-packet\n" in wide
    assert "flowlet-aging" not in wide
    seeds = [re.findall(r"universal-id (\d+)", text) for text in (leaf, spine)]
    wanted = [samples()[name].load_balancing.seed for name in ("demo backend leaf", "demo backend spine")]
    assert seeds == [[str(seed)] if seed else [] for seed in wanted]
    assert "hardware profile dlb" not in text_of("demo frontend leaf")


def test_overrides() -> None:
    found = {device.name: blocks(render(device)) for device in devices(planned("wide"))}
    told = interfaces_told(found["be-leaf-000"])["Ethernet1/1"]
    assert told[0] == "one of a kind"
    assert "fec fc-fec" in found["be-leaf-001"][("interface Ethernet1/33",)]
    spine = interfaces_told(found["be-spine-01"])
    assert {row[1] for name, row in spine.items() if name.startswith("Ethernet")} == {"9100"}


def test_the_list_of_ports_is_told_of() -> None:
    device = samples()["demo backend leaf"]
    (what,) = NXOS.derived(device)
    assert NXOS.derived(device)[what].startswith("Eth1/33,")
    ecmp = device._replace(load_balancing=device.load_balancing._replace(mode="ecmp"))
    assert NXOS.derived(ecmp)[what] == "none"
