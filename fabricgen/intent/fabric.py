"""Schema of one fabric: design, switches, numbers, transport, routing."""

from ipaddress import IPv4Network
from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from fabricgen.intent.scalars import (
    AsnRangeField,
    Count,
    Flag,
    IntentModel,
    Ipv4Prefix,
    Ipv6Prefix,
    Name,
    Octets,
    Percent,
    Positive,
    Ratio,
    RatioField,
    RouterIds,
    Secret,
    System,
    UnicastMac,
    Vni,
    Word,
)
from fabricgen.intent.telemetry import Telemetry

Family = Literal["ipv4", "ipv6"]
Transport = Literal["roce-lossless", "best-effort"]
LinkFamily = Literal["ipv4", "ipv6", "unnumbered"]
LoadBalancing = Literal["ecmp", "ecmp-queue-pair", "dlb-flowlet", "dlb-global", "dlb-per-packet", "cluster"]
LinkLoss = Literal["keep", "weighted", "withdraw"]
BALANCING = (
    "how flows are spread over equal-cost paths: by a hash (`ecmp-queue-pair`: also of RoCE's destination queue pair), "
    "by load (`dlb-global`: also of the links beyond the next switch), or one by one on leaves (`cluster`)"
)
"""Description of `load_balancing`, of a fabric and in overrides."""


class Switch(IntentModel):
    """A switch model of the hardware library and the operating system it runs."""

    model: Word = Field(
        examples=["arista-7060x6-64pe"],
        description="a switch model of the library (`fabricgen list hardware`), or of your own hardware/ folder",
    )
    os: System = Field(description="operating system and release, e.g. eos-4.34; `fabricgen list systems` lists them")


class Spines(IntentModel):
    """How many spines there are now, and how many have numbers reserved."""

    now: Positive = Field(description="number of spines that exist now")
    planned: Positive | None = Field(
        default=None,
        description="number of spines that ports, addresses and AS numbers are reserved for; default: as many as `now`",
    )


class Tiers(IntentModel):
    """Keys for the tiers above the leaves, of every design with spines."""

    spines: Spines | None = Field(
        default=None, description="spines per pod and plane; default: the fewest that fit, at least two"
    )
    units_per_pod: Positive | dict[Name, Positive] | None = Field(
        default=None,
        description="scalable units of each server group per pod, or a number per group; required with `superspine`",
    )
    superspines: Spines | None = Field(
        default=None,
        description="superspines per core group, which connects the spines of one number of all pods; default: the "
        "fewest that fit",
    )
    spine_oversubscription: RatioField = Field(
        default=Ratio(1, 1),
        description="ratio of a spine's capacity towards leaves to its capacity towards superspines",
    )
    spine_uplinks: Positive | None = Field(
        default=None,
        description="uplinks of each spine to its core group of superspines; default: the fewest that keep its ratio "
        "and can be divided equally among `now` and `planned` superspines; a fabric keeps those that its lock records",
    )
    uplinks: Positive | None = Field(
        default=None,
        description="uplinks of each leaf, in ports of the uplinks' speed; default: the fewest that keep its ratio. A "
        "scalable unit has no more servers than they carry at the ratio: other ports of the leaf stay idle, as `plan` "
        "says. The number is fixed at the first render; `render --renumber` alone changes it",
    )
    uplink_gbps: Positive | None = Field(
        default=None, description="speed of links between switches; default: chosen by the design"
    )


class BackendTiers(Tiers):
    """Keys of every backend design."""

    planes: Positive | None = Field(
        default=None,
        description="planes: slices that each NIC is divided into, each with a fabric of its own; "
        "default: the NIC's number of planes",
    )
    servers_per_unit: Positive | dict[Name, Positive] | None = Field(
        default=None,
        description="servers per scalable unit, or a number per server group; default: as many as the leaf has ports "
        "for",
    )
    oversubscription: RatioField = Field(
        default=Ratio(1, 1), description="maximum ratio of server capacity to uplink capacity of a leaf"
    )
    leaves_per_rail: Literal[1, 2] = Field(
        default=1,
        description="2: each NIC has a port, or half of itself, on both leaves of a pair (dual-ToR), and one address "
        "that its server announces over both by BGP; only with `transport: best-effort`",
    )


class RailOptimized(BackendTiers):
    """Each leaf serves one rail, or several, of every server of its scalable unit."""

    design: Literal["rail-optimized"] = Field(
        description="each leaf serves one rail, or several, of all servers of a scalable unit"
    )
    rails_per_leaf: Positive = Field(default=1, description="rails that one leaf serves")
    rails_per_plane: Positive | None = Field(
        default=None,
        description="rails that share leaves and spines; other rails have planes of their own, which are joined only "
        "inside the servers (1: multi-plane fat tree). Default: all rails of a server",
    )


class Tor(BackendTiers):
    """Each leaf serves all rails of its servers: the switch of a rack."""

    design: Literal["tor"] = Field(description="each leaf serves all rails of the servers of its rack")


class RailOnly(BackendTiers):
    """Each leaf serves one rail, and rails are connected only inside the servers."""

    design: Literal["rail-only"] = Field(
        description="rails are connected only inside the servers: without `spine` one leaf per rail, with it a plane "
        "per rail, each with leaves and spines of its own"
    )


class LeafSpine(Tiers):
    """Leaves in pairs, each server with a port to both; spines above; border leaves to networks outside."""

    design: Literal["leaf-spine"] = Field(description="leaves in pairs under spines")
    oversubscription: RatioField = Field(
        description='maximum ratio of server capacity to uplink capacity of a leaf, e.g. "3:1"'
    )
    border_leaves: Count = Field(default=0, description="number of leaves that connect tenants to external networks")
    spines: Spines | None = Field(
        default=None,
        description="number of spines; default: the fewest that fit, at least two. A leaf has the smallest multiple "
        "of `now` uplinks that keeps its ratio, and ports and addresses for the smallest multiple of `planned`",
    )


BackendTopology = Annotated[RailOptimized | Tor | RailOnly, Field(discriminator="design")]
Topology = RailOptimized | Tor | RailOnly | LeafSpine


class Addressing(IntentModel):
    """One prefix per address family; every address of the fabric is computed from it and a place."""

    links: tuple[LinkFamily, ...] = Field(
        default=("ipv4", "ipv6"),
        min_length=1,
        max_length=2,
        description="address families of links; [unnumbered]: link-local IPv6 only, one session for both families "
        "(RFC 8950); without `ipv4` the default is [ipv6]",
    )
    hosts: Family = Field(
        default="ipv4",
        description="address family of the RoCE NICs; their GID index follows from it; without `ipv4` the default is "
        "ipv6",
    )
    ipv4: Ipv4Prefix | None = Field(
        default=None,
        description="IPv4 prefix for links, loopbacks and servers of the fabric; default: none, IPv6 only",
    )
    ipv6: Ipv6Prefix | None = Field(default=None, description="IPv6 prefix for the same; default: none, IPv4 only")
    router_ids: RouterIds | None = Field(
        default=None,
        description="without `ipv4`: range of the router ids (BGP identifiers, RFC 6286), which are numbers of 32 bits "
        "written as IPv4 addresses, on no interface; default: 198.18.0.0/15",
    )


class Watchdog(IntentModel):
    """PFC watchdog times in milliseconds."""

    # 200 and 400 with drop: AMD ROCm, GPU cluster networking guide (2026); restore twice detect: sonic-net/
    # sonic-utilities pfcwd and sonic-pfcwd.yang (2026).
    detect_ms: Annotated[int, Field(ge=10, le=5000)] = Field(
        default=200, description="milliseconds that a queue is paused before the PFC watchdog acts"
    )
    restore_ms: Annotated[int, Field(ge=10, le=60000)] = Field(
        default=400, description="milliseconds without a pause before the PFC watchdog restores the queue"
    )
    action: Literal["drop", "notify"] = Field(
        default="drop", description="drop: the packets of a stuck queue are discarded; notify: log only"
    )


class EcnThresholds(IntentModel):
    """Custom thresholds, for every speed."""

    minimum_octets: Annotated[int, Field(examples=[256000], ge=1000, le=100_000_000)] = Field(
        description="queue depth in octets at which marking starts"
    )
    maximum_octets: Annotated[int, Field(examples=[512000], ge=1000, le=100_000_000)] = Field(
        description="queue depth in octets at which the maximum probability is reached"
    )
    probability_percent: Percent = Field(examples=[100], description="marking probability at the maximum, in percent")


MOST_OVERCOMMIT = 16
"""Most octets of headroom reserved per octet of pool that an intent can allow."""


class Roce(IntentModel):
    """The lossless class: the same settings for fabric ports, host ports and NICs."""

    marking: Word = Field(default="nvidia", description="named profile of the NIC's vendor")
    ecn: Word | EcnThresholds = Field(
        default="published",
        description='"published": the thresholds that the vendor publishes for the switch, its role and '
        'speed, else the formula; "formula"; a named profile; or thresholds',
    )
    host_mtu: Octets = Field(default=9000, description="MTU of the RoCE interfaces of servers, octets of the IP packet")
    watchdog: Watchdog = Field(
        default_factory=Watchdog.model_construct, description="times and action of the PFC watchdog"
    )
    alpha: Literal["1/8", "1/4", "1/2", "1", "2", "4", "8"] = Field(
        default="1", description="dynamic threshold (alpha): share of the free buffer that one lossless queue may take"
    )
    xon_offset: Literal["published", "14-cells"] = Field(
        default="published",
        description="how far below its limit a lossless queue falls before its peer may send again (XON offset): the "
        "vendor's value for the switch, else 14 cells of its chip; or always 14 cells",
    )
    headroom_overcommit: Annotated[float, Field(ge=1, le=MOST_OVERCOMMIT)] | None = Field(
        default=None,
        description="octets of headroom reserved per octet of the chip's pool; default: 2, or the vendor's own ratio "
        "if every link is in the library's table of the model (rows of your own hardware files set no limit)",
    )


class Bgp(IntentModel):
    """Timers and options of the fabric's BGP sessions."""

    keepalive_seconds: Annotated[int, Field(ge=1, le=60)] = Field(
        default=3, description="seconds between two KEEPALIVE messages (RFC 4271)"
    )
    hold_seconds: Annotated[int, Field(ge=3, le=180)] = Field(
        default=9,
        description="seconds without a message until a session is down (RFC 4271); at least three times the keepalive",
    )
    bfd: Flag = Field(
        default=False,
        description="BFD on the sessions; without it, loss of light on direct optics is what ends a session",
    )
    ttl_security: Literal["none", "send", "check"] = Field(
        default="none",
        description="GTSM (RFC 5082) on the sessions between switches. send: packets leave with TTL 255; check: they "
        "do, and packets from farther away than the peer are refused. A running fabric goes from none to send, and "
        "from send to check: a session with `check` at one end and `none` at the other is down",
    )
    password: Secret | None = Field(
        default=None,
        description="reference to the MD5 password (RFC 2385) of all sessions between switches, 8 to 20 letters and "
        "digits; default: none",
    )


def _pooled_number(most: int) -> dict[str, object]:
    """JSON Schema of a number that a pool may give: `pool:NAME` is replaced before an intent is validated."""
    number = {"type": "integer", "minimum": 1, "maximum": most}
    return {"anyOf": [number, {"type": "string", "pattern": "^pool:", "examples": ["pool:sites"]}]}


class Evpn(IntentModel):
    """Numbers of the EVPN overlay."""

    admin: Annotated[
        int,
        Field(ge=1, le=65535, description="site administrator of every route target"),
        WithJsonSchema(_pooled_number(65535)),
    ] = 65000
    vni_base: Annotated[Vni, WithJsonSchema(_pooled_number(16777214))] = Field(
        default=10000, description="default VNI of a tenant or network: this number plus its id in the lock"
    )
    gateway_mac: UnicastMac = Field(
        default="02:fa:b0:00:00:01", description="MAC address of the anycast gateways, the same on every leaf"
    )


class StormControl(IntentModel):
    """Limits of flooded traffic on a server port, percent of its speed."""

    broadcast_percent: Percent | None = Field(
        default=1, description="limit of broadcast that a server port accepts, in percent of its speed; null: none"
    )
    multicast_percent: Percent | None = Field(
        default=5, description="limit of multicast that a server port accepts, in percent of its speed; null: none"
    )
    unknown_unicast_percent: Percent | None = Field(
        default=None,
        description="limit of frames to unicast addresses that no switch has learned, in percent of the port's speed; "
        "null: none",
    )


DfElection = Literal["preference", "platform"]
MacLimit = Literal["auto", "none"] | Annotated[int, Field(ge=1, le=1000)]


class ServerPorts(IntentModel):
    """Settings of the frontend's server ports."""

    multihoming: Literal["evpn-esi", "active-backup"] = Field(
        default="evpn-esi",
        description="one LACP bond over both leaves (an Ethernet segment, RFC 7432), or one port used at a time",
    )
    df_election: DfElection = Field(
        default="preference",
        description="DF election of the leaves of a bond: by preferences that alternate from server to server, with a "
        "drained leaf last (RFC 9785), or the platform's default",
    )
    lacp_fallback: Flag = Field(
        default=True, description="LACP fallback: a server that boots without LACP still has a connection"
    )
    storm_control: StormControl | None = Field(
        default_factory=StormControl.model_construct,
        description="storm control: limits of broadcast, multicast and unknown unicast on server ports; null: none",
    )
    bpdu_guard: Flag = Field(default=True, description="BPDU guard: a server port that receives a BPDU is shut down")
    uplink_tracking: Flag = Field(
        default=True, description="uplink tracking: a leaf without uplinks shuts its server ports down"
    )
    guests_per_server: Annotated[int, Field(ge=0, le=499)] = Field(
        default=31,
        description="virtual machines and containers with their own MAC address per server; the limits of MAC "
        "addresses and EVPN routes follow from it",
    )
    mac_limit: MacLimit = Field(
        default="auto",
        description="limit of MAC addresses per server port: a number, none, or auto: twice the server and its "
        "guests, where the operating system has such a limit; more are not learned, and no port is shut",
    )


class DuplicateMac(IntentModel):
    """When a MAC address that moves between leaves is taken for a duplicate (RFC 7432, section 15.1).

    Every system takes the values of these ranges.
    """

    moves: Annotated[int, Field(ge=3, le=10)] = Field(
        default=5, description="moves within the window that make an address a duplicate"
    )
    window_minutes: Annotated[int, Field(ge=1, le=10)] = Field(
        default=3, description="window in which moves are counted"
    )
    recovery_minutes: Annotated[int, Field(ge=2, le=60)] | None = Field(
        default=9,
        description="time after which the address is learned again; longer than the window. null: as the operating "
        "system does by itself",
    )


class FabricBase(IntentModel):
    """Keys of both kinds of fabric."""

    prefix: Name | None = Field(default=None, description="start of every device name; default: the fabric's name")
    connects: dict[Name, Name] = Field(
        examples=[{"train": "compute"}], min_length=1, description="server group → NIC group of its model"
    )
    leaf: Switch = Field(description="model and operating system of the leaves")
    leaf_models: dict[Name, Word] = Field(
        default_factory=dict,
        examples=[{"store": "arista-7388x5-8dr"}],
        description="server group → another model for its leaves, e.g. a modular one; they run the `os` of `leaf`, and "
        "all leaves have the same number of uplinks",
    )
    spine: Switch | None = Field(
        default=None, description="model and operating system of the spines; required where the design has spines"
    )
    superspine: Switch | None = Field(
        default=None,
        description="model and operating system of the superspines, which connect the pods of a three-tier fabric",
    )
    addressing: Addressing = Field(
        description="prefixes that the addresses of the fabric are allocated from",
        examples=[{"ipv4": "10.64.0.0/12", "ipv6": "fd5e:8c1f:2a00::/52"}],
    )
    asns: AsnRangeField = Field(
        description="range of AS numbers for the switches of the fabric (private ones: RFC 6996)"
    )
    mtu: Octets = Field(
        default=9214,
        description="largest IP packet on fabric links; default: 9214, or less if a model of the fabric carries less",
    )
    load_balancing: LoadBalancing = Field(default="ecmp", description=BALANCING)
    link_loss: LinkLoss = Field(
        default="keep",
        description="what a switch does when some of its parallel links to another are down. keep: send as before; "
        "weighted: send in proportion to the links that are left; withdraw: send nothing that way",
    )
    bgp: Bgp = Field(default_factory=Bgp.model_construct, description="timers and options of the BGP sessions")
    telemetry: Telemetry = Field(
        default_factory=Telemetry.model_construct,
        description="counters and queue monitoring that are not on by default",
    )
    was: Name | None = Field(default=None, description="the fabric's former name: a rename keeps every number")


class Backend(FabricBase):
    """RoCEv2 between GPUs (1:1), or to storage: no default route, connected to nothing else."""

    kind: Literal["backend", "storage"] = Field(
        description="backend: GPU to GPU, RoCEv2; storage: a storage fabric, from servers to storage, RoCEv2"
    )
    topology: BackendTopology = Field(description="design of the fabric and its dimensions")
    transport: Transport = Field(
        default="roce-lossless", description="roce-lossless: a lossless class with PFC and ECN; best-effort: none"
    )
    roce: Roce = Field(default_factory=Roce.model_construct, description="settings of the lossless class")
    tenancy: Literal["evpn-type5"] | None = Field(
        default=None,
        description="a VRF and an L3 VNI per tenant, with whole ports or single NICs, and EVPN type 5 routes",
    )
    evpn: Evpn = Field(
        default_factory=Evpn.model_construct,
        description="route target and VNI numbers of the overlay; with `tenancy` only",
    )
    shared_leaves: dict[Name, Name] = Field(
        default_factory=dict,
        examples=[{"store": "train"}],
        description="server group → the group whose leaves its servers are connected to as well, e.g. storage nodes to "
        "those of the servers; `topology.servers_per_unit` says how many servers of each a scalable unit has. Default: "
        "each group has leaves of its own",
    )


class Frontend(FabricBase):
    """Storage, users, inference: oversubscribed, EVPN-VXLAN tenants, border leaves."""

    kind: Literal["frontend"] = Field(description="storage, users and tenants: EVPN-VXLAN")
    topology: LeafSpine = Field(description="design of the fabric and its dimensions")
    border: Switch | None = Field(default=None, description="model of the border leaves; default: the leaf's model")
    evpn: Evpn = Field(default_factory=Evpn.model_construct, description="route target and VNI numbers of the overlay")
    server_ports: ServerPorts = Field(
        default_factory=ServerPorts.model_construct, description="settings of the ports towards servers"
    )
    duplicate_mac: DuplicateMac | None = Field(
        default=None,
        description="detection of MAC addresses that two servers have; null: as each operating system does by itself",
    )
    transport: Transport = Field(
        default="best-effort",
        description="roce-lossless: a lossless class with PFC and ECN from server to server, also inside VXLAN, for "
        "storage over RDMA (NVMe-oF, NFS over RDMA, GPUDirect Storage); best-effort: none",
    )
    roce: Roce = Field(default_factory=Roce.model_construct, description="settings of the lossless class")


Fabric = Annotated[Backend | Frontend, Field(discriminator="kind")]


def leaves_of(fabric: Fabric, group: str) -> str:
    """Return the server group that the leaves of a group belong to: itself, or the one that it shares with."""
    return fabric.shared_leaves.get(group, group) if isinstance(fabric, Backend) else group


def leaf_of_group(fabric: Fabric, group: str) -> Switch:
    """Return the model and operating system of the leaves of a server group."""
    model = fabric.leaf_models.get(leaves_of(fabric, group))
    return fabric.leaf if model is None else fabric.leaf.model_copy(update={"model": model})


def leaf_switches(fabric: Fabric) -> tuple[Switch, ...]:
    """Return each model of the fabric's leaves once, with its operating system, by server group."""
    return tuple({(leaf := leaf_of_group(fabric, group)).model: leaf for group in sorted(fabric.connects)}.values())


def model_key(fabric: Fabric, role: str, model: str) -> tuple[str, str]:
    """Return the keys of a fabric's block that give a role this model: of several leaf models, that of a group."""
    groups = (group for group, other in sorted(fabric.leaf_models.items()) if (role, other) == ("leaf", model))
    group = next(groups, "") if model != fabric.leaf.model else ""
    return ("leaf_models", group) if group else (role, "model")


ROUTER_IDS = IPv4Network("198.18.0.0/15")
"""Range of router ids of fabrics without IPv4: a unicast range that no network has as addresses (RFC 2544, RFC 6890),
with one number for every switch that a site may have."""


def router_ids_of(addressing: Addressing) -> IPv4Network | None:
    """Return the range of router ids of a fabric without IPv4; None for one whose router ids are IPv4 loopbacks."""
    if addressing.ipv4 is not None:
        return None
    return addressing.router_ids or ROUTER_IDS


def is_unnumbered(addressing: Addressing) -> bool:
    """Return whether links between switches have only link-local addresses (RFC 7404)."""
    return "unnumbered" in addressing.links


def families_of(addressing: Addressing) -> tuple[str, ...]:
    """Return the families of sessions between switches, sorted; unnumbered links carry all families of the fabric."""
    if is_unnumbered(addressing):
        prefixes = {"ipv4": addressing.ipv4, "ipv6": addressing.ipv6}
        return tuple(family for family, prefix in prefixes.items() if prefix is not None)
    return tuple(sorted(addressing.links))


def is_lossless(fabric: Fabric) -> bool:
    """Return whether a fabric has a lossless class."""
    return fabric.transport == "roce-lossless"


def has_roce_nics(fabric: Fabric) -> bool:
    """Return whether `roce.host_mtu` is the MTU of the servers' NICs on a fabric: those of a lossless frontend too."""
    return isinstance(fabric, Backend) or is_lossless(fabric)


def overlay_of(fabric: Fabric) -> Evpn | None:
    """Return the numbers of a fabric's EVPN-VXLAN overlay; None where it has none."""
    return fabric.evpn if isinstance(fabric, Frontend) or fabric.tenancy is not None else None
