"""What a Junos switch answers about its ports, spelled from the plan: a part of the double in junos_answers.py."""

import re
from collections.abc import Iterable

from fabricgen.state.state import ETHERNET, L2, L3, LAG, LOOPBACK, SUBINTERFACE, SVI
from fabricgen.verify.expect.model import Expected, ExpectedInterface
from tests.doubles.junos_elements import element, reply


def interfaces(expected: Expected) -> str:
    rows = expected.interfaces
    subs = {one.name.rpartition(".")[0] for one in rows if one.kind == SUBINTERFACE}
    ports = [_port(one, expected, subs) for one in rows if one.kind == ETHERNET]
    ports += [_port(one, expected, subs) for one in rows if one.kind == LAG]
    units = [_unit(f"irb.{one.vlan_id}", one.mtu, one.addresses) for one in rows if one.kind == SVI]
    ports.append(_physical("irb", "1514", True, True, units))
    loopbacks = [_unit(name, 0, found, up=False) for name, found in _loopbacks(expected).items()]
    own = _unit("lo0.16384", 0, ("127.0.0.1/32",), up=False)
    ports.append(_physical("lo0", "Unlimited", True, True, [*loopbacks, own]))
    ports.append(_physical(expected.management, "1514", True, True, [_unit(f"{expected.management}.0", 1500, ())]))
    ports.append(_physical("pfe-0/0/0", "", True, True, [_unit("pfe-0/0/0.16383", 1500, ("128.0.0.4/2",))]))
    return reply(element("interface-information", *ports))


def _loopbacks(expected: Expected) -> dict[str, tuple[str, ...]]:
    """Unit of lo0 → addresses: 0 has all of the default table."""
    rows = [one for one in expected.interfaces if one.kind == LOOPBACK]
    found = {"lo0.0": tuple(address for one in rows if not one.vrf for address in one.addresses)}
    for at, vrf in enumerate(sorted({one.vrf for one in expected.vnis if one.kind == L3})):
        found[f"lo0.{11 + at}"] = tuple(address for one in rows if one.vrf == vrf for address in one.addresses)
    return found


def _name(one: ExpectedInterface) -> str:
    return f"ae{one.name.rpartition(' ')[2]}" if one.kind == LAG else one.name


def _port(one: ExpectedInterface, expected: Expected, subs: set[str]) -> str:
    """A port. One that is shut is down; a routed one has its unit 0, another the units that bridge."""
    name, up = _name(one), one.up is not False
    more = [row for row in expected.interfaces if row.kind == SUBINTERFACE and row.name.rpartition(".")[0] == one.name]
    units = [_unit(row.name, row.mtu, row.addresses) for row in more]
    if one.vlans is not None:
        units += [_unit(f"{name}.{tag}", 0, (), bridged=True) for tag, _ in one.vlans]
    elif one.addresses:
        units.append(_unit(f"{name}.0", one.mtu, one.addresses, up=up))
    elif one.name in {row.peer for row in expected.sessions}:
        units.append(_unit(f"{name}.0", one.mtu, (), link_local=True))
    units.append(_unit(f"{name}.16386", 0, (), bridged=True))
    return _physical(name, str(one.mtu + 14 + (8 if one.name in subs else 0)), up, up, units)


def _physical(name: str, mtu: str, admin: bool, up: bool, units: Iterable[str]) -> str:
    words = {True: "up", False: "down"}
    return element(
        "physical-interface",
        element("name", name),
        element("admin-status", words[admin], format="Enabled" if admin else "Disabled"),
        element("oper-status", words[up]),
        element("mtu", mtu) if mtu else "<mtu/>",
        *units,
    )


def _unit(
    name: str, mtu: int, addresses: Iterable[str], *, up: bool = True, bridged: bool = False, link_local: bool = False
) -> str:
    flags = "<iff-snmp-traps/>" + ("<iff-up/>" if up else "")
    families: dict[str, list[str]] = {"inet": [], "inet6": []}
    for address in addresses:
        families["inet6" if ":" in address else "inet"].append(_address(address))
    if families["inet6"] or link_local:
        families["inet6"].append(_address("fe80::926a:eeff:fe36:0/64"))
    rows = [
        element("address-family", element("address-family-name", family), element("mtu", mtu or "Unlimited"), *found)
        for family, found in families.items()
        if found or link_local
    ]
    if bridged:
        rows = [element("address-family", element("address-family-name", "eth-switch"), element("mtu", "1514"))]
    return element("logical-interface", element("name", name), element("if-config-flags", flags), *rows)


def _address(address: str) -> str:
    """As Junos writes it: of a host's own there is no network, and 10.0.0.0/24 is 10.0.0/24."""
    host, _, length = address.partition("/")
    if length in ("32", "128"):
        return element("interface-address", element("ifa-local", host))
    network = re.sub(r"(\.0)+$", "", host) if length == "24" else host
    return element("interface-address", element("ifa-destination", f"{network}/{length}"), element("ifa-local", host))


def instances(expected: Expected) -> str:
    vrfs: dict[str, list[str]] = {one.vrf: [] for one in expected.vnis if one.kind == L3}
    for one in expected.interfaces:
        if one.vrf and one.kind != LOOPBACK:
            unit = f"irb.{one.vlan_id}" if one.kind == SVI else one.name if "." in one.name else f"{one.name}.0"
            vrfs.setdefault(one.vrf, []).append(unit)
    for at, vrf in enumerate(sorted({one.vrf for one in expected.vnis if one.kind == L3})):
        vrfs[vrf].append(f"lo0.{11 + at}")
    rows = [_instance("master", "forwarding", ()), _instance("mgmt_junos", "forwarding", ())]
    rows.append(_instance("__juniper_private2__", "forwarding", ("lo0.16384",)))
    rows += [_instance(vrf, "vrf", units) for vrf, units in vrfs.items()]
    macs = [one for one in expected.vnis if one.kind == L2]
    rows += [_instance(f"MAC-VRF-{one.vlan_id}", "mac-vrf", (f"irb.{one.vlan_id}",)) for one in macs]
    return reply(element("instance-information", *rows))


def _instance(name: str, kind: str, units: Iterable[str]) -> str:
    found = [element("instance-interface", element("interface-name", unit)) for unit in units]
    return element("instance-core", element("instance-name", name), element("instance-type", kind), *found)


def bundles(expected: Expected) -> str:
    rows = [
        element(
            "lacp-interface-information",
            element("lag-lacp-header", element("aggregate-name", _name(one))),
            *(element("lag-lacp-state", element("name", port), "<lacp-role>Actor</lacp-role>") for port in one.members),
            *(
                element(
                    "lag-lacp-protocol",
                    element("name", port),
                    element("lacp-receive-state", "Current"),
                    element("lacp-mux-state", "Collecting distributing"),
                )
                for port in one.members
            ),
        )
        for one in expected.interfaces
        if one.kind == LAG
    ]
    return reply(element("lacp-interface-information-list", *rows))


def vlans(expected: Expected) -> str:
    found: dict[int, list[str]] = {one.vlan_id: [] for one in expected.vnis if one.kind == L2}
    for one in expected.interfaces:
        for tag, vlan in one.vlans or ():
            found.setdefault(vlan, []).append(f"{_name(one)}.{tag}*")
    rows = [
        element(
            "l2ng-l2ald-vlan-instance-group",
            element("l2ng-l2rtb-name", f"MAC-VRF-{vlan}"),
            element("l2ng-l2rtb-vlan-name", f"vlan-{vlan}"),
            element("l2ng-l2rtb-vlan-tag", vlan),
            *(
                element("l2ng-l2rtb-vlan-member", element("l2ng-l2rtb-vlan-member-interface", unit))
                for unit in ("vtep.32769*", *units)
            ),
        )
        for vlan, units in found.items()
    ]
    own = element(
        "l2ng-l2ald-vlan-instance-group",
        element("l2ng-l2rtb-vlan-name", "default"),
        element("l2ng-l2rtb-vlan-tag", 1),
        element("l2ng-l2rtb-vlan-member", "<l2ng-l2rtb-vlan-member-interface/>"),
    )
    return reply(element("l2ng-l2ald-vlan-instance-information", *rows, own))


def lldp(expected: Expected) -> str:
    rows = [
        element(
            "lldp-neighbor-information",
            element("lldp-local-port-id", one.port),
            element("lldp-local-parent-interface-name", "-"),
            element("lldp-remote-port-id-subtype", "Interface name"),
            element("lldp-remote-port-id", one.port_id),
            element("lldp-remote-system-name", one.system),
        )
        for one in expected.adjacencies
    ]
    return reply(element("lldp-neighbors-information", *rows, style="brief"))
