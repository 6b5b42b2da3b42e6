"""What a bundle does not say: each name by the same token everywhere, and in the form that the readers read."""

import json
import random
from ipaddress import IPv4Address

import pytest

from fabricgen.platforms.base.live.reader import JSON, TEXT, Output, ReadCommand
from fabricgen.prove.redact import ADDRESS, HOST, MAC, SERIAL, USER, Redactor


def redactor(**names: tuple[str, ...]) -> Redactor:
    found = Redactor(secrets=("c4n4ry-5b1e7",))
    for kind, known in names.items():
        found.know(kind, *known)
    return found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("8.8.8.8 8.8.8.4/32 9.9.9.9", "198.18.0.8 198.18.0.4/32 198.18.1.9"),
        ("network 8.8.0.0/16", "network 198.18.0.0/16"),
        ("neighbor 2a00:1450:4001:8::17", "neighbor 2001:db8::17"),
        ("to 2a00:1450:4001:8::/64, 2a00:1450::/32", "to 2001:db8::/64, 2001:db8::/32"),
        ("via ::ffff:8.8.8.8", "via ::ffff:198.18.0.8"),
        ("via ::ffff:808:808", "via ::ffff:198.18.0.8"),
        ("lladdr 50:6b:4b:12:34:56 and 506b.4b12.3456", "lladdr 02:00:00:00:00:01 and 0200.0000.0001"),
        ("fe80::526b:4bff:fe12:3456%swp1", "fe80::ff:fe00:1%swp1"),
        ("username bob privilege 15\n  user bob {", "username user-1 privilege 15\n  user user-1 {"),
        ("Serial number: JPE12345678, by bob on vty", "Serial number: serial-1, by user-1 on vty"),
        ("leaf7 leaf70 leaf7-x xleaf7 leaf7.dc (leaf7)", "host-1 leaf70 leaf7-x xleaf7 host-1.dc (host-1)"),
        ("password c4n4ry-5b1e7;", "password <removed>;"),
    ],
)  # fmt: skip
def test_a_text_loses_what_is_known_and_keeps_its_form(text: str, told: str) -> None:
    assert redactor(host=("leaf7",)).text(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "10.0.0.1 172.31.0.2/31 192.168.1.1 100.64.0.1 fd5e::1/64",
        "via ::ffff:10.0.0.1 and ::ffff:a80:c005",
        "0.0.0.0/0 ::/0 224.0.0.5 ff02::1 127.0.0.1 ::1",
        "version 8.4.4, 10.2(3), 5.10.0-1",
        "00:00:00:00:00:00 ff:ff:ff:ff:ff:ff 01:80:c2:00:00:0e",
        "rd 10.0.0.1:7 65000:10110",
    ],
)
def test_what_names_nobody_stays(text: str) -> None:
    assert redactor().text(text) == text


def test_one_name_is_one_token_over_all_outputs_and_forms() -> None:
    found = redactor(host=("leaf7", "spine1"))
    text = found.text("spine1 sees leaf7 at 8.8.8.8, 50:6b:4b:12:34:56")
    value = found.value({
        "leaf7": {"serialNumber": "JPE1", "userName": "bob", "peers": ["8.8.8.8", {"mac": "50:6b:4b:12:34:56"}]},
        "8.8.8.8": '{"hostname": "spine1", "local": "8.8.8.9"}',
    })  # fmt: skip
    assert text == "host-2 sees host-1 at 198.18.0.8, 02:00:00:00:00:01"
    assert value == {
        "host-1": {
            "serialNumber": "serial-1",
            "userName": "user-1",
            "peers": ["198.18.0.8", {"mac": "02:00:00:00:00:01"}],
        },
        "198.18.0.8": json.dumps({"hostname": "host-2", "local": "198.18.0.9"}, indent=1),
    }
    assert {kind: n for kind, n in found.counts().items() if n} == {HOST: 2, USER: 1, SERIAL: 1, ADDRESS: 1, MAC: 1}


def test_names_that_an_output_says_are_known_everywhere() -> None:
    found = redactor()
    found.learn({"peers": {"10.0.0.1": {"hostname": "fw-7.acme.example", "state": "Established"}}})
    found.learn("!\nhostname core3\nip domain-name acme.example\ninterface swp1\n")
    found.learn('{"sysName": "tor9", "mgmtIp": "10.0.0.9"}')
    found.learn([{"hostname": "localhost"}, {"hostname": "10.0.0.4"}, {"domain": "bgp"}])
    assert found.text("fw-7 fw-7.acme.example core3 tor9.acme.example bgp localhost 10.0.0.4 swp1") == (
        "host-1 host-1.domain-1 host-2 host-3.domain-1 bgp localhost 10.0.0.4 swp1"
    )


@pytest.mark.parametrize("text", ["username admin privilege 15", "hostname switch", "user root {"])
def test_names_that_a_system_comes_with_stay(text: str) -> None:
    found = redactor()
    found.learn(text)
    assert found.text(text) == text


def test_a_configuration_loses_its_secrets_first() -> None:
    running = ReadCommand("running", "show run", TEXT)
    startup, other = ReadCommand("startup", "show start", TEXT), ReadCommand("bgp", "show bgp", JSON)
    outputs = {
        "show run": Output(" neighbor 10.0.0.1 password hunter2\n"),
        "show start": Output("username bob secret sha512 $6$abcdef$ghijkl\n"),
        "show bgp": Output({"peer": "10.0.0.1"}),
        "show x": Output(None, "8.8.8.8 said no"),
    }
    found = redactor().outputs(outputs, (running, startup, other))
    assert found["show run"].value == " neighbor 10.0.0.1 password <removed>\n"
    assert found["show start"].value == "username user-1 secret sha512 <removed>\n"
    assert found["show bgp"] == outputs["show bgp"]
    assert found["show x"] == Output(None, "198.18.0.8 said no")


def addresses(count: int) -> list[IPv4Address]:
    dice = random.Random(7)  # noqa: S311 - no secret
    return [IPv4Address(dice.getrandbits(32)) for _ in range(count)]


def test_what_is_redacted_twice_is_redacted_once() -> None:
    for address in addresses(300):
        once = redactor().text(f"at {address}")
        assert redactor().text(once) == once, address


def test_different_addresses_stay_different_and_keep_their_host_bits() -> None:
    found = redactor()
    public = [str(one) for one in dict.fromkeys(addresses(300)) if one.is_global and not one.is_multicast]
    assert len(public) > 200
    told = [found.text(one) for one in public]
    assert len(set(told)) == len(told)
    assert [one.rpartition(".")[2] for one in told] == [one.rpartition(".")[2] for one in public]
