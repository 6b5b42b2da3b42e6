"""NIC ports of servers over all fabrics of a site: one cable in each port, one transceiver in each cage."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from fabricgen.errors import Problem
from fabricgen.hardware.catalog import Catalog
from fabricgen.hardware.model import NicGroup
from fabricgen.intent.model import Intent


class _User(NamedTuple):
    """A fabric that connects a server group, alone or beside others, and the NIC group of its model that it takes."""

    fabric: str
    key: str
    nics: NicGroup
    is_alone: bool


def nic_port_clashes(intent: Intent, catalog: Catalog) -> Iterator[Problem]:
    """Ports and cages that two fabrics take: what the intent and the hardware show, before any shape is known.

    What the intent names and the hardware does not have is a problem of its own.
    """
    for group, users in _users(intent, catalog).items():
        model = intent.servers[group].model
        file = catalog.servers[model].nics
        free = sorted(set(file) - {user.key for user in users})
        for one, two in combinations(users, 2):
            known = {fact for marks in _marks(one.nics).values() for fact in marks}
            ports = [port for port, marks in _marks(two.nics).items() if marks & known]
            cages = _cages(one.nics) & _cages(two.nics)
            if ports:
                yield _port_problem(group, model, (one, two), ports, free)
            elif cages:
                yield _cage_problem(group, model, (one, two), sorted(cages))


def _users(intent: Intent, catalog: Catalog) -> dict[str, list[_User]]:
    """Server group → fabrics that connect it, by name."""
    found: dict[str, list[_User]] = {}
    for name, fabric in sorted(intent.fabrics.items()):
        for group, key in fabric.connects.items():
            known = intent.servers.get(group)
            if known is None or known.model not in catalog.servers or key not in catalog.servers[known.model].nics:
                continue
            found.setdefault(group, []).append(
                _User(name, key, catalog.servers[known.model].nics[key], len(fabric.connects) == 1)
            )
    return found


def _marks(nics: NicGroup) -> dict[str, set[tuple[str, str]]]:
    """What each port is known by."""
    found = {port.name: {("name", port.name)} for port in nics.ports}
    for kind, names in (("device", nics.device_names), ("address", nics.pci_addresses)):
        for port, name in zip(nics.ports, names, strict=False):
            found[port.name].add((kind, name))
    return found


def _cages(nics: NicGroup) -> set[str]:
    return {port.cage for port in nics.ports if port.cage}


def _port_problem(group: str, model: str, users: tuple[_User, _User], ports: list[str], free: list[str]) -> Problem:
    first, second = users
    taken = " and ".join(f"{user.fabric} ({user.key})" for user in users)
    count = f"{len(ports)} NIC ports of {group} have" if len(ports) > 1 else f"a NIC port of {group} has"
    return Problem(
        code="nic-port-twice",
        what=f"{count} a cable of {first.fabric} and one of {second.fabric}, the first is {ports[0]}",
        where=("fabrics", second.fabric, "connects", group),
        why=f"both fabrics connect these ports: {taken}; a port takes one cable",
        fix=_fix(group, model, second, free),
    )


def _fix(group: str, model: str, user: _User, free: list[str]) -> str:
    """What to write in the second fabric."""
    if free:
        return f"write {group}: {' or '.join(free)} there, which no fabric connects"
    # A fabric connects one group at least.
    key = f"fabrics.{user.fabric}" if user.is_alone else f"fabrics.{user.fabric}.connects.{group}"
    return f"remove {key}: every NIC group of {model} is connected already"


def _cage_problem(group: str, model: str, users: tuple[_User, _User], cages: list[str]) -> Problem:
    first, second = users
    count = f"{len(cages)} cages of {group} hold" if len(cages) > 1 else f"a cage of {group} holds"
    return Problem(
        code="nic-cage-twice",
        what=f"{count} a transceiver of {first.fabric} and one of {second.fabric}, the first is {cages[0]}",
        where=("fabrics", second.fabric, "connects", group),
        why=f"a cage holds one transceiver, and {cages[0]} has ports of {first.key} and of {second.key} in hardware "
        f"model {model}",
        fix=f"give all ports of a cage to one NIC group of hardware/servers/{model}.yaml",
    )
