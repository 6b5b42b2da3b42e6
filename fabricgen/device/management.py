"""Management of one switch: out-of-band address, users, time, logs, telemetry. Secrets are references."""

from typing import NamedTuple

from fabricgen.base.addresses import Address, InterfaceAddress
from fabricgen.base.secret import Secret


class User(NamedTuple):
    """A local user; `password` is a reference to a hash."""

    name: str
    role: str
    password: Secret


class Snmp(NamedTuple):
    """SNMPv3 with authentication and privacy."""

    user: str
    auth: Secret
    privacy: Secret
    location: str
    contact: str
    traps: tuple[Address, ...]


class Sflow(NamedTuple):
    """Packet sampling: one packet in `sample`."""

    collectors: tuple[Address, ...]
    sample: int
    polling_seconds: int


class Tacacs(NamedTuple):
    """TACACS+ servers and the reference to their key."""

    servers: tuple[Address, ...]
    key: Secret


class Gnmi(NamedTuple):
    """gNMI over TLS."""

    port: int
    certificate: str


class Management(NamedTuple):
    """Management settings of a switch. Empty tuples and None are left out of its configuration."""

    port: str
    vrf: str
    address: InterfaceAddress
    gateway: Address
    domain: str
    dns: tuple[Address, ...]
    ntp: tuple[Address, ...]
    syslog: tuple[Address, ...]
    users: tuple[User, ...]
    tacacs: Tacacs | None
    snmp: Snmp | None
    gnmi: Gnmi | None
    eapi_certificate: str
    lldp: bool
    sflow: Sflow | None
