"""The cable file: cables as built, one per line, each named by either of its ends."""

import re
from collections.abc import Collection, Iterator, Mapping

from fabricgen.errors import Problem, did_you_mean
from fabricgen.plan.csv_table import MAX_PROBLEMS, CsvRow, Table, rows
from fabricgen.plan.exceptions import AsBuilt, Exceptions, PortKey, server_name
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, port_text
from fabricgen.plan.names import SiteNames
from fabricgen.plan.overrides import unknown_port
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import host_ports, uplinks

COLUMNS = ("device", "port", "length_m", "kind")
REQUIRED = ("device", "port", "length_m")

_LENGTH = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?")
_MOST_METRES = 100_000  # as `cables.default` allows


def read_cables(
    table: Table, names: SiteNames, fabrics: Mapping[str, FabricPlan], exceptions: Exceptions, kinds: Collection[str]
) -> tuple[dict[PortKey, AsBuilt], list[Problem]]:
    """Read cables by the end that each line names; and the problems.

    exceptions  servers of the placement file, whose host names a line may use with the name of a NIC port
    kinds       media that the hardware library knows
    """
    cables: dict[PortKey, AsBuilt] = {}
    lines: dict[PortKey, CsvRow] = {}
    problems: list[Problem] = []
    nics = _nic_ports(table, names, fabrics, exceptions)
    for row in rows(table):
        row_problems = [row] if isinstance(row, Problem) else [*_faults(row, names, nics, lines, kinds)]
        problems += row_problems
        if isinstance(row, CsvRow) and not row_problems:
            key = PortKey(row.cell("device"), row.cell("port"))
            lines[key] = row
            cables[key] = AsBuilt(length_m=float(row.cell("length_m")), medium=row.cell("kind"))
        if len(problems) >= MAX_PROBLEMS:
            return cables, problems
    return cables, [*problems, *_both_ends(lines, names, exceptions)]


def _nic_ports(
    table: Table, names: SiteNames, fabrics: Mapping[str, FabricPlan], exceptions: Exceptions
) -> dict[str, set[str]]:
    """NIC ports by server name, of the servers that the file names."""
    position = table.columns["device"]
    used = {line.split(",")[position].strip(' "') for line in table.lines[1:] if line.count(",") >= position}
    if used <= names.devices.keys() | {""}:
        return {}
    ports_by_server: dict[str, set[str]] = {}
    for plan in fabrics.values():
        for group in plan.shape.groups:
            ports = {port.name for port in group.nics.ports}
            for slot in range(names.slots[group.name]):
                server = server_name(exceptions, group.name, slot)
                if server in used:
                    ports_by_server.setdefault(server, set()).update(ports)
    return ports_by_server


def _faults(
    row: CsvRow, names: SiteNames, nics: Mapping[str, set[str]], lines: Mapping[PortKey, CsvRow], kinds: Collection[str]
) -> Iterator[Problem]:
    yield from _end_faults(row, names, nics)
    earlier = lines.get(PortKey(row.cell("device"), row.cell("port")))
    if earlier is not None:
        yield _twice(row, earlier)
    length, kind = row.cell("length_m"), row.cell("kind")
    if not _LENGTH.fullmatch(length) or not 0 < float(length) <= _MOST_METRES:
        yield Problem(
            code="bad-length",
            what=f"invalid length_m '{length[:40]}'",
            why=f"a length is a number of metres, above 0 and at most {_MOST_METRES}",
            fix="write e.g. 3 or 2.5",
            at=row.at("length_m"),
        )
    if kind and kind not in kinds:
        yield Problem(
            code="unknown-name",
            what=f"unknown kind of cable {kind[:40]}",
            why="kinds are the media of the hardware library (`fabricgen list hardware`)",
            fix=did_you_mean(kind[:40], kinds),
            at=row.at("kind"),
        )


def _end_faults(row: CsvRow, names: SiteNames, nics: Mapping[str, set[str]]) -> Iterator[Problem]:
    device, port = row.cell("device"), row.cell("port")
    if device in names.devices:
        if port not in names.ports_of(device):
            yield unknown_port(device, port[:40], names, at=row.at("port"))
    elif device not in nics:
        yield Problem(
            code="unknown-name",
            what=f"unknown switch or server {device[:63]}",
            why="a line has the name of a switch of the intent, or the hostname of a server",
            fix=did_you_mean(device[:63], names.devices),
            at=row.at("device"),
        )
    elif port not in nics[device]:
        yield Problem(
            code="unknown-port",
            what=f"{device} has no NIC port {port[:40]}",
            why="NIC ports have the names in the server's hardware file",
            fix=did_you_mean(port[:40], nics[device]),
            at=row.at("port"),
        )


def _twice(row: CsvRow, earlier: CsvRow) -> Problem:
    return Problem(
        code="cable-twice",
        what=f"the cable of {row.cell('device')} {row.cell('port')} is already on line {earlier.number}",
        why="a cable has one line, by either of its ends",
        fix="remove one of the two lines",
        at=row.at("device"),
    )


def _both_ends(lines: Mapping[PortKey, CsvRow], names: SiteNames, exceptions: Exceptions) -> Iterator[Problem]:
    """Yield cables that are listed twice, once by each end."""
    for device in sorted({key.device for key in lines} & names.devices.keys()):
        plan, place = names.devices[device]
        if place.tier not in (Tier.LEAF, Tier.BORDER):
            continue
        for leaf_end, far_end in _links(plan, place, device, exceptions):
            if leaf_end in lines and far_end in lines:
                first, second = sorted((lines[leaf_end], lines[far_end]), key=lambda row: row.number)
                yield _twice(second, first)


def _links(plan: FabricPlan, leaf: Place, name: str, exceptions: Exceptions) -> Iterator[tuple[PortKey, PortKey]]:
    """Both ends of each cable of a leaf, its own end first."""
    for link in uplinks(plan, leaf):
        upper = PortKey(name_of(plan, link.upper), port_text(plan, link.upper, link.upper_port))
        yield PortKey(name, port_text(plan, leaf, link.lower_port)), upper
    if leaf.tier is Tier.LEAF:
        for host in host_ports(plan, leaf):
            nics = group_of(plan, host.group).nics.ports
            server = server_name(exceptions, host.group, host.slot)
            yield PortKey(name, port_text(plan, leaf, host.port)), PortKey(server, nics[host.nic].name)
