"""SNMPv3 with SHA-256 and AES-256: the lines of each system, read back and judged; who lacks them says what to type."""

import pytest

from fabricgen.checks.support.capabilities import capabilities
from fabricgen.device.device import Device
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.compare import differences
from fabricgen.render.render import Renderer
from tests.checks.test_checks_away import made
from tests.eos.test_eos_oracle import pyavds
from tests.judges import junos, srlinux
from tests.platforms import rich
from tests.readback.faults import read, text_of
from tests.readback.sites import files_of
from tests.srlinux import xgs

AUTH, PRIVACY = "${env:SNMP_AUTH}", "${env:SNMP_PRIVACY}"
WORDS = {
    # PyAVD 6.4.0: snmp_server.users auth, priv. cisco.nxos 154aa54: nxos_snmp_server. Nokia: srl_nokia-system-snmp.
    # Juniper: snmp v3 usm local-engine user.
    "eos": {"sha": f"auth sha {AUTH}", "sha256": f"auth sha256 {AUTH}",
            "aes128": f"priv aes {PRIVACY}", "aes256": f"priv aes256 {PRIVACY}"},
    "nxos": {"sha": f"auth sha {AUTH}", "sha256": f"auth sha-256 {AUTH}", "aes128": f"priv aes-128 {PRIVACY}"},
    "junos": {"sha": "authentication-sha {", "sha256": "authentication-sha256 {",
              "aes128": "privacy-aes128 {", "aes256": "privacy-aes256 {"},
    "srlinux": {"sha": '"hmac-sha1-96"', "sha256": '"hmac-sha2-256"',
                "aes128": '"cfb128-aes-128"', "aes256": '"cfb128-aes-256"'},
    "sonic": {"sha": '"SNMP_USER_AUTH_TYPE": "SHA"', "aes128": '"SNMP_USER_ENCRYPTION_TYPE": "AES"'},
}  # fmt: skip
"""System → algorithm → its words; an algorithm that is missing is refused."""
PAIRS = [
    (system, auth, privacy)
    for system, words in WORDS.items()
    for auth, privacy in (("sha", "aes128"), ("sha256", "aes128"), ("sha256", "aes256"))
    if auth in words and privacy in words
]


def switch(system: str, auth: str, privacy: str) -> Device:
    """A switch with SNMP and these algorithms."""
    device = next(device for device in rich.fleet(system) if device.management.snmp)
    assert device.management.snmp is not None
    snmp = device.management.snmp._replace(auth_algorithm=auth, privacy_algorithm=privacy)
    return device._replace(management=device.management._replace(snmp=snmp))


@pytest.mark.parametrize(("system", "auth", "privacy"), PAIRS, ids=["-".join(pair) for pair in PAIRS])
def test_lines_name_the_algorithms_and_are_read_back(system: str, auth: str, privacy: str) -> None:
    device = switch(system, auth, privacy)
    files, words = files_of(Renderer(), device), WORDS[system]
    text = files[READBACKS[system].main]
    for word, name in words.items():
        assert (name in text) == (word in (auth, privacy)), name
    assert not differences(READBACKS[system].expected(device), READBACKS[system].read(files))
    if system == "eos":
        ours, theirs = (
            [line for line in one.splitlines() if "snmp-server user" in line] for one in (text, pyavds(device))
        )
        assert ours == theirs
    if system == "srlinux" and srlinux.available() is None:
        assert xgs.faults(text) == []
    if system == "junos" and junos.available() is None:
        assert junos.faults(text) == []


@pytest.mark.parametrize("system", [system for system in WORDS if system != "sonic"])
def test_another_algorithm_is_seen(system: str) -> None:
    words = WORDS[system]
    device = switch(system, "sha256", "aes256" if "aes256" in words else "aes128")
    text = text_of(device)
    for had, other, setting in (("sha256", "sha", "auth"), ("aes256", "aes128", "privacy")):
        if had in words:
            seen = differences(READBACKS[system].expected(device), read(system, text.replace(words[had], words[other])))
            assert [(row.setting, row.intended, row.read) for row in seen] == [
                (f"snmp-{setting}-algorithm", had, other)
            ]


@pytest.mark.parametrize("system", PLATFORMS)
def test_a_system_has_an_algorithm_or_refuses_it(system: str) -> None:
    for feature, algorithm in (("snmp-sha256", "sha256"), ("snmp-aes256", "aes256")):
        capability = PLATFORMS[system].can(feature)
        assert capability is not None
        assert bool(capability.refusal) == (algorithm not in WORDS.get(system, {}))


def test_a_refusal_says_what_to_type() -> None:
    snmp = {"user": "monitor", "auth": AUTH, "privacy": PRIVACY, "auth_algorithm": "sha256"}
    edits: dict[str, object] = {
        "management.snmp": {**snmp, "privacy_algorithm": "aes256"},
        "fabrics.backend.leaf": {"model": "cisco-n9364e-sg2-o", "os": "nxos-10.5"},
    }
    found = {row.where: row.fix for row in capabilities(made({}, **edits)) if "snmp-" in row.what}
    assert set(found) == {("management", "snmp", "privacy_algorithm")}
    assert found["management", "snmp", "privacy_algorithm"].startswith(
        "write overrides: {backend/leaf: {management: {snmp: {privacy_algorithm: aes128}}}}"
    )
    typed = {"backend/leaf": {"management": {"snmp": {"privacy_algorithm": "aes128"}}}}
    assert not [row for row in capabilities(made(typed, **edits)) if "snmp-" in row.what]


def test_sr_linux_has_no_aes_256_with_sha_1() -> None:
    (found,) = PLATFORMS["srlinux"].limits(switch("srlinux", "sha", "aes256"))
    assert (found.where, found.fix) == (("management", "snmp", "privacy_algorithm"), "write auth_algorithm: sha256")
