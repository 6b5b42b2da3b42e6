"""SR Linux in each release that is known: what differs, what judges it, what is read back, what it refuses."""

import json
import re
from functools import cache

import pytest

from fabricgen.checks.support.capabilities import platforms
from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions
from fabricgen.platforms.srlinux.live import drain
from fabricgen.platforms.srlinux.platform import SRLINUX
from fabricgen.platforms.srlinux.readback.readback import READBACK
from fabricgen.readback.compare import differences
from fabricgen.resolve.device import devices
from tests.release_lines import beyond, pattern
from tests.some import some
from tests.srlinux import push_fabric, xgs
from tests.srlinux.expected import leaves
from tests.srlinux.sites import plan_of, read, render, samples, text_of, words

needs_models = pytest.mark.skipif(xgs.available() is not None, reason=str(xgs.available()))
OLDER, NEWER = "24.10", "25.3"
JUDGED = (
    "demo backend leaf",
    "demo frontend border-leaf",
    "demo frontend leaf",
    "bare backend spine",
    "drained frontend spine",
    "made frontend leaf",
    "pairs backend leaf",
    "pairs frontend leaf",
    "tiers backend superspine",
)
"""Samples that have every leaf of the others."""
BELOW = ".* "
"""What is before the words of a row: the path to them."""


def port_of_25g(device: Device) -> Device:
    """The switch with a last port of 25G that has Reed-Solomon FEC."""
    *others, last = device.interfaces.ethernet
    port = last._replace(profile=last.profile._replace(speed_gbps=25, lanes=1, parts=1, fec="rs-fec"))
    return device._replace(interfaces=device.interfaces._replace(ethernet=(*others, port)))


@cache
def run(name: str, version: str) -> Device:
    device = samples()[name]
    return (port_of_25g(device) if name == "made frontend leaf" else device)._replace(version=version)


@cache
def older_text(name: str) -> str:
    return render(run(name, OLDER))


def told(text: str) -> set[str]:
    """Every leaf by its path and value; the keys of lists are left out of the path, and brackets are a leaf-list."""
    return {_line(path, value) for path, value in leaves(text).items()}


def _line(path: str, value: object) -> str:
    own, _, entry = path.partition("[=")
    words = re.sub(r"\[[^]]*\]", "", own).replace("/", " ")
    return f"{words} [ {value} ]" if entry else f"{words} {value}"


@pytest.mark.parametrize("name", some(sorted(samples())))
def test_releases_differ_in_the_leaves_of_the_table(name: str) -> None:
    older, newer = told(older_text(name)), told(render(run(name, NEWER)))
    assert beyond(SRLINUX.differences, older - newer, newer - older, BELOW) == []


def test_every_row_of_the_table_is_seen() -> None:
    older = {line for name in JUDGED for line in told(older_text(name))}
    newer = {line for name in JUDGED for line in told(render(run(name, NEWER)))}
    for row in SRLINUX.differences:
        for line, there, elsewhere in ((row.before, older, newer), (row.after, newer, older)):
            if line:
                assert any(pattern(line, BELOW).fullmatch(one) for one in there), line
                assert not any(pattern(line, BELOW).fullmatch(one) for one in elsewhere), line


def test_a_maintenance_release_has_the_words_of_its_train() -> None:
    for version, text in (("24.10.5", older_text("demo backend leaf")), ("25.3.2", text_of("demo backend leaf"))):
        assert render(run("demo backend leaf", version)) == text


@needs_models
@pytest.mark.parametrize("name", JUDGED)
def test_the_models_of_24_10_accept_what_is_rendered_for_it(name: str) -> None:
    assert xgs.faults(older_text(name), OLDER) == []


PATHS = r'"maximum-paths": (\d+)', r'"ebgp": {"maximum-paths": \1}'
SET = r'("match": \{\s*)"prefix-set": ("[^"]*")', r'\1"prefix": {"prefix-set": \2}'
KINDS = (
    r'(:ipv4-unicast",\s*"admin-state": "enable",)(\s*"ipv4-unicast": \{\s*"prefix)',
    (r'\1 "send-community-type": ["standard"],\2'),
)
PAUSES = r'("unicast-mapping".*?"pfc-pause-frame-priority": )\[\s*(\d)\s*\]', r"\1\2"
PAUSED = r'("received-pfc-pause-frames".*?"pfc-pause-frame-priority": )\[\s*(\d)\s*\]', r"\1\2"
FEC = (
    r'"transceiver": \{\s*"forward-error-correction": "disabled"\s*\}',
    ('"ethernet": {"forward-error-correction": {"fec-option": "disabled"}}'),
)
NEWER_LINES = {
    "paths": ("demo backend leaf", PATHS, 'Node "ebgp" not found'),
    "prefixes": ("demo frontend leaf", SET, 'Node "prefix" not found'),
    "communities": ("demo backend leaf", KINDS, 'Node "send-community-type" not found'),
    "pauses": ("demo backend leaf", PAUSES, 'leaf-list "pfc-pause-frame-priority"'),
    "paused": ("demo backend leaf", PAUSED, 'leaf-list "pfc-pause-frame-priority"'),
    "port speed": ("demo backend leaf", ('"breakout-port-speed": "400G"', '"breakout-port-speed": "450G"'), "450G"),
    "class": ("demo backend leaf", ('"forwarding-class": "fc3"', '"forwarding-class": "fc9"'), "Invalid leafref"),
}


@needs_models
@pytest.mark.parametrize("what", NEWER_LINES)
def test_the_models_of_24_10_reject_lines_of_25_3_and_wrong_ones(what: str) -> None:
    name, (old, new), said = NEWER_LINES[what]
    text, times = re.subn(old, new, older_text(name), flags=re.DOTALL)
    assert times
    assert said in "\n".join(xgs.faults(text, OLDER))


@needs_models
def test_each_release_rejects_the_fec_of_the_other() -> None:
    name = "made frontend leaf"
    assert '"forward-error-correction": "rs-108"' in older_text(name)
    assert '"fec-option": "rs-528"' in render(run(name, NEWER))
    for version, old, new in (
        (OLDER, '"forward-error-correction": "rs-108"', '"forward-error-correction": {"fec-option": "rs-528"}'),
        (NEWER, '"fec-option": "rs-528"', '"fec-option": "rs-108"'),
    ):
        assert xgs.faults(render(run(name, version)).replace(old, new), version) != []


@needs_models
@pytest.mark.parametrize("name", ["demo backend leaf", "demo frontend leaf", "made frontend leaf"])
def test_the_models_of_25_3_reject_what_is_rendered_for_24_10(name: str) -> None:
    assert xgs.faults(older_text(name), NEWER) != []


def said(name: str, text: str) -> list[str]:
    reading = READBACK.read({"config.json": text})
    found = differences(READBACK.expected(run(name, OLDER)), reading)
    return [f"{row.thing} {row.name} {row.setting} {row.line}" for row in found] + [one.text for one in reading.unread]


@pytest.mark.parametrize("name", sorted(samples()))
def test_a_text_of_24_10_is_read_back(name: str) -> None:
    assert said(name, older_text(name)) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "differs"),
    [
        ("demo backend leaf", r'("pfc-pause-frame-priority": \[\s*)3', r"\g<1>4", " pfc "),
        ("demo backend leaf", r'("pfc-pause-frame-priority": )\[\s*3\s*\]', r"\1[3, 4]", " pfc "),
        ("demo backend leaf", r'"maximum-paths": \d+', '"maximum-paths": 1', "maximum-paths"),
        ("demo frontend leaf", r'("match": \{\s*"prefix-set": )"PL-FABRIC-IPV4"', r'\1"PL-OWN-IPV4"', "policy "),
        ("made frontend leaf", r'"rs-108"', '"rs-528"', " fec "),
        ("made frontend leaf", r'("transceiver": \{\s*"forward-error-correction": )"disabled"', r'\1"rs-528"', " fec "),
        (
            "demo frontend leaf",
            r'("group-name": "SPINES-EVPN",.*?:evpn",\s*"admin-state": "enable")',
            r'\1, "send-community-type": ["standard"]',
            "extended-communities",
        ),
    ],
)
def test_a_line_of_24_10_that_differs_is_found(name: str, old: str, new: str, differs: str) -> None:
    text, times = re.subn(old, new, older_text(name), count=1, flags=re.DOTALL)
    assert times
    assert any(differs in line for line in said(name, text)), said(name, text)


def test_equal_paths_in_the_words_of_24_10_are_none_of_25_3() -> None:
    """The models of 25.3 take them, and a session of another AS would have one path."""
    old, new = r'"ebgp": \{\s*("maximum-paths": \d+)\s*\}', r"\1"
    text, times = re.subn(old, new, text_of("demo backend leaf"))
    assert times
    found = differences(READBACK.expected(samples()["demo backend leaf"]), READBACK.read({"config.json": text}))
    assert [row.name for row in found] == ["equal paths: one number for all peers"]


def test_a_drain_knows_the_policies_of_each_release() -> None:
    exceptions = Exceptions(devices={"be-spine-00": "drained"})
    plan = plan_of(read(push_fabric.INTENT), exceptions)
    spine = next(device for device in devices(plan) if device.name == "be-spine-00")
    for version in (OLDER, NEWER):
        device = spine._replace(version=version)
        running = render(device._replace(state="active"))
        assert "replaces" in json.loads(drain.drain(device, running))
        assert drain.drain(device, re.sub(r'("prefix-set": )"PL-', r'\1"OTHER-', running)) == ""


def test_more_equal_paths_than_every_chassis_has_are_refused_before_25_3() -> None:
    device = run("demo backend leaf", OLDER)
    wide = device._replace(
        routing=device.routing._replace(bgp=device.routing.bgp._replace(maximum_paths=128, overlay_paths=128))
    )
    assert [problem.where for problem in SRLINUX.limits(wide)] == [("fabrics", "backend", "topology")]
    assert list(SRLINUX.limits(wide._replace(version=NEWER))) == []


@pytest.mark.parametrize(("version", "known"), [("24.10.3", True), ("25.3.2", True), ("24.7", False), ("25.10", False)])
def test_releases_beside_those_that_are_known_are_refused(version: str, *, known: bool) -> None:
    problems = list(platforms(plan_of(read(words("demo").replace("srlinux-25.3", f"srlinux-{version}")))))
    assert {problem.code for problem in problems} == (set() if known else {"unsupported-version"})
