"""A hardware file that fits the schema → its remaining faults, each with its position."""

import re
import string
from collections.abc import Container, Iterable, Iterator, Mapping
from difflib import get_close_matches

from fabricgen.base.text import counted
from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.hardware.chip_faults import CELL_OCTETS, cell_fault
from fabricgen.hardware.headroom_faults import WrongRow, fit_faults, least_octets, short_rows, wrong_rows
from fabricgen.hardware.media import part_names
from fabricgen.hardware.model import (
    Asic,
    Cages,
    Copper,
    HeadroomRow,
    Media,
    NicGroup,
    PortNames,
    ServerModel,
    SwitchModel,
    Watts,
)
from fabricgen.hardware.model import HardwareFile as HardwareDocument
from fabricgen.hardware.ports import port_name
from fabricgen.source.document import Document

NAME_FIELDS = ("cage", "lane", "part", "channel", "number")
ECN_UNITS = ("kbytes", "bytes", "mbytes", "segments", "milliseconds")
"""Units of an ECN threshold that a chip may have: the words of EOS (AVD, eos_cli_config_gen)."""
LOAD_BALANCING = ("ecmp", "dlb-flowlet", "dlb-per-packet")
NIC_VENDORS = ("amd", "broadcom", "intel", "nvidia")
"""Vendor names that marking profiles and NIC settings use."""
NIC_PRODUCTS: Mapping[str, str] = {
    **dict.fromkeys(("mellanox", "connectx", "bluefield", "supernic"), "nvidia"),
    **dict.fromkeys(("pensando", "pollara"), "amd"),
    **dict.fromkeys(("netxtreme", "thor"), "broadcom"),
}
"""Prefix of an acquired vendor or of a product → the vendor name of its NICs."""
QUEUES = 8
"""Unicast queues of a port: a priority of PFC has three bits (IEEE 802.1Q), and each may have a queue."""
OCTETS = (0, 10**12)
NUMBERS = {
    "buffer_octets": OCTETS,
    "cage_lanes": (1, 16),
    "cell_octets": CELL_OCTETS,
    "chip_octets": OCTETS,
    "eight_lanes_gbps": (1, 100_000),
    "first_index": (0, 1_024),
    "first_port": (0, 1_024),
    "lanes": (0, 65_535),
    "lanes_a_cage": (1, 16),
    "lossy_alpha": (-16, 16),
    "lossy_size": OCTETS,
    "names_a_cage": (1, 16),
    "on_tile_octets_per_gbps": (0, 10**6),
    "pg_size": OCTETS,
    "pg_xon": OCTETS,
    "pipeline_octets": OCTETS,
    "pool": OCTETS,
}
"""Keys of `spellings` that are numbers in any operating system → smallest and largest valid value.

They are strings, as in the system's files.
"""
LISTS = frozenset(("cage_lanes", "lanes", "lanes_a_cage", "names_a_cage"))
"""Keys with several numbers, separated by spaces."""
MOST_CAGES = 2048
"""Maximum number of cages of one switch: more than any chassis has."""
_LITERAL = re.compile(r"[A-Za-z0-9/:._-]*")
_NUMBER = re.compile(r"-?[0-9]{1,15}")


def switch_faults(
    switch: SwitchModel, name: str, document: Document, asics: Iterable[str], systems: frozenset[str]
) -> Iterator[Problem]:
    """Yield the faults of one switch file. asics: names of the chips that have a file; systems: that ports have."""
    yield from _name(switch.model, name, "model", document)
    yield from source_faults(switch, document)
    yield from _watts(switch.watts, document)
    if switch.asic not in (known := tuple(asics)):
        yield _problem(document, ("asic",), "unknown-name", f"unknown chip {switch.asic}",
                       f"it must be one of {', '.join(known)}", did_you_mean(switch.asic, known))  # fmt: skip
    taken: set[int] = set()
    for position, run in enumerate(switch.cages):
        where: IntentPath = ("cages", position)
        yield from _cages(run, where, taken, document)
        taken.update(run.numbers)
        for system, names in run.port_names.items():
            yield from _port_names(names, (*where, "port_names", system), document)
    if len(taken) > MOST_CAGES:
        yield _problem(document, ("cages",), "hardware-cages", f"{name} has {len(taken)} cages",
                       f"the limit is {MOST_CAGES}", "correct the ranges of cages")  # fmt: skip
    for system, names in switch.port_names.items():
        yield from _port_names(names, ("port_names", system), document)
    yield from _systems(switch, systems, document)
    for key, systems_named in (("first_release", switch.first_release), ("release_trains", switch.release_trains)):
        for system in systems_named.keys() - switch.port_names.keys():
            yield _problem(document, (key, system), "unknown-name", f"{name} has no port names of {system}",
                           f"it has those of {', '.join(switch.port_names)}",
                           did_you_mean(system, switch.port_names))  # fmt: skip
    yield from _rows(switch.headroom, document)
    yield from _numbers(switch.spellings, document)


def _systems(switch: SwitchModel, known: frozenset[str], document: Document) -> Iterator[Problem]:
    """Yield operating systems that nothing else knows, and those that only one of two tables has."""
    ports, managed = switch.port_names.keys(), switch.management_port.keys()
    for key, names in (("port_names", ports), ("management_port", managed), ("spellings", switch.spellings.keys())):
        for system in sorted(names - known):
            yield _problem(document, (key, system), "unknown-name", f"unknown operating system {system}",
                           f"models of the library run {', '.join(sorted(known))}",
                           did_you_mean(system, known))  # fmt: skip
    lacking = (("port_names", "management_port", ports - managed), ("management_port", "port_names", managed - ports))
    for here, there, only in lacking:
        for system in sorted(only & known):
            yield _problem(document, (here, system), "hardware-systems", f"{there} has no {system}",
                           f"{here} has it, and a system needs both",
                           f"add {system} to {there}, or remove it from {here}")  # fmt: skip


def switch_names_faults(switch: SwitchModel, document: Document) -> Iterator[Problem]:
    """Yield interfaces that share one name and can exist at the same time. The name patterns themselves are valid."""
    for system in switch.port_names:
        first: dict[str, int] = {}
        managed = switch.management_port.get(system)
        for position, run in enumerate(switch.cages):
            for name, cage, is_twice in _named(switch, run, system):
                if name == managed:
                    yield _problem(document, ("management_port", system), "hardware-port-name",
                                   f"the management port {name} is a port of cage {cage}, too, on {system}",
                                   "both would be one interface, with the management address on a port of the fabric",
                                   "write the name of the out-of-band port")  # fmt: skip
                    break
                if is_twice or first.setdefault(name, cage) != cage:
                    both = f"two parts of cage {cage}" if is_twice else f"cages {first[name]} and {cage}"
                    yield _problem(document, ("cages", position), "hardware-port-name",
                                   f"{both} both have a port {name} on {system}", "port names of a switch must be "
                                   "unique",
                                   "correct cages, or a pattern, its start and step")  # fmt: skip
                    break


def _named(switch: SwitchModel, run: Cages, system: str) -> Iterator[tuple[str, int, bool]]:
    """Yield name and cage of every port that a run of cages can have, and whether an earlier part has the same name."""
    splits = sorted({mode.parts for mode in run.modes})
    for cage in run.numbers:
        for parts in splits:
            names = [port_name(switch, system, cage, part, parts) for part in range(parts)]
            yield from ((name, cage, name in names[:position]) for position, name in enumerate(names))


def _rows(rows: tuple[HeadroomRow, ...], document: Document) -> Iterator[Problem]:
    """Yield impossible headroom rows: too few octets for the cable, or fewer than a row of a shorter cable."""
    for position, row in short_rows(rows):
        yield _problem(document, ("headroom", position, "xoff_octets"), "hardware-headroom",
                       f"{row.xoff_octets} octets of headroom at {row.speed_gbps}G and {row.length_m} m",
                       f"at least {least_octets(row)} arrive before the peer stops: a frame at each end, and the "
                       f"octets on the cable", "write the vendor's number in octets")  # fmt: skip
    short = {position for position, _ in short_rows(rows)}
    long_enough = [(position, row) for position, row in enumerate(rows) if position not in short]
    own = {position for position in range(len(rows)) if document.place(("headroom", position)).file == document.file}
    for wrong in wrong_rows(long_enough, own):
        yield _problem(document, ("headroom", wrong.position, "xoff_octets"), "hardware-headroom",
                       *_contradiction(wrong))  # fmt: skip


def _contradiction(wrong: WrongRow) -> tuple[str, str, str]:
    """Return what is wrong with a row, why, and what to type."""
    row, more, less = wrong.row, wrong.more, wrong.less
    link = f"{row.speed_gbps}G at {row.length_m} m"
    if len(more) + len(less) == 1:
        low, high = (row, less[0]) if less else (more[0], row)
        return (
            f"{low.speed_gbps}G at {low.length_m} m has more headroom than {high.speed_gbps}G at {high.length_m} m",
            f"{low.xoff_octets} octets and {high.xoff_octets}; a longer or faster link never needs less",
            "write the vendor's number in octets in both rows",
        )
    most = max((other.xoff_octets for other in more), default=0)
    least = min((other.xoff_octets for other in less), default=0)
    limits = (*([f"at least {most}"] if more else []), *([f"at most {least}"] if less else []))
    reasons = (
        *([f"{_having(len(less), 'longer or faster link')} less, {least} at least"] if less else []),
        *([f"{_having(len(more), 'shorter or slower link')} more, {most} at most"] if more else []),
    )
    return (
        f"{link} has {row.xoff_octets} octets of headroom, which contradicts {len(more) + len(less)} other rows",
        f"{' and '.join(reasons)}; a longer or faster link never needs less",
        f"write the vendor's number in octets: {' and '.join(limits)} fits the other rows",
    )


def _having(count: int, noun: str) -> str:
    return f"{counted(count, noun)} {'has' if count == 1 else 'have'}"


def _numbers(spellings: Mapping[str, Mapping[str, str]], document: Document) -> Iterator[Problem]:
    """Yield values that must be numbers in a system's file and are not, or are out of range."""
    for system, values in spellings.items():
        for key in NUMBERS.keys() & values.keys():
            numbers = values[key].split(" ") if key in LISTS else [values[key]]
            wrong = next((word for word in numbers if not _is_number(word, *NUMBERS[key])), None)
            if wrong is not None:
                least, most = NUMBERS[key]
                yield _problem(document, ("spellings", system, key), "hardware-number",
                               f"{key} cannot have {wrong[:40]!r}", f"it is a number from {least} to {most}",
                               f'write {key}: "{max(least, 0)}" or another number in that range')  # fmt: skip


def _is_number(word: str, least: int, most: int) -> bool:
    return bool(_NUMBER.fullmatch(word)) and least <= int(word) <= most


def asic_faults(asic: Asic, name: str, document: Document) -> Iterator[Problem]:
    """Yield the faults of one chip file."""
    yield from _name(asic.name, name, "name", document)
    yield from source_faults(asic, document)
    yield from _rows(asic.headroom, document)
    yield from _numbers(asic.spellings, document)
    if (reason := cell_fault(asic)) and not list(short_rows(asic.headroom)):
        yield _problem(document, ("cell_octets",), "hardware-number", f"{name} has cells of {asic.cell_octets} octets",
                       reason, "write the octets of one cell, as in the vendor's manual or the operating system's "
                       "platform file")  # fmt: skip
    if asic.queues < QUEUES:
        yield _problem(document, ("queues",), "hardware-number", f"{name} has {asic.queues} unicast queues per port",
                       f"classes of every system have the queues 0 to {QUEUES - 1}",
                       f"write {QUEUES} or more, as in the vendor's manual")  # fmt: skip
    pool, most = asic.headroom_pool_octets, asic.headroom_pool_maximum_octets
    if pool is not None and most is not None and most < pool:
        yield _problem(document, ("headroom_pool_maximum_octets",), "hardware-number",
                       f"the headroom pool of {name} may be raised to {most} octets, and has {pool}",
                       "the maximum of a pool is no less than the pool",
                       "write the vendor's numbers in octets")  # fmt: skip
    for reason in fit_faults(asic.fit, asic.cell_octets):
        yield _problem(document, ("fit",), "hardware-fit", f"the fit of {name} cannot be computed", reason,
                       "correct the fit, or remove it")  # fmt: skip
    for key, noun, words, known in (
        ("load_balancing", "load-balancing mode", asic.load_balancing, LOAD_BALANCING),
        ("ecn_units", "unit of ECN thresholds", asic.ecn_units, ECN_UNITS),
    ):
        for position, word in enumerate(words):
            if word not in known:
                yield _problem(document, (key, position), "hardware-word", f"unknown {noun} {word}",
                               f"it must be one of {', '.join(known)}", did_you_mean(word, known))  # fmt: skip


def server_faults(server: ServerModel, name: str, document: Document) -> Iterator[Problem]:
    """Yield the faults of one server file."""
    yield from _name(server.model, name, "model", document)
    yield from source_faults(server, document)
    yield from _watts(server.watts, document)
    for key, group in server.nics.items():
        where: IntentPath = ("nics", key)
        if not group.ports:
            yield _problem(document, where, "hardware-ports", f"NIC group {key} has no port",
                           "a fabric connects the ports of a group", "list its ports")  # fmt: skip
        names = [port.name for port in group.ports]
        for position in (index for index, port in enumerate(names) if port in names[:index]):
            yield _problem(document, (*where, "ports", position, "name"), "hardware-ports",
                           f"two ports of NIC group {key} are called {names[position]}",
                           "each port has a cable of its own", "write one name per port")  # fmt: skip
        yield from _one_a_port(group, where, document)
        yield from _planes(group, where, document)
        yield from _vendor(group, where, document)
    rails = {key: len({port.rail for port in group.ports}) for key, group in server.nics.items()}
    key = max(rails, key=lambda rail_key: rails[rail_key], default="")
    if server.gpus == 0 and rails.get(key, 0) > 1:
        yield _problem(document, ("gpus",), "hardware-gpus", f"{name} has no GPU, and NIC group {key} has {rails[key]} "
                       "rails", "a rail is the GPU that a port is nearest to",
                       f"write gpus: {rails[key]}, or rail: 0 at each port of the group")  # fmt: skip


def _vendor(group: NicGroup, where: IntentPath, document: Document) -> Iterator[Problem]:
    """Yield a vendor that resembles a vendor of known NICs, or a product of one.

    Other names are accepted; a lossless backend that connects such NICs gets the warning nic-unknown.
    """
    vendor = group.vendor
    suggestion = next((name for product, name in NIC_PRODUCTS.items() if vendor.startswith(product)), "")
    if vendor not in NIC_VENDORS and (suggestion or get_close_matches(vendor, NIC_VENDORS, n=1)):
        yield _problem(document, (*where, "vendor"), "hardware-word", f"unknown NIC vendor {vendor}",
                       f"known vendors are {', '.join(NIC_VENDORS)}",
                       did_you_mean(suggestion or vendor, NIC_VENDORS))  # fmt: skip


def _one_a_port(group: NicGroup, where: IntentPath, document: Document) -> Iterator[Problem]:
    """Yield a list that names only some ports of a group, or two of them alike."""
    lists = (("device_names", "device", group.device_names), ("pci_addresses", "PCI address", group.pci_addresses))
    for key, field, names in lists:
        if names and len(names) != len(group.ports):
            yield _problem(document, (*where, key), "hardware-ports",
                           f"NIC group {where[-1]} does not have one {field} per port",
                           f"{len(names)} names for {len(group.ports)} ports", "write one name per port")  # fmt: skip
        duplicates = [name for position, name in enumerate(names) if name in names[:position]]
        if duplicates:
            yield _problem(document, (*where, key), "hardware-ports", f"two ports have the {field} {duplicates[0]}",
                           "each port is a PCI function of its own", "write one name per port")  # fmt: skip


def _planes(group: NicGroup, where: IntentPath, document: Document) -> Iterator[Problem]:
    """Yield a default number of slices that is not in plane_choices, and numbers that do not divide the speed."""
    choices = group.plane_choices
    if choices and group.planes not in choices:
        key = "planes" if "planes" in group.model_fields_set else "plane_choices"
        yield _problem(document, (*where, key), "hardware-planes",
                       f"{group.planes} planes is not one of the NIC's choices",
                       f"plane_choices: {', '.join(map(str, choices))}", "write one of them, or add it")  # fmt: skip
    for number in (number for number in choices or (group.planes,) if group.speed_gbps % number):
        yield _problem(document, (*where, "plane_choices" if choices else "planes"), "hardware-planes",
                       f"{group.speed_gbps}G cannot be divided into {number} equal slices",
                       "the speed of a slice is a whole number of Gb/s",
                       "correct the number, or speed_gbps")  # fmt: skip


def _watts(watts: Watts | None, document: Document) -> Iterator[Problem]:
    if watts is not None and watts.typical is None and watts.maximum is None:
        yield _problem(document, ("watts",), "hardware-watts", "watts has no number",
                       "it needs typical, maximum or both", "write one, or remove watts")  # fmt: skip
    if watts is not None and (watts.typical or 0) > (watts.maximum or watts.typical or 0):
        yield _problem(document, ("watts", "typical"), "hardware-watts",
                       f"{watts.typical:g} W is typical, and {watts.maximum:g} W the maximum",
                       "what is typical is not above the maximum", "correct one of them")  # fmt: skip


def media_faults(media: Media, document: Document, ours: Media | None = None) -> Iterator[Problem]:
    """Yield the faults of a media file. `ours`: the library's media, where the file leaves out some of its parts."""
    yield from source_faults(media, document)
    known = part_names(ours) if ours is not None else frozenset()
    for position, name in enumerate(media.without):
        if name not in known:
            yield _problem(document, ("without", position), "unknown-name", f"unknown part {name}",
                           "without: lists parts of the library that are not used",
                           did_you_mean(name, known))  # fmt: skip
    for position, cable in enumerate(media.copper):
        if cable.far_plugs not in (1, cable.links):
            yield _problem(document, ("copper", position, "far_plugs"), "hardware-cable",
                           f"{cable.name} has {cable.far_plugs} far plugs", _plugs(cable),
                           f"write 1 or {cable.links}")  # fmt: skip


def _plugs(cable: Copper) -> str:
    return f"a cable of {cable.links} links is straight, with one plug, or split, with one per link"


def source_faults(thing: HardwareDocument, document: Document) -> Iterator[Problem]:
    """Yield each `source` key that `sources` lacks, and each path in `cited` or `unsure` that does not exist."""
    keys = [(where, str(key)) for where, key in _sources(document.value, ())]
    keys += [(("cited", path), key) for path, key in thing.cited.items()]
    for where, key in keys:
        if key not in thing.sources:
            yield _problem(document, where, "hardware-source", f"unknown source {key}",
                           f"sources: {', '.join(thing.sources)}", did_you_mean(key, thing.sources))  # fmt: skip
    facts = thing.model_dump()
    for table, paths in (("cited", thing.cited), ("unsure", thing.unsure)):
        for path in paths:
            if not leads_somewhere(facts, path):
                yield _problem(document, (table, path), "hardware-path", f"{table} names {path}, which does not exist",
                               "a path starts at the top of this file and has dots",
                               "correct the path, or remove the line")  # fmt: skip


def _sources(value: object, where: IntentPath) -> Iterator[tuple[IntentPath, object]]:
    """Yield path and key of each `source` below `value`."""
    if isinstance(value, dict):
        for key, below in value.items():
            if key == "source":
                yield (*where, key), below
            elif where or key not in ("sources", "cited", "unsure"):
                yield from _sources(below, (*where, key))
    elif isinstance(value, list):
        for position, below in enumerate(value):
            yield from _sources(below, (*where, position))


def fact_at(value: object, path: str) -> object:
    """The value at a dotted path of plain Python. Raises KeyError where there is none.

    Items of a list are named by their `name` or, on a panel, by their `cages`: copper.dac-osfp-800g, cages.1-64.
    """
    for part in path.split("."):
        value = named_parts(value)[part]
    return value


def leads_somewhere(value: object, path: str) -> bool:
    """Whether a dotted path leads to a value of a model dumped to plain Python."""
    try:
        fact_at(value, path)
    except KeyError:
        return False
    return True


def named_parts(value: object) -> Mapping[str, object]:
    """What is below a value of plain Python, by the names that paths have for it."""
    if isinstance(value, dict):
        return value
    items = value if isinstance(value, list | tuple) else ()
    return {
        str(item[key]): item for item in items if isinstance(item, dict) for key in ("name", "cages") if key in item
    }


def _cages(run: Cages, where: IntentPath, taken: Container[int], document: Document) -> Iterator[Problem]:
    if len(run.numbers) == 0:
        yield _problem(document, (*where, "cages"), "hardware-cages", f"invalid cages {run.cages}",
                       "the first number is above the last", "write the lower number first")  # fmt: skip
    duplicates = [number for number in run.numbers if number in taken]
    if duplicates:
        yield _problem(document, (*where, "cages"), "hardware-cages", f"cage {duplicates[0]} is described twice",
                       f"{run.cages} overlaps an earlier range", "list each cage in one range")  # fmt: skip
    for position, mode in enumerate(run.modes):
        if mode.parts * mode.lanes > run.lanes:
            reason = f"{mode.parts} × {mode.lanes} lanes of {run.lanes}"
            yield _problem(document, (*where, "modes", position), "hardware-lanes",
                           f"{mode.parts} × {mode.speed_gbps}G needs more lanes than the cage has",
                           reason, "correct parts or lanes")  # fmt: skip


def _port_names(names: PortNames, where: IntentPath, document: Document) -> Iterator[Problem]:
    for key, pattern in (("whole", names.whole), ("part", names.part)):
        fields = _fields(pattern)
        is_plain = _LITERAL.fullmatch(re.sub(r"\{[a-z]*\}", "", pattern))
        if fields is None or not is_plain or not {"cage", "number"} & fields or not fields <= set(NAME_FIELDS):
            yield _problem(document, (*where, key), "hardware-port-name", f"port name {pattern} cannot be filled in",
                           f"it needs {{cage}} or {{number}}, nothing else in braces but {', '.join(NAME_FIELDS)}, and "
                           "letters, digits and / : . _ - beside them",
                           'write for example "Ethernet{cage}/{lane}"')  # fmt: skip
    if not {"lane", "part", "channel", "number"} & (_fields(names.part) or {"lane"}):
        yield _problem(document, (*where, "part"), "hardware-port-name", f"all parts of a cage are called {names.part}",
                       "it has neither {lane} nor {part}", "add {lane} or {part}")  # fmt: skip


def _fields(pattern: str) -> set[str] | None:
    """Return the names in braces, or None for an invalid pattern."""
    try:
        parts = list(string.Formatter().parse(pattern))
    except ValueError:
        return None
    if any(conversion or form for _, _, form, conversion in parts):
        return None
    return {name for _, name, _, _ in parts if name is not None}


def _name(written: str, file: str, key: str, document: Document) -> Iterator[Problem]:
    if written != file:
        yield _problem(document, (key,), "hardware-name", f"{key} {written} is in the file {file}.yaml",
                       "an intent refers to hardware by the name of its file", f"write {key}: {file}")  # fmt: skip


def _problem(document: Document, where: IntentPath, code: str, what: str, why: str, fix: str) -> Problem:
    return Problem(code=code, what=what, why=why, fix=fix, where=where, at=document.place(where))
