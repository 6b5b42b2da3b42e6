"""Write hosts as the three files of Nornir's SimpleInventory: hosts.yaml, groups.yaml, defaults.yaml.

Groups are fabrics, roles, platforms and rails (fabric_…, role_…, platform_…, fabric_…__rail_…). Their names cannot
clash, as the name of a fabric has no underscore. Settings of a platform are in its group. The password is a reference
that fabricgen resolves when it connects; Nornir by itself passes the text on. A platform with login by key has none,
because a driver that has a password might not try the key.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from fabricgen.export.inventory import PASSWORD, InventoryHost
from fabricgen.export.nodes import rail_names
from fabricgen.export.words import Text, commented, yaml_pieces, yaml_text

HEAD = {
    "hosts": "Switches of {site} by their out-of-band addresses.",
    "groups": 'By fabric, role, platform and rail. "${{env:NAME}}" is read when fabricgen connects.',
    "defaults": "What holds for every switch.",
}


def nornir_files(
    site: str,
    hosts: Iterable[InventoryHost],
    login: Mapping[str, str],
    data: Mapping[str, object],
    options: Mapping[str, Mapping[str, object]],
    by_key: Collection[str] = (),
) -> Iterator[tuple[str, Text]]:
    """File name and text; hosts are taken one by one.

    login    platform → user name
    data     of defaults.yaml
    options  platform → optional arguments of its NAPALM driver
    by_key   platforms without a password
    """
    platforms = {
        name: ({"username": user} if name in by_key else {"username": user, "password": f"${{env:{PASSWORD}}}"})
        | _connection(options.get(name, {}))
        for name, user in login.items()
    }
    groups: dict[str, dict[str, object]] = {}

    def bodies() -> Iterator[tuple[str, object]]:
        for host in hosts:
            groups.update(_groups(host, platforms))
            yield host.name, {"hostname": host.address, "groups": list(group_names(host)), "data": dict(host.data)}

    heads = {name: commented([text.format(site=site)]) for name, text in HEAD.items()}
    yield "hosts.yaml", chain((heads["hosts"],), yaml_pieces(bodies()))
    yield "groups.yaml", heads["groups"] + yaml_text(groups)
    yield "defaults.yaml", heads["defaults"] + yaml_text({"data": dict(data)} if data else {})


def group_names(host: InventoryHost) -> tuple[str, ...]:
    """Groups of a switch. In Nornir an earlier group takes precedence."""
    fabric = f"fabric_{host.fabric}"
    rails = (f"{fabric}__{name}" for name in rail_names(host.axes))
    return fabric, f"role_{host.role}", f"platform_{host.platform}", *rails


def _connection(options: Mapping[str, object]) -> dict[str, object]:
    return {"connection_options": {"napalm": {"extras": {"optional_args": dict(options)}}}} if options else {}


def _groups(
    host: InventoryHost, platforms: Mapping[str, Mapping[str, object]]
) -> Iterator[tuple[str, dict[str, object]]]:
    fabric, role, platform, *rails = group_names(host)
    yield from ((fabric, {}), (role, {}), (platform, {"platform": host.driver} | dict(platforms[host.platform])))
    yield from ((rail, {}) for rail in rails)
