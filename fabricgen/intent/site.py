"""What the intent says of the whole site: servers, cables, management, exceptions."""

from typing import Annotated, Literal

from pydantic import Field

from fabricgen.intent.scalars import (
    PRINTABLE,
    AnyAddress,
    Count,
    DomainName,
    FileName,
    Flag,
    Ipv4Prefix,
    Metres,
    Model,
    Name,
    Secret,
    SpansField,
    TcpPort,
    Text,
    Word,
)
from fabricgen.source.annotations import Pattern


class ServerGroup(Model):
    """Servers of one model, each in a numbered slot."""

    model: Word = Field(description="a server of the hardware library, or of your own hardware/ folder")
    slots: SpansField = Field(description='the slots that hold a server today, e.g. "0-63"')
    planned: Count | None = Field(
        default=None, description="slots to reserve numbers and ports for; the slots of today where left out"
    )
    was: Name | None = Field(default=None, description="the group's former name: a rename keeps every number")


class CableLengths(Model):
    """Length that a cable has unless the file says otherwise."""

    server_leaf: Metres = 5
    leaf_spine: Metres = 40
    spine_superspine: Metres = 40
    border_external: Metres = 40


class Cables(Model):
    """Cable lengths in metres; the file wins, cable by cable."""

    file: FileName | None = Field(
        default=None, description="CSV beside the intent: device,port,length_m[,kind], one cable a line, either end"
    )
    default: CableLengths = Field(default_factory=CableLengths.model_construct)


class Aaa(Model):
    """TACACS+ servers and their key; local users stay as the fallback."""

    tacacs: tuple[AnyAddress, ...] = Field(min_length=1)
    key: Secret


class User(Model):
    """A local user. The password is a reference to a hash."""

    role: Literal["network-admin", "network-operator"] = "network-admin"
    password: Secret


class Snmp(Model):
    """SNMPv3 with authentication and privacy."""

    user: Word
    auth: Secret
    privacy: Secret
    location: Text | None = None
    contact: Text | None = None
    traps: tuple[AnyAddress, ...] = ()


class Gnmi(Model):
    """Streaming telemetry by gNMI over TLS."""

    port: TcpPort = 6030
    certificate: Word = Field(description="name of the TLS profile that the switch holds")


class Eapi(Model):
    """The switch's own HTTPS interface, where it has one."""

    certificate: Word = Field(description="name of the TLS profile that the switch holds")


class Sflow(Model):
    """Sampled flows (sFlow version 5)."""

    collectors: tuple[AnyAddress, ...] = Field(min_length=1)
    sample: Annotated[int, Field(ge=1024, le=16777216, description="one packet in so many")] = 65536
    polling_seconds: Annotated[int, Field(ge=1, le=300)] = 20


class Management(Model):
    """The out-of-band network and the services every switch uses over it."""

    vrf: Word = "MGMT"
    oob: Ipv4Prefix = Field(description="one address a switch; the first sixteen stay free for gateways and services")
    gateway: AnyAddress
    domain: DomainName | None = None
    dns: tuple[AnyAddress, ...] = ()
    ntp: tuple[AnyAddress, ...] = ()
    syslog: tuple[AnyAddress, ...] = ()
    users: dict[Word, User] = Field(default_factory=dict)
    aaa: Aaa | None = None
    snmp: Snmp | None = None
    gnmi: Gnmi | None = None
    eapi: Eapi | None = None
    lldp: Flag = True
    sflow: Sflow | None = None


class Raw(Model):
    """Lines of the user's own, kept in place and marked. Nobody is ever blocked."""

    system: Annotated[str, Pattern(r"^[a-z]+$"), Field(description="the platform whose language the lines are in")]
    fabric: Name | None = None
    role: Literal["leaf", "border-leaf", "spine", "superspine"] | None = None
    device: Text | None = Field(default=None, description="a device by its name, or a glob")
    artifact: FileName | None = Field(default=None, description="the file, where a switch has several")
    lines: tuple[Annotated[str, Pattern(PRINTABLE, 400)], ...]
    references: tuple[Secret, ...] = Field(
        default=(), description="references in these lines that are filled in; any other ${...} is plain text"
    )
