"""An account, a way in from the management network, and a route to it, in the file of every switch.

No intent can leave out the way in and the route; an account is asked for by the check `no-account` where the file has
all of them, and is in the file where the intent names one.

Read from the rendered text. Where no line is needed, the source says what the system does by itself, and the text must
not turn it off:
eos      AVD's templates: `management ssh` has `vrf V` with `no shutdown`; the default VRF is shut
junos    YANG of 24.4R1: `system services ssh`, `netconf ssh`; mgmt_junos is the instance of the management port
srlinux  YANG of 25.3.1: `system ssh-server NAME network-instance`
nxos     Nexus 9000 security guide 10.5, SSH and Telnet: the SSH server is on by default, `no feature ssh` turns it off
cumulus  NVUE reference, SSH-Server (15fcb959): `system ssh-server state` is enabled by default; SSH in VRF mgmt
sonic, frr  sshd is a service of their Linux, in no file of ours; MGMT_INTERFACE and interfaces(5) give the address
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Literal

import pytest

from fabricgen.intent.site import User
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import make_plan, make_shapes
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.device import devices
from tests.accounts import takes_users
from tests.pairs import sites

ADDRESS = r"10\.0\.0\.\d+/24"
FILES: Mapping[str, str] = {
    "eos": "startup-config",
    "frr": "interfaces",
    "sonic": "config_db.json",
    "sonic-202505": "config_db.json",
    "cumulus": "startup.yaml",
    "junos": "juniper.conf",
    "srlinux": "config.json",
    "nxos": "running-config",
}
WAY_IN: Mapping[str, tuple[str, ...]] = {
    "eos": (
        r"\nmanagement ssh\n   shutdown\n   !\n   vrf mgmt\n      no shutdown\n",
        r"\ninterface Management\S+\n   description out of band\n   no shutdown\n   vrf mgmt\n"
        rf"   ip address {ADDRESS}\n",
        r"\nip route vrf mgmt 0\.0\.0\.0/0 10\.0\.0\.1\n",
    ),
    "frr": (rf"\niface eth0\n    address {ADDRESS}\n    gateway 10\.0\.0\.1\n    vrf mgmt\n",),
    "sonic": (rf'"MGMT_INTERFACE": \{{\s+"eth0\|{ADDRESS}": \{{\s+"gwaddr": "10\.0\.0\.1"',),
    "cumulus": (rf"address:\n\s+'{ADDRESS}': {{}}\n\s+gateway:\n\s+'10\.0\.0\.1': {{}}\n\s+vrf: mgmt\n",),
    "junos": (
        r"\n    services \{\n        ssh;\n        netconf \{\n            ssh;\n",
        rf"family inet \{{\n                address {ADDRESS};",
        r"\n    mgmt_junos \{\n        routing-options \{\n            static \{\n"
        r"                route 0\.0\.0\.0/0 next-hop 10\.0\.0\.1;\n",
    ),
    "nxos": (
        rf"\ninterface mgmt0\n  description out of band\n  vrf member management\n  ip address {ADDRESS}\n",
        r"\nvrf context management\n  ip route 0\.0\.0\.0/0 10\.0\.0\.1\n",
    ),
}
ACCOUNT: Mapping[str, str] = {
    "eos": r"\nusername admin privilege 15 role network-admin secret sha512 \$\{env:ADMIN_HASH\}\n",
    "cumulus": r'\n        user:\n          "admin":\n            hashed-password: "\$\{env:ADMIN_HASH\}"\n'
    r"            role: system-admin\n",
    "junos": r"\n        user admin \{\n            class super-user;\n            authentication \{\n"
    r'                encrypted-password "\$\{env:ADMIN_HASH\}";\n',
    "nxos": r"\nusername admin password 5 \$\{env:ADMIN_HASH\} role network-admin\n",
    "srlinux": r'\n        "admin-user": \{\n          "password": "\$\{env:ADMIN_HASH\}",\n          "role": \[\n'
    r'            "network-admin"\n          \],\n          "superuser": true\n',
}
"""Who may configure the switch, on each system that takes accounts. SONiC and FRR have theirs in Linux alone.

eos      user manual, username: privilege 15, role network-admin
cumulus  NVUE, User Accounts: system-admin may run nv set and nv apply
junos    login class super-user has all permissions (Juniper, login classes overview)
nxos     security guide, RBAC: network-admin reads and writes all
srlinux  YANG of 25.3.1, srl_nokia-aaa: admin-user is a container of its own; superuser may do all
"""
TURNED_OFF = r"no feature ssh|ssh-server|no ip ssh|shutdown\n *ssh"
"""What would close a way that is open by itself."""
KINDS = [
    (box, kind) for box in FILES for kind in ("backend", "frontend") if (box, kind) != ("sonic-202505", "frontend")
]


def texts(box: str, kind: str) -> dict[str, str]:
    return {name: files[FILES[box]] for name, files in sites.site(box, box, kind).files.items()}


def missing(box: str, text: str) -> list[str]:
    """What a file does not say of the way in."""
    if box == "srlinux":
        return _missing_in_document(json.loads(text))
    patterns = WAY_IN[box.partition("-")[0]]
    return [pattern for pattern in patterns if not re.search(pattern, text)] + re.findall(TURNED_OFF, text)


def _missing_in_document(document: dict[str, Any]) -> list[str]:
    servers = document["srl_nokia-system:system"]["srl_nokia-ssh:ssh-server"]
    instances = {one["name"]: one for one in document["srl_nokia-network-instance:network-instance"]}
    mgmt = instances["mgmt"]
    ports = {one["name"]: one for one in document["srl_nokia-interfaces:interface"]}
    address = ports["mgmt0"]["subinterface"][0]["ipv4"]["address"][0]["ip-prefix"]
    routes = mgmt["srl_nokia-static-routes:static-routes"]["route"]
    groups = mgmt["srl_nokia-next-hop-groups:next-hop-groups"]["group"]
    hops = {one["name"]: one["nexthop"][0]["ip-address"] for one in groups}
    found = {
        "ssh": any(one["network-instance"] == "mgmt" and one["admin-state"] == "enable" for one in servers),
        "port": [one["name"] for one in mgmt["interface"]] == ["mgmt0.0"],
        "address": re.fullmatch(ADDRESS, address) is not None,
        "route": {one["prefix"]: hops[one["next-hop-group"]] for one in routes}.get("0.0.0.0/0") == "10.0.0.1",
    }
    return [what for what, is_there in found.items() if not is_there]


def test_every_system_is_read() -> None:
    assert set(FILES) == set(sites.BOXES)


@pytest.mark.parametrize(("box", "kind"), KINDS)
def test_every_file_has_a_way_in_and_a_route_to_it(box: str, kind: str) -> None:
    found = texts(box, kind)
    assert len(found) > 2
    assert {name: lacks for name, text in found.items() if (lacks := missing(box, text))} == {}


@pytest.mark.parametrize("box", WAY_IN)
def test_a_file_without_one_of_them_is_seen(box: str) -> None:
    """Each text that is looked for is missed where it is taken away."""
    text = next(iter(texts(box, "backend").values()))
    for pattern in WAY_IN[box]:
        assert missing(box, re.sub(pattern, "\n", text)) == [pattern]
    assert missing(box, f"{text}\nno feature ssh\n") == ["no feature ssh"]


@pytest.mark.parametrize("what", ["ssh", "address", "route", "port"])
def test_a_document_without_one_of_them_is_seen(what: str) -> None:
    document = json.loads(next(iter(texts("srlinux", "backend").values())))
    mgmt = next(one for one in document["srl_nokia-network-instance:network-instance"] if one["name"] == "mgmt")
    ports = {one["name"]: one for one in document["srl_nokia-interfaces:interface"]}
    match what:
        case "ssh":
            document["srl_nokia-system:system"]["srl_nokia-ssh:ssh-server"][0]["admin-state"] = "disable"
        case "address":
            ports["mgmt0"]["subinterface"][0]["ipv4"]["address"][0]["ip-prefix"] = "192.0.2.1/24"
        case "route":
            mgmt["srl_nokia-static-routes:static-routes"]["route"] = []
        case _:
            mgmt["interface"] = []
    assert _missing_in_document(document) == [what]


def accounts(box: str, kind: str, role: Literal["network-admin", "network-operator"]) -> dict[str, str]:
    """File of each switch of a site with one user."""
    intent = sites.intent(box, box, kind)
    users = {"admin": User(role=role, password="${env:ADMIN_HASH}")}  # noqa: S106 - a reference
    intent = intent.model_copy(update={"management": intent.management.model_copy(update={"users": users})})
    plan = make_plan(intent, sites.catalog(), make_shapes(intent, sites.catalog()), Lock(), Exceptions())
    return {device.name: sites.files_of(device)[FILES[box]] for device in devices(plan)}


def test_every_system_that_takes_users_is_read() -> None:
    assert set(ACCOUNT) == {name for name in PLATFORMS if takes_users(name)}


@pytest.mark.parametrize("kind", ["backend", "frontend"])
@pytest.mark.parametrize("box", ACCOUNT)
def test_every_file_has_the_account_that_the_intent_names(box: str, kind: str) -> None:
    found = accounts(box, kind, "network-admin")
    assert len(found) > 2
    assert [name for name, text in found.items() if not re.search(ACCOUNT[box], text)] == []


@pytest.mark.parametrize("box", ACCOUNT)
def test_an_account_that_is_missing_or_may_not_configure_is_seen(box: str) -> None:
    watching = accounts(box, "backend", "network-operator")
    none = texts(box, "backend")
    assert [name for name, text in (*watching.items(), *none.items()) if re.search(ACCOUNT[box], text)] == []
