"""MAC and neighbor tables: entries are learned, and no plan has static ones."""

from collections.abc import Iterable

from fabricgen.state.state import StaticMac, StaticNeighbor
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.judge.ledger import Ledger, interface_port, port_subject


def judge_neighbors(ledger: Ledger, expected: Expected, state: Iterable[StaticNeighbor]) -> None:
    """Judge static neighbors of planned VRFs. The management port is not in the plan."""
    vrfs = {"", *(entry.vrf for entry in expected.interfaces), *(entry.vrf for entry in expected.vnis)}
    ports = {port for entry in expected.interfaces if (port := interface_port(entry))}
    entries = [entry for entry in state if entry.vrf in vrfs and entry.interface != expected.management]
    if not entries:
        ledger.right("addresses")
    for entry in entries:
        port = entry.interface if entry.interface in ports else ""
        where = port_subject(entry.interface, "") if port else entry.interface
        if port:
            ledger.blame(port, f"a neighbor of {where} is static")
        ledger.add(
            code="neighbor-by-hand",
            subject=f"neighbor {entry.address} of {where}" + (f" in {entry.vrf}" if entry.vrf else ""),
            problem="is static",
            expected="resolved by the switch",
            actual=f"always {entry.mac}",
            port=port,
        )


def judge_macs(ledger: Ledger, expected: Expected, state: Iterable[StaticMac]) -> None:
    """Judge static MAC entries of a port or a tunnel."""
    ports = {port for entry in expected.interfaces if (port := interface_port(entry))}
    entries = tuple(state)
    if expected.vnis and not entries:
        ledger.right("vnis")
    for entry in entries:
        port = entry.interface if entry.interface in ports else ""
        where = port_subject(entry.interface, "") if port else entry.interface
        ledger.add(
            code="mac-by-hand",
            subject=f"MAC address {entry.mac}" + (f" of VLAN {entry.vlan_id}" if entry.vlan_id else ""),
            problem="is static",
            expected="learned, or from EVPN",
            actual=f"static on {where}",
            port=port,
        )
