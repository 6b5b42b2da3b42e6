"""Hosts to the three files of Nornir's SimpleInventory: hosts.yaml, groups.yaml, defaults.yaml.

Groups are fabrics, roles and platforms (fabric_…, role_…, platform_…), so that none has the name of another; what
differs by platform stands with its group. The password is a reference that fabricgen resolves when it connects; Nornir
by itself passes the text on.
"""

from collections.abc import Iterable, Mapping

from fabricgen.export.inventory import PASSWORD, Host
from fabricgen.export.words import commented, yaml_text

HEAD = {
    "hosts": "Switches of {site} by their out-of-band addresses.",
    "groups": "By fabric, role and platform.",
    "defaults": 'Who logs in. "${{env:NAME}}" is read from the environment when fabricgen connects to a switch.',
}


def nornir_files(
    site: str,
    hosts: Iterable[Host],
    login: Mapping[str, str],
    data: Mapping[str, object],
    options: Mapping[str, Mapping[str, object]],
) -> dict[str, str]:
    """File name → text.

    login    platform → who logs in
    data     of defaults.yaml
    options  platform → optional arguments of its NAPALM driver
    """
    found = tuple(hosts)
    parts: dict[str, object] = {
        "hosts": {host.name: _host(host) for host in found},
        "groups": {name: body for host in found for name, body in _groups(host, login, options)},
        "defaults": {"password": f"${{env:{PASSWORD}}}"} | ({"data": dict(data)} if data else {}),
    }
    return {f"{name}.yaml": commented([HEAD[name].format(site=site)]) + yaml_text(body) for name, body in parts.items()}


def _host(host: Host) -> dict[str, object]:
    return {"hostname": host.address, "groups": list(group_names(host)), "data": dict(host.data)}


def group_names(host: Host) -> tuple[str, ...]:
    """Groups of a switch; what an earlier one says goes first."""
    return f"fabric_{host.fabric}", f"role_{host.role}", f"platform_{host.platform}"


def _groups(
    host: Host, login: Mapping[str, str], options: Mapping[str, Mapping[str, object]]
) -> Iterable[tuple[str, dict[str, object]]]:
    fabric, role, platform = group_names(host)
    own: dict[str, object] = {"platform": host.driver, "username": login[host.platform]}
    if options.get(host.platform):
        own["connection_options"] = {"napalm": {"extras": {"optional_args": dict(options[host.platform])}}}
    return (fabric, {}), (role, {}), (platform, own)
