"""One address at two hosts: EVPN announces the MAC and address of every host, per network (RFC 7432, type 2).

It is detected if both leaves announce their host. FRR 8.4.4 does not announce the second one: the kernel keeps the
entry of the remote one, which needs no ARP (seen in a lab, 2026-11-23).
"""

from collections.abc import Iterable, Mapping
from ipaddress import ip_address

from fabricgen.base.text import listed
from fabricgen.state.state import EvpnRoute
from fabricgen.verify.judge.ledger import Ledger

HOST = 2
"""EVPN route type."""


def judge_duplicates(ledger: Ledger, segments: Mapping[str, int], state: Iterable[EvpnRoute]) -> None:
    """Judge addresses of hosts in the bridged networks of the switch. segments: route distinguisher → VNI.

    Duplicates on one leaf are not detected: its neighbor table has one MAC per address. Link-local ones are left out.
    """
    macs_of: dict[tuple[int, int, str], dict[str, set[str]]] = {}
    for row in state:
        mac, _, address = row.key.partition(" ")
        if row.route_type == HOST and row.rd in segments and address and not ip_address(address).is_link_local:
            macs = macs_of.setdefault((segments[row.rd], row.tag, address), {})
            macs.setdefault(mac, set()).add(row.next_hop or "this switch")
    for (vni, _, address), macs in sorted(macs_of.items()):
        if len(macs) > 1:
            _twice(ledger, f"address {address} in VNI {vni}", macs)
    if macs_of and all(len(macs) == 1 for macs in macs_of.values()):
        ledger.right("evpn")


def _twice(ledger: Ledger, subject: str, macs: Mapping[str, Iterable[str]]) -> None:
    where = (f"{mac} at {' and '.join(sorted(vteps))}" for mac, vteps in sorted(macs.items()))
    ledger.add(
        code="address-duplicate",
        subject=subject,
        problem="is used by several hosts",
        expected="one MAC address",
        actual=listed(where),
    )
