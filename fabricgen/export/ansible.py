"""Hosts to an Ansible inventory: inventory.yaml with the groups, and host_vars of each switch.

Groups: fabric_X with fabric_X__ROLE, and planes, pods, units and rails where there are more than one, below it (a leaf
is in the group of each rail that it serves); role_X; platform_X. A group's name is a variable's (docs.ansible.com, "How
to build your inventory"), so hyphens become underscores; two of them stand where no name has any. No secret is written:
the password is looked up in the environment of who runs the play.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fabricgen.export.inventory import PASSWORD, Host
from fabricgen.export.nodes import rail_names
from fabricgen.export.words import commented, yaml_text
from fabricgen.platforms.ansible import VARIABLES

GROUPED = ("plane", "pod", "unit")
Group = dict[str, Any]


def ansible_files(site: str, hosts: Iterable[Host], login: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Path and text. `login`: platform → who logs in."""
    found = tuple(hosts)
    children: dict[str, Group] = {}
    for host in found:
        _join(children, host)
    for name in dict.fromkeys(host.platform for host in found):
        children[word("platform", name)]["vars"] = dict(VARIABLES.get(name, {})) | _login(login[name])
    head = [f"Switches of {site} by their out-of-band addresses; one file each in host_vars/."]
    yield "inventory.yaml", commented(head) + yaml_text({"all": {"children": children}})
    for host in found:
        yield f"host_vars/{host.name}.yaml", yaml_text({"ansible_host": host.address} | _vars(host))


def word(*parts: str) -> str:
    """A group's name, or a variable's."""
    return "_".join(parts).replace("-", "_")


def _join(children: dict[str, Group], host: Host) -> None:
    """Put a switch into its groups."""
    fabric = word("fabric", host.fabric)
    axes = [word(axis, host.axes[axis]) for axis in GROUPED if axis in host.axes]
    within = [f"{fabric}__{part}" for part in (word(host.role), *axes, *rail_names(host.axes))]
    children.setdefault(fabric, {"children": {}})["children"] |= {name: {} for name in within}
    for name in (*within, word("role", host.role), word("platform", host.platform)):
        children.setdefault(name, {}).setdefault("hosts", {})[host.name] = {}


def _login(user: str) -> dict[str, object]:
    return {"ansible_user": user, "ansible_password": f"{{{{ lookup('ansible.builtin.env', '{PASSWORD}') }}}}"}


def _vars(host: Host) -> dict[str, object]:
    """A switch's own facts, each under a name that is ours."""
    return {f"fabricgen_{key}": value for key, value in host.data.items()}
