"""The definition of an operating system: names, files, templates and limits. A platform never sees the intent."""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.device.device import Device, Hardware
from fabricgen.device.qos import Qos
from fabricgen.errors import Problem
from fabricgen.platforms.base.cost import Cost
from fabricgen.platforms.base.forms import WORDS, Form
from fabricgen.platforms.base.lossless import RenderedLossless, as_given
from fabricgen.platforms.base.release import Difference, Release, came_between, is_at_least, neighbors
from fabricgen.platforms.base.secret_shape import Shapes
from fabricgen.platforms.base.stream import Stream


class FeatureScope(StrEnum):
    """Which other switches must have a feature too, for it to work on one switch.

    SWITCH  none
    PAIR    the other leaves of its servers
    LINK    the far ends of its links inside the fabric
    FABRIC  every switch of the fabric
    """

    SWITCH = "switch"
    PAIR = "pair"
    LINK = "link"
    FABRIC = "fabric"


class Capability(NamedTuple):
    """Whether a platform supports a feature. An empty `limit` is none; `refusal` says why it does not.

    instead  what the system does where the feature is not configurable, or in a release before `since`: a value that
             only a default of ours asks for is then left to it; one that the intent sets explicitly is refused all the
             same
    scope    which other switches must have it
    alike    why those must run the same operating system, too; empty if any system that has the feature will do
    vouched  key of `spellings` in a hardware file, of a model or its chip, that lifts the refusal for it; or key and
             value, as `key: value`
    by_speed the value of that key lists the link speeds in Gb/s, between switches, at which it works, e.g. "200 400"
    unproven why its lines, though accepted, may do nothing: what a source requires in addition and is unproven
    always   why it is there without a line, so that no key turns it off; empty if a line decides
    since    the first release that has it: earlier ones refuse it; empty if all known ones have it
    judge    the independent judge that reads its lines (a vendor's model, real daemons, another renderer); empty if
             they are cited and only we have judged them
    """

    feature: str
    source: str
    limit: str = ""
    refusal: str = ""
    vouched: str = ""
    by_speed: bool = False
    unproven: str = ""
    judge: str = ""
    instead: str = ""
    scope: FeatureScope = FeatureScope.SWITCH
    alike: str = ""
    always: str = ""
    since: str = ""

    def is_vouched(self, spellings: Mapping[str, str]) -> bool:
        """Whether the spellings of a hardware file lift the refusal."""
        key, _, value = self.vouched.partition(": ")
        return key in spellings and value in ("", spellings[key])


COMMON_FEATURES = (
    "hostname",
    "management-port",
    "dns",
    "ntp",
    "syslog",
    "ports",
    "mtu",
    "fec",
    "descriptions",
    "vlans",
    "vrfs",
    "subinterfaces",
    "loopbacks",
    "prefix-lists",
    "community-lists",
    "route-maps",
    "networks",
    "static-routes",
    "evpn-routes",
    "bgp-password",
    "raw-lines",
)
"""Features that most systems support without a limit."""


def plain(features: Iterable[str], source: str, judge: str = "") -> tuple[Capability, ...]:
    """Rows of features that a platform supports without a limit, all from one source."""
    return tuple(Capability(feature, source, judge=judge) for feature in features)


class EcnChoice(NamedTuple):
    """An ECN profile of policy.ecn that the maker publishes for switches with this system. Empty `asics`: all."""

    profile: str
    asics: tuple[str, ...] = ()


class Section(NamedTuple):
    """The output of one template; own: the template is a user's."""

    text: str
    own: bool = False


Sections = tuple[Section, ...]


def as_printed(sections: Sections) -> str:
    """The sections' text, joined."""
    return "".join([section.text for section in sections])


class Artifact(NamedTuple):
    """One file of a switch: its name, the templates of its sections in order, and the syntax of its text.

    finish  the last step: sections as printed → the file's text
    """

    name: str
    sections: tuple[str, ...]
    form: Form = WORDS
    finish: Callable[[Sections], str] = as_printed


def without(sections: tuple[str, ...], absent: Collection[str]) -> tuple[str, ...]:
    """The sections of a role that does not have all of them, in their order."""
    return tuple(section for section in sections if section not in absent)


def one_file(
    name: str,
    leaf: tuple[str, ...],
    border_leaf: tuple[str, ...],
    spine: tuple[str, ...],
    form: Form = WORDS,
    finish: Callable[[Sections], str] = as_printed,
) -> Mapping[str, tuple[Artifact, ...]]:
    """Files by role of a platform with one file per switch, from the sections of each role; superspines are spines."""
    roles = {"leaf": leaf, "border-leaf": border_leaf, "spine": spine, "superspine": spine}
    return {role: (Artifact(name, sections, form, finish),) for role, sections in roles.items()}


def without_eapi(instead: str) -> Capability:
    """The row of a system without eAPI. instead: what it is read and pushed by."""
    return Capability("eapi", "intent schema, management.eapi", refusal="the system has no eAPI", instead=instead)


class OwnAdmin(NamedTuple):
    """An account in every configuration that keeps its rights unless users of the intent override them.

    why  what a file does that gives it another role, with the source
    """

    name: str
    why: str


class FactoryAccount(NamedTuple):
    """An account with a published password that stays on a switch after our file is loaded.

    is_configurable  whether a user of that name in the intent replaces its password
    why              why it stays, with the source
    """

    name: str
    is_configurable: bool
    why: str


class InBand(NamedTuple):
    """Management services that answer on fabric ports, loopbacks or gateways: ssh, api, gnmi, snmp.

    open       those of a file that lists no sources
    by_source  those that answer the listed sources there, too: the system compares the source alone
    why        what the system does, with the source
    api_without_certificate  its HTTP API does, sources or not, unless the file names the API's certificate
    own_certificate  its HTTP API shows, in band or not, a certificate of the switch itself until the file names one
    """

    open: tuple[str, ...] = ()
    by_source: tuple[str, ...] = ()
    why: str = ""
    api_without_certificate: bool = False
    own_certificate: bool = False


def any_lines(artifact: str, lines: tuple[str, ...]) -> str:
    """Accept any raw lines, for a platform whose artifacts are text."""
    return ""


def no_limits(device: Device) -> Iterable[Problem]:
    """No problems, for a platform that supports every value that its capability table allows."""
    return ()


class Platform(NamedTuple):
    """One operating system.

    name          start of the intent's `os:` value; its templates are templates/<name>/
    releases      those that a judge's model or a cited manual covers, the oldest first
    differences   what is configured in other words from a release on, in the order of releases
    vendor        its maker; empty for a community's system
    artifacts     role → files; a role that is missing cannot be rendered
    template_context  Device → what the templates print, other than Device fields unchanged
    derived       numbers and names that the platform derives from several parts of a Device at once: what → value,
                  never empty; no other kind of change shows that one changes for something that stays
    main          the artifact that raw lines go to unless they name another
    comment       start of a line that is a remark
    limits        values of one switch that it does not support, as problems of the intent
    raw_fault     (file, raw lines for it) → why they cannot be joined with its own lines; empty if they can
    capabilities  every feature a Device may need
    costs         kind of change → what its changes cost while they are made
    streams       paths of its state that it streams by gNMI; empty if it has no gNMI server
    gnmi_auth_scheme  scheme of the HTTP header in which its gNMI server takes name and password; empty: it takes them
                  as gNMI has them, in the metadata of a request
    driver        NAPALM driver, named like the platform
    own_driver    module and class, as `module:class`, of our own driver with NAPALM's interface, where NAPALM has none
                  that is safe; `napalm.get_network_driver` finds top-level modules only
    ansible       variables of its group in an Ansible inventory; empty if it has none of its own
    secrets       release → the shape of each secret's value in its files
    accounts      what becomes of them when a file without users is loaded, with the source; empty if one stays
    own_admin     the administrator that stays if a file names none; None if none stays, or if no file can demote it
    factory       accounts with a published password that a file leaves; empty if none is known
    in_band       management services that its file leaves open in band
    own_headroom_m  cable length in metres up to which it reserves headroom of a lossless port itself; 0: configured
    lossless_keys keys of `spellings` of a model or its chip without which it has no lossless class
    hardware_keys other keys of `spellings` that it reads, besides those that its capabilities name; `<word>` in one
                  stands for a number
    vlan_macs     largest configurable MAC limit of a VLAN; 0: not configurable
    rendered      (hardware, Qos, largest packet in octets) → the lossless class after this system's rounding
    ecn           ECN profiles that the makers of its switches publish for it; the first with a row for a speed and role
                  is the default there
    """

    name: str
    title: str
    releases: tuple[Release, ...]
    artifacts: Mapping[str, tuple[Artifact, ...]]
    template_context: Callable[[Device], object]
    derived: Callable[[Device], Mapping[str, str]]
    main: str
    comment: str
    capabilities: tuple[Capability, ...]
    costs: Mapping[str, Cost]
    driver: str
    secrets: Callable[[str], Shapes]
    differences: tuple[Difference, ...] = ()
    streams: tuple[Stream, ...] = ()
    gnmi_auth_scheme: str = ""
    limits: Callable[[Device], Iterable[Problem]] = no_limits
    raw_fault: Callable[[str, tuple[str, ...]], str] = any_lines
    own_headroom_m: int = 0
    lossless_keys: tuple[str, ...] = ()
    hardware_keys: tuple[str, ...] = ()
    vlan_macs: int = 0
    rendered: Callable[[Hardware, Qos, int], RenderedLossless] = as_given
    ecn: tuple[EcnChoice, ...] = ()
    accounts: str = ""
    own_admin: OwnAdmin | None = None
    factory: tuple[FactoryAccount, ...] = ()
    in_band: InBand = InBand()
    own_driver: str = ""
    ansible: Mapping[str, object] = MappingProxyType({})
    vendor: str = ""

    def published_ecn(self, asic: str) -> tuple[str, ...]:
        """Names of the ECN profiles that are published for switches with this chip, in order of preference."""
        return tuple(choice.profile for choice in self.ecn if not choice.asics or asic in choice.asics)

    @property
    def spelling_keys(self) -> tuple[str, ...]:
        """All keys of `spellings` in hardware files that it reads, sorted; `<word>` in one stands for a number."""
        vouched = {row.vouched.partition(": ")[0] for row in self.capabilities if row.vouched}
        return tuple(sorted({*self.hardware_keys, *self.lossless_keys, *vouched}))

    @property
    def versions(self) -> tuple[str, ...]:
        """Names of its releases, the oldest first."""
        return tuple(release.name for release in self.releases)

    def covers(self, version: str) -> bool:
        """Whether a release belongs to a supported train: 4.34 covers 4.34 and 4.34.1F."""
        return any(release.covers(version) for release in self.releases)

    def between(self, version: str) -> tuple[Release, Release] | None:
        """The two known releases between which another lies, if the table has no difference between them.

        What only some models have does not count: where it is needed, its own row compares the release.
        """
        found = neighbors(version, self.releases)
        features = (row.since for row in self.capabilities if row.since and not row.vouched)
        changed = (*(row.since for row in self.differences), *features)
        return None if found is None or any(came_between(since, *found) for since in changed) else found

    def can(self, feature: str, version: str = "") -> Capability | None:
        """The capability of a feature in a release, by default the newest; None if the table does not have it."""
        row = next((capability for capability in self.capabilities if capability.feature == feature), None)
        if row is None or not (row.since and version) or is_at_least(version, row.since):
            return row
        return row._replace(
            refusal=f"{self.title} has it from {row.since} on, and these switches run {version}", vouched=""
        )
