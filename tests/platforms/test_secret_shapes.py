"""What the values of secrets must be: every field that a system writes has a row, and rows are what sources say."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache

import pytest

from fabricgen.base.secret import REFERENCE, Secret, shown
from fabricgen.device.device import Device
from fabricgen.device.management import Snmp, Tacacs, User
from fabricgen.device.references import FIELDS, secret_fields
from fabricgen.intent.model import Intent
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.secret_shape import SecretForm, SecretShape
from fabricgen.render.render import Renderer
from tests.platform_cases import CASES
from tests.platforms import rich
from tests.secret_hashes import H86, HASHES, SALT

RELEASES = [(name, version) for name, platform in PLATFORMS.items() for version in platform.versions]
SHA512 = HASHES["sha512"]
CLEAR = "hunter2"
CUT = f"$6${SALT}${H86[1:]}"
"""A hash that lost a character when it was copied."""
EXPANDED = "$HOME/./b2/yyy"
"""Somewhat like what a shell leaves of a hash between double quotes."""


def described(device: Device) -> Device:
    """The same switch with a secret in every field that it can have one in, each with a name of its own."""
    management = device.management._replace(
        users=(User("ops", "network-admin", Secret("env", "F0")),),
        tacacs=Tacacs(device.management.dns or (rich.RELAY,), Secret("env", "F1")),
        snmp=Snmp("monitor", Secret("env", "F2"), Secret("env", "F3"), "", "", ()),
    )
    vrfs = tuple(
        vrf._replace(neighbors=tuple(one._replace(password=Secret("env", "F4")) for one in vrf.neighbors))
        for vrf in device.routing.bgp.vrfs
    )
    groups = tuple(group._replace(password=Secret("env", "F5")) for group in device.routing.bgp.groups)
    bgp = device.routing.bgp._replace(vrfs=vrfs)
    found = device._replace(management=management, routing=device.routing._replace(bgp=bgp))
    guarded = found._replace(routing=found.routing._replace(bgp=bgp._replace(groups=groups)))
    # BGP in tables of SONiC has no password that works.
    return found if any(PLATFORMS[device.system].limits(guarded)) else guarded


@cache
def switches(system: str, version: str) -> tuple[Device, ...]:
    """A switch of each role of a system, as it is with a release; those with sessions to the outside first."""
    found: dict[str, Device] = {}
    for device in sorted(rich.fleet(system), key=lambda one: -sum(len(vrf.neighbors) for vrf in one.routing.bgp.vrfs)):
        found.setdefault(device.role, device._replace(version=version))
    return tuple(found.values())


def written(device: Device) -> Iterator[str]:
    """Fields of a switch whose secrets its files have."""
    for file in Renderer().render(described(device)):
        for reference in REFERENCE.finditer(file.marked):
            yield FIELDS[int(shown(reference.group()).removeprefix("${env:F")[:-1])]


@pytest.mark.parametrize(("system", "version"), RELEASES)
def test_every_secret_that_a_system_writes_has_a_shape_and_no_other(system: str, version: str) -> None:
    """A new field, a new system or a new line in a template is red here until its row is written."""
    found = switches(system, version)
    assert {device.role for device in found} >= {"border-leaf", "leaf", "spine"}
    assert any(vrf.neighbors for device in found for vrf in device.routing.bgp.vrfs)
    assert {field for device in found for field in written(device)} == set(PLATFORMS[system].secrets(version))


def test_fields_are_those_of_a_device_and_ends_of_paths_of_an_intent() -> None:
    device = described(switches("eos", "4.34")[0])
    assert tuple(dict.fromkeys(field for field, _ in secret_fields(device))) == FIELDS
    text = str(Intent.model_json_schema())
    for field in FIELDS:
        for key in field.split("."):
            assert key == "*" or f"'{key}': " in text


VALUES = [
    (system, version, field, shape, value)
    for system, version in RELEASES
    for field, shape in PLATFORMS[system].secrets(version).items()
    for value in shape.values
]


@pytest.mark.parametrize(("system", "version", "field", "shape", "value"), VALUES)
def test_a_form_takes_what_its_command_prints(
    system: str, version: str, field: str, shape: SecretShape, value: SecretForm
) -> None:
    del system, version, field
    assert value.takes(value.example)
    assert shape.takes(value.example)
    assert shape.rule
    assert shape.source
    assert not value.takes("")
    assert not value.takes(f"{value.example}\n")


MADE = sorted({value.make for *_, value in VALUES if value.make.startswith(("openssl", "mkpasswd"))})


@pytest.mark.parametrize("command", MADE)
def test_what_a_remedy_types_is_taken(command: str) -> None:
    """By every form that offers it: the command is run as it is printed, the password given on its standard input."""
    words = command.split()
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    stdin = ["-stdin"] if words[1] == "passwd" else []
    made = subprocess.run(
        [*words, *stdin], input="hunter2\n", capture_output=True, text=True, check=True
    ).stdout.strip()
    assert [value.title for *_, value in VALUES if value.make == command and not value.takes(made)] == []


USER, TACACS, AUTH, PRIVACY, BGP, FABRIC = FIELDS
LENGTHS = [(name, *row) for name, case in CASES.items() for row in case.secret_lengths]
"""System, release, field, least and most characters (0: no source has a most), by the sources and not by the tables."""


@pytest.mark.parametrize(("system", "version", "field", "least", "most"), LENGTHS)
def test_keys_are_as_long_as_the_makers_take(system: str, version: str, field: str, least: int, most: int) -> None:
    shape = PLATFORMS[system].secrets(version)[field]
    assert shape.takes("k" * least)
    assert not shape.takes("k" * (least - 1))
    assert shape.takes("k" * (most or 4000))
    assert not most or not shape.takes("k" * (most + 1))


def test_every_key_has_a_length_that_was_looked_up() -> None:
    rows = {(system, version, field) for system, version in RELEASES for field in PLATFORMS[system].secrets(version)}
    assert {row[:3] for row in LENGTHS} == {row for row in rows if row[2] != USER}


TAKEN = [name for name, case in CASES.items() if case.hashes]
"""Systems with accounts. Of hashes that they take, those of which a source is unsure are included."""


@pytest.mark.parametrize("system", TAKEN)
def test_a_password_is_a_hash_that_the_system_knows(system: str) -> None:
    shape = PLATFORMS[system].secrets(PLATFORMS[system].versions[0])[USER]
    assert {kind for kind, value in HASHES.items() if shape.takes(value)} == set(CASES[system].hashes)
    wrong = (
        CLEAR,
        CUT,
        EXPANDED,
        "*",
        "!",
        "x",
        "0",
        f"{SHA512}x",
        f"x{SHA512}",
        "$6$$" + H86,
        "$9$abcdef",
        "$aes1$a$b",
    )
    assert [value for value in wrong if shape.takes(value)] == []


def test_systems_with_accounts_are_those_that_write_them() -> None:
    assert {name for name, version in RELEASES if USER in PLATFORMS[name].secrets(version)} == set(TAKEN)


def test_a_digit_alone_is_a_type_to_nxos() -> None:
    shape = PLATFORMS["nxos"].secrets("10.5")[BGP]
    assert [value for value in ("0", "3", "7", "77", "7a", "a") if shape.takes(value)] == ["77", "7a", "a"]


@pytest.mark.parametrize("field", [TACACS, BGP])
def test_what_looks_enciphered_to_srlinux_is(field: str) -> None:
    """Nokia's routing-password: `$` in front and two more is taken for what the switch made of a key."""
    shape = PLATFORMS["srlinux"].secrets("25.3")[field]
    assert shape.takes("$aes1$ATc2M2Q1N2Y=$a2V5a2V5a2V5a2V5")
    assert [value for value in ("$a$b$", "$$$", *HASHES.values()) if shape.takes(value)] == []
    assert shape.takes("a$b$c$d")
    assert shape.takes("$a$b")


def test_what_is_unsure_is_marked_and_never_what_a_remedy_offers() -> None:
    unsure = {(system, value.title.partition(", not")[0]) for system, _, _, _, value in VALUES if value.unsure}
    assert unsure == {
        ("nxos", "clear text of at least 65 characters"),
        ("srlinux", "clear text of at least 21 characters"),
        ("cumulus", "a yescrypt hash ($y$)"),
        ("junos", "an MD5 hash ($1$)"),
        ("nxos", "an MD5 hash ($1$)"),
        ("srlinux", "a SHA-256 hash ($5$)"),
        ("srlinux", "a bcrypt hash ($2a$, $2b$, $2y$)"),
        ("srlinux", "an MD5 hash ($1$)"),
    }
    assert not [shape for *_, shape, _ in VALUES if shape.values[0].unsure]
    assert all(re.match(r"openssl ", shape.values[0].make) for *_, shape, _ in VALUES)
