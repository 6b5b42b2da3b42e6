"""Unplanned addresses: interfaces outside the plan, in VRFs of the plan."""

from collections.abc import Iterable

from fabricgen.state.state import LOOPBACK, Interface
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.ledger import Ledger, listed
from fabricgen.verify.judge.ports import KERNEL_ADDRESSES


def judge_strays(ledger: Ledger, expected: Expected, unplanned: Iterable[Interface]) -> None:
    """Judge addresses of unplanned interfaces, each of which is an access to its VRF. Management is not in the plan.

    Planned loopback addresses may be on any interface of their VRF; loopbacks of a VRF with planned ones are judged
    with those.
    """
    loopbacks = [interface for interface in expected.interfaces if interface.kind == LOOPBACK]
    planned = {(interface.vrf, address) for interface in loopbacks for address in interface.addresses}
    judged = {interface.vrf for interface in loopbacks}
    vrfs = {"", *(interface.vrf for interface in expected.interfaces), *(interface.vrf for interface in expected.vnis)}
    for interface in unplanned:
        if (
            interface.vrf not in vrfs
            or interface.name == expected.management
            or (interface.kind == LOOPBACK and interface.vrf in judged)
        ):
            continue
        extra = [
            address_
            for address_ in interface.addresses
            if (interface.vrf, address_) not in planned and not address_.startswith(KERNEL_ADDRESSES)
        ]
        if extra:
            ledger.wrong(_finding(ledger.device, interface, extra))


def _finding(device: str, interface: Interface, addresses: Iterable[str]) -> Finding:
    return Finding(
        device=device,
        check="addresses",
        code="address-unexpected",
        subject=f"interface {interface.name} in {interface.vrf}" if interface.vrf else f"interface {interface.name}",
        problem="is not in the plan and has an address",
        expected="no address",
        actual=listed(addresses),
        port=interface.name,
    )
