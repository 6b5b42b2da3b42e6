"""Addresses where the plan has none: interfaces that it does not know, in the VRFs that it does."""

from collections.abc import Iterable

from fabricgen.state.state import LOOPBACK, Interface
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.ledger import Ledger, listed
from fabricgen.verify.judge.ports import KERNEL_ADDRESSES


def judge_strays(book: Ledger, expected: Expected, unplanned: Iterable[Interface]) -> None:
    """An address makes an interface a way into its VRF. The management port and its VRF are no matter of the plan.

    Loopback addresses of the plan may stand on any interface of their VRF; loopbacks of a VRF that has planned ones are
    judged with those.
    """
    loopbacks = [one for one in expected.interfaces if one.kind == LOOPBACK]
    planned = {(one.vrf, address) for one in loopbacks for address in one.addresses}
    judged = {one.vrf for one in loopbacks}
    vrfs = {"", *(one.vrf for one in expected.interfaces), *(one.vrf for one in expected.vnis)}
    for one in unplanned:
        if one.vrf not in vrfs or one.name == expected.management or (one.kind == LOOPBACK and one.vrf in judged):
            continue
        extra = [a for a in one.addresses if (one.vrf, a) not in planned and not a.startswith(KERNEL_ADDRESSES)]
        if extra:
            book.wrong(_finding(book.device, one, extra))


def _finding(device: str, one: Interface, addresses: Iterable[str]) -> Finding:
    return Finding(
        device=device,
        check="addresses",
        code="address-unexpected",
        subject=f"interface {one.name} in {one.vrf}" if one.vrf else f"interface {one.name}",
        problem="is not in the plan and has an address",
        expected="no address",
        actual=listed(addresses),
        port=one.name,
    )
