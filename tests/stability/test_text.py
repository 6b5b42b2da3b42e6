"""Whole switches and their text over a growth step: a leaf that stands is not touched, a spine only gains."""

from collections.abc import Iterable
from difflib import ndiff
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock, read_lock, write_lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate

DEMO = Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml"

Files = dict[str, str]


def intent_of(document: dict[str, Any]) -> Intent:
    return validate(Intent, load_document(yaml.safe_dump(document, sort_keys=False), "intent.yaml"))


def demo() -> dict[str, Any]:
    """The demo's intent as a plain value."""
    found = load_document(DEMO.read_text(), "intent.yaml").value
    assert isinstance(found, dict)
    return found


def planned(document: dict[str, Any], lock: str = "") -> Plan:
    intent, catalog = intent_of(document), load_catalog(None)
    recorded = read_lock(load_document(lock, "fabricgen.lock")) if lock else Lock()
    return make_plan(intent, catalog, make_shapes(intent, catalog), recorded, Exceptions())


def rendered(plan: Plan) -> Files:
    renderer = Renderer()
    return {file.path: file.text for device in devices(plan) for file in renderer.render(device)}


def by_name(plan: Plan) -> dict[str, Device]:
    return {device.name: device for device in devices(plan)}


@pytest.fixture(scope="module")
def step() -> tuple[Plan, Plan]:
    """Three scalable units of 32, which are four of the frontend's 24; then one more of the backend's."""
    document = demo()
    document["servers"]["train"]["slots"] = "0-95"
    document["fabrics"]["backend"]["topology"]["spines"]["now"] = 8
    before = planned(document)
    document["servers"]["train"]["slots"] = "0-127"
    return before, planned(document, write_lock(before.lock))


def gone(before: str, after: str) -> list[str]:
    """Lines that the later text no longer has."""
    return [line[2:] for line in ndiff(before.splitlines(), after.splitlines()) if line.startswith("- ")]


def standing_leaves(names: Iterable[str]) -> list[str]:
    return [name for name in names if "-leaf-" in name]


def test_adding_a_unit_touches_no_leaf_that_stands(step: tuple[Plan, Plan]) -> None:
    before, after = map(by_name, step)
    assert set(before) < set(after)
    leaves = standing_leaves(before)
    assert len(leaves) > 4
    assert all(before[name] == after[name] for name in leaves)
    one, two = map(rendered, step)
    touched = [path for path in one if one[path] != two[path]]
    assert touched
    assert all("-spine-" in path for path in touched)


def test_adding_a_unit_only_adds_to_the_spines(step: tuple[Plan, Plan]) -> None:
    before, after = map(by_name, step)
    for name in before:
        if "be-spine-" in name:
            old, new = before[name].interfaces.ethernet, after[name].interfaces.ethernet
            assert set(old) < set(new)
            assert 3 * len(new) == 4 * len(old), "a unit more of equal leaves"
    one, two = map(rendered, step)
    for path in one:
        assert gone(one[path], two[path]) == [], path


def test_nothing_but_the_new_unit_is_new(step: tuple[Plan, Plan]) -> None:
    before, after = map(by_name, step)
    fresh = set(after) - set(before)
    assert {name[:7] for name in fresh} == {"be-leaf", "fe-leaf"}
    assert len([name for name in fresh if name.startswith("be-")]) == 4, "two rails a leaf: four leaves a unit"
    assert step[0].lock == step[1].lock, "planned numbers only"


def reversed_keys(value: Any) -> Any:  # noqa: ANN401 - what YAML may hold
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(list(value))}
    return [reversed_keys(each) for each in value] if isinstance(value, list) else value


def test_the_order_of_keys_changes_no_byte() -> None:
    one, two = planned(demo()), planned(reversed_keys(demo()))
    assert rendered(one) == rendered(two)
    assert write_lock(one.lock) == write_lock(two.lock)


def test_removed_from_the_middle_and_restored_changes_no_byte() -> None:
    document = demo()
    document["servers"]["train"]["slots"] = "0-63"
    first = planned(document)
    less = demo()
    less["servers"]["train"]["slots"] = "32-63"
    del less["tenants"]["research"]
    between = planned(less, write_lock(first.lock))
    again = planned(document, write_lock(between.lock))
    assert write_lock(between.lock) == write_lock(first.lock)
    assert set(rendered(between)) < set(rendered(first))
    assert rendered(again) == rendered(first)


def test_a_line_that_goes_is_seen() -> None:
    assert gone("a\nb\nc\n", "a\nc\nd\n") == ["b"]
