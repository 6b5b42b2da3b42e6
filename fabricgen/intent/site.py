"""Schema of the whole site: servers, cables, management, raw lines."""

from typing import Annotated, Literal

from pydantic import Field

from fabricgen.intent.scalars import (
    PRINTABLE,
    AnyAddress,
    Count,
    DomainName,
    FileName,
    Flag,
    IntentModel,
    Ipv4Prefix,
    Metres,
    Name,
    PublicKey,
    Secret,
    SlotsField,
    TcpPort,
    Text,
    Word,
)
from fabricgen.source.annotations import Pattern

BANNER = r"^[A-Za-z0-9(*=+-][A-Za-z0-9 .,:;()/*+=_!?-]*$"
Sources = Annotated[tuple[Ipv4Prefix, ...], Field(min_length=1)]
SnmpAuth = Literal["sha", "sha256"]
SnmpPrivacy = Literal["aes128", "aes256"]


class ServerGroup(IntentModel):
    """Servers of one model, each in a numbered slot."""

    model: Word = Field(
        examples=["dgx-h100"], description="a server model of the hardware library, or of your own hardware/ folder"
    )
    slots: SlotsField = Field(description='the slots that hold a server today, e.g. "0-63"')
    planned: Count | None = Field(
        default=None,
        description="number of slots to reserve addresses, AS numbers and ports for; default: the slots of today",
    )
    was: Name | None = Field(
        default=None, description="former name of the group: a rename changes no address and no AS number"
    )

    @property
    def planned_slots(self) -> int:
        """Number of slots that numbers are reserved for: at least one more than the highest used slot."""
        return max(self.planned or 0, self.slots[-1].last + 1)


class CableLengths(IntentModel):
    """Length of a cable that the cable file does not list."""

    server_leaf: Metres = Field(default=5, description="metres from a server to its leaf")
    leaf_spine: Metres = Field(default=40, description="metres from a leaf to a spine")
    spine_superspine: Metres = Field(default=40, description="metres from a spine to a superspine")
    border_external: Metres = Field(default=40, description="metres from a border leaf to an external device")


class Cables(IntentModel):
    """Cable lengths in metres; the file takes precedence for each cable."""

    file: FileName | None = Field(
        default=None,
        description="CSV file in the folder of the intent: device,port,length_m[,kind], one cable per line, either end",
    )
    default: CableLengths = Field(
        default_factory=CableLengths.model_construct,
        description="lengths in metres of cables that are not in the file",
    )


class Aaa(IntentModel):
    """TACACS+ servers and their key; local users stay as the fallback."""

    tacacs: tuple[AnyAddress, ...] = Field(
        examples=[["10.0.0.7"]],
        min_length=1,
        description="addresses of TACACS+ servers, in the order in which they are tried",
    )
    key: Secret


class User(IntentModel):
    """A local user. The password is a reference to a hash; public keys are no secrets."""

    role: Literal["network-admin", "network-operator"] = Field(
        default="network-admin",
        description="network-admin: may change the configuration; network-operator: may read it",
    )
    password: Secret
    ssh_keys: tuple[PublicKey, ...] = Field(
        default=(), description="public keys with which the user logs in by SSH, each a line as in a .pub file"
    )


class Snmp(IntentModel):
    """SNMPv3 with authentication and privacy."""

    user: Word = Field(examples=["monitor"], description="name of the SNMPv3 user")
    auth: Secret
    privacy: Secret
    auth_algorithm: SnmpAuth = Field(
        default="sha", description="sha: HMAC-SHA-1 of 96 bits (RFC 3414); sha256: HMAC-SHA-2 of 256 bits (RFC 7860)"
    )
    privacy_algorithm: SnmpPrivacy = Field(
        default="aes128", description="AES in CFB mode with a key of 128 bits (RFC 3826), or of 256"
    )
    location: Text | None = Field(default=None, description="sysLocation of every switch")
    contact: Text | None = Field(default=None, description="sysContact of every switch")
    traps: tuple[AnyAddress, ...] = Field(default=(), description="addresses that receive traps")


class Gnmi(IntentModel):
    """Streaming telemetry by gNMI over TLS."""

    port: TcpPort = Field(default=6030, description="TCP port of the gNMI server")
    certificate: Word = Field(examples=["fabric"], description="name of the TLS profile on the switch")


class Eapi(IntentModel):
    """The switch's own HTTPS API: eAPI, NX-API, the API of NVUE."""

    certificate: Word = Field(examples=["fabric"], description="name of the TLS profile on the switch")


class Sflow(IntentModel):
    """Sampled flows (sFlow version 5)."""

    collectors: tuple[AnyAddress, ...] = Field(min_length=1, description="addresses of sFlow collectors")
    sample: Annotated[int, Field(ge=1024, le=16777216, description="sampling rate: one packet in this many")] = 65536
    polling_seconds: Annotated[int, Field(ge=1, le=300)] = Field(
        default=20, description="seconds between two samples of interface counters"
    )


class ManagementAccess(IntentModel):
    """Who may use the management services of a switch. A service has the sources of its own key, else `sources`.

    All other sources are refused, IPv6 as well: switches have an IPv4 address on the out-of-band network, and no
    service answers anywhere else. A system ignores services that it does not have.
    """

    sources: Sources = Field(examples=[["10.0.0.0/28"]], description="IPv4 prefixes of managers: jump hosts, pushers")
    ssh: Sources | None = Field(default=None, description="sources of SSH, instead of `sources`")
    netconf: Sources | None = Field(default=None, description="sources of NETCONF, instead of `sources`")
    gnmi: Sources | None = Field(default=None, description="sources of gNMI, e.g. collectors, instead of `sources`")
    api: Sources | None = Field(
        default=None, description="sources of the HTTP API (eAPI, NX-API, JSON-RPC, NVUE), instead of `sources`"
    )
    snmp: Sources | None = Field(default=None, description="sources of SNMP requests, instead of `sources`")


class Login(IntentModel):
    """How operators log in to a switch. Root never logs in by SSH: it has neither a password nor a key there."""

    banner: Annotated[str, Pattern(BANNER, most=240, least=8)] | None = Field(
        default=None,
        examples=["Authorised access only. Activity is logged."],
        description="one line, shown before a login by SSH. Letters, digits, blanks and . , : ; ( ) / * + = _ ! ? -, "
        "which no system reads as the end of the text; default: the system's own",
    )
    idle_timeout: Annotated[int, Field(ge=1, le=60)] | None = Field(
        default=None,
        description="minutes without input until a session by SSH or on the console ends; default: the system's own",
    )
    password_login: Flag = Field(
        default=True,
        description="whether SSH takes passwords. `false`: public keys alone; one account with the role "
        "network-admin then needs `ssh_keys`. The console and HTTP APIs take passwords all the same",
    )
    ssh_ciphers: Literal["strong"] | None = Field(
        default=None,
        description="`strong`: SSH offers no algorithm with SHA-1, CBC or MD5; default: the system's own list",
    )


class Management(IntentModel):
    """The out-of-band network and the services that every switch uses over it."""

    vrf: Word = Field(default="MGMT", description="VRF of the management port")
    oob: Ipv4Prefix = Field(
        description="out-of-band prefix: one address per switch; the first 16 are reserved for gateways and servers",
        examples=["10.0.0.0/20"],
    )
    gateway: AnyAddress = Field(description="default gateway of the out-of-band network", examples=["10.0.0.1"])
    domain: DomainName | None = Field(
        default=None, description="DNS domain of the switches: a-z, 0-9, hyphens and dots"
    )
    dns: tuple[AnyAddress, ...] = Field(default=(), description="addresses of DNS servers")
    ntp: tuple[AnyAddress, ...] = Field(default=(), description="addresses of NTP servers")
    syslog: tuple[AnyAddress, ...] = Field(default=(), description="addresses of syslog servers")
    users: dict[Word, User] = Field(default_factory=dict, description="local users by name")
    aaa: Aaa | None = Field(default=None, description="TACACS+; default: local users only")
    snmp: Snmp | None = Field(default=None, description="SNMPv3; default: off")
    gnmi: Gnmi | None = Field(default=None, description="gNMI server; default: off")
    eapi: Eapi | None = Field(
        default=None,
        description="HTTPS API of EOS (eAPI), NX-OS (NX-API) and Cumulus Linux; default: the system's own, off on EOS",
    )
    access: ManagementAccess | None = Field(
        default=None, description="sources that may use the management services; default: any"
    )
    login: Login | None = Field(
        default=None, description="banner, idle time and SSH of logins; default: the system's own"
    )
    lldp: Flag = Field(default=True, description="LLDP on all ports")
    sflow: Sflow | None = Field(default=None, description="sFlow; default: off")


class Raw(IntentModel):
    """Configuration lines from the user, for what no key of the intent can set: added unchanged, and marked."""

    system: Annotated[
        str, Pattern(r"^[a-z]+$"), Field(examples=["eos"], description="platform whose syntax the lines have")
    ]
    fabric: Name | None = Field(default=None, description="only switches of this fabric")
    role: Literal["leaf", "border-leaf", "spine", "superspine"] | None = Field(
        default=None, description="only switches of this role"
    )
    device: Text | None = Field(default=None, description="a device name or a glob")
    artifact: FileName | None = Field(default=None, description="the file, if a switch has several")
    lines: tuple[Annotated[str, Pattern(PRINTABLE, 400)], ...] = Field(
        examples=[["snmp-server contact noc"]], description="lines that are added to the file unchanged"
    )
    references: tuple[Secret, ...] = Field(
        default=(), description="secret references in these lines that are filled in; any other ${...} is plain text"
    )
