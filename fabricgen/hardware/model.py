"""Schema of hardware files: switches, ASICs, servers, cables and optics, each fact with its source.

Every file lists its `sources` by a short key. A table names its source in itself, a single fact in `cited`; a fact
that no source or only a weak one confirms is named in `unsure`. A file of the user next to the intent says what differs
from the library's file of the same name.
"""

from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict

from fabricgen.source.annotations import Pattern, WholeNumber

MOST = 10**15
"""Upper limit of every size: larger values would exceed the range of the arithmetic."""

Int = Annotated[int, WholeNumber(0, MOST)]
Positive = Annotated[int, WholeNumber(1, MOST)]
Flag = Annotated[bool, Strict()]
Gbps = Annotated[int, WholeNumber(1, 100_000)]
Count = Annotated[int, WholeNumber(1, 1024)]
Rail = Annotated[int, WholeNumber(0, 1023)]
Parts = Annotated[int, WholeNumber(1, 16)]
Number = Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False)]
Name = Annotated[str, Pattern(r"^[a-z0-9][a-z0-9.+-]*$", 40)]
DeviceName = Annotated[str, Pattern(r"^[A-Za-z0-9_.-]+$", 40)]
PciAddress = Annotated[str, Pattern(r"^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$")]
Line = Annotated[str, Pattern(r"^[^\x00-\x1f\x7f]*$", 400)]
PortName = Annotated[str, Pattern(r"^[\x21-\x7e]+$", 60)]
Key = Annotated[str, Pattern(r"^[a-z0-9][a-z0-9_]*$", 40)]
Word = Annotated[str, Pattern(r"^[\x20-\x7e]*$", 4000)]


class HardwareModel(BaseModel):
    """A frozen model that refuses unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Citation(HardwareModel):
    """Where a fact was read: title, place (document number, repository path or URL) and the date of reading.

    The date is "second hand" where the place was only quoted by others and not opened.
    """

    title: Line
    place: Line
    date: Line


class HardwareFile(HardwareModel):
    """Fields of every hardware file: its sources, and the facts that no source confirms."""

    sources: dict[str, Citation]
    cited: dict[str, str] = Field(
        default_factory=dict, description="dotted path of a fact with no source beside it → key of its source"
    )
    unsure: dict[str, Line] = Field(
        default_factory=dict, description="dotted path of a fact → why it is believed without a source"
    )
    without: tuple[Line, ...] = Field(
        default=(),
        description="dotted paths of the library's file that are left out, in a file of your own",
    )


class Mode(HardwareModel):
    """One way to use a cage: `parts` interfaces of `speed_gbps`, each on `lanes` lanes."""

    parts: Parts
    speed_gbps: Gbps
    lanes: Count
    every: Count = Field(
        default=1, description="2: only every second cage of the run, from its first; those between stay empty"
    )


class PortNames(HardwareModel):
    """Interface names of an operating system. Fields: {cage}, {lane} and {channel} from 1, {part} from 0, {number}.

    {number} counts as if every cage were split into `step`, from `start` at the first cage of the run.
    """

    whole: PortName = Field(description="the cage used as one interface")
    part: PortName = Field(description="one interface of a split cage")
    start: Int = Field(default=0, description="{number} of the first interface of the run")
    step: Count = Field(default=1, description="numbers that a cage takes, split or not")


class Cages(HardwareModel):
    """A run of equal cages on the front panel."""

    cages: Annotated[str, Pattern(r"^[0-9]{1,4}(-[0-9]{1,4})?$")] = Field(description="numbers on the panel, e.g. 1-64")
    connector: Name = Field(
        description="osfp (finned module), osfp-rhs (flat module), qsfp-dd, qsfp112, qsfp56, qsfp28, sfp28, sfp+"
    )
    lanes: Count
    modes: tuple[Mode, ...] = Field(max_length=32, description="native mode first")
    service: Flag = Field(default=False, description="a low-speed port outside the fabric's plan")
    cage_watts: Number | None = Field(default=None, description="power the cage can give a module")
    port_names: dict[Name, PortNames] = Field(default_factory=dict, description="where they differ from the switch's")
    source: str

    @cached_property
    def numbers(self) -> range:
        """Numbers on the panel."""
        first, _, last = self.cages.partition("-")
        return range(int(first), int(last or first) + 1)


class Watts(HardwareModel):
    """Power of a switch or server, without optics where the source says so. At least one of the numbers is given."""

    typical: Number | None = None
    maximum: Number | None = None
    source: str


class HeadroomRow(HardwareModel):
    """One row of a vendor's table: octets of headroom that a lossless priority group needs at a speed and length."""

    speed_gbps: Gbps
    length_m: Positive
    xoff_octets: Positive
    source: str


class HeadroomFit(HardwareModel):
    """A formula fitted to published rows; `policy.headroom` knows the formulas by name."""

    formula: Name
    constants: dict[str, Number]
    source: str


class SwitchModel(HardwareFile):
    """One switch model. `asic` names the file of its forwarding chip."""

    model: Name
    vendor: Line
    title: Line
    asic: Name
    cages: tuple[Cages, ...]
    logical_ports: Positive | None = Field(
        default=None, description="interfaces that cages other than service ones can have at once"
    )
    port_names: dict[Name, PortNames]
    management_port: dict[Name, PortName] = Field(description="operating system → name of the out-of-band port")
    first_release: dict[Name, Word] = Field(
        default_factory=dict, description="operating system → first release that runs on it; of others all do"
    )
    release_trains: dict[Name, tuple[Word, ...]] = Field(
        default_factory=dict, description="operating system → release trains that run on it, where no others do"
    )
    watts: Watts | None = None
    mtu: Annotated[int, WholeNumber(1, 65_535)] = Field(description="largest layer-3 MTU in octets")
    headroom: tuple[HeadroomRow, ...] = Field(default=(), description="rows published for this very model")
    headroom_pool_octets: Positive | None = Field(default=None, description="pool published beside those rows")
    xon_offset_octets: Positive | None = Field(
        default=None,
        description="published: how far below its limit a lossless queue falls before its peer may send",
    )
    spellings: dict[Name, dict[Key, Word]] = Field(
        default_factory=dict, description="operating system → what its configuration spells by model"
    )


class Asic(HardwareFile):
    """One forwarding chip: sizes, limits and settings that differ by chip in operating systems."""

    name: Name
    title: Line
    terabits: Number
    cell_octets: Positive | None = None
    buffer_octets: Positive | None = Field(default=None, description="packet memory that all ports share")
    headroom_pool_octets: Positive | None = Field(
        default=None, description="what lossless headroom may use, as shipped"
    )
    headroom_pool_maximum_octets: Positive | None = Field(
        default=None, description="what that pool may be raised to; the shared buffer shrinks by as much"
    )
    queues: Count = Field(description="unicast queues of one port")
    headroom_profiles: Positive | None = Field(default=None, description="distinct PFC profiles the MMU holds")
    ecmp_width: Positive | None = None
    routes_ipv4: Positive | None = None
    routes_ipv6: Positive | None = None
    ecn_units: tuple[Name, ...] = ()
    headroom: tuple[HeadroomRow, ...] = ()
    fit: HeadroomFit | None = None
    load_balancing: tuple[Name, ...] = Field(default=(), description="ecmp, dlb-flowlet, dlb-per-packet")
    spellings: dict[Name, dict[Key, Word]] = Field(
        default_factory=dict, description="operating system → what its configuration spells by chip"
    )


class NicPort(HardwareModel):
    """One network port of a server as the fabric sees it. `rail` is the GPU that is nearest by PCIe."""

    name: Line = Field(description="as printed on the chassis or given by the maker")
    rail: Rail = 0
    cage: Line = Field(default="", description="the cage it shares with a neighbour, where it does")


class NicGroup(HardwareModel):
    """The NICs that one fabric connects: one port per rail, or the two ports of a dual-homed server."""

    speed_gbps: Gbps
    connector: Name
    ports: tuple[NicPort, ...]
    planes: Count = Field(default=1, description="equal slices each NIC is divided into, one a plane")
    plane_choices: tuple[Count, ...] = Field(
        default=(), description="numbers of slices that the NIC can be divided into, with `planes`; empty: that one"
    )
    vendor: Name = Field(description="whose settings its NICs have: nvidia, broadcom, amd; of any other none is known")
    reorder: Flag = Field(default=False, description="accepts packets out of order, as per-packet spraying needs")
    device_names: tuple[DeviceName, ...] = Field(default=(), description="RDMA device of each port as seen in public")
    pci_addresses: tuple[PciAddress, ...] = Field(
        default=(), description="PCI address of each port's NIC, e.g. 0000:18:00.0, where the maker fixes them"
    )
    source: str


class ServerModel(HardwareFile):
    """One server model and its groups of NICs."""

    model: Name
    vendor: Line
    title: Line
    gpus: Int
    nics: dict[Name, NicGroup]
    rack_units: Positive | None = None
    watts: Watts | None = None


class Copper(HardwareModel):
    """A cable with its plugs: copper, passive or active, or optical (aoc). One cable may carry several links.

    `far_plugs` 1 is a straight cable: all of its links run between the same two cages.
    """

    name: Name
    kind: Literal["dac", "acc", "aec", "aoc"]
    ends: tuple[Name, Name] = Field(description="connectors at the two ends, the switch's (wider) end first")
    speed_gbps: Gbps = Field(description="of one link")
    links: Count = Field(description="links one cable carries")
    far_plugs: Count = Field(default=1, description="plugs at the second end; `links` of them where it is split")
    reach_m: Number
    end_watts: Number
    only_named: Flag = Field(default=False, description="used only where a site names it or its kind as the medium")
    source: str


class Transceiver(HardwareModel):
    """A module for one cage; two modules of the same `reach` class and speed interoperate over fibre.

    A part that is used at several speeds has one row for each.
    """

    name: Name
    connector: Name
    speed_gbps: Gbps = Field(description="of one link")
    links: Count
    reach: Name = Field(description="optical interface of one link: sr4, sr8, dr4, fr4, ...")
    reach_m: Number
    watts: Number
    source: str


class Media(HardwareFile):
    """Cables and optics, shortest reach first within a kind.

    A file of the user adds rows, and replaces all rows of the library that have the same name.
    """

    copper: tuple[Copper, ...] = ()
    transceivers: tuple[Transceiver, ...] = ()
    fits: dict[Name, tuple[Name, ...]] = Field(
        default_factory=dict, description="cage → plugs it takes besides those of its own kind"
    )
    without: tuple[Name, ...] = Field(
        default=(), description="names of parts of the library that are not to be used, in a file of your own"
    )
