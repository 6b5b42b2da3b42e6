"""What the intent says of one fabric: design, switches, numbers, transport, routing."""

from typing import Annotated, Literal

from pydantic import Field

from fabricgen.intent.scalars import (
    AsnRangeField,
    Count,
    Flag,
    Ipv4Prefix,
    Ipv6Prefix,
    Model,
    Name,
    Octets,
    Percent,
    Positive,
    RatioField,
    System,
    UnicastMac,
    Vni,
    Word,
)

Family = Literal["ipv4", "ipv6"]


class Switch(Model):
    """A switch model of the hardware library and the operating system it runs."""

    model: Word
    os: System


class Spines(Model):
    """How many spines stand now, and how many the numbers are laid out for."""

    now: Positive
    planned: Positive | None = None


class RailOptimized(Model):
    """Each leaf takes one rail, or two, of every server of its scalable unit."""

    design: Literal["rail-optimized"]
    rails_per_leaf: Literal[1, 2] = 1
    spines: Spines | None = Field(default=None, description="the fewest legal ones, at least two, where left out")


class LeafSpine(Model):
    """Leaves in pairs, each server with a port to both; spines above; border leaves to the outside."""

    design: Literal["leaf-spine"]
    oversubscription: RatioField = Field(
        description='server capacity to uplink capacity of a leaf, e.g. "3:1"; the most that is allowed'
    )
    border_leaves: Count = 0
    spines: Spines | None = Field(
        default=None,
        description="the fewest legal ones, at least two, where left out; a leaf has the smallest multiple of `now` "
        "uplinks that keeps its ratio, and ports and addresses for the smallest multiple of `planned`",
    )


Topology = Annotated[RailOptimized | LeafSpine, Field(discriminator="design")]


class Addressing(Model):
    """One prefix a family; every address of the fabric is cut from it by place."""

    links: tuple[Family, ...] = Field(default=("ipv4", "ipv6"), min_length=1, max_length=2)
    hosts: Family = Field(default="ipv4", description="family of the RoCE NICs: their GID index follows it")
    ipv4: Ipv4Prefix
    ipv6: Ipv6Prefix | None = None


class Watchdog(Model):
    """PFC watchdog times in milliseconds."""

    detect_ms: Annotated[int, Field(ge=10, le=5000)] = 200
    restore_ms: Annotated[int, Field(ge=10, le=60000)] = 400
    action: Literal["drop", "notify"] = "drop"


class EcnThresholds(Model):
    """Thresholds of the user's own, for every speed."""

    minimum_octets: Annotated[int, Field(ge=1000, le=100_000_000)]
    maximum_octets: Annotated[int, Field(ge=1000, le=100_000_000)]
    probability_percent: Percent


class Roce(Model):
    """The lossless class: one object for fabric ports, host ports and NICs."""

    marking: Word = Field(default="nvidia", description="named profile of the NIC's vendor")
    ecn: Word | EcnThresholds = Field(default="formula", description='a named profile, or "formula"')
    host_mtu: Octets = 9000
    watchdog: Watchdog = Field(default_factory=Watchdog)
    alpha: Literal["1/8", "1/4", "1/2", "1", "2", "4", "8"] = Field(
        default="1", description="share of the free buffer one lossless queue may take"
    )
    headroom_overcommit: Annotated[float, Field(ge=1, le=16)] | None = Field(
        default=None,
        description="octets of headroom promised per octet of the chip's pool; left out: 2, or the maker's own ratio "
        "where every link is of the model's published table",
    )


class Bgp(Model):
    """Timers and options of the fabric's sessions."""

    keepalive_seconds: Annotated[int, Field(ge=1, le=60)] = 3
    hold_seconds: Annotated[int, Field(ge=3, le=180)] = 9
    bfd: Flag = Field(default=False, description="direct optics report a lost link faster than BFD does")


class Evpn(Model):
    """Numbers of the overlay."""

    admin: Annotated[int, Field(ge=1, le=65535, description="site administrator of every route target")] = 65000
    vni_base: Vni = Field(default=10000, description="a VNI left out is this plus the id in the lock")
    gateway_mac: UnicastMac = "02:fa:b0:00:00:01"


class StormControl(Model):
    """Limit of flooded traffic on a server port, percent of its speed."""

    broadcast_percent: Percent = 1
    multicast_percent: Percent = 5


class ServerPorts(Model):
    """How the frontend's server ports behave."""

    multihoming: Literal["evpn-esi", "active-backup"] = Field(
        default="evpn-esi",
        description="one LACP bond over both leaves (an Ethernet segment, RFC 7432), or one port used at a time",
    )
    lacp_fallback: Flag = Field(default=True, description="a server that boots without LACP still gets through")
    storm_control: StormControl | None = Field(default_factory=StormControl)
    bpdu_guard: Flag = True
    uplink_tracking: Flag = Field(default=True, description="a leaf without uplinks takes its server ports down")


class FabricBase(Model):
    """What both kinds of fabric have."""

    prefix: Name | None = Field(default=None, description="start of every device name; the fabric's name if left out")
    connects: dict[Name, Name] = Field(min_length=1, description="server group → NIC group of its model")
    leaf: Switch
    spine: Switch | None = None
    addressing: Addressing
    asns: AsnRangeField
    mtu: Octets = Field(default=9214, description="largest IP packet on fabric links")
    load_balancing: Literal["ecmp", "dlb-flowlet", "dlb-per-packet"] = "ecmp"
    bgp: Bgp = Field(default_factory=Bgp)
    was: Name | None = Field(default=None, description="the fabric's former name: a rename keeps every number")


class Backend(FabricBase):
    """GPU to GPU: RoCEv2, 1:1, no default route, connected to nothing else."""

    kind: Literal["backend"]
    topology: RailOptimized
    transport: Literal["roce-lossless", "best-effort"] = "roce-lossless"
    roce: Roce = Field(default_factory=Roce)


class Frontend(FabricBase):
    """Storage, users, inference: oversubscribed, EVPN-VXLAN tenants, border leaves."""

    kind: Literal["frontend"]
    topology: LeafSpine
    border: Switch | None = Field(default=None, description="the leaf's model where left out")
    evpn: Evpn = Field(default_factory=Evpn)
    server_ports: ServerPorts = Field(default_factory=ServerPorts)


Fabric = Annotated[Backend | Frontend, Field(discriminator="kind")]
