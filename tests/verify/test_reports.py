"""Verdicts as they are told: text, JSON, JUnit, and what changed; and how rounds follow each other."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Event
from xml.etree import ElementTree

import pytest

from fabricgen.platforms.base.live.reader import Drift, Output, Outputs, ReadCommand, Reader
from fabricgen.state.state import Facts, State
from fabricgen.verify.collect.store import Collected, Failure, Target, read, write
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import CHECKS, Finding, FindingEnd, SwitchVerdict, Unchecked
from fabricgen.verify.judge.rounds import Judge, RoundSettings, verdicts, verify_once, watch
from fabricgen.verify.report.junit import junit
from fabricgen.verify.report.text import changes, plain, plain_finding, summarize, text
from tests.verify.doubles import targets

CABLE = Finding(
    device="be-leaf-000",
    check="lldp",
    code="lldp-wrong-peer",
    subject="port swp3 (rail 2 plane 0)",
    problem="is cabled to another switch",
    expected="be-spine-00 swp1",
    actual="be-spine-01 swp1",
    explained="it and swp4 were exchanged",
    port="swp3",
    far=FindingEnd("be-spine-00", "swp1"),
    heard=FindingEnd("be-spine-01", "swp1"),
)
DOWN = Finding(
    device="be-leaf-000",
    check="interfaces",
    code="interface-down",
    subject="port swp9",
    problem="is down",
    expected="up",
    actual="",
)
DEAD = Finding(
    device="be-leaf-001",
    check="reachable",
    code="unreachable",
    subject="the switch",
    problem="cannot be reached",
    expected="an answer",
    actual="timed out",
)
NO_QOS = "the kernel has no PFC"
VERDICTS = (
    SwitchVerdict(
        device="be-leaf-000",
        passed=(("lldp", 7), ("mtu", 9)),
        findings=(CABLE, DOWN),
        unchecked=(Unchecked("be-leaf-000", "qos", NO_QOS),),
    ),
    SwitchVerdict(
        device="be-leaf-001",
        passed=(),
        findings=(DEAD,),
        unchecked=(
            Unchecked("be-leaf-001", "drift", "nothing was collected"),
            Unchecked("be-leaf-001", "mtu", "nothing was collected"),
        ),
    ),
    SwitchVerdict(
        device="be-leaf-002",
        passed=(("mtu", 9),),
        findings=(),
        unchecked=(Unchecked("be-leaf-002", "qos", NO_QOS), Unchecked("be-leaf-002", "mtu", "one port said nothing")),
    ),
)


def test_the_text_of_a_report() -> None:
    """What to do; by switch, what lies below first; reasons once; passes are not told."""
    to_do, one, two, three, blank, *lines = text(VERDICTS, verbose=False)
    assert (to_do, blank) == ("fix in this order (3 causes):", "")
    assert one.startswith("  1. be-leaf-001: the switch cannot be reached. The actual value gives the reason, such as ")
    assert two.startswith("  2. be-leaf-000: port swp9 is down. Possible causes: cable or transceiver, ")
    assert three.startswith(
        "  3. be-leaf-000: port swp3 (rail 2 plane 0) is cabled to another switch. It and swp4 were"
    )
    assert lines == [
        "be-leaf-000  interfaces: port swp9 is down. Expected: up.",
        "be-leaf-000  lldp: port swp3 (rail 2 plane 0) is cabled to another switch."
        " Expected: be-spine-00 swp1. Actual: be-spine-01 swp1.",
        "             ↳ it and swp4 were exchanged",
        "be-leaf-001  reachable: the switch cannot be reached. Expected: an answer. Actual: timed out.",
        "not checked:",
        "  mtu, drift: nothing was collected (be-leaf-001)",
        "  mtu: one port said nothing (be-leaf-002)",
        "  qos: the kernel has no PFC (be-leaf-000, be-leaf-002)",
        "3 switches, 2 reached: 3 findings on 2 devices, 25 comparisons OK, 5 checks not possible",
    ]


def test_a_report_of_some_switches_says_of_how_many() -> None:
    assert list(text(VERDICTS, verbose=False, planned=3))[-1].startswith("3 switches, 2 reached: ")
    assert list(text(VERDICTS, verbose=False, planned=8))[-1].startswith("3 of 8 switches, 2 reached: ")
    assert list(text(VERDICTS[:1], verbose=False, planned=1))[-1].startswith("1 switch, ")
    assert plain(VERDICTS, 8)["summary"] == summarize(VERDICTS, 8)._asdict()


def test_passes_are_told_when_asked_for() -> None:
    lines = list(text(VERDICTS, verbose=True))
    assert [line for line in lines if "passed" in line] == [
        "be-leaf-000  passed: mtu 9, lldp 7",
        "be-leaf-002  passed: mtu 9",
    ]


def test_many_switches_of_one_reason_are_counted() -> None:
    many = [
        SwitchVerdict(device=f"s{n}", passed=(), findings=(), unchecked=(Unchecked(f"s{n}", "qos", "x"),))
        for n in range(4)
    ]
    assert "  qos: x (4 devices)" in list(text(many, verbose=False))


def test_a_switch_can_not_write_on_the_terminal() -> None:
    bad = CABLE._replace(actual="a\x1b[2Jb\nc\u202e", explained="\x07")
    told = list(text([replace(VERDICTS[0], findings=(bad,))], verbose=False))
    assert not any("\x1b" in line or "\x07" in line or "\u202e" in line for line in told)
    assert told[3].endswith("Actual: a [2Jb c .")
    assert told[4] == "             ↳  "


def test_what_is_counted() -> None:
    counts = {"switches": 3, "reached": 2, "planned": 3, "servers": 0, "faulty": 2, "passed": 25, "findings": 3}
    counts |= {"unchecked": 5, "consequences": 0}
    assert summarize(VERDICTS)._asdict() == counts
    assert summarize(VERDICTS, 8)._asdict() == counts | {"planned": 8}
    pings = SwitchVerdict(device="train0", passed=(("pings", 3),), findings=(), unchecked=())
    silent = SwitchVerdict(
        device="servers", passed=(), findings=(), unchecked=(Unchecked("servers", "pings", "no lab"),)
    )
    assert summarize([*VERDICTS, pings, silent])._asdict() == counts | {"servers": 1, "passed": 28, "unchecked": 6}
    for code in ("host-missing", "unreachable", "no-answer", "not-collected"):
        assert summarize([replace(VERDICTS[1], findings=(DEAD._replace(code=code),))]).reached == 0


def test_json_has_all_of_it() -> None:
    told = json.loads(json.dumps(plain(VERDICTS)))
    assert told["summary"]["findings"] == 3
    assert [switch["device"] for switch in told["switches"]] == ["be-leaf-000", "be-leaf-001", "be-leaf-002"]
    assert told["switches"][0]["passed"] == {"mtu": 9, "lldp": 7}
    down, cable = told["switches"][0]["findings"]
    assert down == {
        "device": "be-leaf-000", "check": "interfaces", "code": "interface-down", "subject": "port swp9",
        "problem": "is down", "expected": "up", "actual": "", "explained": "",
    }  # fmt: skip
    assert cable == down | {
        "check": "lldp", "code": "lldp-wrong-peer", "subject": "port swp3 (rail 2 plane 0)",
        "problem": "is cabled to another switch", "expected": "be-spine-00 swp1", "actual": "be-spine-01 swp1",
        "explained": "it and swp4 were exchanged", "port": "swp3",
        "far": {"system": "be-spine-00", "port": "swp1"}, "heard": {"system": "be-spine-01", "port": "swp1"},
    }  # fmt: skip
    session = plain_finding(DOWN._replace(family=6, far=FindingEnd("be-spine-00", "")))
    assert session == down | {"family": 6, "far": {"system": "be-spine-00", "port": ""}}
    assert plain_finding(DOWN._replace(prefix="10.0.0.0/8", lines=("network",))) == down | {"prefix": "10.0.0.0/8"}
    assert [one["check"] for one in told["switches"][1]["unchecked"]] == ["mtu", "drift"]


def test_what_changed_between_two_rounds() -> None:
    other = replace(VERDICTS[0], findings=(DOWN, DOWN, CABLE._replace(actual="nobody")))
    found = changes(VERDICTS, (other, VERDICTS[1], VERDICTS[2]))
    assert found.appeared == (DOWN, CABLE._replace(actual="nobody"))
    assert found.gone == (CABLE,)
    assert changes(VERDICTS, VERDICTS) == ((), ())


# Element → attributes that are required, others that are allowed, and children, as far as both allow them: junit-10.xsd
# of Jenkins' xunit plugin, and of a suite surefire-test-report.xsd of Maven Surefire, which has no `testsuites`.
SCHEMA: Mapping[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped"}, {"time", "group"}, {"testcase"}),
    "testcase": ({"name", "time"}, {"classname", "group"}, {"failure", "skipped"}),
    "failure": ({"type"}, {"message"}, set()),
    "skipped": (set(), {"message"}, set()),
}


def check_schema(element: ElementTree.Element) -> None:
    required, optional, children = SCHEMA[element.tag]
    assert required <= set(element.attrib) <= required | optional
    for child in element:
        assert child.tag in children
        check_schema(child)


def test_junit(tmp_path: Path) -> None:
    (tmp_path / "junit.xml").write_text(junit(VERDICTS, "verify"), encoding="utf-8")
    root = ElementTree.parse(tmp_path / "junit.xml").getroot()  # noqa: S314 - our own
    check_schema(root)
    assert root.attrib == {"name": "verify", "tests": "10", "failures": "3", "errors": "0"}
    suites = {suite.attrib["name"]: suite for suite in root}
    assert suites["be-leaf-000"].attrib == {
        "name": "be-leaf-000", "tests": "4", "failures": "2", "errors": "0", "skipped": "1",
    }  # fmt: skip
    cases = {
        (suite, case.attrib["name"]): [(child.tag, child.attrib["message"]) for child in case]
        for suite, cases in suites.items()
        for case in cases
    }
    assert list(cases.items()) == [
        (("be-leaf-000", "interfaces"), [("failure", "port swp9 is down")]),
        (("be-leaf-000", "mtu"), []),
        (("be-leaf-000", "lldp"), [("failure", "port swp3 (rail 2 plane 0) is cabled to another switch")]),
        (("be-leaf-000", "qos"), [("skipped", NO_QOS)]),
        (("be-leaf-001", "reachable"), [("failure", "the switch cannot be reached")]),
        (("be-leaf-001", "mtu"), [("skipped", "nothing was collected")]),
        (("be-leaf-001", "drift"), [("skipped", "nothing was collected")]),
        (("be-leaf-002", "mtu"), []),
        (("be-leaf-002", "mtu (not checkable)"), [("skipped", "one port said nothing")]),
        (("be-leaf-002", "qos"), [("skipped", NO_QOS)]),
    ]
    for suite in root:
        assert int(suite.attrib["tests"]) == len(suite)
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
        assert int(suite.attrib["skipped"]) == len(suite.findall("testcase/skipped"))
        assert not [case for case in suite if len(case) > 1]
        assert {case.attrib["time"] for case in suite} == {"0"}


@pytest.mark.parametrize(
    ("passed", "fails", "unchecked", "cases"),
    [
        (7, False, False, {"drift": "passed"}),
        (0, True, False, {"drift": "failure"}),
        (7, True, False, {"drift": "failure"}),
        (0, False, True, {"drift": "skipped"}),
        (7, False, True, {"drift": "passed", "drift (not checkable)": "skipped"}),
        (0, True, True, {"drift": "failure", "drift (not checkable)": "skipped"}),
        (7, True, True, {"drift": "failure", "drift (not checkable)": "skipped"}),
        (0, False, False, {}),
    ],
)
def test_junit_of_each_kind_of_verdict(passed: int, fails: bool, unchecked: bool, cases: dict[str, str]) -> None:
    verdict = SwitchVerdict(
        device="s",
        passed=(("drift", passed),),
        findings=(DOWN._replace(device="s", check="drift"),) if fails else (),
        unchecked=(Unchecked("s", "drift", "the second file is not read back"),) if unchecked else (),
    )
    (suite,) = ElementTree.fromstring(junit([verdict], "x"))  # noqa: S314 - our own
    found = {case.attrib["name"]: case[0].tag if len(case) else "passed" for case in suite}
    assert found == cases
    words = list(cases.values())
    assert [suite.attrib[count] for count in ("tests", "failures", "skipped")] == [
        str(len(words)), str(words.count("failure")), str(words.count("skipped")),
    ]  # fmt: skip


def test_junit_has_every_finding_and_no_character_that_xml_forbids() -> None:
    more = CABLE._replace(subject="port \x1b[1m<&>\"' \ud800 ￾", explained="")
    verdict = replace(VERDICTS[0], findings=(CABLE, more), unchecked=(Unchecked("be-leaf-000", "lldp", "half of it"),))
    text = junit([verdict], "a\x00b")
    text.encode()
    (suite,) = ElementTree.fromstring(text)  # noqa: S314 - our own
    (failure,) = suite.findall("testcase[@name='lldp']/failure")
    assert failure.attrib["message"].endswith("and 1 more")
    assert failure.attrib["type"] == "lldp-wrong-peer"
    lines = (failure.text or "").splitlines()
    assert [line[:13] for line in lines] == ["be-leaf-000  ", "             ", "be-leaf-000  "]
    assert "<&>\"'" in lines[2]
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("1", "1")
    assert suite.find("testcase[@name='lldp (not checkable)']/skipped") is not None


# Rounds: a reader and a judge so small that what they say is in the test.


def expected(device: str) -> Expected:
    return Expected(
        device=device,
        system="double",
        asn=0,
        router_id="",
        interfaces=(),
        adjacencies=(),
        sessions=(),
        bfd=(),
        routes=(),
        forbidden=(),
        vnis=(),
        evpn=(),
        qos=(),
    )


def state(outputs: Outputs, vrfs: Mapping[str, str]) -> State:
    """The word behind `show version` is the host name; a command that failed leaves its part unread."""
    unread = {"counters": "never", "lldp": "no such daemon"}
    unread |= {"routes": outputs["show routes"].error} if outputs["show routes"].error else {}
    name = str(outputs["show version"].value)
    return State(facts=Facts(name, ",".join(vrfs.values()), "", ""), unread=unread)


def compare(wanted: Expected, seen: State, drift: Callable[[str, str], tuple[Drift, ...]]) -> SwitchVerdict:
    assert drift("", "") == ()
    assert seen.facts is not None
    wrong = CABLE._replace(device=wanted.device, actual=seen.facts.hostname)
    unread = tuple(Unchecked(wanted.device, part, why) for part, why in seen.unread.items() if part != "counters")
    return SwitchVerdict(
        device=wanted.device,
        passed=(("mtu", 1),),
        findings=() if seen.facts.hostname == "good" else (wrong,),
        unchecked=unread,
    )


READER = Reader(
    system="double",
    driver="double",
    vrf_names=lambda device: {device.name: "red"},
    reads=lambda vrfs: tuple(ReadCommand("facts", vrf, "text") for vrf in vrfs),
    state=state,
    drift=lambda wanted, running: () if wanted == running else (Drift((), wanted, present=False),),
    lines=(),
    unseen={"lldp": "no such daemon"},
)


def judge(wanted: Mapping[str, Target]) -> Judge:
    return Judge(
        targets=wanted,
        readers={"double": READER},
        expectations=lambda: iter([expected("s2"), expected("s1"), expected("s0")]),
        compare=compare,
    )


def judged(folder: Path, *names: str) -> dict[str, SwitchVerdict]:
    """Verdicts on these switches by what a folder has of them."""
    return {one.device: one for one in verdicts(judge(targets(*names)), lambda name: read(folder, name))}


def explain(found: tuple[SwitchVerdict, ...]) -> tuple[SwitchVerdict, ...]:
    return tuple(
        replace(verdict, findings=tuple(one._replace(explained="of all") for one in verdict.findings))
        for verdict in found
    )


def keep(folder: Path, device: str, word: str, **more: Output) -> None:
    outputs = {"show version": Output(word), "show routes": Output(""), "show running-config": Output("")} | more
    write(folder, Collected(device=device, system="double", vrfs={"blue": "red"}, outputs=outputs))


def test_a_collection_is_judged_in_the_order_of_the_plan(tmp_path: Path) -> None:
    keep(tmp_path, "s0", "good")
    keep(tmp_path, "s2", "bad")
    write(tmp_path, Collected(device="s1", system="double", vrfs={}, failure=Failure("unreachable", "timed out")))
    found = judged(tmp_path, "s0", "s1", "s2")
    assert list(found) == ["s2", "s1", "s0"]
    assert [len(verdict.findings) for verdict in found.values()] == [1, 1, 0]
    assert found["s1"].findings == (DEAD._replace(device="s1"),)
    assert [one.check for one in found["s1"].unchecked] == [
        check for check in CHECKS if check not in ("reachable", "pings", "paths")
    ]
    assert found["s1"].passed == ()
    assert list(judged(tmp_path, "s1")) == ["s1"]
    assert list(judged(tmp_path, "s2", "s0")) == ["s2", "s0"]


def test_a_switch_that_the_collection_lacks_or_has_of_another_platform(tmp_path: Path) -> None:
    write(tmp_path, Collected(device="s1", system="other", vrfs={}))
    found = judged(tmp_path, "s0", "s1")
    assert [(one.code, one.actual) for name in ("s0", "s1") for one in found[name].findings] == [
        ("not-collected", "nothing was collected from it"),
        ("not-collected", "it was collected as other, and the plan gives it double"),
    ]


def test_what_could_not_be_read_is_a_finding_where_the_platform_can_show_it(tmp_path: Path) -> None:
    """A command that failed, or that the collection lacks. What the platform never shows is not checkable, no more."""
    keep(tmp_path, "s0", "good", **{"show routes": Output(None, "timed out")})
    keep(tmp_path, "s1", "good")
    outputs = {"show version": Output("good")}
    write(tmp_path, Collected(device="s2", system="double", vrfs={}, outputs=outputs))
    found = judged(tmp_path, "s0", "s1", "s2")
    told = {name: [(one.code, one.subject, one.actual) for one in verdict.findings] for name, verdict in found.items()}
    assert told == {
        "s0": [("not-read", "routes", "timed out")],
        "s1": [],
        "s2": [("not-read", "routes", "not in the collection")],
    }
    assert {one.check for one in found["s0"].unchecked} == {"lldp", "routes"}
    assert found["s0"].findings[0].check == "reachable"


class Fabric:
    """Switches that come up one after the other, and a clock that their collection takes a second of."""

    def __init__(self, folder: Path, bad: dict[str, int]) -> None:
        self.folder = folder
        self.bad = bad
        self.now = 0.0
        self.asked: list[list[str]] = []

    def collect(self, wanted: Mapping[str, Target]) -> None:
        """Keep what the switches show by now."""
        self.now += 1
        self.asked.append(sorted(wanted))
        for name in wanted:
            self.bad[name] = self.bad.get(name, 0) - 1
            keep(self.folder, name, "good" if self.bad[name] < 0 else "bad")

    def round(
        self, retry: float, stop: Event | None = None, **more: Callable[[], tuple[SwitchVerdict, ...]]
    ) -> RoundSettings:
        """How they are verified."""
        return RoundSettings(
            targets=targets("s0", "s1", "s2"),
            collect=self.collect,
            judged=lambda names: judged(self.folder, *names).values(),
            explain=explain,
            beyond=more.get("beyond", tuple),
            retry=retry,
            stop=stop or Event(),
        )


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fabricgen.verify.judge.rounds.PAUSE_SECONDS", 0)


@pytest.mark.usefixtures("no_pause")
def test_only_switches_with_findings_are_asked_again(tmp_path: Path) -> None:
    fabric = Fabric(tmp_path, {"s0": 2, "s1": 1})
    found = verify_once(fabric.round(60), clock=lambda: fabric.now)
    assert fabric.asked == [["s0", "s1", "s2"], ["s0", "s1"], ["s0"], ["s0", "s1", "s2"]]
    assert [verdict.device for verdict in found] == ["s2", "s1", "s0"]
    assert not [one for verdict in found for one in verdict.findings]


@pytest.mark.usefixtures("no_pause")
def test_the_retry_budget_ends(tmp_path: Path) -> None:
    fabric = Fabric(tmp_path, {"s0": 99})
    found = verify_once(fabric.round(3), clock=lambda: fabric.now)
    assert len(fabric.asked) == 3
    assert [one.explained for verdict in found for one in verdict.findings] == ["of all"]
    fabric = Fabric(tmp_path, {"s0": 99})
    verify_once(fabric.round(0), clock=lambda: fabric.now)
    assert len(fabric.asked) == 1


@pytest.mark.usefixtures("no_pause")
def test_what_lies_beyond_the_switches_is_retried_too(tmp_path: Path) -> None:
    ping = SwitchVerdict(
        device="train0", passed=(), findings=(CABLE._replace(device="train0", check="pings"),), unchecked=()
    )
    results = iter([(ping,), (ping,), (), ()])
    fabric = Fabric(tmp_path, {})
    found = verify_once(fabric.round(60, beyond=lambda: next(results)), clock=lambda: fabric.now)
    assert fabric.asked == [["s0", "s1", "s2"], [], [], ["s0", "s1", "s2"]]
    assert [verdict.device for verdict in found] == ["s2", "s1", "s0"]


class Breaking(Fabric):
    """One switch comes up; when it is asked again, another has failed."""

    def collect(self, wanted: Mapping[str, Target]) -> None:
        """Break s2 behind the back of the second round."""
        super().collect(wanted)
        if len(self.asked) == 2:
            self.bad["s2"] = 99


@pytest.mark.usefixtures("no_pause")
@pytest.mark.parametrize("retry", [1.5, 4.5])
def test_what_failed_while_others_were_asked_is_found(tmp_path: Path, retry: float) -> None:
    """The last round asks all, be the time spent, and with time left goes on with what it found."""
    fabric = Breaking(tmp_path, {"s0": 1})
    found = verify_once(fabric.round(retry), clock=lambda: fabric.now)
    assert fabric.asked[:3] == [["s0", "s1", "s2"], ["s0"], ["s0", "s1", "s2"]]
    assert fabric.asked[3:] == ([] if retry < 2 else [["s2"], ["s2"]])
    assert [verdict.device for verdict in found if verdict.findings] == ["s2"]


@pytest.mark.usefixtures("no_pause")
def test_nobody_is_asked_once_more_after_a_stop(tmp_path: Path) -> None:
    stop, fabric = Event(), Fabric(tmp_path, {"s0": 1})

    def last(wanted: Mapping[str, Target]) -> None:
        fabric.collect(wanted)
        if len(wanted) == 1:
            stop.set()

    verify_once(replace(fabric.round(60, stop), collect=last), clock=lambda: fabric.now)
    assert fabric.asked == [["s0", "s1", "s2"], ["s0"]]


def test_a_watch_ends_with_the_last_whole_round(tmp_path: Path) -> None:
    stop = Event()
    fabric = Fabric(tmp_path, {"s0": 1})
    told: list[int] = []

    def tell(verdicts: tuple[SwitchVerdict, ...]) -> None:
        told.append(sum(len(verdict.findings) for verdict in verdicts))

    def cut_short(wanted: Mapping[str, Target]) -> None:
        if len(told) == 2:
            stop.set()
            return
        fabric.collect(wanted)

    live = replace(fabric.round(0, stop), collect=cut_short)
    found = watch(live, 0, tell)
    assert told == [1, 0]
    assert not [one for verdict in found for one in verdict.findings]
