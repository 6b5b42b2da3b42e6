"""Every address, port and number of every switch of two sites: what explains it names the switch that has it.

The Devices are resolved by `resolve`, which asks the plan forwards; explanations go backwards, from the number.
"""

from collections.abc import Iterator
from functools import cache
from ipaddress import ip_interface

import pytest

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.explain.answer import Answer
from fabricgen.explain.known import KnownSite
from fabricgen.plan.exceptions import Exceptions, PortKey, SlotKey
from fabricgen.plan.place import PlaceRange
from fabricgen.plan.plan import with_exceptions
from fabricgen.plan.segments import Segment
from fabricgen.resolve.device import devices
from tests.explain.asking import DEMO, FRR, known, only, titles
from tests.plan.shapes import planned
from tests.plan.test_three_tiers import SIZES, clos
from tests.some import LONG

EXCEPTIONS = Exceptions(
    devices={"fe-leaf-002": "drained", "be-spine-01": "drained"},
    ports={
        PortKey("be-leaf-001", "Ethernet2/1"): "absent",
        PortKey("be-leaf-001", "Ethernet33/1"): "absent",
        PortKey("be-leaf-002", "Ethernet33/1"): "drained",
        PortKey("fe-spine-01", "Ethernet5/1"): "dead",
    },
    slots={SlotKey("train", 3): "absent", SlotKey("train", 4): "drained"},
)


@cache
def site(which: str) -> KnownSite:
    if which == "exceptions":
        return KnownSite(plan=with_exceptions(known(DEMO).plan, EXCEPTIONS))
    return known({"demo": DEMO, "frr": FRR}[which])


@cache
def fleet(which: str) -> tuple[Device, ...]:
    return tuple(devices(site(which).plan))


def rows(which: str) -> Iterator[tuple[Device, Ethernet]]:
    yield from ((device, row) for device in fleet(which) for row in device.interfaces.ethernet)


WHICH = pytest.mark.parametrize("which", ["exceptions", "frr", pytest.param("demo", marks=LONG)])


@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=LONG)], ids=["some ports", "all ports"])
@WHICH
def test_an_address_of_a_port_names_it(which: str, stride: int) -> None:
    seen = 0
    for device, row in [*rows(which)][::stride]:
        for text in filter(None, (row.ipv4, row.ipv6)):
            seen += 1
            address = str(ip_interface(text).ip)
            (title,) = titles(site(which), address)
            assert title.startswith(f"{address}: {device.name} {row.name}, towards {row.peer}")
    assert seen > 100 / stride


@WHICH
def test_a_port_tells_what_the_switch_is_told(which: str) -> None:
    for device, row in rows(which):
        answer = only(site(which), f"{device.name}/{row.name}")
        values = _values(answer)
        assert {text for text in (row.ipv4, row.ipv6) if text} <= _addresses(values)
        assert values["length"] == [f"{row.length_m:g} m"]
        if row.profile.role == "external":
            assert f"to {row.peer}, AS" in values["outside"][0]
            continue
        ends = {f"{device.name} {row.name}", f"{row.peer} {row.peer_port}"}
        near, _, far = values["cable"][0].rpartition(",")[0].partition(" to ")
        assert {near, far} == ends
        assert values["state"][0].startswith("enabled" if row.enabled else "shut down")
        if row.switching is not None:
            vlans = (row.switching.access_vlan,) if row.switching.access_vlan else row.switching.trunk_vlans
            assert [int(part.split()[0]) for part in values["VLANs"][0].split(", ")] == list(vlans)
            assert values.get("aggregate", ["0"]) == [str(row.lag)]


def _values(answer: Answer) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for fact in answer.facts:
        found.setdefault(fact.label, []).append(fact.value)
    return found


def _addresses(values: dict[str, list[str]]) -> set[str]:
    return {text for label, found in values.items() if label.endswith("address") for text in found}


@WHICH
def test_loopbacks_and_management_name_their_switch(which: str) -> None:
    for device in fleet(which):
        for loopback in device.interfaces.loopbacks:
            for text in filter(None, (loopback.ipv4, loopback.ipv6)):
                address = str(ip_interface(text).ip)
                (title,) = titles(site(which), address)
                assert title.startswith(f"{address}: {device.name} loopback {loopback.number}, ")
        address = str(ip_interface(device.management.address).ip)
        (title,) = titles(site(which), address)
        assert title.startswith(f"{address}: {device.name} {device.management.port}, ")


@WHICH
def test_gateways_and_outside_addresses_name_what_has_them(which: str) -> None:
    for device in fleet(which):
        for gateway in device.evpn.gateways if device.evpn is not None else ():
            for text in filter(None, (gateway.ipv4, gateway.ipv6)):
                found = titles(site(which), str(ip_interface(text).ip))
                network = gateway.description.replace(" ", "/")
                assert any(f"gateway of {network} on " in title for title in found)
        for row in device.interfaces.subinterfaces:
            for text in filter(None, (row.ipv4, row.ipv6)):
                address = str(ip_interface(text).ip)
                assert f"{address}: {device.name} {row.parent}.{row.vlan_id}, towards" in "".join(
                    titles(site(which), address)
                )


@WHICH
def test_a_switch_has_the_numbers_of_its_configuration(which: str) -> None:
    for device in fleet(which):
        values = _values(only(site(which), device.name))
        bgp = device.routing.bgp
        assert (values["ASN"], values["router id"]) == ([str(bgp.asn)], [bgp.router_id])
        assert values["management"] == [str(ip_interface(device.management.address).ip)]
        assert values.get("VTEP", []) == ([device.evpn.vtep] if device.evpn is not None else [])
        assert set(values.get("aggregate", ())) <= {*bgp.networks_ipv4, *bgp.networks_ipv6}
        assert values["state"] == [device.state]
        title = titles(site(which), str(bgp.asn))[0]
        assert device.name in title or device.role in title


@WHICH
def test_identifiers_of_the_overlay_lead_back(which: str) -> None:
    for device in fleet(which):
        for vlan in device.evpn.vlans if device.evpn is not None else ():
            assert any(f"network {vlan.name.replace('-', '/', 1)}" in title for title in titles(site(which), vlan.rd))
            assert any("L2 VNI of" in title for title in titles(site(which), vlan.route_target))
        for vrf in device.routing.bgp.vrfs:
            assert any(f"{device.name}, VRF {vrf.name}" in title for title in titles(site(which), vrf.rd))


def test_a_million_gpus_are_explained_by_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places looked at are counted, not seconds: 8 planes of 32 pods, and nobody goes through them."""
    big = KnownSite(plan=planned(clos(SIZES[3]), ipv4=SIZES[3].prefix))
    looked = 0
    point = PlaceRange.point

    def counted(self: PlaceRange, number: int) -> object:
        nonlocal looked
        looked += 1
        return point(self, number)

    def forbidden(self: Segment) -> object:
        raise AssertionError(f"every place of {self.fabric} {self.tier} was looked at")

    monkeypatch.setattr(PlaceRange, "point", counted)
    monkeypatch.setattr(Segment, "places", forbidden)
    segment = big.plan.lock.segments[0]
    assert segment.ipv4 is not None
    last = segment.box.size() - 1
    names = {
        f"be-leaf-{last:03d}": "leaf of backend",
        "be-spine-16383": "spine of backend",
        "be-super-8191": "superspine of backend",
        str(segment.asn + last): f"be-leaf-{last:03d} of backend",
        _text(segment.ipv4.block(last) + 1): "train-",
        _text(segment.ipv4.block(last)): f"be-leaf-{last:03d} ",
        _text(segment.identifiers.block(last)): f"be-leaf-{last:03d} loopback 0",
        f"be-leaf-{last:03d}/Ethernet1/1": f"be-leaf-{last:03d} Ethernet1/1",
        "be-spine-16383/Ethernet64/1": "downlink 63 of a spine",
        "be-super-8191/Ethernet1/1": "downlink 0 of a superspine",
        "train[0]": "server in slot",
    }
    for text, title in names.items():
        looked = 0
        assert title in titles(big, text)[0]
        assert looked < 400, text


def _text(value: int) -> str:
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))
