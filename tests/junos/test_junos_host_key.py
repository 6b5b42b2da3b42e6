"""NAPALM's driver with host keys checked, over a real SSH server: who is not known hears no password."""

from collections.abc import Iterator
from pathlib import Path

import paramiko
import pytest
from ncclient.transport.errors import AuthenticationError  # type: ignore[import-untyped]

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.junos.napalm_driver import CheckedJunOSDriver
from tests.doubles.junos_netconf import Switch, network
from tests.doubles.ssh_server import Server, serving
from tests.push.boxed import CANARY, USER, at, fleet, inventory, refused


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, heard: list[str]) -> Iterator[Server]:
    def hear(_: object, __: str, password: str) -> int:
        heard.append(password)
        return int(paramiko.AUTH_FAILED)

    monkeypatch.setattr("tests.doubles.ssh_server._Session.check_auth_password", hear)
    monkeypatch.setattr("ncclient.transport.ssh.SSHSession._auth", _only_password)
    with serving("nobody:nothing", lambda *_: (0, "", "")) as found:
        yield found


def _only_password(session: object, username: str, password: str, *_: object) -> None:
    """As ncclient's, without keys of whoever runs the test."""
    try:
        session._transport.auth_password(username, password)  # type: ignore[attr-defined]
    except paramiko.SSHException as error:
        raise AuthenticationError(repr(error)) from None


def ssh_config(folder: Path, server: Server, key: paramiko.PKey | None = None) -> Path:
    known = server.known(folder / "known_hosts", key)
    path = folder / "ssh_config"
    path.write_text(f"Host *\n  UserKnownHostsFile {known}\n")
    return path


def opened(folder: Path, server: Server, config: Path, **more: object) -> str:
    """Kind of what a push meets there."""
    site = inventory(folder / "site", {"leaf": server.port}, "junos", ssh_config_file=config, **more)
    with fleet(site, "junos") as found:
        return refused(found, lambda it: it.running()).kind


def test_a_name_leads_to_it() -> None:
    assert PLATFORMS["junos"].own_driver == f"{CheckedJunOSDriver.__module__}:{CheckedJunOSDriver.__name__}"


def test_a_known_host_is_logged_in_to(server: Server, tmp_path: Path, heard: list[str]) -> None:
    assert (opened(tmp_path, server, ssh_config(tmp_path, server)), heard) == ("login", [CANARY])


def test_another_host_hears_nothing(server: Server, tmp_path: Path, heard: list[str]) -> None:
    config = ssh_config(tmp_path, server, paramiko.ECDSAKey.generate())
    assert (opened(tmp_path, server, config), heard) == ("host-key", [])


def test_a_host_that_is_not_known_hears_nothing(server: Server, tmp_path: Path, heard: list[str]) -> None:
    config = ssh_config(tmp_path, server)
    (tmp_path / "known_hosts").write_text("")
    assert (opened(tmp_path, server, config), heard) == ("host-key", [])


def test_any_host_is_taken_where_that_is_said(server: Server, tmp_path: Path, heard: list[str]) -> None:
    config = ssh_config(tmp_path, server, paramiko.ECDSAKey.generate())
    assert (opened(tmp_path, server, config, ssh_strict="false"), heard) == ("login", [CANARY])


def test_it_is_napalm_s_driver_otherwise(tmp_path: Path) -> None:
    switch = Switch("leaf", {"system": {"host-name leaf": {}}}, password=CANARY)
    with network({830: switch}), fleet(inventory(tmp_path, {"leaf": 830}, "junos"), "junos") as site:
        assert "host-name leaf;" in at(site, lambda it: it.running())
    driver = CheckedJunOSDriver("127.0.0.1", USER, CANARY, optional_args={"port": 831})
    assert (driver.port, driver.platform) == (831, "junos")
