"""Tables of MAC addresses and neighbors: they hold what was learned, and no plan has an entry that was set by hand."""

from collections.abc import Iterable

from fabricgen.state.state import StaticMac, StaticNeighbor
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.ledger import Ledger, interface_port, port_subject


def judge_neighbors(book: Ledger, expected: Expected, state: Iterable[StaticNeighbor]) -> None:
    """Those of planned VRFs. The management port is no matter of the plan."""
    vrfs = {"", *(one.vrf for one in expected.interfaces), *(one.vrf for one in expected.vnis)}
    ports = {port for one in expected.interfaces if (port := interface_port(one))}
    found = [one for one in state if one.vrf in vrfs and one.interface != expected.management]
    if not found:
        book.right("addresses")
    for one in found:
        port = one.interface if one.interface in ports else ""
        where = port_subject(one.interface, "") if port else one.interface
        if port:
            book.blame(port, f"a neighbor of {where} is set by hand")
        book.wrong(
            Finding(
                device=book.device,
                check="addresses",
                code="neighbor-by-hand",
                subject=f"neighbor {one.address} of {where}" + (f" in {one.vrf}" if one.vrf else ""),
                problem="is static",
                expected="asked for by the switch",
                actual=f"always {one.mac}",
                port=port,
            )
        )


def judge_macs(book: Ledger, expected: Expected, state: Iterable[StaticMac]) -> None:
    """Entries that were bound to a port or a tunnel."""
    ports = {port for one in expected.interfaces if (port := interface_port(one))}
    found = tuple(state)
    if expected.vnis and not found:
        book.right("vnis")
    for one in found:
        port = one.interface if one.interface in ports else ""
        where = port_subject(one.interface, "") if port else one.interface
        book.wrong(
            Finding(
                device=book.device,
                check="vnis",
                code="mac-by-hand",
                subject=f"MAC address {one.mac}" + (f" of VLAN {one.vlan_id}" if one.vlan_id else ""),
                problem="is static",
                expected="learned, or told by EVPN",
                actual=f"static on {where}",
                port=port,
            )
        )
