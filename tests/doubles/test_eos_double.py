"""What EOS takes and refuses beyond our own lines, as eos_words.py and eapi_sessions.py cite it; NAPALM agrees."""

from typing import Any

import pytest
from napalm import get_network_driver
from napalm.base.exceptions import CommandErrorException, MergeConfigException
from pyeapi.client import Node
from pyeapi.eapilib import CommandError, HttpEapiConnection

from tests.doubles.eapi_sessions import switch
from tests.doubles.eos_sessions import COULD_NOT_RUN, INCOMPATIBLE, MOST_PENDING, Switch
from tests.doubles.eos_tree import grown, printed, put
from tests.doubles.eos_words import whole
from tests.doubles.test_eapi_sessions import ask

TEXT = "hostname leaf\ninterface Ethernet1\n   description a\n   mtu 9214\n   ip address 10.0.0.1/31\n"


def napalm(box: Switch) -> Any:  # noqa: ANN401 - NAPALM has no types
    driver = get_network_driver("eos")("127.0.0.1", "u", "p", optional_args={"transport": "http", "port": box.port})
    driver.open()
    return driver


def after(*lines: str, text: str = TEXT) -> list[str]:
    """Lines of a configuration after these were typed."""
    tree = grown(text)
    headings: tuple[str, ...] = ()
    for line in lines:
        headings = put(tree, headings, line)
    return [line for line in printed(tree).splitlines() if line[0] not in "!" and line != "end"]


@pytest.mark.parametrize(
    ("typed", "name"),
    [("et1", "Ethernet1"), ("Et1/2", "Ethernet1/2"), ("eth 3", "Ethernet3"), ("ethernet1.10", "Ethernet1.10"),
     ("po10", "Port-Channel10"), ("lo0", "Loopback0"), ("Ma1", "Management1"), ("vlan 7", "Vlan7"), ("vx1", "Vxlan1")],
)  # fmt: skip
def test_a_port_has_a_short_name(typed: str, name: str) -> None:
    assert whole(f"interface {typed}") == f"interface {name}"
    assert after(f"interface {typed}", text="hostname leaf\n") == ["hostname leaf", f"interface {name}"]


@pytest.mark.parametrize("typed", ["v1", "xe1", "ethernet", "et1x"])
def test_what_is_no_port_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="no open mode knows"):
        after(f"interface {typed}")


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (("interface Ethernet1", "no mtu"), ["   description a", "   ip address 10.0.0.1/31"]),
        (("interface et1", "default mtu"), ["   description a", "   ip address 10.0.0.1/31"]),
        (("interface Ethernet1", "no ip address"), ["   description a", "   mtu 9214"]),
        (("interface Ethernet1", "no description", "no mtu", "no ip address 10.0.0.1/31"), []),
        (("default interface Ethernet1",), []),
        (("default interface et1", "interface et1", "mtu 1500"), ["   mtu 1500"]),
    ],
)
def test_a_setting_is_taken_away(lines: tuple[str, ...], left: list[str]) -> None:
    assert after(*lines) == ["hostname leaf", "interface Ethernet1", *left]


def test_a_section_is_taken_away() -> None:
    assert after("no interface Ethernet1") == ["hostname leaf"]
    assert after("no hostname") == after("interface et1", "no hostname")
    with pytest.raises(ValueError, match="no frobnicate"):
        after("interface Ethernet1", "no frobnicate")


def test_a_banner_has_lines_of_its_own() -> None:
    text = f"banner login\nOnly for\n  those who may!\n!\nEOF\n{TEXT}"
    assert grown(printed(grown(text))) == grown(text)
    with switch(TEXT) as box:
        driver = napalm(box)
        driver.load_replace_candidate(config=text)
        driver.commit_config()
        assert "banner login\nOnly for" in box.text()
        assert ask(box, "show banner login")["result"][1] == {"loginBanner": "Only for\nthose who may!\n"}
        node = Node(HttpEapiConnection(host="127.0.0.1", port=box.port, username="u", password="p"))  # noqa: S106
        node.config("banner login MULTILINE:one\ntwo")
        assert node.run_commands("show banner login", "text")[0]["output"] == "one\ntwo\n"
        node.config("no banner login")
        assert "banner" not in box.text()


def test_a_sixth_session_is_refused() -> None:
    with switch(TEXT) as box:
        names = [f"s{number}" for number in range(MOST_PENDING)]
        assert all("result" in ask(box, f"configure session {name}", "end") for name in names)
        assert "result" in ask(box, "configure session s1", "end"), "one that is open may be entered again"
        assert ask(box, "configure session more", "end")["error"]["code"] == COULD_NOT_RUN
        assert sorted(box.sessions) == names
        ask(box, "configure session s0", "abort")
        assert "result" in ask(box, "configure session more", "end")
        assert len(ask(box, "show configuration sessions")["result"][1]["sessions"]) == 5


@pytest.mark.parametrize(
    ("commands", "at", "words"),
    [
        (("show run",), 2, "Incomplete token (at token 1: 'run')"),
        (("shwo version",), 2, "Invalid input (at token 0: 'shwo')"),
        (("show frobnicate",), 2, "Invalid input (at token 1: 'frobnicate')"),
        (("configure session s", "int et1"), 3, "Incomplete token (at token 0: 'int')"),
        (("configure session s", "interface et1", "descriptin b"), 4, "Invalid input (at token 0: 'descriptin')"),
        (("disable", "show running-config"), 3, "Invalid input (privileged mode required)"),
    ],
)
def test_a_bad_command_draws_the_words_of_eos(commands: tuple[str, ...], at: int, words: str) -> None:
    with switch(TEXT) as box:
        error = ask(box, *commands, style="json" if "disable" not in commands else "text")["error"]
        assert error["message"].startswith(f"CLI command {at} of {len(commands) + 1} ")
        assert (error["code"], error["data"][-1]) == (1002, {"errors": [words]})


def test_what_api_may_not_do_has_a_code_of_its_own() -> None:
    with switch(TEXT) as box:
        error = ask(box, "reload")["error"]
        assert (error["code"], "incompatible command" in error["message"]) == (INCOMPATIBLE, True)


def test_words_are_cut_short_only_where_that_is_asked_for() -> None:
    with switch("alias when show version\n" + TEXT) as box:
        connection = HttpEapiConnection(host="127.0.0.1", port=box.port, username="u", password="p")  # noqa: S106
        assert "version" in connection.execute(["sh ver"], autoComplete=True)["result"][0]
        assert "version" in connection.execute(["when"], expandAliases=True)["result"][0]
        for command in ("sh ver", "when"):
            with pytest.raises(CommandError):
                connection.execute([command])


def test_what_napalm_saves_is_gone_back_to() -> None:
    with switch(TEXT) as box:
        driver = napalm(box)
        driver.load_merge_candidate(config="interface et1\n   no mtu\n")
        assert "-   mtu 9214" in driver.compare_config()
        driver.commit_config()
        assert "mtu" not in box.text()
        driver.rollback()
        assert box.running == grown(TEXT)


def test_napalm_is_told_of_a_slip() -> None:
    with switch(TEXT) as box:
        driver = napalm(box)
        with pytest.raises(MergeConfigException, match="descriptin"):
            driver.load_merge_candidate(config="interface Ethernet1\n   descriptin b\n")
        assert not box.sessions
        with pytest.raises(CommandErrorException):
            driver.cli(["show frobnicate"])


def test_a_configuration_is_changed_without_a_session() -> None:
    with switch(TEXT) as box:
        ask(box, "configure terminal", "interface et1", "mtu 1500", "exit", "hostname other", "exit")
        assert "   mtu 1500" in box.text()
        assert "hostname other" in box.text()
        assert ask(box, "show hostname")["result"][1]["hostname"] == "other"
