"""The double of eAPI refuses as EOS does, in the form that pyeapi reads."""

import socket
import ssl
from pathlib import Path

import pytest
from napalm import get_network_driver
from napalm.base.exceptions import CommandErrorException, UnsupportedVersion
from pyeapi.client import Node
from pyeapi.eapilib import CommandError, ConnectionError, HttpEapiConnection, HttpsEapiConnection

from tests.doubles.certificate import authority, certificate
from tests.doubles.eapi import INVALID_COMMAND, eapi


def test_an_unknown_command_is_refused_with_what_came_before() -> None:
    with eapi({"show a": {"b": 1}}, {}) as double:
        node = Node(HttpEapiConnection(host="127.0.0.1", port=double.port, username="u", password="p"))  # noqa: S106
        assert node.run_commands(["show a"]) == [{"b": 1}]
        with pytest.raises(CommandError) as refused:
            node.run_commands(["show a", "show c"])
    assert refused.value.error_code == INVALID_COMMAND
    assert "CLI command 3 of 3 'show c' failed" in str(refused.value)
    assert refused.value.output[:2] == [{}, {"b": 1}]


def test_text_and_json_are_apart() -> None:
    with eapi({"show version": {"version": "4.34.2F"}}, {"show a": "words\n"}) as double:
        driver = get_network_driver("eos")(
            "127.0.0.1", "u", "p", optional_args={"transport": "http", "port": double.port}
        )
        driver.open()
        assert driver.cli(["show a"]) == {"show a": "words\n"}
        with pytest.raises(CommandErrorException, match="Invalid command"):
            driver.cli(["show a"], encoding="json")
        driver.close()
    assert double.asked[:2] == [(1, "json", "enable"), (1, "json", "show version")]


def test_napalm_wants_a_release_that_it_knows() -> None:
    with eapi({"show version": {"version": "4.22.1F"}}, {}) as double:
        driver = get_network_driver("eos")(
            "127.0.0.1", "u", "p", optional_args={"transport": "http", "port": double.port}
        )
        with pytest.raises(UnsupportedVersion):
            driver.open()


def test_a_login_that_it_does_not_let_in() -> None:
    with eapi({"show a": {"b": 1}}, {}, login="u:p") as double:
        node = Node(HttpEapiConnection(host="127.0.0.1", port=double.port, username="u", password="p"))  # noqa: S106
        assert node.run_commands(["show a"]) == [{"b": 1}]
        node = Node(HttpEapiConnection(host="127.0.0.1", port=double.port, username="u", password="q"))  # noqa: S106
        with pytest.raises(ConnectionError, match=r"Unauthorized\. Unable to authenticate user"):
            node.run_commands(["show a"])
    assert double.heard == ["u:p", "u:q"]


def test_its_certificate_is_good_enough_for_the_strict(tmp_path: Path) -> None:
    """Python 3.13 verifies strictly unless told otherwise. A client that says nothing keeps no other waiting."""
    context = ssl.create_default_context()
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    tls = certificate(tmp_path / "switch.pem", authority(tmp_path / "authority.pem"))
    context.load_verify_locations(tmp_path / "authority.pem")
    with (
        eapi({"show a": {"b": 1}}, {}, tls=tls) as double,
        socket.create_connection(("127.0.0.1", double.port)),
    ):
        there = {"host": "127.0.0.1", "port": double.port, "username": "u", "password": "p", "timeout": 10}
        assert Node(HttpsEapiConnection(**there, context=context)).run_commands(["show a"]) == [{"b": 1}]
        with pytest.raises(ConnectionError, match="CERTIFICATE_VERIFY_FAILED"):
            Node(HttpsEapiConnection(**there, enforce_verification=True)).run_commands(["show a"])
    assert double.heard == ["u:p"]
