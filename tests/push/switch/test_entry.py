"""By which way a driver comes in: its service, its account, and the address that the switch sees."""

from pathlib import Path

import pytest

from fabricgen.platforms.base.live.entry import Entry, known_address, local_address
from tests.push.boxed import USER, at, fleet
from tests.push.live.test_kills_doubles import WORLDS, no_traffic

__all__ = ("no_traffic",)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1%eth0", "fe80::1"),
        ("2001:db8:0::7", "2001:db8::7"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("", ""),
        ("UNKNOWN", ""),
    ],
)
def test_an_address_is_told_in_its_usual_form_and_loopback_is_none(text: str, address: str) -> None:
    assert known_address(text) == address


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "no such name"])
def test_to_a_tunnel_on_this_host_and_to_an_unknown_name_there_is_no_source(host: str) -> None:
    assert local_address(host) == ""


SERVICES = {"eos": "api", "junos": "netconf", "sonic": "ssh", "cumulus": "ssh", "srlinux": "api"}


@pytest.mark.parametrize("name", WORLDS)
def test_each_driver_says_by_which_service_it_comes(name: str, tmp_path: Path) -> None:
    """Doubles listen on loopback; that of Junos says where its sessions come from."""
    with WORLDS[name](tmp_path / "world") as world, fleet(world.site, name) as reach:
        found = at(reach, lambda box: box.entry())
    assert found == Entry(SERVICES[name], USER, "192.0.2.7" if name == "junos" else "")
