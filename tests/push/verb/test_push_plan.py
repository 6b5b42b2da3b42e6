"""What a push would do, by what switches say: no switch is asked here, and what each says is made of rendered texts.

The differences are those of this project's FRR driver, of the texts that run and are to run.
"""

import json
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.cli.push.run import plan_before
from fabricgen.errors import FabricError
from fabricgen.operation.push.options import PushOptions
from fabricgen.operation.push.preview import plan_push
from fabricgen.operation.push.site import PushSite, open_push_site
from fabricgen.push.act.survey import Surveyed, compressed
from fabricgen.push.model import Need, PlannedSwitch
from fabricgen.push.plan.risk import UNSEEN
from fabricgen.push.switch.redact import shown
from fabricgen.push.switch.switch import Candidate
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from fabricgen.verify.expect.derive import expectations
from napalm_frr.difference import Candidate as Main
from napalm_frr.difference import difference as main_difference
from napalm_frr.files import difference as file_difference
from tests.push import eos_fabric

INTENT = Path(__file__).parents[3] / "inventories/frr/intent.yaml"
BORDER, LEAF = "fe-border-00", "fe-leaf-000"
"""A border leaf with a password, and one of a pair of leaves, whose servers have another leaf."""
BEFORE, AFTER = "c4n4ry-fw1-before", "c4n4ry-fw1-after"
INTERFACES = "/etc/network/interfaces"
TAKEN = (
    'accept: [0.0.0.0/0, "::/0"], max_prefixes: 100, pass',
    'accept: [0.0.0.0/0, 172.16.0.0/12, "::/0"], max_prefixes: 100, pass',
)
"""One more prefix is taken at the border leaf's session: hitless, by the table of prices."""
VLAN = ("vlan: 20,", "vlan: 21,")
"""Another VLAN of servers: packets are lost."""

Make = Callable[..., PushSite]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """What a push stands on: texts of the intent replaced, what runs known or not, and whose loss is accepted."""
    monkeypatch.setenv("FW1_KEY", AFTER)

    def ground(*edits: tuple[str, str], against: bool = False, accepted: tuple[str, ...] = ()) -> PushSite:
        old = intent(tmp_path / "runs")
        site = tmp_path / "site"
        site.mkdir(exist_ok=True)
        wanted = intent(tmp_path / "wanted", *edits)
        names = (device.name for device in devices(open_workspace(wanted).plan))
        (site / "hosts.yaml").write_text("".join(f"{name}: {{hostname: 192.0.2.1, platform: frr}}\n" for name in names))
        words = PushOptions(
            intent=wanted, inventory=site, commit=False, scenario="base", against=str(old) if against else None,
            accepted=accepted, limit=100_000, workers=1,
        )  # fmt: skip
        return open_push_site(words, plan_before(words))

    return ground


def intent(folder: Path, *edits: tuple[str, str]) -> Path:
    """The site of FRR in a folder of its own, these texts replaced."""
    text = INTENT.read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    folder.mkdir(exist_ok=True)
    (folder / "intent.yaml").write_text(text)
    (folder / "fabricgen.lock").write_bytes(INTENT.with_name("fabricgen.lock").read_bytes())
    return folder / "intent.yaml"


def running(ground: PushSite, name: str, *edits: tuple[str, str]) -> Candidate:
    """What a switch runs that has the intent before it was edited, and then had these texts replaced."""
    old = next(one for one in devices(open_workspace(ground.options.intent.parents[1] / "runs/intent.yaml").plan)
               if one.name == name)  # fmt: skip
    found = ground.goal(old).candidate
    texts = {"": found.text, **found.files}
    for before, after in edits:
        assert any(before in text for text in texts.values())
        texts = {path: text.replace(before, after) for path, text in texts.items()}
    return Candidate(texts.pop(""), texts)


def surveyed(ground: PushSite, name: str, runs: Candidate) -> dict[str, Surveyed]:
    """What the survey has of a switch that runs this."""
    wanted = ground.goal(ground.devices[name]).candidate
    parts = [main_difference(runs.text, Main(wanted.text, merge=False))]
    parts += [file_difference(path, runs.files[path], text) for path, text in wanted.files.items()]
    one = Surveyed(
        device=name, facts=None, compressed=compressed(shown(runs.text)), fingerprint="x",
        difference="\n".join(filter(None, parts)),
        other_files=tuple(path for path, text in wanted.files.items() if runs.files[path] != text), armed=None, dead=(),
        files=runs.files,
    )  # fmt: skip
    return {name: one}


def planned(ground: PushSite, name: str, *edits: tuple[str, str]) -> PlannedSwitch:
    """What is planned for the one switch that was asked."""
    (found,) = plan_push(ground, surveyed(ground, name, running(ground, name, *edits)), ()).planned
    return found


ROTATED = (AFTER, BEFORE)
"""What runs has the password of before."""
KNOWN = pytest.mark.parametrize("against", [False, True])


@KNOWN
@pytest.mark.parametrize("edits", [(), (TAKEN,)])
def test_a_secret_that_differs_is_no_harmless_change(
    make: Make, edits: tuple[tuple[str, str], ...], *, against: bool
) -> None:
    """Alone or beside a harmless change; the session falls: bgpd/bgpd.c of FRR 8.4.4, peer_password_set."""
    ground = make(*edits, against=against, accepted=(BORDER,))
    found = planned(ground, BORDER, ROTATED)
    assert found.difference.count("password <removed>") == 4  # two sessions, before and after
    assert found.risk == "unknown"
    assert BEFORE not in str(found)
    assert AFTER not in str(found)


def test_a_leaf_is_not_drained_by_what_changes_its_password_already(make: Make) -> None:
    ground = make(against=True)
    with pytest.raises(FabricError) as caught:
        planned(ground, BORDER, ROTATED)
    (problem,) = caught.value.problems
    assert (problem.code, UNSEEN in problem.why) == ("push-drain-leaf", True)
    assert "a secret of its sessions differs" in problem.what
    assert f"--accept-loss {BORDER}" in problem.fix
    found = planned(make(against=True, accepted=(BORDER,)), BORDER, ROTATED)
    assert found.need is Need.ACCEPTED


def test_a_secret_that_stands_is_no_change(make: Make) -> None:
    assert planned(make(TAKEN, against=True), BORDER).need is Need.PLAIN


BY_HAND = ("auto lo\n", "auto lo\nauto dummy9\n")


def test_a_file_beside_that_was_changed_by_hand_is_not_what_is_said_to_run(make: Make) -> None:
    """The facts between both intents do not tell of it."""
    ground = make(TAKEN, against=True, accepted=(BORDER,))
    found = planned(ground, BORDER, BY_HAND)
    assert "dummy9" in found.difference
    assert found.risk == "unknown"
    with pytest.raises(FabricError) as caught:
        planned(make(VLAN, against=True), LEAF, BY_HAND)
    assert [one.code for one in caught.value.problems] == ["push-drain-leaf"]
    assert (
        caught.value.problems[0].what
        == f"{LEAF} must be drained first, but the configuration that it runs differs from --against"
    )
    assert "its running configuration differs from" in caught.value.problems[0].why
    assert "add --against" not in caught.value.problems[0].why


def test_a_file_beside_that_a_commit_changes_is_shown_line_by_line(make: Make) -> None:
    """An operator approves what is shown: the line of a hand that goes is there, though frr.conf is as rendered."""
    ground = make(accepted=(BORDER,))
    shown_ = plan_push(ground, surveyed(ground, BORDER, running(ground, BORDER, BY_HAND)), ()).difference
    (found,) = shown_.text
    assert (found.artifact, found.devices, found.risk.words) == ("/etc/network/interfaces", (BORDER,), "unknown")
    assert [(one.removed, one.added) for one in found.hunks] == [(("auto dummy9",), ())]


def test_a_leaf_of_a_pair_whose_loss_is_accepted_is_changed_where_it_can_not_be_drained(make: Make) -> None:
    with pytest.raises(FabricError) as caught:
        planned(make(VLAN), LEAF)
    (problem,) = caught.value.problems
    assert (problem.code, f"--accept-loss {LEAF}" in problem.fix) == ("push-drain-leaf", True)
    found = planned(make(VLAN, accepted=(LEAF,)), LEAF)
    assert (found.need, found.accepted) == (Need.ACCEPTED, True)
    assert "its traffic loss is accepted by --accept-loss" in found.why


def test_a_leaf_that_can_be_drained_is_drained_though_its_loss_is_accepted(make: Make) -> None:
    found = planned(make(VLAN, against=True, accepted=(LEAF,)), LEAF)
    assert (found.need, found.accepted) == (Need.DRAIN, True)


def test_an_approval_is_of_the_way_in_which_it_is_changed(make: Make) -> None:
    drained, accepted = make(VLAN, against=True), make(VLAN, accepted=(LEAF,))
    ids = [plan_push(one, surveyed(one, LEAF, running(one, LEAF)), ()).approval for one in (drained, accepted)]
    assert ids[0].switches == ids[1].switches
    assert ids[0].id != ids[1].id


def test_a_users_secret_on_eos_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By NAPALM's own driver, of switches that are doubles. The table of EOS knows users, at top level."""
    path = tmp_path / "intent.yaml"
    path.write_text(eos_fabric.INTENT)
    texts = eos_fabric.rendered(path)
    for name, value in {**eos_fabric.ENVIRONMENT, "ADMIN_HASH": f"$6$c4n4ry${'after' * 17}x"}.items():
        monkeypatch.setenv(name, value)
    with eos_fabric.fabric(tmp_path / "site", texts):
        words = ["push", str(path), "-i", str(tmp_path / "site"), "--json"]
        result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert "$6$c4n4ry" not in result.output
    found = {one["device"]: (one["risk"], one["need"]) for one in json.loads(result.stdout)["switches"]}
    assert found == dict.fromkeys(eos_fabric.NAMES, ("none", "plain"))


def widths(ground: PushSite, device: str, waiting: Collection[str] = ()) -> dict[str, int]:
    """Width of each route to be-leaf-000 that a switch must show while others wait for their turn."""
    found = {one.device: one for one in expectations(ground.drained(frozenset(), frozenset(waiting)).devices)}
    return {one.prefix: one.width for one in found[device].routes if one.about == "be-leaf-000"}


def test_of_two_neighbors_that_drain_one_after_the_other_the_second_is_as_it_was(make: Make) -> None:
    """A leaf marks all of its routes, and a spine what it passes on: with both, the leaf's routes are alike again.

    So from another leaf it has the 32 links of each of two spines before and at the end, and those of one between.
    """
    leaf, spine, other = "be-leaf-000", "be-spine-00", "be-leaf-001"
    drained = ("tenants:\n", f"overrides: {{{leaf}: {{state: drained}}, {spine}: {{state: drained}}}}\ntenants:\n")
    unknown = make(drained)
    assert set(widths(unknown, other, (leaf, spine)).values()) == {64}
    assert set(widths(unknown, other, (leaf,)).values()) == {32}
    assert set(widths(unknown, other).values()) == {64}
    # What is said to run decides, where it is said.
    assert set(widths(make(drained, against=True), other, (leaf,)).values()) == {32}
    back = make()
    assert set(widths(replace(back, old=unknown.plan), other, (leaf,)).values()) == {64}
    assert set(widths(replace(back, old=unknown.plan), other, (spine,)).values()) == {32}
    assert set(widths(back, other, (spine,)).values()) == {64}


ALONE = ("tenants:\n", 'overrides: {"fe-leaf-001": {state: drained}}\ntenants:\n')
"""The other leaf of the pair is drained."""


def test_subnets_that_no_other_leaf_has_are_named_as_loss(make: Make) -> None:
    """In the plan, in the approval, and in the journal, from which a report is made."""
    ground = make(ALONE, VLAN, accepted=(LEAF,))
    shown = plan_push(ground, surveyed(ground, LEAF, running(ground, LEAF)), ())
    subnets = "172.17.0.0/20 of storage, fd5e:8c1f:2a00:2000::/64 of storage"
    assert (
        shown.notes[0]
        == f"{LEAF}: no other leaf in service has {subnets}: they are unreachable during the change (subnet-alone)"
    )
    (row,), (one,) = shown.planned, shown.decisions
    assert row.why == one.why
    assert row.why.endswith(f"; no other leaf in service has {subnets}: they are unreachable during the change")


@pytest.mark.parametrize("edits", [(VLAN,), (ALONE, TAKEN)])
def test_subnets_that_another_leaf_has_or_that_lose_nothing_are_not(
    make: Make, edits: tuple[tuple[str, str], ...]
) -> None:
    ground = make(*edits, against=True)
    name = LEAF if VLAN in edits else BORDER
    shown = plan_push(ground, surveyed(ground, name, running(ground, name)), ())
    assert not [text for text in (*shown.notes, shown.planned[0].why) if "no other leaf" in text]
