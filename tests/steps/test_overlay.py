"""`--overlay`: states of one step in front of the intent's own, with their own places, kept with what they made."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from fabricgen.baseline.open import open_side
from fabricgen.intent.kept_inputs import KEPT
from fabricgen.intent.overlay import parse_share
from fabricgen.plan.exceptions import PortKey
from fabricgen.site.workspace import WorkspaceError, open_workspace
from tests.steps.conftest import Site, say

HALF = [f"Ethernet{cage}/{part}" for cage in range(33, 49) for part in (1, 5)]
"""The first 32 of the 64 uplinks of a backend leaf: its upper 32 cages hold two of 400G each."""


def overlay(text: str, name: str = "step.yaml") -> Path:
    path = Path(name)
    path.write_text(text)
    return path


def drained(selector: str, state: str = "drained") -> Path:
    return overlay(f'overlay: 1\noverrides:\n  "{selector}": {{state: {state}}}\n')


def states(site: Site, path: Path | None) -> dict[object, str]:
    found = next(iter(open_workspace(site.new, overlay=path).plan.fabrics.values())).exceptions
    return dict([*found.devices.items(), *found.ports.items(), *found.slots.items()])


def test_an_overlay_adds_to_the_intents_overrides(demo: Site) -> None:
    demo.override(**{"be-spine-00": "drained"})
    assert states(demo, None) == {"be-spine-00": "drained"}
    assert states(demo, drained("be-spine-03")) == {"be-spine-00": "drained", "be-spine-03": "drained"}


def test_a_selector_of_both_is_the_overlays(demo: Site) -> None:
    demo.override(**{"be-spine-00": "drained", "be-leaf-000/Ethernet33/1": "absent"})
    assert states(demo, drained("be-spine-00", "active")) == {PortKey("be-leaf-000", "Ethernet33/1"): "absent"}


def test_the_more_specific_wins_wherever_it_stands(demo: Site) -> None:
    demo.override(**{"be-spine-00": "active"})
    assert states(demo, drained("be-spine-*")) == {f"be-spine-0{n}": "drained" for n in (1, 2, 3)}


@pytest.mark.parametrize("verb", ["validate", "plan", "render", "diff", "explain", "verify"])
def test_every_verb_tells_the_overlays_line(demo: Site, verb: str) -> None:
    demo.override(**{"be-spine-00": "drained"})
    path = overlay('overlay: 1\n\noverrides:\n  be-spine-03: {state: drained}\n  "be-spine-33": {state: drained}\n')
    more = {"diff": ["--against", "old"], "explain": ["be-spine-00"], "verify": ["--from", "old"]}.get(verb, [])
    result = say(verb, demo.new, *more, "--overlay", path, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["code"], problem["file"], problem["line"]) == ("unknown-name", "step.yaml", 5)
    text = say(verb, demo.new, *more, "--overlay", path).stderr
    assert "step.yaml:5:3: error[unknown-name]: unknown switch be-spine-33" in text
    assert '  5 |   "be-spine-33": {state: drained}' in text


def test_a_problem_of_the_intents_own_override_keeps_its_place(demo: Site) -> None:
    demo.override(**{"be-spine-44": "drained"})
    result = say("validate", demo.new, "--overlay", drained("be-spine-03"), "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    lines = demo.new.read_text().splitlines()
    assert (problem["file"], problem["line"]) == (str(demo.new), lines.index('  "be-spine-44": {state: drained}') + 1)


def test_a_check_tells_the_overlays_line(demo: Site) -> None:
    lines = "".join(f"  be-spine-0{n}: {{state: drained}}\n" for n in range(4))
    result = say("validate", demo.new, "--overlay", overlay(f"overlay: 1\noverrides:\n{lines}"), "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["code"], problem["file"], problem["line"]) == ("spines-drained", "step.yaml", 3)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("overrides: {}\n", "missing-key", 1),
        ("overlay: 2\n", "out-of-range", 1),
        ("overlay: 1\nfabrics: {}\n", "unknown-key", 2),
        ("overlay: 1\noverrides:\n  be-spine-03: {state: gone}\n", "bad-choice", 3),
        ("overlay: 1\noverrides:\n  be-spine-03: drained\n", "wrong-type", 3),
        ("overlay: 1\noverrides:\n  be-spine-03: {speed: 400}\n", "override-refused", 3),
        ('overlay: 1\noverrides:\n  "be spine": {state: drained}\n', "bad-name", 3),
        ("overlay: 1\nfloor: 3/2\n", "bad-value", 2),
        ("overlay: 1\nfloor: 0\n", "bad-value", 2),
        ("overlay: 1\noverrides: [\n", "yaml-syntax", 3),
    ],
)
def test_a_bad_overlay_is_told_by_its_line(demo: Site, text: str, code: str, line: int) -> None:
    demo.override(**{"be-spine-03": "drained"})
    result = say("validate", demo.new, "--overlay", overlay(text), "--json")
    assert result.exit_code == 1
    problems = json.loads(result.stdout)["problems"]
    assert (code, "step.yaml", line) in [(one["code"], one["file"], one["line"]) for one in problems]


def test_an_overlay_that_is_not_there(demo: Site) -> None:
    result = say("validate", demo.new, "--overlay", "nowhere.yaml")
    assert result.exit_code == 1
    assert "nowhere.yaml:1:1: error[file-missing]" in result.stderr


@pytest.mark.parametrize(("text", "share"), [("3/4", Fraction(3, 4)), ("0.75", Fraction(3, 4)), ("1", Fraction(1))])
def test_shares(text: str, share: Fraction) -> None:
    assert parse_share(text) == share


@pytest.mark.parametrize("text", ["", "0", "0/4", "5/4", "2", "-1/2", "1/0", "3:4", "75%", "half", True, None, [1]])
def test_what_is_no_share(text: object) -> None:
    with pytest.raises(ValueError, match="share of more than 0"):
        parse_share(text)


def test_what_lies_beside_the_intent_under_the_same_name_is_not_read(demo: Site) -> None:
    (demo.new.parent / KEPT).write_text("overlay: 1\noverrides: {nothing: {state: drained}}\n")
    assert KEPT not in open_workspace(demo.new).inputs
    assert say("render", demo.new, "-o", "out").exit_code == 0
    assert not Path("out/.fabricgen/inputs", KEPT).exists()
    path = drained("be-spine-03")
    assert open_workspace(demo.new, overlay=path).inputs[KEPT] == path.read_bytes()


def test_an_input_of_the_intent_can_not_have_the_kept_name(demo: Site) -> None:
    odd = demo.new.with_name(KEPT)
    demo.new.rename(odd)
    assert open_workspace(odd).inputs[KEPT] == odd.read_bytes()
    with pytest.raises(WorkspaceError) as caught:
        open_workspace(odd, overlay=drained("be-spine-03"))
    assert [problem.code for problem in caught.value.problems] == ["overlay-name"]


def test_a_cable_file_of_the_kept_name(demo: Site) -> None:
    demo.change(("cables: {default", f"cables: {{file: {KEPT}, default"))
    demo.new.with_name(KEPT).write_text("device,port,length_m\nbe-leaf-000,Ethernet33/1,12\n")
    assert say("validate", demo.new).exit_code == 0
    result = say("validate", demo.new, "--overlay", drained("be-spine-03"), "--json")
    assert [one["code"] for one in json.loads(result.stdout)["problems"]] == ["overlay-name"]


def test_a_rendered_tree_is_what_its_overlay_made(demo: Site) -> None:
    path = drained("be-spine-03")
    assert say("render", demo.new, "--overlay", path, "-o", "out").exit_code == 0
    with open_side("out", demo.new, None) as side:
        assert side.plan is not None
        assert side.plan.fabrics["backend"].exceptions.devices == {"be-spine-03": "drained"}
    assert say("diff", demo.new, "--overlay", path, "--against", "out").exit_code == 0
    without = say("diff", demo.new, "--against", "out")
    assert without.exit_code == 3
    assert "be-spine-03" in without.stdout
    assert say("render", demo.new, "-o", "out").exit_code == 0
    assert not Path("out/.fabricgen/inputs", KEPT).exists()
    assert say("diff", demo.new, "--against", "out").exit_code == 0


def test_explain_names_the_overlay(demo: Site) -> None:
    told = say("explain", demo.new, "be-spine-03", "--overlay", drained("be-spine-03")).stdout
    assert "step.yaml:3:" in told
    assert "drained" in told


def test_absent_links_need_a_floor(demo: Site) -> None:
    """Half of a leaf's uplinks is half of what its servers send at 1:1: too little, unless the overlay says so."""
    lines = "".join(f'  "be-leaf-000/{port}": {{state: absent}}\n' for port in HALF)
    body = f"overrides:\n{lines}"
    for floor, code in (("", "links-missing"), ("floor: 3/4\n", "links-missing"), ("floor: 1/2\n", None)):
        result = say("validate", demo.new, "--overlay", overlay(f"overlay: 1\n{floor}{body}"), "--json")
        assert [one["code"] for one in json.loads(result.stdout)["problems"]] == ([code] if code else [])


def test_a_selector_of_both_keeps_the_settings_that_the_intent_gives_it(demo: Site) -> None:
    text = demo.new.read_text()
    demo.new.write_text(
        f"{text}\noverrides:\n  backend/leaf: {{bgp: {{hold_seconds: 12}}}}\n  be-leaf-000: {{os: eos-4.34.1}}\n"
    )
    found = next(iter(open_workspace(demo.new, overlay=drained("be-leaf-000")).plan.fabrics.values())).exceptions
    assert found.devices == {"be-leaf-000": "drained"}
    assert found.systems == {"be-leaf-000": "eos-4.34.1"}
    bad = overlay("overlay: 1\noverrides:\n  be-leaf-000: {state: drained}\n")
    demo.new.write_text(f"{text}\noverrides:\n  be-leaf-000: {{os: sonic-1}}\n")
    with pytest.raises(WorkspaceError) as caught:
        open_workspace(demo.new, overlay=bad)
    (problem,) = caught.value.problems
    assert problem.at is not None
    assert (problem.code, problem.at.file) == ("model-system", str(demo.new))
