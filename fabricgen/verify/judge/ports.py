"""Interfaces of one switch: state, MTU, addresses."""

import re
from collections.abc import Iterable, Mapping
from functools import partial

from fabricgen.base.text import counted, listed
from fabricgen.state.state import LAG, LOOPBACK, SVI, Interface
from fabricgen.verify.expect.model import ExpectedInterface
from fabricgen.verify.judge.bridging import judge_bridging
from fabricgen.verify.judge.ledger import Ledger, interface_port, interface_subject

KERNEL_ADDRESSES = ("127.", "::1/")
"""Every loopback interface of a kernel has them."""


def judge_interfaces(
    ledger: Ledger, expected: tuple[ExpectedInterface, ...], state: tuple[Interface, ...]
) -> tuple[Interface, ...]:
    """Judge all interfaces, identified as described at ExpectedInterface. Returns those that are not in the plan."""
    reading = PortReading(state)
    for row in expected:
        if row.kind != LOOPBACK:
            _judge(ledger, row, reading.of(row))
    _loopbacks(ledger, [row for row in expected if row.kind == LOOPBACK], state)
    not_shown = [row.name for row in expected if _lacks_mtu(row, reading.of(row))]
    if not_shown:
        ledger.skip(
            "mtu", f"the platform does not show the MTU of {counted(len(not_shown), 'interface')}: {listed(not_shown)}"
        )
    judge_bridging(ledger, [(row, actual) for row in expected if row.up is not False and (actual := reading.of(row))])
    planned = {reading.of(row) for row in expected if row.kind != LOOPBACK}
    return tuple(row for row in state if row not in planned)


class PortReading:
    """The interfaces of a switch, indexed by what identifies each kind on all platforms."""

    def __init__(self, state: Iterable[Interface]) -> None:
        self._names: dict[str, list[Interface]] = {}
        self._numbers: dict[tuple[str, int], list[Interface]] = {}
        for interface in state:
            self._names.setdefault(interface.name, []).append(interface)
            if interface.kind == SVI:
                self._numbers.setdefault((SVI, interface.vlan_id), []).append(interface)
            elif number := lag_number(interface):
                self._numbers.setdefault((LAG, number), []).append(interface)

    def of(self, expected: ExpectedInterface) -> Interface | None:
        """The actual interface: if several VRFs have one, the one in the planned VRF; else the last."""
        if expected.kind == SVI:
            candidates = self._numbers.get((SVI, expected.vlan_id), [])
        elif expected.kind == LAG:
            candidates = self._numbers.get((LAG, lag_number(expected)), [])
        else:
            candidates = self._names.get(expected.name, [])
        return next((row for row in candidates if row.vrf == expected.vrf), candidates[-1] if candidates else None)


def lag_number(interface: Interface | ExpectedInterface) -> int:
    """Number at the end of an aggregate's name; 0 if there is none or it is another kind."""
    match = re.search(r"\d+$", interface.name) if interface.kind == LAG else None
    return int(match[0]) if match else 0


def _judge(ledger: Ledger, planned: ExpectedInterface, actual: Interface | None) -> None:
    if actual is None:
        _missing(ledger, planned)
        return
    _state(ledger, planned, actual)
    if planned.up is not False:
        _vrf(ledger, planned, actual)
        _mtu(ledger, planned, actual)
        _addresses(ledger, planned, actual.addresses)
        _mac(ledger, planned, actual)


def _missing(ledger: Ledger, planned: ExpectedInterface) -> None:
    """Judge a missing port. One that should be shut down is fine: it carries no traffic either."""
    if planned.up is False:
        ledger.right("interfaces")
        return
    ledger.blame(planned.name, f"{interface_subject(planned)} does not exist")
    ledger.add(
        code="interface-missing",
        subject=interface_subject(planned),
        port=interface_port(planned),
        problem="does not exist",
        expected="there",
        actual="not there",
    )


def _state(ledger: Ledger, planned: ExpectedInterface, actual: Interface) -> None:
    add = partial(ledger.add, subject=interface_subject(planned), port=interface_port(planned))
    up = "up" if actual.oper_up else "down"
    if planned.up is False and not actual.admin_up:
        ledger.right("interfaces")
    elif planned.up is False:
        add(code="interface-not-shut", problem="is enabled", expected="shut down", actual=f"enabled and {up}")
    elif not actual.admin_up:
        ledger.blame(planned.name, f"{interface_subject(planned)} is shut down")
        add(code="interface-shut", problem="is shut down", expected="enabled", actual="shut down")
    elif actual.fault:
        ledger.blame(planned.name, f"{interface_subject(planned)} is {actual.fault}")
        problem = "was taken out of service by the switch"
        add(code="interface-fault", problem=problem, expected="up", actual=actual.fault)
    elif planned.up and not actual.oper_up:
        explained = next((ledger.causes[name] for name in planned.members if name in ledger.causes), "")
        ledger.blame(planned.name, f"{interface_subject(planned)} is down")
        add(code="interface-down", problem="is down", expected="up", actual="enabled and down", explained=explained)
    else:
        ledger.right("interfaces")


def _vrf(ledger: Ledger, planned: ExpectedInterface, actual: Interface) -> None:
    if actual.vrf == planned.vrf:
        return
    ledger.blame(planned.name, f"{interface_subject(planned)} is in another VRF")
    ledger.add(
        code="interface-wrong-vrf",
        subject=interface_subject(planned),
        port=interface_port(planned),
        problem="is in another VRF",
        expected=planned.vrf or "the default VRF",
        actual=actual.vrf or "the default VRF",
    )


def _lacks_mtu(planned: ExpectedInterface, actual: Interface | None) -> bool:
    return actual is not None and planned.up is not False and bool(planned.mtu) and not actual.mtu


def _mtu(ledger: Ledger, planned: ExpectedInterface, actual: Interface) -> None:
    """Judge the MTU. A routed interface needs the exact value; a larger one is harmless on a bridged interface."""
    if not planned.mtu or not actual.mtu:
        return
    if actual.mtu == planned.mtu or (not planned.addresses and actual.mtu > planned.mtu):
        ledger.right("mtu")
        return
    ledger.blame(planned.name, f"the MTU of {interface_subject(planned)} is {actual.mtu}")
    ledger.add(
        code="mtu-wrong",
        subject=interface_subject(planned),
        port=interface_port(planned),
        problem=f"accepts {'smaller' if actual.mtu < planned.mtu else 'larger'} packets than planned",
        expected=f"{planned.mtu} octets",
        actual=f"{actual.mtu} octets",
    )


def _mac(ledger: Ledger, planned: ExpectedInterface, actual: Interface) -> None:
    """Judge the anycast gateway's MAC, the same on every leaf: a server keeps it when it moves or fails over."""
    if not planned.mac or not actual.mac:
        return
    if actual.mac == planned.mac:
        ledger.right("addresses")
        return
    ledger.add(
        code="gateway-mac-wrong",
        subject=interface_subject(planned),
        problem="has another MAC address than the anycast gateway",
        expected=planned.mac,
        actual=actual.mac,
    )


def _addresses(ledger: Ledger, planned: ExpectedInterface, actual: Iterable[str]) -> None:
    missing, extra = sorted(set(planned.addresses) - set(actual)), sorted(set(actual) - set(planned.addresses))
    if not missing and not extra:
        ledger.right("addresses", len(planned.addresses))
        return
    explained = ledger.causes.get(planned.name, "")
    add = partial(
        ledger.add,
        subject=interface_subject(planned),
        explained=explained,
        port=interface_port(planned),
        lines=tuple(missing),
    )
    present = listed(actual)
    if missing and extra:
        ledger.blame(planned.name, f"{interface_subject(planned)} has another address")
        add(code="address-wrong", problem="has another address", expected=listed(missing), actual=present)
    elif missing:
        ledger.blame(planned.name, f"{interface_subject(planned)} has no address {missing[0]}")
        add(code="address-missing", problem="lacks an address", expected=listed(missing), actual=present)
    else:
        wanted_text = listed(planned.addresses)
        add(code="address-unexpected", problem="has an extra address", expected=wanted_text, actual=present)


def _loopbacks(ledger: Ledger, expected: list[ExpectedInterface], state: tuple[Interface, ...]) -> None:
    """Judge loopbacks. Some platforms have one for all addresses, or put a tenant's on another interface of its VRF."""
    for vrf in sorted({interface.vrf for interface in expected}):
        in_vrf = [interface for interface in expected if interface.vrf == vrf]
        present = {address for interface in state if interface.vrf == vrf for address in interface.addresses}
        for interface in in_vrf:
            _addresses(ledger, interface, sorted(present & set(interface.addresses)))
        _extra(ledger, vrf, {address for interface in in_vrf for address in interface.addresses}, state)


def _extra(ledger: Ledger, vrf: str, wanted: set[str], state: tuple[Interface, ...]) -> None:
    present = {address for row in state if row.vrf == vrf and row.kind == LOOPBACK for address in row.addresses}
    extra = sorted(address for address in present - wanted if not address.startswith(KERNEL_ADDRESSES))
    if extra:
        ledger.add(
            code="address-unexpected",
            subject=f"loopbacks of {vrf}" if vrf else "loopbacks",
            problem="have more addresses than planned",
            expected=listed(sorted(wanted)),
            actual=listed(extra),
        )


def idle(expected: Iterable[ExpectedInterface], state: tuple[Interface, ...] | None) -> frozenset[str]:
    """Server ports, and ports declared dead, that are not up: what depends on them is not required."""
    up: Mapping[str, bool] = {row.name: row.oper_up for row in state or ()}
    return frozenset(row.name for row in expected if (row.up is None or row.server) and not up.get(row.name, False))
