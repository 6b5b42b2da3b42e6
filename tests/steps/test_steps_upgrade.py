"""Known sequence: another release of the operating system, in rounds that keep the floor."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.plan.exceptions import Exceptions
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.installs import INSTALLS
from fabricgen.site.workspace import open_workspace
from fabricgen.steps.model import Intents
from fabricgen.steps.upgrade import upgrade
from tests.checks.intents import with_fabric
from tests.some import some
from tests.steps.conftest import Site, least, refused, steps

OLD, NEW = "eos-4.34", "eos-4.34.2F"
SPINE = "spine: {model: arista-7060x6-64pe, os: "
LEAF = "leaf: {model: arista-7060x6-64pe, os: "
PAIR = "leaf: {model: arista-7050cx4-24d8, os: "
SLOTS = "train[0-31]"


def moved(site: Site, *lines: str) -> None:
    site.change(*((f"{line}{OLD}", f"{line}{NEW}") for line in lines))


def test_one_spine_after_the_other_and_the_first_alone(demo: Site) -> None:
    moved(demo, SPINE)
    found = steps(typed=True)
    assert (found["kind"], found["title"]) == ("upgrade", f"4 switches get {NEW}, in 4 rounds")
    spines = [f"be-spine-0{index}" for index in range(4)]
    expected: list[tuple[dict[str, str], dict[str, str], str]] = []
    for at, spine in enumerate(spines):
        before, after = dict.fromkeys(spines[:at], NEW), dict.fromkeys(spines[: at + 1], NEW)
        expected += [({spine: "drained"}, before, "3/4"), ({spine: "drained"}, after, "3/4"), ({}, after, "1")]
    expected[-1] = ({}, {}, "1")  # the new intent itself
    assert [(one["overrides"], one["releases"], one["capacity"]["least"]) for one in found["steps"]] == expected
    assert [one["risk"] for one in found["steps"]] == ["hitless", "reload", "hitless"] * 4
    assert {one["switches_changed"] for one in found["steps"]} == {1}
    assert found["steps"][-1]["base"] == "after"


@pytest.mark.long
def test_where_the_floor_allows_it_a_round_has_more_behind_the_first(demo: Site) -> None:
    moved(demo, SPINE)
    drained = [[*one["overrides"]] for one in steps("--floor", "1/2")["steps"][::3]]
    assert drained == [["be-spine-00"], ["be-spine-01"], ["be-spine-02", "be-spine-03"]]


@pytest.mark.long
def test_leaves_of_a_backend_wait_until_their_unit_has_no_job(demo: Site) -> None:
    moved(demo, LEAF)
    found = steps(typed=True)
    leaves = [f"be-leaf-00{index}" for index in range(4)]
    out = dict.fromkeys(leaves, "drained") | {SLOTS: "absent"}
    states = [(one["overrides"], one["releases"]) for one in found["steps"]]
    assert states == [({SLOTS: "drained"}, {}), (out, {}), (out, dict.fromkeys(leaves, NEW)), ({}, {})]
    assert least(found) == ["1"] * 4


def test_slots_that_are_absent_already_need_no_step(demo: Site) -> None:
    demo.write(demo.old, {SLOTS: "absent"})
    demo.override(**{SLOTS: "absent"})
    moved(demo, LEAF)
    found = steps()
    assert [SLOTS in one["overrides"] for one in found["steps"]] == [False] * 3
    assert len(found["steps"]) == 3


def test_a_pair_is_never_drained_whole(demo: Site) -> None:
    moved(demo, PAIR)
    assert [one["code"] for one in refused()] == ["steps-floor"]
    found = steps("--floor", "1/2")
    rounds = [[*one["overrides"]] for one in found["steps"][::3]]
    first, *others = [f"fe-leaf-00{index}" for index in (0, 2, 4)]
    # Border leaves run what leaves do where the intent has no block for them.
    assert rounds == [
        ["fe-border-00"],
        ["fe-border-01"],
        [first],
        others,
        [f"fe-leaf-00{index}" for index in (1, 3, 5)],
    ]


def test_the_page_has_the_commands_of_the_maker(demo: Site) -> None:
    moved(demo, SPINE)
    steps()
    page = Path("steps/README.md").read_text()
    text = "; ".join(f"`{command}`" for command in INSTALLS["eos"].commands)
    assert page.count(f"Install {NEW} on be-spine-00 (in EOS, enabled): {text}. When they are back") == 1
    assert page.count("Install ") == 4


@pytest.mark.parametrize(
    ("release", "before", "first"),
    [("5.16", "5.13.1", "5.14"), ("5.16.2", "5.14", ""), ("5.15", "5.11", "5.12"), ("5.13", "5.11", "")],
)
def test_nvidia_says_over_which_release_it_installs_another(release: str, before: str, first: str) -> None:
    """Upgrade Requirements of Cumulus Linux 5.15 and 5.16; the page of 5.13 has none."""
    assert INSTALLS["cumulus"].over(release, before) == first


@pytest.mark.long
def test_the_page_says_which_release_comes_between(demo: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    limited = INSTALLS["eos"]._replace(oldest={NEW.removeprefix("eos-"): "4.34.1F"})
    monkeypatch.setattr("fabricgen.steps.upgrade.INSTALLS", {"eos": limited})
    moved(demo, SPINE)
    steps()
    page = Path("steps/README.md").read_text()
    text = (
        "over 4.34.1F and later in this way, and it runs 4.34: upgrade to 4.34.1F first, in a plan of its own. Install "
    )
    assert page.count(text) == 4


def release_of(path: Path, switch: str, value: str = NEW) -> None:
    path.write_text(path.read_text() + f"overrides:\n  {switch}: {{os: {value}}}\n")


def test_one_switch_gets_the_release_by_an_override_first(demo: Site) -> None:
    release_of(demo.new, "be-spine-01")
    found = steps()
    assert (found["kind"], found["title"]) == ("upgrade", f"1 switch gets {NEW}, in 1 round")
    assert [[*one["overrides"]] for one in found["steps"]] == [["be-spine-01"], ["be-spine-01"], []]


def test_a_half_upgraded_fabric_gets_the_rest(demo: Site) -> None:
    """The override of the first switch is taken away with the same change."""
    release_of(demo.old, "be-spine-01")
    moved(demo, SPINE)
    drained = [[*one["overrides"]] for one in steps()["steps"][::3]]
    assert drained == [["be-spine-00"], ["be-spine-02"], ["be-spine-03"]]


def test_an_override_with_another_key_is_no_upgrade(demo: Site) -> None:
    release_of(demo.new, "be-spine-01", value=f"{NEW}, telemetry: {{load_interval: 5}}")
    assert {one["code"] for one in refused()} == {"steps-settings"}


def test_another_system_is_no_upgrade(demo: Site) -> None:
    before, after = open_workspace(demo.old), open_workspace(demo.new)
    other = with_fabric(after.plan, exceptions=Exceptions(systems={"be-spine-01": "sonic-202505"}))
    floors = dict.fromkeys(after.plan.fabrics, Fraction(1, 2))
    with pytest.raises(FabricError) as found:
        upgrade(Intents(before, after._replace(plan=other)), ("fabrics",), floors)
    (problem,) = found.value.problems
    assert (problem.code, problem.where) == ("steps-system", ("fabrics", "backend"))
    assert problem.what == f"be-spine-01 of backend runs {OLD} and would run sonic-202505"


@pytest.mark.long
def test_only_what_is_there_gets_a_release(demo: Site) -> None:
    for path in (demo.old, demo.new):
        demo.write(path, {"fe-border-01": "absent"})
        path.write_text(path.read_text() + "waivers: [{code: outside-drained, reason: accepted on Sunday}]\n")
    moved(demo, PAIR)
    found = steps("--floor", "1/2")
    assert found["title"] == f"7 switches get {NEW}, in 4 rounds"
    assert not [one for one in found["steps"] if "fe-border-01" in {*one["overrides"], *one["releases"]}]


def test_with_another_change_it_is_refused(demo: Site) -> None:
    moved(demo, SPINE)
    demo.override(**{"be-spine-01": "drained"})
    assert {one["code"] for one in refused()} == {"steps-several"}


@pytest.mark.parametrize("name", PLATFORMS)
def test_each_system_says_how_it_is_installed_and_who_says_so(name: str) -> None:
    install = INSTALLS[name]
    assert install.commands
    assert install.source
    assert any(word in " ".join(install.commands) for word in ("IMAGE", "URL", "VERSION"))


@pytest.mark.long
def test_the_last_border_leaf_in_service_is_not_drained(demo: Site) -> None:
    for path in (demo.old, demo.new):
        demo.write(path, {"fe-border-00": "drained"})
    moved(demo, PAIR)
    (problem,) = refused("--floor", "1/2")
    assert problem["code"] == "outside-drained"
    assert "only drained border leaves" in problem["what"]
    for path in (demo.old, demo.new):
        path.write_text(path.read_text() + "waivers: [{code: outside-drained, reason: accepted on Sunday}]\n")
    assert "fe-border-01" in steps("--floor", "1/2")["steps"][1]["overrides"]


@pytest.mark.parametrize(("spine", "floor", "count"), some([("be-spine-00", "1/2", 10), ("be-spine-03", "1/4", 9)]))
def test_a_switch_that_the_intent_drains_is_not_said_to_come_back(
    demo: Site, spine: str, floor: str, count: int
) -> None:
    for path in (demo.old, demo.new):
        demo.write(path, {spine: "drained"})
    moved(demo, SPINE)
    found = steps("--floor", floor, typed=True)["steps"]
    assert len(found) == count
    assert {"reload", "hitless"} == {one["risk"] for one in found}
    ends = [one["do"].partition("again.")[2] for one in found if "they carry traffic again." in one["do"]]
    assert ends == ([""] * 3 if spine == "be-spine-00" else ["", "", " The intent keeps drained: be-spine-03."])


CORE = "superspine: {model: arista-7060dx5-32, os: "


def test_superspines_are_drained_as_the_floor_allows(core: Callable[..., Site]) -> None:
    moved(core(spines=4, superspines=1), CORE)
    found = steps()
    drained = [[*one["overrides"]] for one in found["steps"][::3]]
    assert drained == [["be-super-00"], ["be-super-04"], ["be-super-08"], ["be-super-12"]]
    assert least(found) == ["3/4", "3/4", "1"] * 4
    assert "the share of those; the floor counts uplinks of leaves only" in Path("steps/README.md").read_text()


def test_a_pod_whose_spine_is_drained_keeps_the_floor_of_superspines(core: Callable[..., Site]) -> None:
    """The superspines of that spine carry nothing of its pod."""
    site = core(spines=4, superspines=1)
    for path in (site.old, site.new):
        site.write(path, {"be-spine-00": "drained"})
    moved(site, CORE)
    found = steps("--floor", "1/2")
    drained = [[*one["overrides"]] for one in found["steps"][::3]]
    assert drained == [["be-super-00"], ["be-super-04"], ["be-super-08"], ["be-super-12"]]
    # The first is one that carries nothing of that pod; the spine and its superspine are one of four ways.
    assert least(found) == ["3/4"] * 3 + ["1/2", "1/2", "3/4"] * 3


def test_a_core_group_with_a_drained_superspine_does_not_lose_the_other(core: Callable[..., Site]) -> None:
    site = core(spines=2, superspines=2)
    for path in (site.old, site.new):
        site.write(path, {"be-super-00": "drained"})
    moved(site, CORE)
    (problem,) = refused("--floor", "3/4")
    assert problem["code"] == "steps-floor"
    assert problem["what"] == "the upgrade of be-super-04 leaves 2 of 4 superspines of backend"
