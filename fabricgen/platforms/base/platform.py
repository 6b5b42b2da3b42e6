"""What an operating system is to fabricgen: names, files, templates and limits. A platform never sees the intent."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.device.device import Device, Hardware
from fabricgen.device.qos import Qos
from fabricgen.errors import Problem
from fabricgen.platforms.base.cost import Cost
from fabricgen.platforms.base.forms import WORDS, Form
from fabricgen.platforms.base.lossless import RenderedLossless, as_given
from fabricgen.platforms.base.secret_shape import Shapes
from fabricgen.platforms.base.stream import Stream


class FeatureScope(StrEnum):
    """Who else must have a feature where one switch has it, or it does not work.

    SWITCH  nobody
    PAIR    the other leaves of its servers
    LINK    the far ends of its links inside the fabric
    FABRIC  every switch of the fabric
    """

    SWITCH = "switch"
    PAIR = "pair"
    LINK = "link"
    FABRIC = "fabric"


class Capability(NamedTuple):
    """Whether a platform can do a feature. An empty `limit` is none; `refusal` says why it cannot.

    instead  what the system does by itself where it cannot be told: a value that only a default of ours asks for is
             then left to it; one that the intent asks for in so many words is refused all the same
    scope    who else must have it
    alike    why those must run the same operating system, too; empty where any that has the feature will do
    vouched  key of `spellings` in a hardware file, of a model or its chip, that lifts the refusal for it; or key and
             value, as `key: value`
    by_speed that word lists the speeds, in Gb/s, of links between switches at which it does, e.g. "200 400"
    unproven why its lines, though taken, may do nothing: what a source asks beside them and nobody has seen hold
    always   why it is there without a line, so that no key turns it off; empty where a line decides
    judge    the independent judge that reads its lines (a vendor's model, real daemons, another renderer); empty where
             they are cited and nobody but us has judged them
    """

    feature: str
    limit: str
    source: str
    refusal: str = ""
    vouched: str = ""
    by_speed: bool = False
    unproven: str = ""
    judge: str = ""
    instead: str = ""
    scope: FeatureScope = FeatureScope.SWITCH
    alike: str = ""
    always: str = ""

    def is_vouched(self, spellings: Mapping[str, str]) -> bool:
        """Whether the words of a hardware file lift the refusal."""
        key, _, value = self.vouched.partition(": ")
        return key in spellings and value in ("", spellings[key])


def plain(features: Iterable[str], source: str, judge: str = "") -> tuple[Capability, ...]:
    """Rows of features that a platform can do without a limit, all by one source."""
    return tuple(Capability(feature, "", source, judge=judge) for feature in features)


class EcnChoice(NamedTuple):
    """An ECN profile of policy.ecn that the maker publishes for boxes of this system. Empty `asics`: all of them."""

    profile: str
    asics: tuple[str, ...] = ()


class Section(NamedTuple):
    """What a template has printed; own: the template is a user's."""

    text: str
    own: bool = False


Sections = tuple[Section, ...]


def as_printed(sections: Sections) -> str:
    """Sections behind each other."""
    return "".join([section.text for section in sections])


class Artifact(NamedTuple):
    """One file of a switch: its name, the templates of its sections in order, and how its text is written.

    finish  the last step, from what the templates have printed to the file's text
    """

    name: str
    sections: tuple[str, ...]
    form: Form = WORDS
    finish: Callable[[Sections], str] = as_printed


def without_eapi(instead: str) -> Capability:
    """The row of a system that has no eAPI. instead: by what it is read and pushed."""
    return Capability("eapi", "", "intent schema, management.eapi", refusal="the system has no eAPI", instead=instead)


class OwnAdmin(NamedTuple):
    """An account that is in every configuration, and may configure while users of the intent do not say otherwise.

    why  what a file does that gives it another role, with the source
    """

    name: str
    why: str


class FactoryAccount(NamedTuple):
    """An account with a published password that stays on a switch after our file is loaded.

    is_told  whether a user of that name in the intent replaces its password
    why      why it stays, with the source
    """

    name: str
    is_told: bool
    why: str


def any_lines(artifact: str, lines: tuple[str, ...]) -> str:
    """Text files take any lines."""
    return ""


def no_limits(device: Device) -> Iterable[Problem]:
    """All that the capability table allows can be told."""
    return ()


class Platform(NamedTuple):
    """One operating system.

    name          as it starts the intent's `os:` value; its templates are templates/<name>/
    versions      releases that a judge's model or a cited manual covers
    vendor        who makes it; empty where a community does
    artifacts     role → files; a role that is missing cannot be rendered
    template_context  what the templates print that is not a Device field word for word
    derived       numbers and names that it gives itself from several parts of a Device at once: what → value, never
                  empty; no other kind of fact tells of one that moves under something that stays
    main          the artifact that raw lines go to unless they name another
    comment       how a line of remark starts
    limits        values of one switch that it cannot be told, as problems of the intent
    raw_fault     file and raw lines for it → why they cannot be joined with its own; empty where they can
    capabilities  every feature a Device may need
    costs         kind of fact → what its changes cost while they are made
    streams       paths of its state that it streams by gNMI; empty where it has no server
    driver        NAPALM driver, called as the platform is
    own_driver    module and class, as `module:class`, of a driver of ours in NAPALM's shape, where NAPALM brings none
                  that is safe; `napalm.get_network_driver` finds top-level modules alone
    ansible       variables of its group in an Ansible inventory; empty where it has none of its own
    secrets       release → what the value of each secret must be that its files have
    accounts      what becomes of them when a file without users is loaded, with the source; empty where one stays
    own_admin     the administrator that stays where a file names none; None where none stays, or no file can demote it
    factory       accounts with a published password that a file leaves; empty where none is known
    own_headroom_m  metres of cable up to which it sets headroom of a lossless port aside by itself; 0: it is told
    vlan_macs     most MAC addresses that the table of a VLAN can be told to hold; 0: it is told no number
    rendered      the lossless class after this system's rounding: hardware, Qos, largest packet in octets → Rendered
    ecn           ECN profiles that the makers of its boxes publish for it; the first with a row for a speed and role
                  is the default there
    """

    name: str
    title: str
    versions: tuple[str, ...]
    artifacts: Mapping[str, tuple[Artifact, ...]]
    template_context: Callable[[Device], object]
    derived: Callable[[Device], Mapping[str, str]]
    main: str
    comment: str
    capabilities: tuple[Capability, ...]
    costs: Mapping[str, Cost]
    streams: tuple[Stream, ...]
    driver: str
    secrets: Callable[[str], Shapes]
    limits: Callable[[Device], Iterable[Problem]] = no_limits
    raw_fault: Callable[[str, tuple[str, ...]], str] = any_lines
    own_headroom_m: int = 0
    vlan_macs: int = 0
    rendered: Callable[[Hardware, Qos, int], RenderedLossless] = as_given
    ecn: tuple[EcnChoice, ...] = ()
    accounts: str = ""
    own_admin: OwnAdmin | None = None
    factory: tuple[FactoryAccount, ...] = ()
    own_driver: str = ""
    ansible: Mapping[str, object] = MappingProxyType({})
    vendor: str = ""

    def published_ecn(self, asic: str) -> tuple[str, ...]:
        """Names of the ECN profiles that are published for a box with this chip, in order of preference."""
        return tuple(choice.profile for choice in self.ecn if not choice.asics or asic in choice.asics)

    def covers(self, version: str) -> bool:
        """Whether a release belongs to a supported train: 4.34 covers 4.34 and 4.34.1F."""
        return any(version == known or version.startswith(f"{known}.") for known in self.versions)

    def can(self, feature: str) -> Capability | None:
        """The capability of a feature; None where the table does not know it."""
        return next((found for found in self.capabilities if found.feature == feature), None)
