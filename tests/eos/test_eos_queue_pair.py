"""Hashing on the queue pair of RoCE, in EOS's words: against pyavd's, read back, and known by its cost."""

import re
from functools import cache

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.fabric import place_of
from fabricgen.platforms.eos.live.lines import LINES
from fabricgen.readback.rows import Key
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from tests.checks.intents import plan
from tests.eos.fleet import render
from tests.eos.in_order import assert_pyavds_in_its_order
from tests.readback.faults import read
from tests.some import some

MODE = Key("switch", "", "load-balancing")
FIELD = "port-channel load-balance trident udf eth-type IPv4 ip-protocol udp header outer l4 offset {} mask 0xff"
FIELDS = [FIELD.format(octet) for octet in (13, 14, 15)]


@cache
def switch(name: str) -> Device:
    site = make_site(plan({"fabrics.backend.load_balancing": "ecmp-queue-pair"}), "backend")
    place = place_of(site.fabric, name)
    assert place is not None
    return resolve(site, place)


@pytest.mark.parametrize("name", some(["be-leaf-000", "be-spine-00"], of=2))
def test_every_line_is_pyavds_in_its_order(name: str) -> None:
    ours = assert_pyavds_in_its_order(switch(name))
    assert [line for line in ours.splitlines() if " udf " in line] == FIELDS


def test_only_udp_is_hashed_by_octets_of_its_payload() -> None:
    """The same octets of TCP are its flags and its window, which differ from packet to packet of a flow."""
    assert all(" ip-protocol udp " in line for line in FIELDS)


@pytest.mark.parametrize(
    ("old", "new", "mode"),
    [
        ("", "", "ecmp-queue-pair"),
        ("mask 0xff", "mask 0xFF", "ecmp-queue-pair"),
        (" mask 0xff", "", "ecmp-queue-pair"),
        ("ip-protocol udp", "ip-protocol 17", "ecmp-queue-pair"),
        (FIELDS[1] + "\n", "", "ecmp, hash of UDP octets 13, 15"),
        ("offset 15", "offset 16", "ecmp, hash of UDP octets 13, 14, 16"),
        ("\n".join(FIELDS), "!", "ecmp"),
        ("\nno ip routing", "\nip hardware fib load-balance distribution dynamic\nno ip routing",
         "dlb-flowlet, hash of UDP octets 13, 14, 15"),
    ],
)  # fmt: skip
def test_what_a_switch_hashes_is_read(old: str, new: str, mode: str) -> None:
    text = render(switch("be-leaf-000"))
    assert old in text
    assert read("eos", text.replace(old, new) if old else text).rows[MODE].value == mode


@pytest.mark.parametrize("new", ["", "ip-protocol tcp ", "header inner l4 #"])
def test_a_field_of_other_packets_is_not_understood(new: str) -> None:
    text = render(switch("be-leaf-000")).replace("ip-protocol udp ", new)
    assert sum(" udf " in line.text for line in read("eos", text).unread) == 3


def test_a_field_has_the_cost_of_its_mode() -> None:
    (kind,) = {row.kind for row in LINES for field in FIELDS if not row.section and re.fullmatch(row.line, field)}
    assert kind == "load-balancing.mode"
