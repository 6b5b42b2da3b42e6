"""`napalm_srlinux` against a double of SR Linux's JSON-RPC server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from napalm.base.exceptions import (
    CommandErrorException,
    CommitError,
    ConnectAuthError,
    ConnectionException,
    MergeConfigException,
    ReplaceConfigException,
)

from fabricgen.platforms.srlinux.live.secrets import masked, secrets_in
from fabricgen.platforms.srlinux.napalm_driver import SRLinuxDriver
from fabricgen.platforms.srlinux.napalm_driver.candidate import hiding
from tests.doubles import srlinux_rpc
from tests.doubles.certificate import authority, certificate
from tests.doubles.srlinux_rpc import switch
from tests.doubles.srlinux_switch import Switch
from tests.doubles.srlinux_tree import RpcError
from tests.srlinux.running import (
    AFTER,
    BEFORE,
    HASH,
    KEY,
    NI,
    OWNED,
    SYSTEM,
    WANTED,
    WHOLE,
    WORD,
    opened,
    shown,
)


@pytest.fixture
def box() -> Iterator[Switch]:
    """A switch."""
    with switch(BEFORE) as found:
        found.shown = shown
        yield found


@pytest.fixture
def driver(box: Switch) -> SRLinuxDriver:
    """A driver of it, open."""
    return opened(box)


def test_it_reads(box: Switch, driver: SRLinuxDriver) -> None:
    assert driver.is_alive() == {"is_alive": True}
    facts = driver.get_facts()
    assert (facts["hostname"], facts["model"], facts["serial_number"]) == ("leaf", "7220 IXR-D5", "NS7")
    assert (facts["os_version"], facts["interface_list"]) == ("v25.3.1-149-gd8b9bc97eb", ["ethernet-1/1"])
    counters = driver.get_interfaces_counters()["ethernet-1/1"]
    assert (counters["rx_octets"], counters["tx_octets"]) == (48049, 50229)
    assert (counters["rx_errors"], counters["tx_discards"]) == (2, -1)
    assert json.loads(driver.get_config()["running"]) == {key: BEFORE[key] for key in BEFORE if key != "_annotate"}
    assert driver.get_config("running", sanitized=True)["startup"] == ""
    assert not {HASH, KEY} & set(driver.get_config("running", sanitized=True)["running"].split('"'))
    assert not [one for one in box.asked if not one.startswith("get")]


def test_cli_takes_paths_and_masks_secrets(driver: SRLinuxDriver) -> None:
    found = driver.cli(["/system/name/host-name", "/system/aaa"], encoding="json")
    masked = {"authentication": {"admin-user": {"password": "<removed>"}}}
    assert found == {"/system/name/host-name": "leaf", "/system/aaa": masked}
    text = driver.cli(["running /"])["running /"]
    assert not any(secret in text for secret in (HASH, KEY, "_annotate"))
    assert json.loads(text)["srl_nokia-interfaces:interface"][0]["description"] == "to spine"
    with pytest.raises(CommandErrorException, match="unknown element 'lldp'"):
        driver.cli(["/system/lldp", "/system/aaa"], encoding="json")
    for wrong in (["show version"], ["running"], ["candidate /"]):
        with pytest.raises(CommandErrorException, match="is no path"):
            driver.cli(wrong)
    with pytest.raises(CommandErrorException, match="list of paths"):
        driver.cli("/system")  # type: ignore[arg-type]  # what NAPALM refuses, too


def test_secrets_are_told_by_their_leaf_or_by_how_they_begin() -> None:
    profile = {"name": "own", "key": "-----BEGIN PRIVATE KEY-----", "certificate": "-----BEGIN CERTIFICATE-----"}
    tree = {
        "srl_nokia-tls:tls": {"server-profile": [profile]}, "trap": {"key": "of a list", "words": ["$aes1$x", "y"]},
        "authentication": {"password": "clear"}, "communities": {"community": ["65535:0"]},
    }  # fmt: skip
    assert masked(tree) == {
        "srl_nokia-tls:tls": {"server-profile": [{**profile, "key": "<removed>"}]},
        "trap": {"key": "of a list", "words": ["<removed>", "y"]},
        "authentication": {"password": "<removed>"}, "communities": {"community": ["65535:0"]},
    }  # fmt: skip
    assert list(secrets_in(tree)) == [profile["key"], "$aes1$x", "clear"]


def test_a_difference_shows_neither_a_secret_nor_what_the_switch_makes_of_it() -> None:
    """SR Linux encrypts with another salt each time, so its word for a secret is not the one that was given."""
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvgIBADANBgkqh\n-----END PRIVATE KEY-----\n"
    shown = (
        '+    secret-key "$aes1$AWtm9e+==$Qz/1"\n-    password $y$j9T$old$new\n+    password "a \\"b\\""\n'
        '+    key "-----BEGIN PRIVATE KEY-----\n+MIIEvgIBADANBgkqh\n+    description "costs $5$"'
    )
    assert hiding(shown, ('a "b"', key, "k")) == (
        '+    secret-key "<removed>"\n-    password <removed>\n+    password "<removed>"\n'
        '+    key "<removed>\n+<removed>\n+    description "costs $5$"'
    )


def test_a_configuration_is_replaced_but_for_what_the_box_owns(box: Switch, driver: SRLinuxDriver) -> None:
    driver.load_replace_candidate(config=WHOLE)
    difference = driver.compare_config()
    assert [" ".join(line.split()) for line in difference.splitlines() if line[0] in "+-"] == [
        "- description to spine", "- mtu 9232", "+ description to the spine",
    ]  # fmt: skip
    assert box.runs() == BEFORE
    driver.commit_config(message="a change")
    assert box.runs() == box.startup == AFTER
    assert not driver.has_pending_commit()
    assert box.checkpoints[0]["comment"] == "a change"
    driver.load_replace_candidate(config=WHOLE)
    assert driver.compare_config() == ""
    driver.discard_config()
    assert driver.compare_config() == ""


def test_what_the_candidate_says_of_what_the_box_owns_is_taken(box: Switch, driver: SRLinuxDriver) -> None:
    own = {"srl_nokia-json-rpc:json-rpc-server": {"admin-state": "disable"}}
    driver.load_replace_candidate(config=json.dumps({**WANTED, SYSTEM: {**WANTED[SYSTEM], **own}}))
    driver.commit_config()
    assert box.runs()[SYSTEM]["srl_nokia-json-rpc:json-rpc-server"] == {"admin-state": "disable"}
    assert "srl_nokia-tls:tls" in box.runs()[SYSTEM]


def test_parts_are_merged_and_entries_replaced(box: Switch, driver: SRLinuxDriver) -> None:
    driver.load_merge_candidate(
        config=json.dumps({"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "mtu": 1500}]})
    )
    path = "/network-instance[name=default]/protocols/bgp/neighbor[peer-address=10.0.0.1]"
    value = {"peer-address": "10.0.0.1", "import-policy": ["DRAINED"]}
    driver.load_merge_candidate(config=json.dumps({"replaces": [{"path": path, "value": value}]}))
    driver.commit_config()
    runs = box.runs()
    assert runs["srl_nokia-interfaces:interface"][0]["mtu"] == 1500
    assert runs[NI][0]["protocols"]["srl_nokia-bgp:bgp"]["neighbor"] == [value]


def test_what_the_box_owns_stays_where_nothing_beside_it_is_said(box: Switch, driver: SRLinuxDriver) -> None:
    driver.load_replace_candidate(config="{}")
    driver.commit_config()
    assert box.runs() == {SYSTEM: OWNED}


@pytest.mark.parametrize("text", ["", "no JSON", "[]", "7", '{"unknown:module": {"password": "' + WORD + '-x"}}'])
def test_what_is_refused_leaves_all_as_it_was_and_tells_no_secret(
    box: Switch, driver: SRLinuxDriver, text: str
) -> None:
    with pytest.raises(ReplaceConfigException) as replaced:
        driver.load_replace_candidate(config=text)
    with pytest.raises(MergeConfigException) as merged:
        driver.load_merge_candidate(config=text)
    assert WORD not in str(replaced.value) + str(merged.value)
    assert box.runs() == BEFORE
    assert driver.get_config("candidate")["candidate"] == ""
    with pytest.raises(CommitError, match="nothing is loaded"):
        driver.commit_config()
    with pytest.raises(ReplaceConfigException):
        driver.load_replace_candidate(filename="/nowhere/config.json")
    with pytest.raises(MergeConfigException):
        driver.load_merge_candidate(config='{"replaces": [7]}')


def test_what_is_refused_behind_loading_tells_no_secret(
    box: Switch, driver: SRLinuxDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a switch does whose models take what an application of it refuses."""
    driver.load_merge_candidate(config=json.dumps({SYSTEM: {"srl_nokia-aaa:aaa": {"x": {"password": WORD}}}}))

    def refuses(tree: object, before: object) -> str:
        raise RpcError(f"no {before}: {HASH} {WORD}")

    monkeypatch.setattr(srlinux_rpc, "difference", refuses)
    for asks in (driver.compare_config, driver.commit_config):
        with pytest.raises(CommitError, match="no ") as refused:
            asks()
        assert not any(secret in str(refused.value) for secret in (WORD, HASH, KEY))
    assert box.runs() == BEFORE


def test_nobody_there(box: Switch) -> None:
    with switch(BEFORE) as other:
        port = other.port
    driver = SRLinuxDriver("127.0.0.1", "push", WORD, 5, {"transport": "http", "port": port})
    assert driver.is_alive() == {"is_alive": False}
    with pytest.raises(ConnectionException, match="cannot be reached"):
        driver.open()
    with pytest.raises(ConnectionException, match="https or http"):
        SRLinuxDriver("127.0.0.1", "push", WORD, 5, {"transport": "telnet"})


def test_over_tls(tmp_path: Path) -> None:
    authority(tmp_path / "other.pem")
    trusted = tmp_path / "authority.pem"
    made = certificate(tmp_path / "switch.pem", authority(trusted))
    with switch(BEFORE, tls=made, login=f"push:{WORD}") as box:
        box.shown = shown

        def opened(word: str = WORD, **options: object) -> SRLinuxDriver:
            found = SRLinuxDriver("127.0.0.1", "push", word, 5, {"port": box.port, **options})
            found.open()
            return found

        assert opened(ca_file=str(trusted)).get_facts()["hostname"] == "leaf"
        assert opened(ssl_verify=False).is_alive() == {"is_alive": True}
        for options in ({}, {"ca_file": str(tmp_path / "other.pem")}):
            with pytest.raises(ConnectionException, match="certificate verify failed"):
                opened(**options)
        with pytest.raises(ConnectAuthError, match="not let this user in") as refused:
            opened(f"{WORD}-wrong", ca_file=str(trusted))
        assert WORD not in str(refused.value)
