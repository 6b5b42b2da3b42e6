"""Only typed secrets are filled in: on every system, whatever free text looks like, and on every way out."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_type_hints

import pytest

from fabricgen.base.secret import MARK, REFERENCE, Secret, shown
from fabricgen.changes.compare.device import changes_between
from fabricgen.device.device import Device, RawLines
from fabricgen.device.references import references
from fabricgen.errors import FabricError
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.platforms.readers import READERS
from fabricgen.push.switch.candidate import Goal, goal_of
from fabricgen.render.render import RenderedFile, Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from fabricgen.verify.collect.redact_config import without_secrets
from tests.changes.walk import samples, types
from tests.secret_sites import PLAIN, PLAIN_FILE, SYSTEMS, TACACS, VALUES, site_of

CANARY = VALUES["VAULT_TOKEN"]
SECRETS: Mapping[str, str] = {f"${{env:{name}}}": value for name, value in VALUES.items()} | {
    "${file:keys/tacacs}": TACACS
}
TYPED = {"users": ("${env:ADMIN_HASH}",), "aaa": ("${file:keys/tacacs}",), "snmp": ("${env:AUTH}", "${env:PRIV}")}
LINUX = "frr-8.4"
"""Its main file has no description of a port; that of the kernel is without signs that ifupdown2 may run."""


@cache
def leaf(name: str) -> Device:
    with TemporaryDirectory() as folder:
        plan = open_workspace(site_of(name, Path(folder) / "site")).plan
        return next(device for device in devices(plan) if device.name == "be-leaf-000")


@cache
def rendered(name: str) -> tuple[RenderedFile, ...]:
    return tuple(Renderer().render(leaf(name)))


def goal(name: str, secrets: Mapping[str, str] = SECRETS) -> Goal:
    device = leaf(name)
    platform = PLATFORMS[device.system]
    forms = {artifact.name: artifact.form for artifact in platform.artifacts[device.role]}
    profile = COMMIT_PROFILES[READERS[device.system].driver]
    return goal_of(device, rendered(name), platform.main, profile, secrets, forms)


def texts(found: Goal) -> Iterator[str]:
    yield found.candidate.text
    yield from found.candidate.files.values()


@pytest.mark.parametrize("name", SYSTEMS)
def test_marked_is_what_is_typed_and_nothing_else(name: str) -> None:
    marked = {shown(found.group()) for file in rendered(name) for found in REFERENCE.finditer(file.marked)}
    assert marked == {"${env:RAW_KEY}", *(one for part in SYSTEMS[name].has for one in TYPED[part])}
    assert not [file for file in rendered(name) if MARK in file.text]
    # Without those that are typed nothing else is asked for, and what only looks alike is not.
    goal(name, {written: SECRETS[written] for written in marked})


@pytest.mark.parametrize("name", SYSTEMS)
def test_free_text_reaches_the_switch_as_it_is_written(name: str) -> None:
    found = list(texts(goal(name)))
    assert not [text for text in found if CANARY in text or MARK in text]
    # A port, and where the system has them contact and raw lines.
    assert sum(text.count(PLAIN) for text in found) >= (0 if name == LINUX else 1 + ("snmp" in SYSTEMS[name].has))
    assert sum(text.count(PLAIN_FILE) for text in found) == ("snmp" in SYSTEMS[name].has)
    assert sum(text.count("${env:VAULT_TOKEN}") for text in found) >= (1 if name == LINUX else 2)
    assert sum(text.count(VALUES["RAW_KEY"]) for text in found) >= 1
    for part in SYSTEMS[name].has:
        for written in TYPED[part]:
            assert any(SECRETS[written] in text for text in found), written
    assert CANARY not in goal(name).candidate.hidden


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_runs_as_pushed_does_not_drift_and_what_filled_a_text_in_does(name: str) -> None:
    device = leaf(name)
    main = next(file.marked for file in rendered(name) if file.path.endswith(PLATFORMS[device.system].main))
    running = goal(name).candidate.text
    drift = READERS[device.system].drift
    wanted = str(without_secrets(main))
    ours = [one for one in drift(wanted, str(without_secrets(running))) if "RAW_KEY" not in one.line]
    assert [
        one for one in ours if VALUES["RAW_KEY"] not in one.line and VALUES["RAW_KEY"] not in str(one.section)
    ] == []
    leaked = running.replace("${env:VAULT_TOKEN}", CANARY)
    differing = drift(wanted, str(without_secrets(leaked)))
    assert any("${env:VAULT_TOKEN}" in f"{one.section}{one.line}" for one in differing if not one.present)
    assert not [one for one in differing if MARK in f"{one.section}{one.line}"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_facts_have_no_mark(name: str) -> None:
    bare = leaf(name)._replace(raw=())
    told = [f"{one.before}{one.after}" for one in changes_between(bare, leaf(name))]
    assert any("<secret ${env:RAW_KEY}>" in text for text in told)
    assert any("${env:VAULT_TOKEN}" in text for text in told)
    assert not [text for text in told if MARK in text]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_switch_has_the_references_that_are_typed(name: str) -> None:
    assert references(leaf(name)) == {"${env:RAW_KEY}", *(one for part in SYSTEMS[name].has for one in TYPED[part])}


def test_every_secret_of_a_device_is_among_its_references() -> None:
    """Found by reflection, so that a field more is not forgotten; each field that has one has it in a sample."""
    seen: set[tuple[str, str]] = set()
    for device in samples():
        held = dict(held_secrets(device))
        assert references(device) == set(held)
        seen |= set(held.values())
    hints = {(kind.__name__, field) for kind in types() for field, hint in get_type_hints(kind).items()
             if hint in (Secret, Secret | None)}  # fmt: skip
    assert seen == hints


def held_secrets(value: object, at: tuple[str, str] = ("", "")) -> Iterator[tuple[str, tuple[str, str]]]:
    """Every secret in a value, as it is written, and the field that holds it."""
    if isinstance(value, Secret):
        yield value.written, at
    elif isinstance(value, tuple):
        fields = getattr(value, "_fields", ())
        for number, one in enumerate(value):
            yield from held_secrets(one, (type(value).__name__, fields[number]) if fields else at)


@pytest.mark.parametrize(
    "lines",
    [(r'{"RAW": {"a": {"b": "\u00ad${env:VAULT_TOKEN}"}}}',), (r'{"RAW": {"a": {"b": "\u00ad\u0024{env:AUTH_}"}}}',)],
)
@pytest.mark.parametrize("name", ["sonic-202505", "srlinux-25.3"])
def test_a_mark_that_is_not_before_a_secret_of_the_switch_is_refused(name: str, lines: tuple[str, ...]) -> None:
    """Raw lines that no check has seen: an escape that the last step of a JSON file resolves."""
    device = leaf(name)
    forged = device._replace(raw=(*device.raw, RawLines("", lines, "raw[9]")))
    with pytest.raises(FabricError) as caught:
        list(Renderer().render(forged))
    assert [problem.code for problem in caught.value.problems] == ["secret-forged"]
