"""Unplanned addresses: interfaces outside the plan, in VRFs of the plan."""

from collections.abc import Iterable

from fabricgen.base.text import listed
from fabricgen.state.state import LOOPBACK, Interface
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.judge.ledger import Ledger
from fabricgen.verify.judge.ports import KERNEL_ADDRESSES


def judge_strays(ledger: Ledger, expected: Expected, unplanned: Iterable[Interface]) -> None:
    """Judge addresses of unplanned interfaces, each of which is an access to its VRF. Management is not in the plan.

    Planned loopback addresses may be on any interface of their VRF; loopbacks of a VRF with planned ones are judged
    with those.
    """
    loopbacks = [row for row in expected.interfaces if row.kind == LOOPBACK]
    planned = {(row.vrf, address) for row in loopbacks for address in row.addresses}
    judged = {row.vrf for row in loopbacks}
    vrfs = {"", *(row.vrf for row in expected.interfaces), *(row.vrf for row in expected.vnis)}
    for row in unplanned:
        if row.vrf not in vrfs or row.name == expected.management or (row.kind == LOOPBACK and row.vrf in judged):
            continue
        extra = [
            text for text in row.addresses if (row.vrf, text) not in planned and not text.startswith(KERNEL_ADDRESSES)
        ]
        if extra:
            _finding(ledger, row, extra)


def _finding(ledger: Ledger, interface: Interface, addresses: Iterable[str]) -> None:
    ledger.add(
        code="address-unexpected",
        subject=f"interface {interface.name} in {interface.vrf}" if interface.vrf else f"interface {interface.name}",
        problem="has an address and is not in the plan",
        expected="no address",
        actual=listed(addresses),
        port=interface.name,
    )
