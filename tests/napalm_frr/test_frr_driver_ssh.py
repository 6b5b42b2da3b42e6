"""The driver over SSH: a real sshd in the switch's namespace; a host or a user that is not the right one is refused."""

import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from napalm import get_network_driver
from napalm.base.exceptions import (
    CommandTimeoutException,
    ConnectAuthError,
    ConnectionException,
    ConnectTimeoutError,
)

from napalm_frr import FRRDriver, ssh
from napalm_frr.shell import Shell
from napalm_frr.transport import Local, Result
from tests.frr.waiting import becomes
from tests.judges.frr import Loaded
from tests.napalm_frr import fabric, switches
from tests.napalm_frr.switches import Server

NEW = "network 10.77.0.0/24"


@pytest.fixture(scope="module")
def server(wired: Mapping[str, Loaded]) -> Iterator[Server]:
    with switches.sshd(wired["leaf1"]) as found:
        yield found


def _driver(server: Server, switch: Loaded, **more: object) -> FRRDriver:
    arguments = {
        "port": server.port,
        "key_file": str(server.key),
        "known_hosts": str(server.known),
        "pathspace": switch.namespace,
        **more,
    }
    return FRRDriver("127.0.0.1", "root", "", timeout=60, optional_args=arguments)


def test_the_whole_life_of_a_candidate(server: Server, wired: Mapping[str, Loaded], tmp_path: Path) -> None:
    driver = _driver(server, wired["leaf1"], state_dir=str(tmp_path / "it's"))
    driver.open()
    assert driver.is_alive() == {"is_alive": True}
    assert driver.get_facts()["hostname"] == "leaf1"
    driver.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    assert f"+  {NEW}" in driver.compare_config().splitlines()
    driver.commit_config(message="by SSH", revert_in=60)
    assert driver.has_pending_commit()
    driver.close()
    assert driver.is_alive() == {"is_alive": False}
    driver.open()
    driver.confirm_commit()
    assert NEW in driver.get_config("startup")["startup"]
    driver.rollback()
    assert NEW not in driver.get_config("startup")["startup"]
    assert NEW not in driver.get_config("running")["running"]
    driver.close()


def test_a_timed_commit_reverts_after_the_connection_is_gone(
    server: Server, wired: Mapping[str, Loaded], tmp_path: Path
) -> None:
    driver = _driver(server, wired["leaf1"], state_dir=str(tmp_path / "state"))
    with driver:
        driver.load_merge_candidate(config=f"router bgp {fabric.ASN['leaf1']}\n address-family ipv4 unicast\n  {NEW}\n")
        driver.commit_config(revert_in=2)
        assert NEW in driver.get_config("running")["running"]
    becomes(False, lambda: NEW in wired["leaf1"].show("show running-config"))


@pytest.mark.parametrize("name", ["wrong", "absent"])
def test_a_host_key_that_is_not_known_is_refused(
    server: Server, wired: Mapping[str, Loaded], tmp_path: Path, name: str
) -> None:
    (tmp_path / "empty").touch()
    known = server.wrong if name == "wrong" else tmp_path / "empty"
    driver = _driver(server, wired["leaf1"], known_hosts=str(known))
    with pytest.raises(ConnectionException, match=r"127\.0\.0\.1.*(known_hosts|host key)"):
        driver.open()
    assert driver.is_alive() == {"is_alive": False}


@pytest.mark.parametrize("name", ["known", "wrong", "absent"])
def test_host_keys_of_the_whole_machine_are_known(
    server: Server, wired: Mapping[str, Loaded], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The user has no file of their own; the machine's is another here."""
    monkeypatch.setenv("HOME", str(tmp_path))
    files = {"known": server.known, "wrong": server.wrong, "absent": tmp_path / "nothing"}
    monkeypatch.setattr(ssh, "GLOBAL_HOSTS", (tmp_path / "none", files[name]))
    driver = _driver(server, wired["leaf1"], known_hosts=None)
    if name == "known":
        with driver:
            assert driver.get_facts()["hostname"] == "leaf1"
        return
    with pytest.raises(ConnectionException, match=r"127\.0\.0\.1.*(known_hosts|host key)"):
        driver.open()


def test_any_host_key_is_taken_when_that_is_asked_for(server: Server, wired: Mapping[str, Loaded]) -> None:
    driver = _driver(server, wired["leaf1"], known_hosts=str(server.wrong), ssh_strict=False)
    with driver:
        assert driver.get_facts()["hostname"] == "leaf1"


def test_a_wrong_password_is_refused_and_not_told(server: Server, wired: Mapping[str, Loaded]) -> None:
    switch = wired["leaf1"]
    arguments = {"port": server.port, "known_hosts": str(server.known), "pathspace": switch.namespace}
    driver = get_network_driver("frr")("127.0.0.1", "root", "Tr0ub4dor", timeout=60, optional_args=arguments)
    with pytest.raises(ConnectAuthError, match=r"127\.0\.0\.1.*user root") as raised:
        driver.open()
    assert "Tr0ub4dor" not in str(raised.value)


def test_a_wrong_key_is_refused(server: Server, wired: Mapping[str, Loaded]) -> None:
    driver = _driver(server, wired["leaf1"], key_file=str(server.key.with_name("other")))
    with pytest.raises(ConnectAuthError):
        driver.open()


def test_a_key_file_that_is_not_there_is_named(server: Server, wired: Mapping[str, Loaded], tmp_path: Path) -> None:
    driver = _driver(server, wired["leaf1"], key_file=str(tmp_path / "nothing"))
    with pytest.raises(ConnectionException, match="nothing"):
        driver.open()


def test_the_users_ssh_configuration_is_read(server: Server, wired: Mapping[str, Loaded], tmp_path: Path) -> None:
    """Host, port, user, key and the way there; what the caller gives itself wins."""
    (tmp_path / "config").write_text(
        f"Host leaf\n HostName 127.0.0.1\n Port {server.port}\n User root\n IdentityFile {server.key}\n"
        f"Host behind\n HostName 127.0.0.1\n Port 1\n ProxyCommand busybox nc 127.0.0.1 {server.port}\n"
    )
    arguments = {
        "ssh_config_file": str(tmp_path / "config"),
        "known_hosts": str(server.known),
        "pathspace": wired["leaf1"].namespace,
    }
    with FRRDriver("leaf", "", "", timeout=60, optional_args=arguments) as driver:
        assert driver.get_facts()["hostname"] == "leaf1"
    given = {**arguments, "key_file": str(server.key), "port": server.port}
    with FRRDriver("behind", "root", "", timeout=60, optional_args=given) as driver:
        assert driver.get_facts()["hostname"] == "leaf1"


def test_nobody_at_the_port(server: Server, wired: Mapping[str, Loaded]) -> None:
    driver = _driver(server, wired["leaf1"], port=1)
    with pytest.raises(ConnectionException, match=r"127\.0\.0\.1"):
        driver.open()


def test_a_host_that_accepts_and_says_nothing(server: Server, wired: Mapping[str, Loaded]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        arguments = {"port": silent.getsockname()[1], "key_file": str(server.key), "known_hosts": str(server.known)}
        driver = FRRDriver("127.0.0.1", "root", "", timeout=1, optional_args=arguments)
        with pytest.raises(ConnectionException, match=r"127\.0\.0\.1"):
            driver.open()
        assert driver.is_alive() == {"is_alive": False}


def test_commands_of_a_login_that_is_not_root_go_through_sudo() -> None:
    """Root's own limit ends them. A double stands for the transport: it writes down what it is given."""
    given = []

    class Written:
        def open(self) -> None: ...

        def close(self) -> None: ...

        def is_alive(self) -> bool:
            return True

        def run(self, command: str, given_input: str, seconds: float) -> Result:
            given.append((command, given_input, seconds))
            return Result(0, "[]", "")

    shell = Shell(transport=Written(), host="leaf1", seconds=7, sudo=True, lldp_socket="/a b")
    shell.vtysh("show version")
    shell.json("ip -j link show")
    shell.text("lldpcli show neighbors")
    assert given == [
        ("sudo -n timeout -k 2 7 vtysh -c 'show version'", "", 7),
        ("sudo -n timeout -k 2 7 ip -j link show", "", 7),
        ("sudo -n timeout -k 2 7 lldpcli -u '/a b' show neighbors", "", 7),
    ]


def test_what_may_not_be_killed_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process of root's, started by sudo, ends by its own limit. A double stands for the refusal."""

    def refused(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr("os.killpg", refused)
    here = Local("leaf1", {})
    here.open()
    with pytest.raises(CommandTimeoutException, match=r"leaf1: no answer within 0\.2 s"):
        here.run("timeout 1 sleep 20", "", 0.2)


def test_a_command_ends_with_its_time(server: Server, wired: Mapping[str, Loaded]) -> None:
    """A ping that takes longer than a command may."""
    switch = wired["leaf1"]
    arguments = {
        "port": server.port,
        "key_file": str(server.key),
        "known_hosts": str(server.known),
        "pathspace": switch.namespace,
    }
    driver = get_network_driver("frr")("127.0.0.1", "root", "", timeout=1, optional_args=arguments)
    with driver, pytest.raises((CommandTimeoutException, ConnectTimeoutError), match=r"127\.0\.0\.1"):
        driver.cli(["ping -c 5 127.0.0.1"])
