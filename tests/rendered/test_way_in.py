"""An account, a way in from the management network, and a route to it, in the file of every switch.

No intent can leave out the way in and the route; an account is asked for by the check `no-account` where the file has
all of them, and is in the file where the intent names one.

Read from the rendered text by the patterns of each platform's `case.py`, which has the sources. Where no line is
needed, the source says what the system does by itself, and the text must not turn it off.
"""

import json
import re
from typing import Literal

import pytest

from fabricgen.intent.site import User
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import make_plan, make_shapes
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.device import devices
from tests.accounts import takes_users
from tests.pairs import sites
from tests.platform_case import PlatformCase
from tests.platform_cases import CASES
from tests.srlinux.way_in import missing_in_document

ACCOUNTS = [name for name, case in CASES.items() if case.account]
"""Systems that take accounts. SONiC and FRR have theirs in Linux alone."""
TURNED_OFF = r"no feature ssh|ssh-server(?!:\n\s+state: enabled\n)|no ip ssh|shutdown\n *ssh"
"""What would close a way that is open by itself."""
KINDS = [
    (box, kind)
    for box in sites.SITES
    for kind in ("backend", "frontend")
    if (box, kind) != ("sonic-202505", "frontend")
]


def case_of(box: str) -> PlatformCase:
    return CASES[box.partition("-")[0]]


def texts(box: str, kind: str) -> dict[str, str]:
    return {name: files[case_of(box).config] for name, files in sites.site(box, box, kind).files.items()}


def missing(box: str, text: str) -> list[str]:
    """What a file does not say of the way in."""
    case = case_of(box)
    if case.missing_way_in is not None:
        return case.missing_way_in(text)
    return [pattern for pattern in case.way_in if not re.search(pattern, text)] + re.findall(TURNED_OFF, text)


def test_every_system_is_read() -> None:
    assert [name for name, case in CASES.items() if not (case.way_in or case.missing_way_in)] == []


@pytest.mark.parametrize(("box", "kind"), KINDS)
def test_every_file_has_a_way_in_and_a_route_to_it(box: str, kind: str) -> None:
    found = texts(box, kind)
    assert len(found) > 2
    assert {name: lacks for name, text in found.items() if (lacks := missing(box, text))} == {}


@pytest.mark.parametrize("box", [name for name, case in CASES.items() if case.way_in])
def test_a_file_without_one_of_them_is_seen(box: str) -> None:
    """Each text that is looked for is missed where it is taken away."""
    text = next(iter(texts(box, "backend").values()))
    for pattern in CASES[box].way_in:
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
    assert missing_in_document(document) == [what]


def accounts(box: str, kind: str, role: Literal["network-admin", "network-operator"]) -> dict[str, str]:
    """File of each switch of a site with one user."""
    intent = sites.intent(box, box, kind)
    users = {"admin": User(role=role, password="${env:ADMIN_HASH}")}  # noqa: S106 - a reference
    intent = intent.model_copy(update={"management": intent.management.model_copy(update={"users": users})})
    plan = make_plan(intent, sites.catalog(), make_shapes(intent, sites.catalog()), Lock(), Exceptions())
    return {device.name: sites.files_of(device)[case_of(box).config] for device in devices(plan)}


def test_every_system_that_takes_users_is_read() -> None:
    assert set(ACCOUNTS) == {name for name in PLATFORMS if takes_users(name)}


@pytest.mark.parametrize("kind", ["backend", "frontend"])
@pytest.mark.parametrize("box", ACCOUNTS)
def test_every_file_has_the_account_that_the_intent_names(box: str, kind: str) -> None:
    found = accounts(box, kind, "network-admin")
    assert len(found) > 2
    assert [name for name, text in found.items() if not re.search(CASES[box].account, text)] == []


@pytest.mark.parametrize("box", ACCOUNTS)
def test_an_account_that_is_missing_or_may_not_configure_is_seen(box: str) -> None:
    watching = accounts(box, "backend", "network-operator")
    none = texts(box, "backend")
    assert [name for name, text in (*watching.items(), *none.items()) if re.search(CASES[box].account, text)] == []
