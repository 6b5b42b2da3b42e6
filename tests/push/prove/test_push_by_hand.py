"""Lines that somebody typed since the last push: found, named, and undone by no push that does not name them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.platforms.eos.live.drift import drift as eos
from fabricgen.platforms.frr.live.drift import drift as frr
from fabricgen.platforms.sonic.live.drift import drift as sonic
from fabricgen.push.journal.journal import open_journal, read_journal
from fabricgen.push.model import RunOutcome
from fabricgen.push.plan.by_hand import HandLine, parts, typed, undone, unmerged
from fabricgen.state.state import Pushed
from fabricgen.verify.judge.config import judge_drift
from fabricgen.verify.judge.ledger import Ledger
from tests.push.act.test_push_run import NAMES, NEW, World, no_traffic  # noqa: F401 - a fixture

EOS = "hostname leaf\ninterface Ethernet1/1\n   mtu 9214\n   ip address 10.0.0.1/31\nip routing\n"
SHUT = EOS.replace("   mtu 9214\n", "   mtu 9214\n   shutdown\n")
FRR = "hostname leaf\n!\ninterface swp1\n description spine\nexit\n!\nrouter bgp 65001\n bgp router-id 10.0.0.1\nexit\n"
FILE = "/etc/network/interfaces"


def test_a_shutdown_is_found_and_is_undone_by_what_has_none() -> None:
    (line,) = typed("leaf", {"": EOS}, {"": SHUT}, eos, {})
    assert (str(line), line.present, line.is_shut) == ("leaf: interface Ethernet1/1 / shutdown", True, True)
    assert undone([line], {"": EOS.replace("9214", "9000")}, {"": SHUT}, eos, {}) == (line,)
    assert undone([line], {"": SHUT}, {"": SHUT}, eos, {}) == ()  # the intent has it now
    assert line.is_named(line.id)
    assert line.is_named("leaf:  interface Ethernet1/1 / shutdown")
    assert not line.is_named("leaf: interface Ethernet1/2 / shutdown")
    assert not line.is_named("leaf")


def test_a_line_and_its_opposite_are_one_stroke() -> None:
    then = EOS.replace("   mtu 9214\n", "   no shutdown\n")
    (line,) = typed("leaf", {"": then}, {"": EOS.replace("   mtu 9214\n", "   shutdown\n")}, eos, {})
    assert line.place == "interface Ethernet1/1 / shutdown"


def test_a_section_that_comes_with_a_line_is_none_of_its_own() -> None:
    """FRR prints no section of an interface without a setting."""
    then = FRR.replace("interface swp1\n description spine\nexit\n!\n", "")
    now = FRR.replace("description spine", "shutdown")
    (line,) = typed("leaf", {"": then}, {"": now}, frr, {})
    assert line.place == "interface swp1 / shutdown"
    assert undone([line], {"": then}, {"": now}, frr, {}) == (line,)


def test_a_line_that_somebody_removed_is_brought_back_by_a_push() -> None:
    now = EOS.replace("ip routing\n", "")
    (line,) = typed("leaf", {"": EOS}, {"": now}, eos, {})
    assert (line.place, line.present, line.is_shut) == ("ip routing", False, False)
    assert undone([line], {"": EOS}, {"": now}, eos, {}) == (line,)
    assert undone([line], {"": now}, {"": now}, eos, {}) == ()


def test_what_the_intent_changes_is_nobodys_hand() -> None:
    assert typed("leaf", {"": EOS}, {"": EOS}, eos, {}) == ()
    goal = {"": EOS.replace("9214", "9000")}
    assert undone(typed("leaf", {"": EOS}, {"": SHUT}, eos, {}), goal, {"": EOS}, eos, {}) == ()


def test_of_frr_and_sonic() -> None:
    shut = FRR.replace(" description spine\n", " description spine\n shutdown\n")
    (line,) = typed("leaf", {"": FRR}, {"": shut}, frr, {})
    assert (line.place, line.is_shut) == ("interface swp1 / shutdown", True)
    row = '{"PORT": {"Ethernet0": {"admin_status": "%s", "mtu": "9100"}}}'
    found = typed("leaf", {"": row % "up"}, {"": row % "down"}, sonic, {})
    assert {(one.line.split()[-1].strip('"'), one.present) for one in found} == {("down", True), ("up", False)}
    assert set(undone(found, {"": row % "up"}, {"": row % "down"}, sonic, {})) == set(found)


def test_of_a_file_beside_the_main_one() -> None:
    text = f"hostname leaf\n{FILE}\niface swp1\n    mtu 9216\n"
    then, now = parts(text, [FILE]), parts(text.replace("9216", "1500"), [FILE])
    assert then == {"": "hostname leaf\n", FILE: "iface swp1\n    mtu 9216\n"}
    found = typed("leaf", then, now, eos, {})
    place = f"{FILE} / iface swp1 / mtu"
    assert [(one.place, one.present) for one in found] == [(f"{place} 1500", True), (f"{place} 9216", False)]
    assert undone(found, then, now, eos, {}) == found


STANZAS = (
    "auto swp1\niface swp1\n    alias spine\n    mtu 9216\n\nauto swp4\niface swp4\n    mtu 9216\n    link-down yes\n"
)
HEADS = {FILE: COMMIT_PROFILES["frr"].heads["interfaces"]}


@pytest.mark.parametrize(
    ("had", "has", "place", "is_shut"),
    [
        ("    alias spine\n", "    alias spine\n    link-down yes\n", "iface swp1 / link-down yes", True),
        ("    alias spine\n", "    alias spine\nlink-down yes\n", "iface swp1 / link-down yes", True),  # no indent
        ("    link-down yes\n", "", "iface swp4 / link-down yes", False),
        ("    alias spine\n", "    alias spine\n# ticket 7\n", "iface swp1 / # ticket 7", False),
    ],
)
def test_a_line_that_another_port_has_too_is_seen(had: str, has: str, place: str, *, is_shut: bool) -> None:
    """Each port has its own stanza, and the same line in another is another line."""
    then, now = {"": "", FILE: STANZAS}, {"": "", FILE: STANZAS.replace(had, has)}
    (line,) = typed("leaf", then, now, frr, HEADS)
    assert (str(line), line.present, line.is_shut) == (f"leaf: {FILE} / {place}", bool(has), is_shut)
    assert undone([line], then, now, frr, HEADS) == (line,)
    assert undone([line], now, now, frr, HEADS) == ()


def test_a_stanza_that_somebody_adds_is_its_lines() -> None:
    then, now = {"": "", FILE: STANZAS}, {"": "", FILE: STANZAS + "\niface swp9\n    mtu 9216\n"}
    assert [line.place for line in typed("leaf", then, now, frr, HEADS)] == [f"{FILE} / iface swp9 / mtu 9216"]


def test_of_a_file_whose_sections_are_indented() -> None:
    """frr.conf beside the main file of SONiC."""
    path = "/etc/sonic/frr/frr.conf"
    text = "router bgp 1\n neighbor A shutdown\n address-family ipv4 unicast\n  maximum-paths 4\n exit-address-family\n"
    then, other = {path: text + text.replace("bgp 1", "bgp 2 vrf blue")}, text.replace("paths 4", "paths 8")
    now = {path: other + text.replace("bgp 1", "bgp 2 vrf blue")}
    place = "router bgp 1 / address-family ipv4 unicast / maximum-paths"
    found = [(line.place, line.present) for line in typed("leaf", then, now, sonic, {})]
    assert found == [(f"{path} / {place} 8", True), (f"{path} / {place} 4", False)]


def test_an_id_is_of_the_switch_the_line_and_the_way() -> None:
    line = HandLine("leaf", "", ("interface swp1",), "shutdown", present=True)
    others = (line._replace(device="other"), line._replace(line="no shutdown"), line._replace(present=False))
    assert len({line.id, *(one.id for one in others)}) == 4
    assert line.id == line._replace(line="  shutdown ").id


NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def test_the_journal_keeps_what_was_committed_and_a_journal_of_an_earlier_release_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "push.sqlite"
    with open_journal(path, lambda: NOW) as journal:
        journal._database.execute("DROP TABLE committed")  # as one of an earlier release is
    with read_journal(path) as reader:
        assert reader.committed("leaf") is None
    world = World(tmp_path)
    assert world.run() is RunOutcome.DONE
    with open_journal(path, lambda: NOW) as journal:
        assert {name: found.text for name in NAMES if (found := journal.committed(name))} == dict.fromkeys(NAMES, NEW)
        journal.is_sure("leaf-0", sure=False)
        assert journal.committed("leaf-0") is None
        journal.is_sure("leaf-0", sure=True)
        assert journal.committed("leaf-0") is not None
        journal.keep(1, "leaf-0", "ä\udcff")
        assert (found := journal.committed("leaf-0")) is not None
        assert (found.text, found.at) == ("ä\udcff", NOW)


@pytest.mark.parametrize("broken", ["leaf-1", "spine-0"])
def test_what_goes_back_is_still_what_was_committed(tmp_path: Path, broken: str) -> None:
    world = World(tmp_path)
    world.run()
    world.texts[broken] = "broken"
    assert world.run() is RunOutcome.FAILED
    with read_journal(tmp_path / "push.sqlite") as journal:
        found = journal.committed(broken)
    assert found is not None
    assert (found.run, found.text, world.switches[broken].running) == (1, NEW, NEW)


def test_verify_tells_what_was_typed_apart_from_what_was_not_pushed() -> None:
    """The intent has another MTU since the push, and somebody shut the port."""
    book = Ledger("leaf", {})
    judge_drift(book, EOS.replace("9214", "9000"), SHUT, eos, Pushed(7, "2026-11-23 12:00 UTC", EOS))
    found = {(one.code, one.expected, one.actual) for one in book.verdict().findings}
    assert found == {
        ("line-by-hand", "no such line", "shutdown"),
        ("drift-extra", "no such line", "mtu 9214"),
        ("drift-missing", "mtu 9000", "mtu 9214"),
    }
    (hand,) = (one for one in book.verdict().findings if one.code == "line-by-hand")
    assert (hand.subject, hand.problem) == (
        "interface Ethernet1/1",
        "was changed manually since run 7 of 2026-11-23 12:00 UTC",
    )


def test_without_a_journal_all_is_drift() -> None:
    book = Ledger("leaf", {})
    judge_drift(book, EOS, SHUT, eos)
    assert [one.code for one in book.verdict().findings] == ["drift-extra"]


def test_a_drift_is_a_line_under_its_section() -> None:
    """What the tests above rest on."""
    assert eos(EOS, SHUT) == (Drift(("interface Ethernet1/1",), "shutdown", present=True),)


def test_what_came_beside_merged_lines_is_told_apart_where_a_switch_shows_lines_as_they_were_merged() -> None:
    merged = "router bgp 65001\n   neighbor 10.0.0.1 route-map DRAINED-OUT out\n"
    own = HandLine("leaf", "", ("router bgp 65001",), "neighbor 10.0.0.1 route-map DRAINED-OUT out", present=True)
    gone = own._replace(line="neighbor 10.0.0.1 route-map OUT out", present=False)
    shut = HandLine("leaf", "", ("interface Ethernet1/1",), "shutdown", present=True)
    assert unmerged([own, gone, shut], merged) == (shut,)
    assert unmerged([own, gone], merged) == ()
    assert unmerged([shut], merged) == ()
