"""What each switch says before anything is planned. Boxes are doubles that say what a test has them say."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.platforms.base.live.entry import Entry
from fabricgen.platforms.base.live.needed import Needed
from fabricgen.platforms.base.live.reader import TEXT, Output, Outputs, ReadCommand, Reader
from fabricgen.platforms.base.live.run_marks import Armed, Lease, Phase, RunMarks
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.platforms.readers import READERS
from fabricgen.push.act.survey import Surveyed, compressed, survey
from fabricgen.push.act.survey import _undone as undone_of
from fabricgen.push.plan.approval import fingerprint
from fabricgen.push.switch.candidate import Goal
from fabricgen.push.switch.switch import Candidate, SwitchError
from fabricgen.state.state import Daemon, Facts, State
from fabricgen.verify.collect.store import Target
from tests.push.paper import MANNER

T = TypeVar("T")

READS = (
    ReadCommand("facts", "show version", TEXT),
    ReadCommand("routes", "show routes", TEXT),
    ReadCommand("daemons", "show daemons", TEXT),
    ReadCommand("running", "show running-config", TEXT),
)
PATH = "/etc/network/interfaces"
NOTHING = RunMarks()


ENTRY = Entry("api", "push", "192.0.2.7")


@dataclass
class Box:
    """A double of one switch. asked: commands; compared: candidates."""

    name: str
    profile: CommitProfile = MANNER
    says: dict[str, Output] = field(default_factory=dict)
    there: RunMarks = NOTHING
    difference: str = "+ a line\n"
    present: dict[str, str] = field(default_factory=dict)
    fails: SwitchError | None = None
    asked: list[str] = field(default_factory=list)
    compared: list[Candidate] = field(default_factory=list)

    def entry(self) -> Entry:
        return ENTRY

    def run_marks(self) -> RunMarks:
        if self.fails is not None:
            raise self.fails
        return self.there

    def ask(self, reads: Iterable[ReadCommand]) -> Outputs:
        commands = [read.command for read in reads]
        self.asked += commands
        return {command: self.says.get(command, Output(f"{command} of {self.name}")) for command in commands}

    def running(self) -> str:
        return f"all of {self.name}\n"

    def compare(self, candidate: Candidate) -> str:
        self.compared.append(candidate)
        return self.difference

    def files(self, paths: Iterable[str]) -> Mapping[str, str]:
        return {path: self.present.get(path, "") for path in paths}


class Fleet:
    """A double that acts on one after the other."""

    def __init__(self, *boxes: Box) -> None:
        self.boxes = {box.name: box for box in boxes}

    def each(self, names: Iterable[str], act: Callable[[Any], T]) -> dict[str, T | SwitchError]:
        found: dict[str, T | SwitchError] = {}
        for name in names:
            try:
                found[name] = act(self.boxes[name])
            except SwitchError as error:
                found[name] = error
        return found


def state(outputs: Outputs, names: Mapping[str, str]) -> State:
    """What the double's reader makes of outputs: every command of a target must be among them."""
    del names
    assert set(outputs) == {read.command for read in READS}
    assert outputs["show routes"] == Output(None, "not asked")
    running = outputs["show running-config"]
    return State(
        facts=Facts(str(outputs["show version"].value), "1", "box", "0"),
        daemons=(Daemon("alive", True, ()), Daemon("dead", False, ("bfd",))),
        running=str(running.value) if running.value is not None else None,
        unread={"running": running.error} if running.error else {},
    )


READER = Reader(
    system="double", driver="double", vrf_names=lambda device: {}, reads=lambda vrfs: READS, state=state,
    drift=lambda wanted, running: (), lines=(), unseen={},
)  # fmt: skip


def surveyed(*boxes: Box, files: Mapping[str, str] | None = None) -> tuple[dict[str, Surveyed], dict[str, SwitchError]]:
    """Ask these switches."""
    candidate = Candidate("wanted\n", files or {})
    targets = {box.name: Target(box.name, "double", "double", {}, READS) for box in boxes}
    goal = Goal(device=cast("Device", None), candidate=candidate, digest="", left=())
    return survey(Fleet(*boxes), lambda name: goal, targets, {"double": READER})


def test_a_switch_says_who_it_is_what_it_runs_and_what_would_change() -> None:
    box = Box("a")
    found, failed = surveyed(box)
    assert failed == {}
    assert found["a"] == Surveyed(
        device="a",
        facts=Facts("show version of a", "1", "box", "0"),
        compressed=compressed("show running-config of a"),
        fingerprint=fingerprint("all of a\n"),
        difference="+ a line\n",
        other_files=(),
        armed=None,
        dead=(Daemon("dead", False, ("bfd",)),),
        entry=ENTRY,
    )
    assert box.asked == ["show version", "show daemons", "show running-config"]
    assert box.compared == [Candidate("wanted\n", {})]


def test_a_switch_with_something_armed_is_not_compared() -> None:
    armed = Armed("theirs", Phase.CHANGES, 7)
    box = Box("a", there=RunMarks(armed))
    found, _ = surveyed(box)
    assert (found["a"].armed, found["a"].lease) == (armed, None)
    assert (found["a"].difference, box.compared) == ("", [])


def test_who_is_at_work_is_kept() -> None:
    lease = Lease("0123456789ab", "alice@jump", "run 7", 60)
    assert surveyed(Box("a", there=RunMarks(None, lease)))[0]["a"].lease == lease


def test_files_beside_the_main_one_that_differ_are_named() -> None:
    wanted = {PATH: "auto a\n", "/etc/sysctl.d/fabric.conf": "x = 1\n", "/etc/none": ""}
    box = Box("a", present={PATH: "auto b\n", "/etc/sysctl.d/fabric.conf": "x = 1\n"})
    assert surveyed(box, files=wanted)[0]["a"].other_files == (PATH,)
    assert surveyed(Box("a"), files=wanted)[0]["a"].other_files == (PATH, "/etc/sysctl.d/fabric.conf")


def test_files_beside_the_main_one_are_kept_as_they_stand() -> None:
    wanted = {PATH: "auto a\n", "/etc/none": "x\n"}
    box = Box("a", present={PATH: "auto b\n", "/etc/other": "not pushed\n"})
    assert surveyed(box, files=wanted)[0]["a"].files == {PATH: "auto b\n", "/etc/none": ""}
    assert surveyed(box)[0]["a"].files == {}


def test_what_does_not_answer_is_told_beside_what_does() -> None:
    lost = SwitchError("login", "not let in")
    found, failed = surveyed(Box("a", fails=lost), Box("b"))
    assert list(found) == ["b"]
    assert failed == {"a": lost}


def test_a_switch_that_does_not_show_what_it_runs_can_not_be_pushed_to() -> None:
    found, failed = surveyed(Box("a", says={"show running-config": Output(None, "no right to it")}))
    assert found == {}
    assert failed["a"].kind == "unable"
    assert "no right to it" in failed["a"].reason


def test_lines_typed_into_a_file_beside_the_main_one_are_of_their_stanza() -> None:
    """Also where they are not indented: the driver says what begins a stanza."""
    text = f"hostname leaf\n{PATH}\niface swp1\n    mtu 9216\n\niface swp2\n    mtu 9216\n    link-down yes\n"
    typed = text.replace("mtu 9216\n\n", "mtu 9216\nlink-down yes\n\n")
    files = {PATH: text.partition(f"{PATH}\n")[2]}
    box = SimpleNamespace(name="leaf", profile=COMMIT_PROFILES["frr"])
    goal = SimpleNamespace(candidate=Candidate("hostname leaf\n", files))
    found = undone_of(cast("Any", box), cast("Any", goal), READERS["frr"], text, typed)
    assert [str(one) for one in found] == [f"leaf: {PATH} / iface swp1 / link-down yes"]


LIST = ReadCommand("needed", "show certificates", TEXT)
CERTIFICATE = Needed("the certificate c", "management.gnmi.certificate", ("c",), LIST, "make it")


@pytest.mark.parametrize(
    ("answer", "missing", "unseen"),
    [
        (Output("a b c"), (), ()),
        (Output("a b cc"), (CERTIFICATE,), ()),
        (Output(None, "unknown command"), (), ("the certificate c: unknown command",)),
    ],
)
def test_what_a_configuration_names_is_looked_for_on_the_switch(
    answer: Output, missing: tuple[Needed, ...], unseen: tuple[str, ...]
) -> None:
    profile = MANNER._replace(needed=lambda device: (CERTIFICATE, CERTIFICATE))
    box = Box("a", says={LIST.command: answer}, profile=profile)
    found, _ = surveyed(box)
    assert (found["a"].missing, found["a"].unseen) == (2 * missing, 2 * unseen)
    assert box.asked.count(LIST.command) == 1
