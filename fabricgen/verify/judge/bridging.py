"""Layer 2 of one switch: the VLANs of its bridged ports, and the member ports of its aggregates."""

from collections.abc import Iterable, Sequence

from fabricgen.base.text import counted, listed
from fabricgen.state.state import Interface
from fabricgen.verify.expect.model import ExpectedInterface
from fabricgen.verify.judge.ledger import Ledger, interface_port, interface_subject

Pairs = Sequence[tuple[ExpectedInterface, Interface]]
"""Expected and actual interfaces."""


def judge_bridging(ledger: Ledger, pairs: Pairs) -> None:
    """Judge the VLANs and members of every expected interface that exists."""
    for row, actual in pairs:
        if row.members and actual.members is not None and actual.oper_up:
            _members(ledger, row, actual.members)
        if row.vlans is not None and actual.vlans is not None:
            _vlans(ledger, row, actual.vlans)
    _skip_ports(
        ledger, "their VLANs", [row.name for row, actual in pairs if row.vlans is not None and actual.vlans is None]
    )
    bundles = [row.name for row, actual in pairs if row.members and actual.members is None]
    _skip_ports(ledger, "their member ports", bundles)


def _skip_ports(ledger: Ledger, part: str, names: Sequence[str]) -> None:
    if names:
        ports_text = f"{counted(len(names), 'bridged port')}: {listed(names)}"
        ledger.skip("interfaces", f"{part} cannot be read, and are not verified, of {ports_text}")


def _members(ledger: Ledger, lag: ExpectedInterface, bundled: Iterable[str]) -> None:
    """Judge the members of an aggregate. A port that is down has its own finding; this one is for ports that are up."""
    missing = [name for name in lag.members if name not in {*bundled, *ledger.causes}]
    if not missing:
        ledger.right("interfaces")
        return
    ledger.add(
        code="lag-member-missing",
        subject=lag.name,
        problem=f"lacks the member {listed(missing)}, which is up",
        expected=listed(lag.members),
        actual=listed(bundled),
    )


def _vlans(ledger: Ledger, interface: ExpectedInterface, actual: tuple[tuple[int, int], ...]) -> None:
    if actual == interface.vlans:
        ledger.right("interfaces")
        return
    ledger.blame(interface.name, f"the VLANs of {interface.name} are not the planned ones")
    ledger.add(
        code="port-wrong-vlan",
        subject=interface_subject(interface),
        problem="is not in the planned VLANs",
        expected=_words(interface.vlans or ()),
        actual=_words(actual),
        port=interface_port(interface),
    )


def _words(pairs: Iterable[tuple[int, int]]) -> str:
    return listed((_pair(tag, vlan) for tag, vlan in pairs), "no VLAN")


def _pair(tag: int, vlan: int) -> str:
    if not tag:
        return f"VLAN {vlan} untagged"
    return f"VLAN {vlan} tagged" if tag == vlan else f"VLAN {vlan} by tag {tag}"
