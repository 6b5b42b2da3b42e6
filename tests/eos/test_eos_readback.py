"""EOS text is read back: all that the platform renders, faults in it, and forms of running configurations."""

import re
import time

import pytest

from fabricgen.audit.switch import audited
from fabricgen.platforms.eos.readback.readback import EOS
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.rows import A_VALUE, SETTINGS, Key
from tests import release_lines
from tests.eos.readback_faults import FAULTS
from tests.eos.readback_texts import RECORDED, TOLD
from tests.readback.faults import (
    Fault,
    Rendered,
    Told,
    found,
    hostile,
    miscounted,
    mixed,
    problems,
    read,
    rendered,
    seen_on_its_line,
    text_of,
    with_idle,
    wrong,
)
from tests.readback.sites import STAGES, switches
from tests.some import LONG, some

SYSTEM = "eos"


def test_what_is_rendered_reads_back_as_its_device() -> None:
    told = [line for switch in rendered(SYSTEM) for line in problems(switch)]
    assert not told, "\n".join(told[:40])


@pytest.mark.parametrize("version", some(release_lines.versions(SYSTEM)))
def test_every_release_reads_back_as_its_device(version: str) -> None:
    for device in release_lines.switches(SYSTEM):
        made = device._replace(version=version)
        switch = Rendered(made, text_of(made), READBACKS[SYSTEM].expected(made))
        assert not problems(switch)
        wrong_port = re.sub(r"(?m)^(logging .*-interface) .*", r"\1 Ethernet1", switch.text)
        seen = [line.text for line in read(SYSTEM, wrong_port).unread]
        assert any(line.startswith("logging vrf") for line in seen) == bool(made.management.syslog)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_seen_on_its_line(fault: Fault) -> None:
    assert seen_on_its_line(SYSTEM, fault)


def test_every_setting_of_a_device_is_read_or_left_out_with_a_reason() -> None:
    switches = rendered(SYSTEM)
    shown = {(key.thing, key.setting) for switch in switches for key, value in switch.expected.items() if value}
    rows = {(key.thing, key.setting) for switch in switches for key in read(SYSTEM, switch.text).rows}
    excused = {(*reason.split("."),) for reason in EOS.not_shown}
    assert shown - rows == set()
    assert not excused & rows
    assert all(setting in SETTINGS[thing] for thing, setting in excused)


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.name)
def test_the_language_is_read_not_our_rendering(told: Told) -> None:
    assert not wrong(SYSTEM, told)


def test_a_recorded_configuration_is_understood() -> None:
    reading = read(SYSTEM, RECORDED)
    assert len(reading.unread) == 2, reading.unread
    assert not miscounted(RECORDED, reading)


def test_a_shut_part_of_a_cage_keeps_its_speed() -> None:
    switch = with_idle(next(row for row in rendered(SYSTEM) if row.device.role == "spine"))
    name = switch.device.interfaces.idle[0].name
    assert not problems(switch)
    lost = Fault("speed", rf"(interface {name}\n(?:.*\n)*?) +speed .*\n", r"\1", "port", "speed")
    seen = found(switch, lost)
    assert seen is not None
    assert (name, "speed") in {(row.name, row.setting) for row in seen.rows}


def test_order_and_depth_of_lines_do_not_count() -> None:
    texts = {(switch.device.role, switch.device.qos is None): switch.text for switch in rendered(SYSTEM)}
    for text in texts.values():
        plain, other = read(SYSTEM, text), read(SYSTEM, mixed(text, len(text)))
        assert len(plain.unread) == len(other.unread)
        assert {key: row.value for key, row in plain.rows.items()} == {
            key: row.value for key, row in other.rows.items()
        }


@pytest.mark.parametrize("count", [12, pytest.param(60, marks=LONG)])
def test_hostile_texts_never_raise(count: int) -> None:
    texts = {switch.device.role: switch.text for switch in rendered(SYSTEM)}
    for rendered_text in texts.values():
        for text in hostile(rendered_text, count):
            assert not miscounted(text, read(SYSTEM, text))


def test_time_grows_with_the_text() -> None:
    line = "   neighbor 10.0.0.1 " + "a" * 50_000 + "\n"
    begun = time.process_time()
    read(SYSTEM, "router bgp 1\n" + line * 20 + "x" * 1_000_000 + "\n" + " ".join(["1.1"] * 100_000))
    read(SYSTEM, "ip prefix-list A\n" + "   seq 1 permit " + "1.1.1." * 100_000)
    assert time.process_time() - begun < 5


def test_a_secret_is_kept_nowhere() -> None:
    text = (
        "username a privilege 15 role network-admin secret sha512 $6$hush\n"
        "tacacs-server host 10.0.0.1 key 7 hush\n"
        "snmp-server user u g v3 auth sha hush priv aes hush\n"
        "router bgp 1\n   neighbor 10.0.0.1 remote-as 2\n   neighbor 10.0.0.1 password 7 hush\n"
    )
    reading = read(SYSTEM, text)
    assert "hush" not in repr(reading.rows)
    assert reading.rows[Key("session", "10.0.0.1", "password")].value == A_VALUE
    assert not reading.unread


@pytest.mark.parametrize("line", ["no ip routing", "no ip routing vrf red"])
def test_a_later_no_takes_routing_back(line: str) -> None:
    device, files = next(row for row in switches(STAGES / "eos/intent.yaml") if row[0].name == "fe-leaf-000")
    text = files["startup-config"].replace("\nend\n", f"\n{line}\nend\n")
    found = audited(device, {"startup-config": text}, filled=False).findings
    assert [row.difference.name for row in found] == [line.removeprefix("no ")]
