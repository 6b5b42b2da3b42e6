"""What holds on every switch, whatever its samples ask: no queue left to a default, names as long as NX-OS takes."""

import pytest

from fabricgen.base.addresses import Ipv6, Prefix
from fabricgen.checks.catalogue import run_checks
from fabricgen.device.device import Device
from fabricgen.device.routing import StaticRoute
from fabricgen.errors import FabricError
from fabricgen.platforms.nxos.platform import NXOS
from tests.nxos.fleet import NAMES, made, planned, render, samples, text_of, with_bfd, with_vlan_name
from tests.nxos.lines import unknown
from tests.nxos.rules import blocks, interfaces


def with_map_name(length: int) -> Device:
    """A border leaf whose first external session has maps with names of that length."""
    device = samples()["demo frontend border-leaf"]
    bgp = device.routing.bgp
    vrf = next(row for row in bgp.vrfs if row.neighbors)
    far = vrf.neighbors[0]._replace(route_map_in="R" * (length - 1), route_map_out="R" * length)
    changed = vrf._replace(neighbors=(far, *vrf.neighbors[1:]))
    vrfs = tuple(changed if row is vrf else row for row in bgp.vrfs)
    return device._replace(routing=device.routing._replace(bgp=bgp._replace(vrfs=vrfs)))


@pytest.mark.parametrize("name", ["demo backend leaf", "wide backend spine", "shared backend last leaf"])
def test_every_queue_has_its_line(name: str) -> None:
    """Sources: Microsoft's reference and Cisco's script list all eight, those without packets at 0."""
    text = blocks(text_of(name))
    policies = [above for above in text if len(above) == 1 and above[0].startswith("policy-map type queuing")]
    assert policies
    wanted = [*(f"class type queuing c-out-8q-q{number}" for number in range(7, 0, -1)), QUEUE_0]
    for above in policies:
        assert text[above] == wanted
        assert all(text[(*above, queue)] for queue in wanted)


QUEUE_0 = "class type queuing c-out-8q-q-default"


@pytest.mark.parametrize("name", NAMES)
def test_ports_say_which_layer_they_are_of(name: str) -> None:
    """`system default switchport` may have been turned around by the first setup of the box."""
    for port, lines in interfaces(blocks(text_of(name))):
        if "." not in port:
            assert lines[1] in ("no switchport", "switchport"), port
            assert (lines[1] == "switchport") is any(line.startswith("switchport ") for line in lines)


def test_parts_of_a_cage_have_the_speed_of_its_map() -> None:
    text = render(made("divided"))
    lines = text.splitlines()
    start = lines.index("interface Ethernet1/1/1")
    assert not any(line.startswith("  speed ") for line in lines[start : lines.index("!", start)])
    assert text.count("\n  speed ") == len(samples()["demo backend leaf"].interfaces.ethernet) - 1


def test_bfd_between_loopbacks_is_of_many_hops() -> None:
    """Source: cisco.nxos 154aa54, rm_templates/bgp_global.py: bfd, bfd singlehop, bfd multihop."""
    text = render(with_bfd())
    assert not unknown(text)
    for above, lines in blocks(text).items():
        if len(above) == 2 and above[1].startswith("neighbor "):
            far = any(line.startswith("ebgp-multihop") for line in lines)
            assert lines[0] == ("bfd multihop" if far else "bfd")


@pytest.mark.parametrize(("length", "told"), [(32, 0), (33, 1), (49, 1)])
def test_long_names_of_vlans(length: int, told: int) -> None:
    """Source: Cisco's modules for the fabric controller, vlan_name: more than 32 ask `system vlan long-name`."""
    text = render(with_vlan_name(length))
    assert text.count("system vlan long-name\n") == told
    assert not told or text.index("system vlan long-name") < text.index("\nvlan ")
    assert not unknown(text)


def test_names_of_maps_end_at_63() -> None:
    """Source: Batfish's ranges of NX-OS: route map, prefix list and community list, 1 to 63."""
    NXOS.template_context(with_map_name(63))
    with pytest.raises(FabricError) as caught:
        NXOS.template_context(with_map_name(64))
    (problem,) = caught.value.problems
    assert problem.where[0] == "tenants"
    assert problem.where[2] == "external"
    assert "64" in problem.why


@pytest.mark.parametrize(("text", "fine"), [("rack 7; row 2", True), ("rack 7 ; reload", False), ("rack ;", False)])
def test_texts_that_would_be_two_commands(text: str, fine: bool) -> None:
    """Source: NX-OS programmability guide, NX-API: commands of one line are parted by a blank and a semicolon."""
    device = samples()["demo frontend leaf"]
    first, *others = device.interfaces.ethernet
    ports = (first._replace(description=text), *others)
    snmp = device.management.snmp
    assert snmp is not None
    told = device._replace(management=device.management._replace(snmp=snmp._replace(location=text, contact=text)))
    wired = device._replace(interfaces=device.interfaces._replace(ethernet=ports))
    for changed, where, problems in ((told, "management", 2), (wired, "overrides", 1)):
        if fine:
            assert text in render(changed)
            continue
        with pytest.raises(FabricError) as caught:
            NXOS.template_context(changed)
        assert [row.where[0] for row in caught.value.problems] == [where] * problems


def test_advertisements_come_back_where_dhcpv6_is_relayed() -> None:
    """A Nexus sends none without this line. Source: annetutil/annet f2c2d80, annet/rulebook/cisco/misc.py."""
    device = samples()["demo frontend last leaf"]
    assert device.evpn is not None
    first, *others = device.evpn.gateways
    relayed = first._replace(relays_ipv6=(Ipv6("2001:db8::67"),), relay_source=11)
    text = render(device._replace(evpn=device.evpn._replace(gateways=(relayed, *others))))
    assert not unknown(text)
    found = blocks(text)
    for gateway, line in ((relayed, "no ipv6 nd suppress-ra"), (others[0], "ipv6 nd suppress-ra")):
        told = [row for row in found[(f"interface Vlan{gateway.vlan_id}",)] if "suppress-ra" in row]
        assert told == [line]


def test_gateway_of_another_family() -> None:
    device = samples()["demo backend leaf"]
    route = StaticRoute(device.management.vrf, "ipv4", Prefix("0.0.0.0/0"), "2001:db8::1")
    with pytest.raises(FabricError) as caught:
        NXOS.template_context(device._replace(routing=device.routing._replace(static_routes=(route,))))
    assert [row.where for row in caught.value.problems] == [("management", "gateway")]


def test_limits_are_told_by_validate() -> None:
    """One problem a fabric and cause, before anything is rendered."""
    plan = planned("demo", {"tenants.storage.networks.data.vlan": 3968, "management.sflow.sample": 1024})
    found = [problem for problem in run_checks(plan) if problem.code == "platform-limit"]
    assert [problem.where for problem in found] == [
        ("management", "sflow", "sample"),
        ("management", "sflow", "sample"),
        ("tenants", "storage", "networks"),
    ]


def test_no_command_waits_for_a_server() -> None:
    """An intent's `aaa` is of login, as on other systems; a server without command sets would lock out every push."""
    top = blocks(text_of("demo backend leaf"))[()]
    assert "aaa authentication login default group TACACS local" in top
    assert not [line for line in top if line.startswith("aaa authorization")]


@pytest.mark.parametrize(("port", "seconds", "where"), [(1023, 301, ("management", "fabrics")), (1024, 300, ())])
def test_ports_of_servers_and_intervals(port: int, seconds: int, where: tuple[str, ...]) -> None:
    """Sources: programmability guide, grpc port 1024 to 65535; command reference, load-interval 5 to 300."""
    device = samples()["wide backend leaf"]
    assert device.management.gnmi is not None
    gnmi = device.management.gnmi._replace(port=port)
    telemetry = device.telemetry._replace(load_interval_seconds=seconds)
    found = NXOS.limits(device._replace(management=device.management._replace(gnmi=gnmi), telemetry=telemetry))
    assert tuple(problem.where[0] for problem in found) == where
