"""An inventory compared with the plan: hosts that are not switches, other platforms, and unresolved references."""

import ssl
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from nornir.core.inventory import Host

from fabricgen.base.secret import WRITTEN, secret
from fabricgen.base.secret_values import SecretError, secret_value
from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.source.document import Document
from fabricgen.verify.collect.connection import NAPALM, SECRETS
from fabricgen.verify.collect.inventory import GROUPS, HOSTS, InventoryError, SiteInventory, value_at
from fabricgen.verify.collect.store import Target


def check_hosts(site: SiteInventory, targets: Mapping[str, Target], known: Iterable[str]) -> None:
    """Compare an inventory with the plan. `known`: every switch of the plan; `targets`: those to be read.

    Raises InventoryError for a host that is not a switch, that has another platform or no address, for a missing secret
    and for a certificate authority that cannot be read.
    """
    places = site.documents[0]
    names = dict.fromkeys(sorted(known))
    problems = [_unknown(name, names, places) for name in site.nornir.hosts if name not in names]
    selected = [host for name, host in site.nornir.hosts.items() if name in targets]
    for host in selected:
        problems.extend(_host_problems(host, targets[host.name], places))
    problems.extend(_secret_problems(site, selected))
    if problems:
        raise InventoryError(problems, site.documents)


def _unknown(name: str, names: Iterable[str], places: Document) -> Problem:
    return Problem(
        code="inventory-host",
        what=f"{name} is not a switch of the intent",
        why="no planned switch has the name of this host",
        fix=did_you_mean(name, names),
        at=places.keys[name,],
    )


def _host_problems(host: Host, target: Target, places: Document) -> Iterator[Problem]:
    parameters = host.get_connection_parameters(NAPALM)
    if parameters.platform != target.driver:
        yield Problem(
            code="inventory-platform",
            what=f"{host.name} has the platform {parameters.platform or 'none'}",
            why=f"the plan gives it {target.system}, which needs the NAPALM driver {target.driver}",
            fix=f"write platform: {target.driver}, for the host or for its group",
            at=places.place((host.name, "platform")),
        )
    if not parameters.hostname:
        yield Problem(
            code="inventory-address",
            what=f"{host.name} has no address",
            why="the host and its groups have no hostname",
            fix="write hostname: with its address or DNS name",
            at=places.place((host.name,)),
        )


def _secret_problems(site: SiteInventory, selected: Iterable[Host]) -> Iterator[Problem]:
    """References of the selected hosts, and of what they inherit from, that lead to no secret."""
    hosts = list(selected)
    groups = {group.name for host in hosts for group in host.extended_groups()}
    names_by_file = {HOSTS: {host.name for host in hosts}, GROUPS: groups}
    for document in site.documents:
        names = names_by_file.get(Path(document.file).name)
        for path in document.places:
            if names is None or (path and path[0] in names):
                yield from _lost(site, document, path)


def _lost(site: SiteInventory, document: Document, path: IntentPath) -> Iterator[Problem]:
    value = value_at(document, path)
    if not isinstance(value, str):
        return
    if WRITTEN.fullmatch(value):
        yield from _reference(site, document, path, value)
    elif path[-1] == "ca_file":
        yield from _lost_authority(site, document, path, value)


def _lost_authority(site: SiteInventory, document: Document, path: IntentPath, value: str) -> Iterator[Problem]:
    try:
        ssl.create_default_context(cafile=str(site.folder / value))
    except OSError as error:  # ssl.SSLError is one
        yield Problem(
            code="inventory-authority",
            what=f"cannot read a CA certificate from {site.folder / value}",
            why=error.strerror or str(error),
            fix="write the path of a PEM file, relative to the inventory's folder or absolute",
            at=document.place(path),
        )


def _reference(site: SiteInventory, document: Document, path: IntentPath, value: str) -> Iterator[Problem]:
    """Check one reference: it must lead to a secret, under a key where it is resolved. `data` belongs to the user."""
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    if "data" in path[:2]:
        return
    if key not in SECRETS:
        yield Problem(
            code="inventory-reference",
            what=f"{key} cannot have the secret reference {value}",
            why=f"secret references are filled in only under {', '.join(sorted(SECRETS))}",
            fix=f"write the value of {key} itself",
            at=document.place(path),
        )
        return
    try:
        secret_value(secret(value), site.folder)
    except SecretError as error:
        yield Problem(
            code="secret-missing",
            what=f"the secret {value} is missing",
            why=error.why,
            fix=error.fix,
            at=document.place(path),
        )
