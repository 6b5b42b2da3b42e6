"""Management of one switch: out-of-band address, users, time, logs, telemetry. Secrets are references."""

from typing import NamedTuple

from fabricgen.base.addresses import Address, InterfaceAddress, Prefix
from fabricgen.base.secret import Secret
from fabricgen.base.ssh_key import SshKey


class User(NamedTuple):
    """A local user; `password` is a reference to a hash."""

    name: str
    role: str
    password: Secret
    ssh_keys: tuple[SshKey, ...] = ()


class Snmp(NamedTuple):
    """SNMPv3 with authentication (sha or sha256) and privacy (aes128 or aes256)."""

    user: str
    auth: Secret
    privacy: Secret
    location: str
    contact: str
    traps: tuple[Address, ...]
    auth_algorithm: str = "sha"
    privacy_algorithm: str = "aes128"


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


class ServiceAccess(NamedTuple):
    """The IPv4 prefixes that may use a management service of a switch: ssh, netconf, gnmi, api or snmp.

    All other sources are refused, IPv6 as well.
    """

    service: str
    prefixes: tuple[Prefix, ...]


class Login(NamedTuple):
    """How operators log in. Empty, 0 and False leave the system as it is.

    banner        one line, shown before a login by SSH
    idle_minutes  sessions by SSH and on the console end after this time without input
    only_keys     SSH takes public keys alone, no passwords
    strong        SSH offers no algorithm with SHA-1, CBC or MD5
    """

    banner: str
    idle_minutes: int
    only_keys: bool
    strong: bool


class Management(NamedTuple):
    """Management settings of a switch. Empty tuples and None are left out of its configuration.

    access  a row for each service that a system may have; empty: any source is let in
    """

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
    access: tuple[ServiceAccess, ...]
    login: Login | None
    lldp: bool
    sflow: Sflow | None
