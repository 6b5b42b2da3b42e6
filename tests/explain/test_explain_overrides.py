"""What differs from the rule shows with its place: states by selector and file, spare ports, lengths, raw lines."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.explain.asking import DEMO, asked, one

OVERRIDES = """\
overrides:
  be-leaf-*: {state: drained}
  be-leaf-003: {state: active}
  be-leaf-002/Ethernet7/1: {state: absent}
  fe-spine-01/Ethernet5/1: {state: dead}
  train[16-20]: {state: drained}
  train[17]: {state: absent}
raw:
- {system: eos, device: be-leaf-*, lines: ["banner login", "welcome"]}
- {system: eos, role: spine, lines: ["banner login"]}
"""
PLACEMENT = "slot,hostname,rack,state\ntrain[3],gpu-a3,A07,absent\ntrain[17],gpu-b1,A08,drained\ntrain[5],gpu-c5,,\n"
CABLES = "device,port,length_m,kind\nbe-leaf-001,Ethernet33/1,12.5,optic\ngpu-a3,OSFP4P2,3,\n"

Site = Callable[..., Path]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """The demo with these lines behind it, in a folder of its own."""

    def write(more: str = "", *, lock: bool = True, edits: tuple[tuple[str, str], ...] = (), **files: str) -> Path:
        text = DEMO.read_text()
        for old, new in edits:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "intent.yaml"
        path.write_text(text + more)
        for name, content in files.items():
            (tmp_path / f"{name}.csv").write_text(content)
        if lock:
            shutil.copy(DEMO.with_name("fabricgen.lock"), tmp_path)
        return path

    return write


@pytest.fixture
def whole(site: Site) -> Path:
    edits = (("cables: {default", "placement: placement.csv\ncables: {file: built.csv, default"),)
    return site(OVERRIDES, edits=edits, placement=PLACEMENT, built=CABLES)


def _line(path: Path, text: str) -> int:
    return path.read_text().splitlines().index(text) + 1


def test_a_drained_device_and_the_glob_that_says_so(whole: Path) -> None:
    told = one("be-leaf-002", intent=whole)
    line = _line(whole, "  be-leaf-*: {state: drained}")
    assert told.values("state") == ["drained"]
    assert told.facts["override"] == [
        ("be-leaf-002 is drained", "", f"intent.yaml:{line}:3"),
        ("be-leaf-002/Ethernet7/1 is absent", "", f"intent.yaml:{line + 2}:3"),
    ]


def test_the_name_of_a_device_outdoes_a_glob_and_both_are_told(whole: Path) -> None:
    told = one("be-leaf-003", intent=whole)
    line = _line(whole, "  be-leaf-003: {state: active}")
    assert told.values("state") == ["active"]
    assert told.facts["override"] == [
        ("be-leaf-003 is active", "", f"intent.yaml:{line}:3"),
        ("drained is overridden by be-leaf-003", "", f"intent.yaml:{line - 1}:3"),
    ]


def test_no_override_is_no_line() -> None:
    assert "override" not in one("be-leaf-003").facts
    assert "override" not in one("10.64.3.24").facts


def test_an_uplink_of_what_is_drained_and_one_that_is_absent(site: Site) -> None:
    path = site(
        "overrides:\n  be-spine-01: {state: drained}\n  be-leaf-001/Ethernet33/1: {state: drained}\n"
        "  be-spine-02/Ethernet1/5: {state: absent}\n"
    )
    states = {
        "33/1": "enabled in the configuration, drained: routes over it have the lowest preference",
        "34/1": "shut down: one of the ends is absent",
        "34/5": "enabled in the configuration",
    }
    for port, state in {**states, "33/5": states["33/1"]}.items():
        assert one(f"be-leaf-001/Ethernet{port}", intent=path).values("state") == [state]
    # Uplink 2 is on spine 2, port 0 + row 1: the override stands at the far end.
    assert one("be-leaf-001/Ethernet34/1", intent=path).values("override") == ["be-spine-02/Ethernet1/5 is absent"]
    told = one("fe-leaf-002/Ethernet30/1", intent=path)
    assert told.facts["lower address"][0][1] == "block + 2 × u = 10.128.0.32 + 2 × 1"


def test_an_absent_port(whole: Path) -> None:
    for words in (("be-leaf-002", "Ethernet7/1"), ("10.64.2.24",), ("10.64.2.25",)):
        told = one(*words, intent=whole)
        assert told.values("state") == ["shut down: the port is absent"]
        assert told.values("override") == ["be-leaf-002 is drained", "be-leaf-002/Ethernet7/1 is absent"]


def test_a_dead_port_and_its_spare(whole: Path) -> None:
    """The highest row that no leaf is planned for, 31 of 32, takes the cable of row 4; the address stays."""
    place = f"intent.yaml:{_line(whole, '  fe-spine-01/Ethernet5/1: {state: dead}')}:3"
    dead = one("fe-spine-01/Ethernet5/1", intent=whole)
    assert dead.values("binding") == ["dead: the spare port Ethernet32/1 has its cable and its addresses"]
    assert dead.facts["override"] == [("fe-spine-01/Ethernet5/1 is dead", "", place)]
    spare = one("fe-spine-01/Ethernet32/1", intent=whole)
    assert spare.values("binding") == ["it has the cable of Ethernet5/1, a dead port: the addresses stay"]
    assert spare.facts["override"] == [("fe-spine-01/Ethernet5/1 is dead", "", place)]
    before = one("fe-spine-01/Ethernet5/1")
    assert (
        spare.values("upper address")
        == before.values("upper address")
        == ["10.128.0.35/31", "fd5e:8c1f:2a00:1000::23/127"]
    )
    assert one("10.128.0.35", intent=whole).title == (
        "10.128.0.35: fe-spine-01 Ethernet32/1, towards fe-leaf-002 Ethernet30/1"
    )


def test_an_absent_slot_of_the_intent_outdoes_range_and_placement_file(whole: Path) -> None:
    line = _line(whole, "  train[17]: {state: absent}")
    told = one("train[17]", intent=whole)
    assert told.title == "gpu-b1: server in slot train[17]"
    assert told.values("state") == ["absent"]
    assert told.facts["override"] == [
        ("train[17] is absent", "", f"intent.yaml:{line}:3"),
        ("drained is overridden by train[17]", "", f"intent.yaml:{line - 1}:3"),
        ("drained is overridden by train[17]", "", "placement.csv:3:22"),
    ]
    port = one("be-leaf-000/Ethernet9/5", intent=whole)
    assert port.values("state") == ["shut down: reserved for a planned server"]
    assert "train[17] is absent" in port.values("override")


def test_a_slot_that_the_placement_file_calls_absent(whole: Path) -> None:
    told = one("gpu-a3", intent=whole)
    assert told.facts["override"] == [("train[3] is absent", "", "placement.csv:2:21")]
    assert told.facts["placement"] == [
        ("slot train[3], hostname gpu-a3, rack A07, state absent", "", "placement.csv:2:1")
    ]
    assert one("10.64.0.7", intent=whole).title == "10.64.0.7: gpu-a3 OSFP4P2, at be-leaf-000 Ethernet2/5"
    assert "override" not in one("gpu-c5", intent=whole).facts
    assert one("train-004", intent=whole).title == "train-004: server in slot train[4]"


def test_the_length_of_the_cable_file_by_either_end(whole: Path) -> None:
    assert one("be-spine-00/Ethernet1/5", intent=whole).facts["length"] == [("12.5 m", "", "built.csv:2:26")]
    assert one("be-leaf-000/Ethernet2/5", intent=whole).facts["length"] == [("3 m", "", "built.csv:3:16")]
    assert one("be-leaf-000/Ethernet3/1", intent=whole).facts["length"][0][2].startswith("intent.yaml:")


def test_a_default_that_nobody_wrote_is_called_one(site: Site) -> None:
    path = site(edits=(("cables: {default: {server_leaf: 5, leaf_spine: 40, border_external: 30}}\n", ""),))
    assert one("be-leaf-000/Ethernet3/1", intent=path).facts["length"] == [("5 m", "", "")]


def test_raw_lines_by_device_and_by_role(whole: Path) -> None:
    line = _line(whole, "raw:")
    assert one("be-leaf-002", intent=whole).facts["raw"] == [
        ("2 lines for the main file", "", f"intent.yaml:{line + 1}:3")
    ]
    assert one("be-spine-01", intent=whole).facts["raw"] == [
        ("1 line for the main file", "", f"intent.yaml:{line + 2}:3")
    ]
    assert "raw" not in one("fe-border-00", intent=whole).facts


def test_a_drained_leaf_hands_its_servers_to_the_other(site: Site) -> None:
    path = site("overrides: {fe-leaf-002: {state: drained}}\n")
    told = one("fe-leaf-002/Ethernet1/1", intent=path)
    assert told.values("state") == ["shut down: the leaf is drained, and the server has another leaf"]
    assert one("fe-leaf-003/Ethernet1/1", intent=path).values("state") == [
        "enabled in the configuration: slot train[0] has a server"
    ]


def test_a_lock_that_is_not_written_yet(site: Site) -> None:
    path = site(lock=False)
    told = one("be-leaf-003", intent=path)
    assert told.facts["ASN"] == [("4201000003", "asn + n = 4201000000 + 3", "")]
    assert not path.with_name("fabricgen.lock").exists()


def test_a_run_that_the_next_render_adds(site: Site) -> None:
    """A seventh and eighth unit: the lock has six, so their run starts behind all others."""
    path = site(edits=(("slots: 0-31, planned: 192", "slots: 0-31, planned: 256"),))
    old, new = one("be-leaf-003", intent=path), one("be-leaf-024", intent=path)
    assert old.facts["name"][0][2] == "fabricgen.lock:4:3"
    assert new.facts["name"] == [("be-leaf-024", "first + n = 24 + 0, 3 digits", "")]
    assert new.facts["number"][0][1] == "position in this line of the lock: (su 6 - 6) × 4 + rail 0"
    assert new.facts["ASN"][0][:2] == ("4201000025", "asn + n = 4201000025 + 0")


def test_numbers_of_what_is_gone_are_kept(site: Site) -> None:
    path = site(
        edits=(
            ("  store: {model: storage-2x200, slots: 0-7, planned: 24}\n", ""),
            (", store: data}", "}"),
            ('    servers: ["store[0-7]"]\n', "    servers: []\n"),
        )
    )
    (told,) = asked("10.128.0.17", intent=path)
    assert told.title == "10.128.0.17: in the block of fe-leaf-000, which the intent no longer has"
    assert one("fe-leaf-000", intent=path).values("state") == [
        "reserved in the lock for a fabric or server group that the intent no longer has"
    ]
    assert one("4202000002", intent=path).title == "AS 4202000002: fe-leaf-000 of frontend"


def test_a_name_that_changed_keeps_its_line_of_the_lock(site: Site) -> None:
    path = site(
        edits=(
            ("  research:\n", "  science:\n    was: research\n"),
            ("  frontend:\n", "  front:\n    was: frontend\n"),
        )
    )
    assert one("science", intent=path).facts["VRF id"][0][::2] == ("1", "fabricgen.lock:11:3")
    assert one("fe-leaf-002", intent=path).facts["name"][0][2] == "fabricgen.lock:8:3"


def test_a_border_leaf_of_a_model_of_its_own(site: Site) -> None:
    border = "    border: {model: arista-7050cx4-24d8, os: eos-4.34}\n    evpn: {admin"
    path = site(edits=(("    evpn: {admin", border),))
    line = _line(path, border.partition("\n")[0])
    assert one("fe-border-00", intent=path).facts["hardware"][0][2] == f"intent.yaml:{line}:5"
    assert one("fe-leaf-002", intent=path).facts["hardware"][0][2] == "intent.yaml:43:5"


@pytest.mark.parametrize(
    ("last", "rest"),
    [(167, " and 7 more"), (95, ", fe-leaf-009")],
)
def test_of_many_names_the_first_and_the_count(site: Site, last: int, rest: str) -> None:
    """Units of 24 slots with two leaves: up to slot 167 fourteen leaves, up to 95 eight, which are listed whole."""
    path = site(
        edits=(
            ("slots: 0-31, planned: 192", f"slots: 0-{last}, planned: 192"),
            ('["train[16-31]"]', f'["train[16-{last}]"]'),
            ("spines: {now: 4, planned: 16}", "spines: {now: 16, planned: 16}"),
        )
    )
    names = ", ".join(f"fe-leaf-{number:03d}" for number in range(2, 9))
    assert one("serving", intent=path).values("leaves") == [f"{names}{rest}"]


SETTINGS = """\
overrides:
  backend: {mtu: 9100, bgp: {bfd: true}}
  backend/leaf: {roce: {watchdog: {detect_ms: 250}}}
  be-leaf-00[0-3]: {roce: {watchdog: {detect_ms: 300}}}
  be-leaf-003: {os: eos-4.34.1, mtu: 9120}
  be-leaf-003/Ethernet1/1: {description: loaner}
  link:be-spine-02/Ethernet14/5: {mtu: 9050, state: dead}
"""


def test_settings_of_a_switch_the_winner_first(site: Site) -> None:
    path = site(SETTINGS)
    told = one("be-leaf-003", intent=path)
    assert told.values("setting") == [
        "os: eos-4.34.1",
        "mtu: 9120",
        "roce.watchdog.detect_ms: 300",
        "roce.watchdog.detect_ms: 250 is overridden by be-leaf-00[0-3]",
        "mtu: 9100 is overridden by be-leaf-003",
        "bgp.bfd: true",
        "description: loaner",
        "mtu: 9050",
    ]
    assert told.values("override") == ["the cable of be-leaf-003/Ethernet40/1 is dead"]
    own = _line(path, "  be-leaf-003: {os: eos-4.34.1, mtu: 9120}")
    assert [place for _, _, place in told.facts["setting"][:2]] == [f"intent.yaml:{own}:17", f"intent.yaml:{own}:33"]
    assert one("be-spine-01", intent=path).values("setting") == ["mtu: 9100", "bgp.bfd: true"]


def test_a_cable_says_at_either_end_what_is_said_of_it(site: Site) -> None:
    path = site(SETTINGS)
    for device, port in (("be-leaf-003", "Ethernet40/1"), ("be-spine-02", "Ethernet14/5")):
        told = one(device, port, intent=path)
        assert "mtu: 9050" in told.values("setting")
        assert "configured, and not expected to be up: the cable or a switch is dead" in told.values("state")


def test_a_server_behind_a_leaf_that_is_away(site: Site) -> None:
    path = site("overrides:\n  be-leaf-003: {state: absent}\n  be-leaf-002: {state: dead}\n")
    assert one("be-leaf-003", "Ethernet1/1", intent=path).values("state") == [
        "none: the leaf is absent, its addresses stay reserved"
    ]
    assert one("be-leaf-002", "Ethernet1/1", intent=path).values("state") == [
        "configured, and not expected to be up: the cable or the leaf is dead"
    ]
    assert one("be-leaf-003", intent=path).values("state") == ["absent"]
