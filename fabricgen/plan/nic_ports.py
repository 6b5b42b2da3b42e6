"""NIC ports of servers over all fabrics of a site: one cable per port, one transceiver per cage."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from fabricgen.errors import Problem
from fabricgen.hardware.catalog import Catalog
from fabricgen.hardware.model import NicGroup
from fabricgen.intent.model import Intent


class _User(NamedTuple):
    """A fabric that connects a server group, alone or with others, and the NIC group of its model that it uses."""

    fabric: str
    key: str
    nics: NicGroup
    is_alone: bool


def nic_port_clashes(intent: Intent, catalog: Catalog) -> Iterator[Problem]:
    """Ports and cages that two fabrics use, as far as the intent and the hardware show it, before any shape is known.

    Names in the intent that the hardware does not have are another problem.
    """
    for group, users in _users(intent, catalog).items():
        model = intent.servers[group].model
        file = catalog.servers[model].nics
        free = sorted(set(file) - {user.key for user in users})
        for first, second in combinations(users, 2):
            first_identities = {identity for identities in _marks(first.nics).values() for identity in identities}
            ports = [port for port, identities in _marks(second.nics).items() if identities & first_identities]
            cages = _cages(first.nics) & _cages(second.nics)
            if ports:
                yield _port_problem(group, model, (first, second), ports, free)
            elif cages:
                yield _cage_problem(group, model, (first, second), sorted(cages))


def _users(intent: Intent, catalog: Catalog) -> dict[str, list[_User]]:
    """Server group → fabrics that connect it, by name."""
    users_by_group: dict[str, list[_User]] = {}
    for name, fabric in sorted(intent.fabrics.items()):
        for group, key in fabric.connects.items():
            known = intent.servers.get(group)
            if known is None or known.model not in catalog.servers or key not in catalog.servers[known.model].nics:
                continue
            users_by_group.setdefault(group, []).append(
                _User(name, key, catalog.servers[known.model].nics[key], len(fabric.connects) == 1)
            )
    return users_by_group


def _marks(nics: NicGroup) -> dict[str, set[tuple[str, str]]]:
    """Identities of each port: its name, and its device name and PCI address if known."""
    identities = {port.name: {("name", port.name)} for port in nics.ports}
    for kind, names in (("device", nics.device_names), ("address", nics.pci_addresses)):
        for port, name in zip(nics.ports, names, strict=False):
            identities[port.name].add((kind, name))
    return identities


def _cages(nics: NicGroup) -> set[str]:
    return {port.cage for port in nics.ports if port.cage}


def _port_problem(group: str, model: str, users: tuple[_User, _User], ports: list[str], free: list[str]) -> Problem:
    first, second = users
    taken = " and ".join(f"{user.fabric} ({user.key})" for user in users)
    count = (
        f"{len(ports)} NIC ports of {group}, the first is {ports[0]}" if len(ports) > 1 else f"{ports[0]} of {group}"
    )
    return Problem(
        code="nic-port-twice",
        what=f"{first.fabric} and {second.fabric} both connect {count}",
        where=("fabrics", second.fabric, "connects", group),
        why=f"a port takes one cable, and both fabrics name a NIC group that has these ports: {taken}",
        fix=_fix(group, model, second, free),
    )


def _fix(group: str, model: str, user: _User, free: list[str]) -> str:
    """What to write in the second fabric."""
    if free:
        return f"write {group}: {' or '.join(free)} in fabrics.{user.fabric}.connects (still free)"
    # A fabric must connect at least one group, so the whole fabric is removed.
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
