"""Schema of one fabric: design, switches, numbers, transport, routing."""

from typing import Annotated, Literal

from pydantic import Field

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
    System,
    UnicastMac,
    Vni,
    Word,
)
from fabricgen.intent.telemetry import Telemetry

Family = Literal["ipv4", "ipv6"]
LinkFamily = Literal["ipv4", "ipv6", "unnumbered"]
LoadBalancing = Literal["ecmp", "dlb-flowlet", "dlb-per-packet", "cluster"]
LinkLoss = Literal["keep", "weighted", "withdraw"]


class Switch(IntentModel):
    """A switch model of the hardware library and the operating system it runs."""

    model: Word = Field(
        description="a switch of the library (`fabricgen list hardware`), or of your own hardware/ folder"
    )
    os: System = Field(description="operating system and release, e.g. eos-4.34 (`fabricgen list systems`)")


class Spines(IntentModel):
    """How many spines there are now, and how many have numbers reserved."""

    now: Positive = Field(description="spines that exist now")
    planned: Positive | None = Field(
        default=None,
        description="spines that ports, addresses and AS numbers are reserved for; left out: as many as `now`",
    )


class Tiers(IntentModel):
    """Keys for the tiers above the leaves, of every design with spines."""

    spines: Spines | None = Field(
        default=None, description="of one pod and plane; the fewest legal ones, at least two, where left out"
    )
    units_per_pod: Positive | dict[Name, Positive] | None = Field(
        default=None,
        description="scalable units of each server group in one pod, or a number by group; needed with `superspine`",
    )
    superspines: Spines | None = Field(
        default=None,
        description="of one core group, which joins the spines of one number of all pods; the fewest legal ones where "
        "left out",
    )
    spine_oversubscription: RatioField = Field(
        default=Ratio(1, 1), description="capacity of a spine towards its leaves to that towards the superspines"
    )
    uplink_gbps: Positive | None = Field(
        default=None, description="speed of links between switches; the design's own choice where left out"
    )


class BackendTiers(Tiers):
    """Keys of every backend design."""

    planes: Positive | None = Field(
        default=None, description="slices each NIC is divided into, a fabric of its own each; the NIC's own if left out"
    )
    servers_per_unit: Positive | dict[Name, Positive] | None = Field(
        default=None,
        description="servers of a scalable unit, or a number by server group; as many as the leaf has ports for where "
        "left out",
    )
    oversubscription: RatioField = Field(
        default=Ratio(1, 1), description="server capacity to uplink capacity of a leaf; the most that is allowed"
    )
    leaves_per_rail: Literal[1, 2] = Field(
        default=1, description="2: each NIC has a port, or half of itself, on both leaves of a pair, bonded (dual-ToR)"
    )


class RailOptimized(BackendTiers):
    """Each leaf serves one rail, or several, of every server of its scalable unit."""

    design: Literal["rail-optimized"] = Field(
        description="each leaf serves one rail, or several, of all servers of a scalable unit"
    )
    rails_per_leaf: Positive = Field(default=1, description="rails that one leaf serves")


class Tor(BackendTiers):
    """Each leaf serves all rails of its servers: the switch of a rack."""

    design: Literal["tor"] = Field(description="each leaf serves all rails of the servers of its rack")


class RailOnly(IntentModel):
    """Only leaves, each with one rail of every server: rails are connected only inside the servers."""

    design: Literal["rail-only"] = Field(description="leaves without spines: one rail of every server per leaf")
    planes: Positive | None = Field(
        default=None, description="slices each NIC is divided into, a fabric of its own each; the NIC's own if left out"
    )
    servers_per_unit: Positive | dict[Name, Positive] | None = Field(
        default=None, description="servers of the unit, or a number by server group; as many as fit where left out"
    )


class LeafSpine(Tiers):
    """Leaves in pairs, each server with a port to both; spines above; border leaves to networks outside."""

    design: Literal["leaf-spine"] = Field(description="leaves in pairs under spines")
    oversubscription: RatioField = Field(
        description='server capacity to uplink capacity of a leaf, e.g. "3:1"; the most that is allowed'
    )
    border_leaves: Count = Field(default=0, description="leaves that connect tenants to networks outside")
    spines: Spines | None = Field(
        default=None,
        description="the fewest legal ones, at least two, where left out; a leaf has the smallest multiple of `now` "
        "uplinks that keeps its ratio, and ports and addresses for the smallest multiple of `planned`",
    )


BackendTopology = Annotated[RailOptimized | Tor | RailOnly, Field(discriminator="design")]
Topology = RailOptimized | Tor | RailOnly | LeafSpine


class Addressing(IntentModel):
    """One prefix per address family; every address of the fabric is computed from it and a place."""

    links: tuple[LinkFamily, ...] = Field(
        default=("ipv4", "ipv6"),
        min_length=1,
        max_length=2,
        description="families that links have addresses of; [unnumbered]: link-local IPv6 alone, one session for both "
        "families (RFC 8950)",
    )
    hosts: Family = Field(default="ipv4", description="family of the RoCE NICs: their GID index follows it")
    ipv4: Ipv4Prefix = Field(description="IPv4 prefix for links, loopbacks and servers of the fabric")
    ipv6: Ipv6Prefix | None = Field(default=None, description="IPv6 prefix of the same; left out: IPv4 only")


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
        default="drop", description="drop: the packets of a stuck queue are discarded; notify: it is logged only"
    )


class EcnThresholds(IntentModel):
    """Custom thresholds, for every speed."""

    minimum_octets: Annotated[int, Field(ge=1000, le=100_000_000)] = Field(
        description="queue depth in octets at which marking starts"
    )
    maximum_octets: Annotated[int, Field(ge=1000, le=100_000_000)] = Field(
        description="queue depth in octets at which the probability is reached"
    )
    probability_percent: Percent = Field(description="marking probability at the maximum, in percent")


MOST_OVERCOMMIT = 16
"""Most octets of headroom reserved per octet of pool that an intent can allow."""


class Roce(IntentModel):
    """The lossless class: the same settings for fabric ports, host ports and NICs."""

    marking: Word = Field(default="nvidia", description="named profile of the NIC's vendor")
    ecn: Word | EcnThresholds = Field(
        default="published",
        description='"published": what the maker publishes for the box, its role and speed, else the formula; '
        '"formula"; a named profile; or thresholds',
    )
    host_mtu: Octets = Field(default=9000, description="MTU of the RoCE interfaces of servers, octets of the IP packet")
    watchdog: Watchdog = Field(
        default_factory=Watchdog.model_construct, description="times and action of the PFC watchdog"
    )
    alpha: Literal["1/8", "1/4", "1/2", "1", "2", "4", "8"] = Field(
        default="1", description="share of the free buffer one lossless queue may take"
    )
    xon_offset: Literal["published", "14-cells"] = Field(
        default="published",
        description="how far below its limit a lossless queue falls before its peer may send: what the maker publishes "
        "for the box, else 14 cells of its chip; or always 14 cells",
    )
    headroom_overcommit: Annotated[float, Field(ge=1, le=MOST_OVERCOMMIT)] | None = Field(
        default=None,
        description="octets of headroom promised per octet of the chip's pool; left out: 2, or the maker's own ratio "
        "where every link is of the model's published table",
    )


class Bgp(IntentModel):
    """Timers and options of the fabric's BGP sessions."""

    keepalive_seconds: Annotated[int, Field(ge=1, le=60)] = Field(
        default=3, description="seconds between two KEEPALIVE messages (RFC 4271)"
    )
    hold_seconds: Annotated[int, Field(ge=3, le=180)] = Field(
        default=9,
        description="seconds without a message until a session is down (RFC 4271); three times the keepalive or more",
    )
    bfd: Flag = Field(default=False, description="direct optics report a lost link faster than BFD does")


class Evpn(IntentModel):
    """Numbers of the EVPN overlay."""

    admin: Annotated[int, Field(ge=1, le=65535, description="site administrator of every route target")] = 65000
    vni_base: Vni = Field(default=10000, description="a VNI left out is this plus the id in the lock")
    gateway_mac: UnicastMac = Field(
        default="02:fa:b0:00:00:01", description="MAC address of the anycast gateways, the same on every leaf"
    )


class StormControl(IntentModel):
    """Limit of flooded traffic on a server port, percent of its speed."""

    broadcast_percent: Percent = Field(
        default=1, description="broadcast that a server port accepts, in percent of its speed"
    )
    multicast_percent: Percent = Field(
        default=5, description="multicast that a server port accepts, in percent of its speed"
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
        description="how the leaves of a bond elect the one that forwards broadcast to it: by preferences that "
        "alternate from server to server, with a drained leaf last (RFC 9785), or as the platform elects by default",
    )
    lacp_fallback: Flag = Field(default=True, description="a server that boots without LACP still gets through")
    storm_control: StormControl | None = Field(
        default_factory=StormControl.model_construct,
        description="limits of broadcast and multicast of server ports; null: none",
    )
    bpdu_guard: Flag = Field(default=True, description="a server port that receives a BPDU is shut down")
    uplink_tracking: Flag = Field(default=True, description="a leaf without uplinks takes its server ports down")
    guests_per_server: Annotated[int, Field(ge=0, le=499)] = Field(
        default=31,
        description="virtual machines and containers with a MAC address of their own on one server; limits of MAC "
        "addresses and of EVPN routes follow from it",
    )
    mac_limit: MacLimit = Field(
        default="auto",
        description="MAC addresses that a server port may bring: a number, none, or auto: twice the server and its "
        "guests, where the operating system has such a limit; more are not learned, and no port is shut",
    )


class FabricBase(IntentModel):
    """Keys of both kinds of fabric."""

    prefix: Name | None = Field(default=None, description="start of every device name; the fabric's name if left out")
    connects: dict[Name, Name] = Field(min_length=1, description="server group → NIC group of its model")
    leaf: Switch = Field(description="model and operating system of the leaves")
    spine: Switch | None = Field(
        default=None, description="model and operating system of the spines; required where the design has spines"
    )
    superspine: Switch | None = Field(default=None, description="joins the pods of a fabric of three tiers")
    addressing: Addressing = Field(description="prefixes that the addresses of the fabric are allocated from")
    asns: AsnRangeField = Field(
        description="range of AS numbers for the switches of the fabric (RFC 6996 has the private ones)"
    )
    mtu: Octets = Field(
        default=9214,
        description="largest IP packet on fabric links; left out: 9214, or what all models of the fabric carry "
        "where that is less",
    )
    load_balancing: LoadBalancing = Field(default="ecmp", description="how flows are spread over equal-cost paths")
    link_loss: LinkLoss = Field(
        default="keep",
        description="what a switch does when some of its parallel links to another are down: send as before, send in "
        "proportion to what is left, or send nothing that way",
    )
    bgp: Bgp = Field(default_factory=Bgp.model_construct, description="timers and options of the BGP sessions")
    telemetry: Telemetry = Field(
        default_factory=Telemetry.model_construct,
        description="counters and queue monitoring that are not on by default",
    )
    was: Name | None = Field(default=None, description="the fabric's former name: a rename keeps every number")


class Backend(FabricBase):
    """GPU to GPU: RoCEv2, 1:1, no default route, connected to nothing else."""

    kind: Literal["backend"] = Field(description="GPU to GPU: RoCEv2")
    topology: BackendTopology = Field(description="design of the fabric and its dimensions")
    transport: Literal["roce-lossless", "best-effort"] = Field(
        default="roce-lossless", description="roce-lossless: a lossless class with PFC and ECN; best-effort: none"
    )
    roce: Roce = Field(default_factory=Roce.model_construct, description="settings of the lossless class")
    tenancy: Literal["evpn-type5"] | None = Field(
        default=None, description="a VRF and an L3 VNI for each tenant, whole ports or single NICs, routes of type 5"
    )
    evpn: Evpn = Field(
        default_factory=Evpn.model_construct, description="numbers of the overlay, where there is `tenancy`"
    )


class Frontend(FabricBase):
    """Storage, users, inference: oversubscribed, EVPN-VXLAN tenants, border leaves."""

    kind: Literal["frontend"] = Field(description="storage, users and tenants: EVPN-VXLAN")
    topology: LeafSpine = Field(description="design of the fabric and its dimensions")
    border: Switch | None = Field(default=None, description="the leaf's model where left out")
    evpn: Evpn = Field(default_factory=Evpn.model_construct, description="numbers of the overlay")
    server_ports: ServerPorts = Field(
        default_factory=ServerPorts.model_construct, description="settings of the ports towards servers"
    )


Fabric = Annotated[Backend | Frontend, Field(discriminator="kind")]


def is_unnumbered(addressing: Addressing) -> bool:
    """Return whether links between switches have only link-local addresses (RFC 7404)."""
    return "unnumbered" in addressing.links


def families_of(addressing: Addressing) -> tuple[str, ...]:
    """Return the families of sessions between switches, sorted; unnumbered links carry all families of the fabric."""
    if is_unnumbered(addressing):
        return ("ipv4", "ipv6") if addressing.ipv6 is not None else ("ipv4",)
    return tuple(sorted(addressing.links))


def overlay_of(fabric: Fabric) -> Evpn | None:
    """Return the numbers of a fabric's EVPN-VXLAN overlay; None where it has none."""
    return fabric.evpn if isinstance(fabric, Frontend) or fabric.tenancy is not None else None
