"""Two sides of the demo inventory compared: what the intent changes, and what templates, a release or a hand do."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from fabricgen.changes.change import ChangeOp
from fabricgen.changes.kinds.catalogue import KINDS
from fabricgen.device.device import Device
from fabricgen.diff import artifacts, device_pair
from fabricgen.diff.difference import Options, compare
from fabricgen.diff.fold import Differing
from fabricgen.diff.groups import ChangedSwitch
from fabricgen.diff.model import Difference, Hunk, TextCause
from fabricgen.diff.side import SiteState, Stored
from fabricgen.diff.texts import UnexplainedFiles
from fabricgen.errors import FabricError
from fabricgen.hardware.catalog import OURS
from fabricgen.output.manifest import digest
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.cost import Cost, Risk
from fabricgen.render.folder import templates_folder
from fabricgen.resolve.context import FabricContext
from fabricgen.resolve.device import resolve
from fabricgen.site.workspace import open_workspace
from tests.diff.variants import plan_of
from tests.trees import whole_tree

CONFIG = "startup-config"
COSTS = {kind.name: Cost(kind.name, Risk.HITLESS, Risk.TRAFFIC_LOSS, Risk.TRAFFIC_LOSS, "a table") for kind in KINDS}
ECN = "ecn: {minimum_octets: 200000, maximum_octets: 800000, probability_percent: 5}"
BACKEND = [f"be-leaf-{n:03}" for n in range(4)] + [f"be-spine-{n:02}" for n in range(4)]
PFC = "priority-flow-control priority"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return plan_of(tmp_path_factory.mktemp("difference") / "demo")


@pytest.fixture(scope="module")
def ecn(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return plan_of(tmp_path_factory.mktemp("difference") / "ecn", ("ecn: published", ECN))


@pytest.fixture(scope="module")
def tree(demo: Plan) -> Mapping[str, bytes]:
    return whole_tree(demo).files


def difference(
    old: Plan | SiteState, new: Plan | SiteState, *, progress: Callable[[], None] = lambda: None, devices: str = ""
) -> Difference:
    left, right = (one if isinstance(one, SiteState) else SiteState(name="a side", plan=one) for one in (old, new))
    return compare(left, right, Options(costs=lambda _: COSTS, progress=progress, devices=devices))


def stored(
    tree: Mapping[str, bytes], *, differs: TextCause | None = None, edits: Mapping[str, bytes | None] | None = None
) -> Stored:
    """A tree that lies there as it was rendered, but for edits; None: the file is gone."""
    lying = {**tree, **(edits or {})}

    def digest_there(path: str) -> str | None:
        content = lying.get(path)
        return digest(content) if content is not None else None

    files = {path: digest(content) for path, content in tree.items()}
    return Stored(files=files, read=lying.get, digest=digest_there, differs=differs)


def without_pfc(folder: Path) -> Path:
    """Templates of a user's own in which the line that turns PFC on for a priority is lost."""
    (folder / "eos").mkdir(parents=True)
    text = (templates_folder() / "eos" / "qos-profiles.j2").read_text()
    kept = [line for line in text.splitlines(keepends=True) if PFC not in line]
    assert len(kept) == text.count("\n") - 1
    (folder / "eos" / "qos-profiles.j2").write_text("".join(kept))
    return folder


def test_nothing_differs_and_nothing_is_resolved(demo: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again = plan_of(tmp_path / "again", more="# a remark\n")
    monkeypatch.setattr(device_pair, "resolve", None)
    monkeypatch.setattr(artifacts, "Renderer", None)
    seen: list[None] = []
    found = difference(demo, again, progress=lambda: seen.append(None))
    assert found.is_empty
    assert (found.before, found.after, found.equal, len(seen)) == (20, 20, 20, 20)


def test_what_the_intent_changes_is_meaning_and_no_text(demo: Plan, ecn: Plan) -> None:
    found = difference(demo, ecn)
    assert [(one.role, len(one.devices), one.fabric) for one in found.meaning] == [
        ("leaf", 4, "backend"),
        ("spine", 4, "backend"),
    ]
    (line,) = found.meaning[0].lines
    assert (line.kind, line.change, line.risk, line.source) == (
        "qos.ecn", ChangeOp.CHANGED, Risk.TRAFFIC_LOSS, "a table",
    )  # fmt: skip
    assert found.meaning[0].blast.gpus == 256
    assert (found.text, found.equal, found.risk) == ((), 12, Risk.TRAFFIC_LOSS)


def test_fabrics_with_equal_inputs_are_not_resolved(demo: Plan, ecn: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    resolved: list[str] = []

    def watched(site: FabricContext, place: Place) -> Device:
        resolved.append(site.fabric.name)
        return resolve(site, place)

    monkeypatch.setattr(device_pair, "resolve", watched)
    difference(demo, ecn)
    assert set(resolved) == {"backend"}


def test_switches_that_come_and_go(demo: Plan, tmp_path: Path) -> None:
    more = plan_of(tmp_path / "more", ("slots: 0-31, planned: 192", "slots: 0-63, planned: 192"))
    new = {one.devices for one in difference(demo, more).meaning if one.lines[0].change is ChangeOp.ADDED}
    assert tuple(f"be-leaf-{n:03}" for n in range(4, 8)) in new
    found = difference(more, demo)
    assert (found.before, found.after) == (26, 20)
    gone = [one for one in found.meaning if one.lines[0].kind == "device"]
    assert [(one.devices, one.risk, one.blast.gpus) for one in gone] == [
        (tuple(f"be-leaf-{n:03}" for n in range(4, 8)), Risk.TRAFFIC_LOSS, 256),
        # Slots 48-63 stand behind the pair that goes; 32-47 keep theirs.
        (("fe-leaf-006", "fe-leaf-007"), Risk.TRAFFIC_LOSS, 128),
    ]


def test_an_su_more_makes_few_classes(demo: Plan, tmp_path: Path) -> None:
    more = plan_of(tmp_path / "more", ("slots: 0-31, planned: 192", "slots: 0-63, planned: 192"))
    found = difference(demo, more)
    assert found.after == 20 + 4 + 2
    # New: backend leaves, frontend leaves. Changed: spines of both, the pair of leaves with room left.
    assert len(found.meaning) == 5


def test_numbers_that_move_and_cables_that_end_elsewhere_are_told(demo: Plan, tmp_path: Path) -> None:
    spines = plan_of(tmp_path / "spines", ("spines: {now: 4, planned: 16}", "spines: {now: 8, planned: 16}"))
    found = difference(demo, spines)
    # 16 links a pair become 8: half of the 256 cables go to another spine.
    assert (len(found.recabled), found.moved) == (128, ())
    assert found.recabled[0].startswith("be-leaf-000 Ethernet")
    assert " -> be-spine-04 " in found.recabled[0]


def test_what_no_line_spells_costs_nothing(demo: Plan, tmp_path: Path) -> None:
    renamed = plan_of(tmp_path / "renamed", ("site: dc1", "site: dc2"))
    found = difference(demo, renamed)
    assert {line.kind for one in found.meaning for line in one.lines} == {"device.site"}
    assert found.risk is Risk.NONE
    assert "no line" in found.meaning[0].lines[0].source


def test_a_template_that_spells_it_for_one_switch_alone_makes_it_count(demo: Plan, tmp_path: Path) -> None:
    renamed = plan_of(tmp_path / "renamed", ("site: dc1", "site: dc2"))
    folder = tmp_path / "templates" / "eos"
    folder.mkdir(parents=True)
    text = (templates_folder() / "eos" / "qos.j2").read_text()
    line = "{% if device.name == 'be-leaf-003' %}\nsnmp-server contact {{ device.site }}\n{% endif %}\n"
    (folder / "qos.j2").write_text(text + line)
    found = difference(
        SiteState(name="old", plan=demo, templates=folder.parent),
        SiteState(name="new", plan=renamed, templates=folder.parent),
    )
    risks = {one.devices[0]: one.risk for one in found.meaning}
    assert risks["be-leaf-000"] is Risk.TRAFFIC_LOSS
    assert risks["be-spine-00"] is Risk.NONE
    assert found.text == ()


def test_a_lost_pfc_line_is_a_class_of_unknown_risk(demo: Plan, tmp_path: Path) -> None:
    found = difference(demo, SiteState(name="new", plan=demo, templates=without_pfc(tmp_path / "mine")))
    (lost,) = found.text
    assert (lost.artifact, lost.cause, list(lost.devices), lost.risk) == (
        CONFIG, TextCause.TEMPLATES, BACKEND, Risk.UNKNOWN,
    )  # fmt: skip
    assert lost.hunks == (Hunk(("qos profile ROCE-400G",), (f"{PFC} 3 no-drop",), ()),)
    assert (lost.blast.gpus, lost.blast.bisection) == (256, {"backend": Fraction(1)})
    assert (found.meaning, found.equal, found.risk, found.is_empty) == ((), 12, Risk.UNKNOWN, False)


def test_a_lost_line_is_told_beside_what_the_intent_changes_there(demo: Plan, ecn: Plan, tmp_path: Path) -> None:
    found = difference(demo, SiteState(name="new", plan=ecn, templates=without_pfc(tmp_path / "mine")))
    assert {one.lines[0].kind for one in found.meaning} == {"qos.ecn"}
    assert [one.hunks[0].removed for one in found.text] == [(f"{PFC} 3 no-drop",)]


def test_equal_templates_in_another_folder_are_not_rendered(
    demo: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [without_pfc(tmp_path / name) for name in ("then", "now")]
    monkeypatch.setattr(artifacts, "Renderer", None)
    sides = [SiteState(name="a side", plan=demo, templates=folder) for folder in folders]
    assert difference(*sides).is_empty


def test_a_template_that_fails_is_a_problem_with_its_line(demo: Plan, tmp_path: Path) -> None:
    (tmp_path / "mine" / "eos").mkdir(parents=True)
    (tmp_path / "mine" / "eos" / "qos.j2").write_text("{{ device.nothing.at.all }}\n")
    with pytest.raises(FabricError, match="template-fault"):
        difference(demo, SiteState(name="new", plan=demo, templates=tmp_path / "mine"))


def test_a_tree_of_this_release_is_not_rendered(
    demo: Plan, tree: Mapping[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artifacts, "Renderer", None)
    assert difference(SiteState(name="out", plan=demo, stored=stored(tree)), demo).is_empty


def test_a_hand_edit_is_told_whatever_else_changes(demo: Plan, ecn: Plan, tree: Mapping[str, bytes]) -> None:
    path = f"be-leaf-001/{CONFIG}"
    edited = tree[path].replace(b"   mtu 9214\n", b"   mtu 9000\n", 1)
    found = difference(SiteState(name="out", plan=demo, stored=stored(tree, edits={path: edited})), ecn)
    (hand,) = found.text
    assert (hand.cause, hand.devices, hand.risk) == (TextCause.HAND, ("be-leaf-001",), Risk.UNKNOWN)
    assert [(hunk.removed, hunk.added) for hunk in hand.hunks] == [(("mtu 9000",), ("mtu 9214",))]
    assert path in found.notes[0]


def test_an_edit_of_remarks_alone_differs_in_nothing(demo: Plan, tree: Mapping[str, bytes]) -> None:
    path = f"be-leaf-001/{CONFIG}"
    side = SiteState(name="out", plan=demo, stored=stored(tree, edits={path: b"! hello\n\n" + tree[path]}))
    assert difference(side, demo).is_empty


def test_a_file_that_is_gone_is_told_without_its_lines(demo: Plan, tree: Mapping[str, bytes]) -> None:
    side = SiteState(name="out", plan=demo, stored=stored(tree, edits={f"be-leaf-001/{CONFIG}": None}))
    found = difference(side, demo)
    assert [(one.cause, one.devices, one.hunks) for one in found.text] == [(TextCause.HAND, ("be-leaf-001",), ())]
    assert found.equal == 19


def test_what_a_release_changes_stands_apart(demo: Plan, ecn: Plan, tree: Mapping[str, bytes]) -> None:
    older = {path: content.replace(b"   mtu 9214\n", b"   mtu 9210\n") for path, content in tree.items()}
    tree_of_old = SiteState(
        name="out", plan=demo, stored=stored(older, differs=TextCause.RELEASE), notes=("another release",)
    )
    found = difference(tree_of_old, ecn)
    assert found.notes == ("another release",)
    assert {one.cause for one in found.text} == {TextCause.RELEASE}
    assert {hunk.added for one in found.text for hunk in one.hunks} == {("mtu 9214",)}
    ports = {one.devices: len(one.hunks[0].sections) for one in found.text}
    assert ports[tuple(f"be-leaf-{n:03}" for n in range(4))] == 128
    assert {line.kind for one in found.meaning for line in one.lines} == {"qos.ecn"}


def test_a_hand_edit_in_a_tree_of_another_release_is_a_hand_edit(demo: Plan, tree: Mapping[str, bytes]) -> None:
    path = f"be-leaf-001/{CONFIG}"
    lying = stored(tree, differs=TextCause.RELEASE, edits={path: tree[path] + b"no ip routing\n"})
    found = difference(SiteState(name="out", plan=demo, stored=lying), demo)
    assert [(one.cause, one.devices) for one in found.text] == [(TextCause.HAND, ("be-leaf-001",))]


def test_a_file_that_this_release_does_not_write_is_told(demo: Plan, tree: Mapping[str, bytes]) -> None:
    older = {**tree, "be-leaf-000/old.conf": b"x\n"}
    found = difference(SiteState(name="out", plan=demo, stored=stored(older, differs=TextCause.RELEASE)), demo)
    assert [(one.artifact, one.devices, one.hunks) for one in found.text] == [("old.conf", ("be-leaf-000",), ())]


@pytest.mark.parametrize("differs", [None, TextCause.RELEASE])
def test_a_cabling_plan_that_is_as_today_is_not_read(
    demo: Plan, tree: Mapping[str, bytes], differs: TextCause | None
) -> None:
    """That of a hundred thousand GPUs is 38 MB."""
    read: list[str] = []
    there = stored(tree, differs=differs)

    def read_there(path: str) -> bytes | None:
        read.append(path)
        return there.read(path)

    found = difference(SiteState(name="out", plan=demo, stored=replace(there, read=read_there)), demo)
    assert found.is_empty
    assert "cabling.csv" not in read
    assert any(path.endswith("startup-config") for path in read)


def test_what_switches_say_in_the_same_words_is_held_once() -> None:
    switches = [ChangedSwitch(f"be-leaf-{at}", "backend", "leaf", "eos", None, None, ()) for at in range(3)]

    def differing(port: int, mtu: int) -> Differing:
        # Written from numbers, so that no two of them are one object already.
        hunk = Hunk((f"interface Ethernet{port}",), (f"mtu {mtu}",), (f"mtu {mtu - 214}",))
        return Differing("startup-config", TextCause.RELEASE, (hunk,))

    one, same, other = differing(1, 9214), differing(1, 9214), differing(2, 9214)
    assert one.hunks is not same.hunks
    found = UnexplainedFiles()
    for switch, each in zip(switches, (one, same, other), strict=True):
        found.add(switch, each)
    assert [(each.switch, each.differing) for each in found] == list(zip(switches, (one, one, other), strict=True))
    held = [each.differing.hunks for each in found]
    assert held[0] is held[1]
    assert held[2][0].removed is held[0][0].removed


def test_an_edited_cabling_plan_is_told(demo: Plan, tree: Mapping[str, bytes]) -> None:
    lines = tree["cabling.csv"].decode().splitlines(keepends=True)
    edited = "".join(lines[:5] + lines[6:]).encode()
    found = difference(SiteState(name="out", plan=demo, stored=stored(tree, edits={"cabling.csv": edited})), demo)
    (cabling,) = found.text
    assert (cabling.artifact, cabling.cause, cabling.devices) == ("cabling.csv", TextCause.HAND, ())
    assert cabling.hunks == (Hunk((), (), (lines[5].rstrip(),)),)


def test_a_side_that_can_not_be_read_leaves_its_text(demo: Plan, tree: Mapping[str, bytes]) -> None:
    path = f"fe-spine-00/{CONFIG}"
    older = {**tree, path: tree[path] + b"no ip routing\n", f"be-leaf-999/{CONFIG}": b"x\n"}
    side = SiteState(name="out", plan=None, stored=stored(older), fault="its intent is of schema 0")
    found = difference(side, demo)
    assert (found.is_whole, found.risk, found.is_empty, found.meaning) == (False, Risk.UNKNOWN, False, ())
    assert "its intent is of schema 0" in found.notes[0]
    assert any("be-leaf-999" in note for note in found.notes[1:])
    (spine,) = found.text
    assert (spine.cause, spine.devices, spine.hunks) == (
        TextCause.UNREADABLE, ("fe-spine-00",), (Hunk((), ("no ip routing",), ()),),
    )  # fmt: skip
    assert (found.before, found.after, found.equal) == (21, 20, 19)


def test_a_side_of_which_nothing_can_be_read_is_never_empty(demo: Plan) -> None:
    found = difference(SiteState(name="HEAD~1", plan=None, fault="it has no intent"), demo)
    assert (found.is_whole, found.is_empty, found.equal, found.risk) == (False, False, 0, Risk.UNKNOWN)


def test_the_side_after_must_have_a_plan(demo: Plan) -> None:
    with pytest.raises(ValueError, match="must have a plan"):
        difference(demo, SiteState(name="new", plan=None))


def test_lines_of_chosen_switches_are_told_one_by_one(demo: Plan, ecn: Plan) -> None:
    found = difference(demo, ecn, devices="be-leaf-*")
    assert list(found.hunks) == [f"be-leaf-{n:03}/{CONFIG}" for n in range(4)]
    threshold = (
        "random-detect ecn minimum-threshold {} kbytes maximum-threshold {} kbytes max-mark-probability {} weight 0"
    )
    assert found.hunks[f"be-leaf-000/{CONFIG}"] == (
        Hunk(
            ("qos profile ROCE-400G", "uc-tx-queue 3"),
            (threshold.format(256, 512, 100),),
            (threshold.format(200, 800, 5),),
        ),
    )
    assert difference(demo, ecn, devices="fe-*").hunks == {}


def test_text_that_the_intent_changes_without_a_fact_is_told(demo: Plan, tmp_path: Path) -> None:
    raw = "raw:\n{}- {{system: eos, device: fe-spine-01, lines: ['no ip source-route']}}\n"
    old = plan_of(tmp_path / "old", more=raw.format(""))
    new = plan_of(tmp_path / "new", more=raw.format("- {system: eos, device: fe-spine-00, lines: ['x']}\n"))
    # Where the intent says the lines is no fact; a template of the user's may print it all the same.
    folder = tmp_path / "mine" / "eos"
    folder.mkdir(parents=True)
    shutil.copy(templates_folder() / "eos" / "qos.j2", folder)
    with (folder / "qos.j2").open("a") as file:
        file.write("{% for lines in device.raw %}\nsnmp-server contact {{ lines.where }}\n{% endfor %}\n")
    sides = [SiteState(name="a side", plan=plan, templates=folder.parent) for plan in (old, new)]
    found = difference(*sides)
    assert {name for one in found.meaning for name in one.devices} == {"fe-spine-00"}
    (text,) = found.text
    assert (text.cause, text.devices, text.risk) == (TextCause.INTENT, ("fe-spine-01",), Risk.UNKNOWN)
    assert (text.hunks[0].removed, text.hunks[0].added) == (
        ("snmp-server contact raw[0]",), ("snmp-server contact raw[1]",),
    )  # fmt: skip


def test_what_a_drained_leaf_owes_to_the_other_one_is_seen(tmp_path: Path) -> None:
    drained = "overrides:\n  fe-leaf-002: {state: drained}\n"
    one = plan_of(tmp_path / "one", more=drained)
    both = plan_of(tmp_path / "both", more=drained + "  fe-leaf-003: {state: drained}\n")
    # The first one keeps its servers' ports up now that there is no other leaf to serve them.
    found = difference(one, both)
    assert {name for found in found.meaning for name in found.devices} == {"fe-leaf-002", "fe-leaf-003"}


def test_the_length_of_a_cable_told_by_the_servers_end_is_seen(tmp_path: Path) -> None:
    plans = []
    for name, metres in (("one", 5), ("two", 40)):
        folder = tmp_path / name
        plan_of(folder)
        intent = (
            (folder / "intent.yaml").read_text().replace("cables: {default:", "cables: {file: cables.csv, default:")
        )
        (folder / "cables.csv").write_text(f"device,port,length_m,kind\ntrain-000,OSFP4P2,{metres},\n")
        (folder / "intent.yaml").write_text(intent)
        plans.append(folder / "intent.yaml")
    found = difference(*(open_workspace(path).plan for path in plans))
    assert {name for one in found.meaning for name in one.devices} == {"be-leaf-000"}


def test_hardware_of_the_users_own_is_seen(tmp_path: Path) -> None:
    plans = []
    for name, octets in (("one", "612140"), ("two", "700000")):
        folder = tmp_path / name
        plan_of(folder)
        (folder / "hardware" / "switches").mkdir(parents=True)
        text = (OURS / "switches" / "arista-7060x6-64pe.yaml").read_text()
        assert "612140" in text
        (folder / "hardware" / "switches" / "arista-7060x6-64pe.yaml").write_text(text.replace("612140", octets))
        plans.append(open_workspace(folder / "intent.yaml").plan)
    found = difference(*plans)
    assert sorted(name for one in found.meaning for name in one.devices) == BACKEND
