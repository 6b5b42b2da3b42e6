"""Schema of a tenant: its servers, networks, imports and external sessions."""

from typing import Annotated, Literal

from pydantic import Field

from fabricgen.intent.scalars import (
    AnyAddress,
    AnyPrefix,
    Asn,
    Count,
    IntentModel,
    Name,
    Octets,
    PointToPoint,
    Positive,
    Secret,
    VlanId,
    Vni,
    Word,
)
from fabricgen.source.annotations import Pattern

ServerRange = Annotated[
    str,
    Pattern(r"^[a-z][a-z0-9]*(-[a-z0-9]+)*\[[0-9]{1,7}(-[0-9]{1,7})?(,[0-9]{1,7}(-[0-9]{1,7})?)*\]$"),
    Field(description='servers by group and slot, e.g. "train[0-63]"'),
]


NicRange = Annotated[
    str,
    Pattern(
        r"^[a-z][a-z0-9]*(-[a-z0-9]+)*\[[0-9]{1,7}(-[0-9]{1,7})?(,[0-9]{1,7}(-[0-9]{1,7})?)*\]"
        r"/[0-9]{1,3}(-[0-9]{1,3})?(,[0-9]{1,3}(-[0-9]{1,3})?)*$"
    ),
    Field(description='NICs of servers by rail, on backends with tenancy, e.g. "train[8-9]/0-3"'),
]


Guard = Literal["ra-guard"]


class Network(IntentModel):
    """One bridged network: a VLAN on the server ports, an L2 VNI across the fabric, a gateway on every leaf."""

    vlan: VlanId = Field(
        examples=[110], description="VLAN of the server ports; VLAN 1, the default, and VLAN 4094 are not used"
    )
    vni: Vni | None = Field(default=None, description="VNI of the network; default: allocated in the lock")
    subnets: tuple[AnyPrefix, ...] = Field(
        min_length=1, max_length=2, description="one subnet per address family; its first address is the gateway"
    )
    dhcp_relay: tuple[AnyAddress, ...] = Field(
        default=(), description="addresses of DHCP servers that the gateways relay to"
    )
    fabrics: tuple[Name, ...] = Field(default=(), description="frontends that carry it; default: all")
    was: Name | None = Field(default=None, description="former name of the network: a rename keeps its VNI")


class External(IntentModel):
    """A session to a peer outside the fabric, on a border leaf, inside the tenant's VRF."""

    peer: Word = Field(examples=["fw1"], description="name of the peer, for descriptions and labels")
    border: Count = Field(description="which border leaf, from 0")
    port: Count = Field(description="which of its external ports, from 0")
    vlan: VlanId = Field(description="VLAN tag of the link to the peer", examples=[900])
    asn: Asn = Field(description="AS number of the peer")
    addresses: tuple[PointToPoint, ...] = Field(
        min_length=1, max_length=2, description="address of the border leaf, one per address family"
    )
    accept: tuple[AnyPrefix, ...] = Field(
        examples=[["0.0.0.0/0"]], min_length=1, description="prefixes accepted from the peer; all others are rejected"
    )
    max_prefixes: Positive = Field(
        default=100, description="maximum number of prefixes from the peer; above it the session is closed"
    )
    mtu: Octets = Field(default=1500, description="largest IP packet towards the peer; one for all sessions of a port")
    password: Secret | None = Field(default=None, description="reference to the MD5 password of the session (RFC 2385)")


class Tenant(IntentModel):
    """A VRF with its servers, networks and external sessions."""

    servers: tuple[ServerRange, ...] = Field(default=(), description="servers of the tenant by group and slot")
    nics: tuple[NicRange, ...] = Field(
        default=(), description="single NICs on backends with tenancy; they take precedence over whole servers there"
    )
    networks: dict[Name, Network] = Field(default_factory=dict, description="bridged networks of the tenant by name")
    vni: Vni | None = Field(default=None, description="L3 VNI; default: allocated in the lock")
    imports: tuple[Name, ...] = Field(
        default=(),
        description="tenants whose networks this one may reach, and the reverse, on frontends that carry both; a "
        "shared backend always separates tenants",
    )
    relay_sources: tuple[AnyPrefix, ...] = Field(
        default=(),
        max_length=2,
        description="one prefix per address family: each leaf takes one address of it as the source of its DHCP relays",
    )
    external: tuple[External, ...] = Field(default=(), description="external BGP peers")
    guards: tuple[Guard, ...] = Field(
        default=(),
        description="what ports of frontends drop that the tenant's servers send. ra-guard: router advertisements "
        "(RFC 6105), so that no server becomes the router of the others",
    )
    was: Name | None = Field(default=None, description="former name of the tenant: a rename keeps its VNI")
