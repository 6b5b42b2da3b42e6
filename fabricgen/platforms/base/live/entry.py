"""The way by which a driver comes into a switch: service, account and source address."""

import socket
from contextlib import closing, suppress
from ipaddress import ip_address
from typing import Any, NamedTuple

SSH, NETCONF, API = "ssh", "netconf", "api"
"""Services, as keys of `management.access`."""

DISCARD = 9
"""A port for a socket that sends nothing (RFC 863)."""


class Entry(NamedTuple):
    """The way by which a driver comes in.

    service  SSH, NETCONF or API
    user     its account; "" where the transport needs none
    source   the address from which the switch sees it come; "" where that is not known
    """

    service: str
    user: str
    source: str


UNKNOWN = Entry("", "", "")


def direct(driver: Any, service: str) -> Entry:  # noqa: ANN401 - see base/live/commit_operations.py
    """Entry of a driver that connects to its `hostname` itself, without a proxy."""
    return Entry(service, str(driver.username or ""), local_address(str(driver.hostname).strip("[]")))


def local_address(hostname: str) -> str:
    """The address of this host from which packets to another one go. "" for its own loopback: a tunnel begins there.

    A network between the two may translate it; the switch sees the translated one.
    """
    with suppress(OSError):
        family, kind, protocol, _, address = socket.getaddrinfo(hostname, DISCARD, type=socket.SOCK_DGRAM)[0]
        with closing(socket.socket(family, kind, protocol)) as probe:
            probe.connect(address)
            return known_address(str(probe.getsockname()[0]))
    return ""


def known_address(text: str) -> str:
    """The address in its usual form; "" for a loopback address, or for what is no address."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    mapped = getattr(address, "ipv4_mapped", None)
    address = mapped if mapped is not None else address
    return "" if address.is_loopback else str(address)
