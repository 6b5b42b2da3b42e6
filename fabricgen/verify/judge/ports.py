"""Interfaces of one switch: state, MTU, addresses."""

import re
from collections.abc import Iterable, Mapping
from functools import partial

from fabricgen.state.state import LAG, LOOPBACK, SVI, Interface
from fabricgen.verify.expect.model import ExpectedInterface
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.bridging import judge_bridging
from fabricgen.verify.judge.ledger import Ledger, counted, interface_port, interface_subject, listed

KERNEL_ADDRESSES = ("127.", "::1/")
"""Every loopback of a kernel has them."""


def judge_interfaces(
    book: Ledger, expected: tuple[ExpectedInterface, ...], state: tuple[Interface, ...]
) -> tuple[Interface, ...]:
    """All of them. Each kind is found as the docstring of ExpectedInterface says. Returns those that are in no plan."""
    found = PortReading(state)
    for one in expected:
        if one.kind != LOOPBACK:
            _judge(book, one, found.of(one))
    _loopbacks(book, [one for one in expected if one.kind == LOOPBACK], state)
    unsaid = [one.name for one in expected if _mtu_unsaid(one, found.of(one))]
    if unsaid:
        book.skip("mtu", f"the platform does not show the MTU of {counted(len(unsaid), 'interface')}: {listed(unsaid)}")
    judge_bridging(book, [(one, it) for one in expected if one.up is not False and (it := found.of(one))])
    planned = {found.of(one) for one in expected if one.kind != LOOPBACK}
    return tuple(one for one in state if one not in planned)


class PortReading:
    """Interfaces as they were read, each by what tells it on all platforms."""

    def __init__(self, state: Iterable[Interface]) -> None:
        self._names: dict[str, list[Interface]] = {}
        self._numbers: dict[tuple[str, int], list[Interface]] = {}
        for one in state:
            self._names.setdefault(one.name, []).append(one)
            if one.kind == SVI:
                self._numbers.setdefault((SVI, one.vlan_id), []).append(one)
            elif number := lag_number(one):
                self._numbers.setdefault((LAG, number), []).append(one)

    def of(self, expected: ExpectedInterface) -> Interface | None:
        """The one in the planned VRF, where several VRFs have one; else the last."""
        if expected.kind == SVI:
            found = self._numbers.get((SVI, expected.vlan_id), [])
        elif expected.kind == LAG:
            found = self._numbers.get((LAG, lag_number(expected)), [])
        else:
            found = self._names.get(expected.name, [])
        return next((one for one in found if one.vrf == expected.vrf), found[-1] if found else None)


def lag_number(one: Interface | ExpectedInterface) -> int:
    """Number at the end of an aggregate's name; 0 where it has none or is something else."""
    found = re.search(r"\d+$", one.name) if one.kind == LAG else None
    return int(found[0]) if found else 0


def _judge(book: Ledger, one: ExpectedInterface, found: Interface | None) -> None:
    if found is None:
        _missing(book, one)
        return
    wrong = _state(book, one, found)
    if wrong is not None:
        book.wrong(wrong)
    else:
        book.right("interfaces")
    if one.up is not False:
        _vrf(book, one, found)
        _mtu(book, one, found)
        _addresses(book, one, found.addresses)
        _mac(book, one, found)


def _missing(book: Ledger, one: ExpectedInterface) -> None:
    """A port that is to be shut and is not there carries nothing either."""
    if one.up is False:
        book.right("interfaces")
        return
    book.blame(one.name, f"{interface_subject(one)} does not exist")
    book.wrong(
        Finding(
            device=book.device,
            check="interfaces",
            code="interface-missing",
            subject=interface_subject(one),
            port=interface_port(one),
            problem="does not exist",
            expected="there",
            actual="not there",
        )
    )


def _state(book: Ledger, one: ExpectedInterface, found: Interface) -> Finding | None:
    make = partial(
        Finding, device=book.device, check="interfaces", subject=interface_subject(one), port=interface_port(one)
    )
    up = "up" if found.oper_up else "down"
    if one.up is False:
        if not found.admin_up:
            return None
        return make(code="interface-not-shut", problem="is enabled", expected="shut down", actual=f"enabled and {up}")
    if not found.admin_up:
        book.blame(one.name, f"{interface_subject(one)} is shut down")
        return make(code="interface-shut", problem="is shut down", expected="enabled", actual="shut down")
    if found.fault:
        book.blame(one.name, f"{interface_subject(one)} is {found.fault}")
        return make(
            code="interface-fault", problem="was taken out of service by the switch", expected="up", actual=found.fault
        )
    if one.up and not found.oper_up:
        explained = next((book.causes[name] for name in one.members if name in book.causes), "")
        book.blame(one.name, f"{interface_subject(one)} is down")
        return make(
            code="interface-down", problem="is down", expected="up", actual="enabled and down", explained=explained
        )
    return None


def _vrf(book: Ledger, one: ExpectedInterface, found: Interface) -> None:
    if found.vrf == one.vrf:
        return
    book.blame(one.name, f"{interface_subject(one)} is in another VRF")
    book.wrong(
        Finding(
            device=book.device,
            check="interfaces",
            code="interface-wrong-vrf",
            subject=interface_subject(one),
            port=interface_port(one),
            problem="is in another VRF",
            expected=one.vrf or "the default VRF",
            actual=found.vrf or "the default VRF",
        )
    )


def _mtu_unsaid(one: ExpectedInterface, found: Interface | None) -> bool:
    return found is not None and one.up is not False and bool(one.mtu) and not found.mtu


def _mtu(book: Ledger, one: ExpectedInterface, found: Interface) -> None:
    """A routed interface has the exact one; a bridged one passes frames on, so that more does no harm."""
    if not one.mtu or not found.mtu:
        return
    if found.mtu == one.mtu or (not one.addresses and found.mtu > one.mtu):
        book.right("mtu")
        return
    book.blame(one.name, f"the MTU of {interface_subject(one)} is {found.mtu}")
    book.wrong(
        Finding(
            device=book.device,
            check="mtu",
            code="mtu-wrong",
            subject=interface_subject(one),
            port=interface_port(one),
            problem=f"takes {'smaller' if found.mtu < one.mtu else 'larger'} packets than planned",
            expected=f"{one.mtu} octets",
            actual=f"{found.mtu} octets",
        )
    )


def _mac(book: Ledger, one: ExpectedInterface, found: Interface) -> None:
    """A gateway that is the same on every leaf: a server keeps its MAC when it moves, and when it fails over."""
    if not one.mac or not found.mac:
        return
    if found.mac == one.mac:
        book.right("addresses")
        return
    book.wrong(
        Finding(
            device=book.device,
            check="addresses",
            code="gateway-mac-wrong",
            subject=interface_subject(one),
            problem="has another MAC address than the anycast gateway",
            expected=one.mac,
            actual=found.mac,
        )
    )


def _addresses(book: Ledger, one: ExpectedInterface, found: Iterable[str]) -> None:
    missing, extra = sorted(set(one.addresses) - set(found)), sorted(set(found) - set(one.addresses))
    if not missing and not extra:
        book.right("addresses", len(one.addresses))
        return
    explained = book.causes.get(one.name, "")
    make = partial(
        Finding,
        device=book.device,
        check="addresses",
        subject=interface_subject(one),
        explained=explained,
        port=interface_port(one),
        lines=tuple(missing),
    )
    has = listed(found)
    if missing and extra:
        book.blame(one.name, f"{interface_subject(one)} has another address")
        book.wrong(make(code="address-wrong", problem="has another address", expected=listed(missing), actual=has))
    elif missing:
        book.blame(one.name, f"{interface_subject(one)} has no address {missing[0]}")
        book.wrong(make(code="address-missing", problem="lacks an address", expected=listed(missing), actual=has))
    else:
        wanted = listed(one.addresses)
        book.wrong(make(code="address-unexpected", problem="has one more address", expected=wanted, actual=has))


def _loopbacks(book: Ledger, expected: list[ExpectedInterface], state: tuple[Interface, ...]) -> None:
    """Some platforms have one loopback for all addresses, or put a tenant's on another interface of its VRF."""
    for vrf in sorted({one.vrf for one in expected}):
        wanted = [one for one in expected if one.vrf == vrf]
        here = {address for one in state if one.vrf == vrf for address in one.addresses}
        for one in wanted:
            _addresses(book, one, sorted(here & set(one.addresses)))
        _extra(book, vrf, {address for one in wanted for address in one.addresses}, state)


def _extra(book: Ledger, vrf: str, wanted: set[str], state: tuple[Interface, ...]) -> None:
    found = {address for one in state if one.vrf == vrf and one.kind == LOOPBACK for address in one.addresses}
    extra = sorted(address for address in found - wanted if not address.startswith(KERNEL_ADDRESSES))
    if extra:
        book.wrong(
            Finding(
                device=book.device,
                check="addresses",
                code="address-unexpected",
                subject=f"loopbacks of {vrf}" if vrf else "loopbacks",
                problem="have more addresses than planned",
                expected=listed(sorted(wanted)),
                actual=listed(extra),
            )
        )


def idle(expected: Iterable[ExpectedInterface], state: tuple[Interface, ...] | None) -> frozenset[str]:
    """Ports towards servers that are not up: they are found as such, and what depends on them need not be there."""
    up: Mapping[str, bool] = {one.name: one.oper_up for one in state or ()}
    return frozenset(one.name for one in expected if (one.up is None or one.server) and not up.get(one.name, False))
