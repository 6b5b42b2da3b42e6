"""Schema of one entry of `overrides`: a state, an operating system, and settings named as in the fabric block.

A block of settings (`bgp`, `roce`, `server_ports`, `management`) lists only what differs: other keys keep their values.
`plan.overrides` decides which of several selectors wins, and what each of them names.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple, cast

from pydantic import ConfigDict, Field, WithJsonSchema

from fabricgen.intent.fabric import BALANCING, Bgp, LinkLoss, LoadBalancing, Roce, ServerPorts, StormControl, Watchdog
from fabricgen.intent.scalars import AnyAddress, DomainName, Flag, IntentModel, Metres, Octets, System, Text, Word
from fabricgen.intent.site import Aaa, Eapi, Gnmi, Login, ManagementAccess, Sflow, SnmpAuth, SnmpPrivacy, User
from fabricgen.intent.telemetry import QueueMonitor, Telemetry
from fabricgen.source.annotations import Pattern

State = Literal["active", "drained", "dead", "absent"]
Fec = Literal["none", "rs-fec", "fc-fec"]

Refused = Annotated[
    object, WithJsonSchema({"not": {}, "description": "not allowed in an override: it is set for the whole fabric"})
]
"""A key of the fabric block that overrides refuse. It is in the schema so that the answer can give the reason."""

RefusedRaw = Annotated[
    object, WithJsonSchema({"not": {}, "description": "not allowed in an override: `raw` is a top-level key"})
]


def _no_defaults(schema: dict[str, Any]) -> None:
    """Remove defaults from the JSON Schema: a key that is left out has no value of its own."""
    for body in schema.get("properties", {}).values():
        body.pop("default", None)


class _Part(IntentModel):
    """A block of which only the written keys count."""

    model_config = ConfigDict(json_schema_extra=_no_defaults)


class SnmpPart(_Part):
    """SNMP settings that a switch can override."""

    auth_algorithm: SnmpAuth = Field(default="sha", description="sha or sha256")
    privacy_algorithm: SnmpPrivacy = Field(default="aes128", description="aes128 or aes256")
    location: Text | None = Field(default=None, description="sysLocation")
    contact: Text | None = Field(default=None, description="sysContact")
    traps: tuple[AnyAddress, ...] = Field(default=(), description="addresses that receive traps")


class SflowPart(_Part, Sflow):
    """sFlow settings that a switch can override."""

    collectors: tuple[AnyAddress, ...] = Field(default=(), min_length=1, description="addresses of sFlow collectors")


class ManagementPart(_Part):
    """Management settings that a switch can override. `null` turns a service off."""

    domain: DomainName | None = Field(default=None, description="DNS domain: a-z, 0-9, hyphens and dots")
    dns: tuple[AnyAddress, ...] = Field(default=(), description="addresses of DNS servers")
    ntp: tuple[AnyAddress, ...] = Field(default=(), description="addresses of NTP servers")
    syslog: tuple[AnyAddress, ...] = Field(default=(), description="addresses of syslog servers")
    users: dict[Word, User] = Field(default_factory=dict, description="local users by name")
    aaa: Aaa | None = Field(default=None, description="TACACS+")
    snmp: SnmpPart | None = Field(default=None, description="SNMPv3")
    gnmi: Gnmi | None = Field(default=None, description="gNMI server")
    eapi: Eapi | None = Field(default=None, description="HTTPS API of EOS, NX-OS and Cumulus Linux")
    access: ManagementAccess | None = Field(default=None, description="sources that may use the management services")
    login: Login | None = Field(default=None, description="banner, idle time and SSH of logins")
    lldp: Flag = Field(default=True, description="LLDP on all ports")
    sflow: SflowPart | None = Field(default=None, description="sampled flows")
    vrf: Refused = None
    oob: Refused = None
    gateway: Refused = None


class Override(_Part):
    """An exception for a fabric, a role, a device, a port, a cable or slots; docs/overrides.md."""

    state: State = Field(
        default="active",
        description="drained: still there, without traffic; dead: broken, to be replaced (of a switch or cable: no "
        "configuration changes); absent: not there (the ports at the far ends of its cables are shut down); "
        "docs/overrides.md#states",
    )
    os: System = Field(default="", description="operating system and release, if it differs")
    mtu: Octets = Field(default=0, description="largest IP packet, in octets")
    load_balancing: LoadBalancing = Field(default="ecmp", description=BALANCING)
    link_loss: LinkLoss = Field(
        default="keep", description="what a switch does when some of its parallel links are down"
    )
    bgp: Bgp = Field(default=Bgp.model_construct(), description="timers and options of BGP sessions")
    roce: Roce = Field(default=Roce.model_construct(), description="settings of the lossless class")
    server_ports: ServerPorts = Field(
        default=ServerPorts.model_construct(), description="settings of ports towards servers"
    )
    telemetry: Telemetry = Field(default=Telemetry.model_construct(), description="counters and queue monitoring")
    management: ManagementPart = Field(
        default=cast(ManagementPart, None), description="services of this switch"
    )  # one object shared by all overrides, like the other defaults
    fec: Fec = Field(default="none", description="forward error correction of a port, at both ends of a cable")
    description: Text = Field(
        default="", min_length=1, description="interface description, instead of the far end's name"
    )
    headroom_octets: Annotated[int, Field(ge=1, le=100_000_000)] = Field(
        default=0, description="PFC headroom of a lossless port in octets, instead of the table's"
    )
    length_m: Metres = Field(default=0.0, description="length of a cable in metres, instead of the cable file's")
    medium: Word = Field(default="", description="kind of cable, as in the cable file")
    prefix: Refused = None
    connects: Refused = None
    kind: Refused = None
    leaf: Refused = None
    leaf_models: Refused = None
    shared_leaves: Refused = None
    model: Refused = None
    spine: Refused = None
    superspine: Refused = None
    border: Refused = None
    topology: Refused = None
    addressing: Refused = None
    asns: Refused = None
    transport: Refused = None
    tenancy: Refused = None
    duplicate_mac: Refused = None
    evpn: Refused = None
    was: Refused = None
    speed: Refused = None
    enabled: Refused = None
    raw: RefusedRaw = None


Selector = Annotated[
    str,
    Pattern(r"^(link:)?[A-Za-z0-9_*?\[\]/.,:-]+$", 80),
    Field(
        description="backend, backend/spine, be-leaf-*, be-leaf-003, be-leaf-003/<port>, link:be-leaf-003/<port>, "
        "train[17]",
    ),
]
Overrides = dict[Selector, Override]

BLOCKS = (
    *(Bgp, Roce, Watchdog, ServerPorts, StormControl, Telemetry, QueueMonitor),
    *(ManagementPart, SnmpPart, SflowPart),
)
"""Models in which each key is overridden separately; every other value is replaced as a whole."""

KeyPath = tuple[str, ...]


class OverrideValue(NamedTuple):
    """One value of an override, with the path of its keys, e.g. ("roce", "watchdog", "detect_ms")."""

    path: KeyPath
    value: object


def leaves(override: Override) -> Iterator[OverrideValue]:
    """Yield every written value of an override except its state, in the order of the schema."""
    yield from (leaf for leaf in _leaves(override, ()) if leaf.path != ("state",))


def _leaves(model: IntentModel, path: KeyPath) -> Iterator[OverrideValue]:
    written = model.model_fields_set
    # Fast path: most overrides have one key, and an intent may have tens of thousands.
    for name in written if len(written) == 1 else [name for name in type(model).model_fields if name in written]:
        value = getattr(model, name)
        if isinstance(value, BLOCKS):
            yield from _leaves(value, (*path, name))
        else:
            yield OverrideValue((*path, name), value)


class No(NamedTuple):
    """Why overrides refuse a key, and what to write instead."""

    why: str
    fix: str


_NUMBERS = "addresses and AS numbers of all switches of the fabric are computed from it"
_IN_BLOCK = "write it in the fabric's own block"
_MODEL = No(
    "models and ports follow from the topology",
    "write it in the fabric's own block; for another release of these switches only, write `os` in the override",
)
_LEAF = No(
    "models and ports follow from the topology: the leaves of a server group are one model, and so are all spines, all "
    "superspines and all border leaves",
    "write it in the fabric's own block, e.g. leaf_models: {GROUP: MODEL} for the leaves of one server group; for "
    "another release of these switches only, write `os` in the override",
)
_SPINES = No(
    "leaves divide their flows equally among the spines of a pod and plane (ECMP), and each spine takes the uplinks of "
    "one number of all leaves, so all of them are one model with the same ports, speeds and buffers",
    "write another model in the fabric's own block, for all of them; for another release of these switches only, write "
    "`os` in the override",
)
_WHOLE = "all switches on the path of a packet need the same value"
_MANAGED = No("all switches have the same management network", "write it under management")

REFUSED: dict[KeyPath, No] = {
    ("prefix",): No("the name of every switch begins with it", _IN_BLOCK),
    ("connects",): No(_NUMBERS, _IN_BLOCK),
    ("kind",): No(_NUMBERS, "write another fabric"),
    ("leaf",): _LEAF,
    ("leaf_models",): _LEAF,
    ("shared_leaves",): No(_NUMBERS, _IN_BLOCK),
    ("duplicate_mac",): No("an address moves between leaves, which must count alike", _IN_BLOCK),
    ("model",): _LEAF,
    ("spine",): _SPINES,
    ("superspine",): _SPINES,
    ("border",): _MODEL,
    ("topology",): No(
        _NUMBERS, "write it in the fabric's own block; for a switch that does not exist write state: absent"
    ),
    ("addressing",): No(_NUMBERS, _IN_BLOCK),
    ("asns",): No(_NUMBERS, _IN_BLOCK),
    ("transport",): No(_WHOLE, _IN_BLOCK),
    ("tenancy",): No(_WHOLE, _IN_BLOCK),
    ("evpn",): No("VNIs, route targets and the gateways' MAC address are the same on all leaves", _IN_BLOCK),
    ("was",): No("only a whole fabric can be renamed", _IN_BLOCK),
    ("speed",): No(
        "speeds follow from the models and the topology",
        "write topology.uplink_gbps, or a model of your own under hardware/",
    ),
    ("enabled",): No(
        "a port is shut down by its state", "write state: absent to shut it, state: drained to move traffic"
    ),
    ("raw",): No(
        "raw lines are an entry of top-level raw, which names their switches",
        "write e.g. raw: [{device: be-leaf-000, system: eos, lines: [...]}] at the top level",
    ),
    ("management", "vrf"): _MANAGED,
    ("management", "oob"): _MANAGED,
    ("management", "gateway"): _MANAGED,
}
"""Keys that are known and refused."""

FABRIC, ROLE, DEVICE, PORT, LINK, SLOT = "fabric", "role", "device", "port", "link", "slot"
_SWITCHES = (FABRIC, ROLE, DEVICE)

SCOPES: dict[KeyPath, tuple[str, ...]] = {
    ("state",): (DEVICE, PORT, LINK, SLOT),
    ("os",): _SWITCHES,
    ("mtu",): (*_SWITCHES, PORT, LINK),
    ("load_balancing",): _SWITCHES,
    ("link_loss",): (FABRIC,),
    ("bgp",): _SWITCHES,
    ("roce",): _SWITCHES,
    ("management",): _SWITCHES,
    ("telemetry",): _SWITCHES,
    ("server_ports", "multihoming"): (FABRIC, ROLE),
    ("server_ports", "df_election"): (FABRIC, ROLE),
    ("server_ports", "lacp_fallback"): _SWITCHES,
    ("server_ports", "uplink_tracking"): _SWITCHES,
    ("server_ports",): (*_SWITCHES, PORT),
    ("fec",): (PORT, LINK),
    ("description",): (PORT,),
    ("headroom_octets",): (PORT, LINK),
    ("length_m",): (LINK,),
    ("medium",): (LINK,),
}
"""Path of a key → the scopes that can have it; a longer path takes precedence over a shorter one."""

INSTEAD = {
    ("state",): "name switches, e.g. with a glob",
    ("link_loss",): "spines announce how many links they have left, and leaves use it: name the fabric",
    ("bgp",): "sessions of a switch share their peer group: name the switch",
    ("roce",): "queues are configured per speed for all ports of a switch: name the switch; only headroom_octets is "
    "set per port",
    ("server_ports", "multihoming"): "both leaves of a server need the same value: name the fabric or the role",
    ("server_ports", "df_election"): "both leaves of a server need the same value: name the fabric or the role",
    ("length_m",): "name the link by a port at one of its ends: link:SWITCH/PORT",
    ("medium",): "name the link by a port at one of its ends: link:SWITCH/PORT",
    ("fec",): "it follows from a port's lanes: name a port, or the cable with link:",
}
"""Path of a key → the fix where its scope is wrong; by default one of its valid scopes."""


def scopes_of(path: KeyPath) -> tuple[str, ...]:
    """Return the scopes that can have a key."""
    return next((SCOPES[path[:length]] for length in range(len(path), 0, -1) if path[:length] in SCOPES), ())


def instead_of(path: KeyPath) -> str:
    """Return the fix for a key whose scope is wrong."""
    fix = next((INSTEAD[path[:length]] for length in range(len(path), 0, -1) if path[:length] in INSTEAD), "")
    return fix or f"name a {one_of(scopes_of(path))}"


def one_of(scopes: Sequence[str]) -> str:
    """Scopes in a sentence: `fabric, role or device`."""
    return " or ".join(part for part in (", ".join(scopes[:-1]), scopes[-1]) if part)
