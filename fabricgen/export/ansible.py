"""Write hosts as an Ansible inventory: inventory.yaml with the groups, and host_vars of each switch.

Groups: fabric_X with fabric_X__ROLE, and planes, pods, units and rails where there are more than one, below it (a leaf
is in the group of each rail that it serves); role_X; platform_X. A group's name must be a valid variable name
(docs.ansible.com, "How to build your inventory"), so hyphens become underscores; two of them separate the parts, as no
name has two. No secret is written: the password is looked up in the environment of the user who runs the play.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from fabricgen.export.inventory import PASSWORD, InventoryHost
from fabricgen.export.nodes import rail_names
from fabricgen.export.words import Text, commented, indented, yaml_pieces, yaml_text
from fabricgen.platforms import PLATFORMS

GROUPED = ("plane", "pod", "unit")
Names = dict[str, list[str]]
"""Group → its members, in order."""


def ansible_files(site: str, hosts: Iterable[InventoryHost], login: Mapping[str, str]) -> Iterator[tuple[str, Text]]:
    """Path and text of each file. Hosts are taken one by one; only names are kept. `login`: platform → user name."""
    children, members, platforms = Names(), Names(), dict[str, str]()
    for host in hosts:
        _join(children, members, host)
        platforms.setdefault(word("platform", host.platform), host.platform)
        own_data = {f"fabricgen_{key}": value for key, value in host.data.items()}
        yield f"host_vars/{host.name}.yaml", yaml_text({"ansible_host": host.address, **own_data})
    variables = {name: dict(PLATFORMS[system].ansible) | _login(login[system]) for name, system in platforms.items()}
    head = [f"Switches of {site} by their out-of-band addresses; one file each in host_vars/."]
    yield "inventory.yaml", chain((commented(head),), _groups(children, members, variables))


def word(*parts: str) -> str:
    """Join parts into the name of a group or a variable."""
    return "_".join(parts).replace("-", "_")


def _join(children: Names, members: Names, host: InventoryHost) -> None:
    """Add a switch to its groups."""
    fabric = word("fabric", host.fabric)
    axes = [word(axis, host.axes[axis]) for axis in GROUPED if axis in host.axes]
    parts = (word(host.role), *axes, *rail_names(host.axes))
    within = dict.fromkeys(f"{fabric}__{part}" for part in parts)
    subgroups = children.setdefault(fabric, [])
    subgroups += (name for name in within if name not in members)
    members.setdefault(fabric, [])
    for name in (*within, word("role", host.role), word("platform", host.platform)):
        members.setdefault(name, []).append(host.name)


def _groups(children: Names, members: Names, variables: Mapping[str, object]) -> Iterator[str]:
    """Text of the groups, in the order of their first switch: a fabric contains groups, others contain switches."""
    if not members:
        yield yaml_text({"all": {"children": {}}})
        return
    yield "all:\n  children:\n"
    for name, hosts in members.items():
        yield f"    {name}:\n"
        key, names = ("children", children[name]) if name in children else ("hosts", hosts)
        yield f"      {key}:\n"
        yield from indented(yaml_pieces((member, {}) for member in names), 4)
        if name in variables:
            yield from indented(yaml_pieces([("vars", variables[name])]), 3)


def _login(user: str) -> dict[str, object]:
    return {"ansible_user": user, "ansible_password": f"{{{{ lookup('ansible.builtin.env', '{PASSWORD}') }}}}"}
