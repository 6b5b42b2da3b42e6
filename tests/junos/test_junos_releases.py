"""Junos in each release that is known: its text, what it is judged by, and what it refuses."""

import re
from itertools import pairwise

import pytest

from fabricgen.checks.support.capabilities import between_releases, capabilities, platforms
from fabricgen.device.device import Device
from fabricgen.device.qos import Watchdog
from fabricgen.platforms.junos.platform import JUNOS
from fabricgen.platforms.junos.readback.readback import READBACK
from fabricgen.readback.compare import differences
from tests.judges import junos
from tests.junos import intents
from tests.junos.sites import NAMES, plan_of, render, sample
from tests.some import some

needs_models = pytest.mark.skipif(junos.available() is not None, reason=str(junos.available()))
RUN = {"23.4": "23.4R2", "24.2": "24.2", "24.4": "24.4"}
"""Train → the release of it that can balance by load."""
JUDGED = (
    "front last leaf",
    "unnumbered spine",
    "front border-leaf",
    "shared spine",
    "drained leaf",
    "unnumbered leaf",
    "plain spine",
    "plain leaf",
    "away leaf",
)
"""Files that have every statement of the others."""
NOT_IN_EVOLVED = (
    "buffer-monitor-enable is no statement of traffic-manager",
    "ingress is no statement of shared-buffer",
    "egress is no statement of shared-buffer",
    "dedicated-buffer is no statement of class-of-service",
    "xon is no statement of code-point",
)
"""What Juniper's models of Evolved do not have, and its designs and pages for QFX on Evolved do: JVD 5-stage (23.4R2),
JVD AI backend, and of xon Feature Explorer 2114."""
SFLOW = "routing-instance is no statement of collector"


def run(name: str, version: str) -> Device:
    """A switch in another release, without what that refuses."""
    device = sample(name).device
    row = JUNOS.can("sflow", version)
    assert row is not None
    if row.refusal:
        own = device.interfaces
        ports = tuple(port._replace(profile=port.profile._replace(sflow=False)) for port in own.ethernet)
        device = device._replace(
            management=device.management._replace(sflow=None), interfaces=own._replace(ethernet=ports)
        )
    return device._replace(version=version)


def test_every_release_has_a_case() -> None:
    assert tuple(RUN) == JUNOS.versions


@pytest.mark.parametrize("name", NAMES)
def test_no_line_differs_between_releases(name: str) -> None:
    assert JUNOS.differences == ()
    device = sample(name).device
    texts = {version: render(device._replace(version=version)) for version in RUN.values()}
    for older, newer in pairwise(texts.values()):
        assert older == newer


@pytest.mark.parametrize("version", RUN.values())
@pytest.mark.parametrize("name", JUDGED)
def test_a_text_of_each_release_is_read_back(name: str, version: str) -> None:
    device = run(name, version)
    reading = READBACK.read({"juniper.conf": render(device)})
    assert (differences(READBACK.expected(device), reading), reading.unread) == ((), [])


def without_quotes(found: list[str]) -> set[str]:
    """What is said, without its line."""
    return {one.partition(": ")[2].replace("'", "") for one in found}


@needs_models
def test_the_models_of_23_4_accept_what_is_rendered_for_it() -> None:
    for name in JUDGED:
        assert junos.faults(render(run(name, "23.4R2")), "23.4") == []


@needs_models
@pytest.mark.parametrize("release", some(["23.4", "24.4"], of=2))
def test_the_models_of_evolved_lack_nothing_but_what_its_designs_have(release: str) -> None:
    lacking: set[str] = set()
    for name in JUDGED:
        lacking |= without_quotes(junos.faults(render(run(name, RUN[release])), f"{release} Evolved"))
    assert lacking == set(NOT_IN_EVOLVED)


@needs_models
@pytest.mark.parametrize("release", some([release for release in junos.RELEASES if release != junos.NEWEST]))
def test_the_models_of_each_release_reject(release: str) -> None:
    version = RUN[release.removesuffix(" Evolved")]
    for name, old, new, said in (
        ("drained leaf", "pfc-priority 3", "pfc-priority 8", 'value "8'),
        ("plain leaf", "instance-type mac-vrf", "instance-type macvrf", "macvrf"),
        ("drained leaf", "sampling-rate 1000000", "sample-rate 1000000", "'sample-rate' is no statement of ecmp-dlb"),
        (
            "front last leaf",
            "no-nexthop-change",
            "no-next-hop-change",
            "'no-next-hop-change' is no statement of multihop",
        ),
    ):
        text = render(run(name, version))
        assert old in text
        assert said in "\n".join(junos.faults(text.replace(old, new), release))


@needs_models
def test_the_instance_of_a_collector_is_in_the_models_of_evolved_after_23_4() -> None:
    text = sample("front last leaf").text
    assert "routing-instance mgmt_junos" in text
    assert without_quotes(junos.faults(text, "23.4 Evolved")) == {SFLOW}
    assert junos.faults(text, "24.4 Evolved") == []


def asked(text: str, version: str) -> dict[str, str]:
    """What an intent in another release is refused, with the way out."""
    found = plan_of(text.replace("junos-24.4", f"junos-{version}"))
    assert list(platforms(found)) == []
    return {problem.what.partition("support ")[2].partition(",")[0]: problem.fix for problem in capabilities(found)}


@pytest.mark.parametrize(
    ("text", "version", "feature", "able"),
    [
        (intents.LOSSLESS, "23.4", "dlb-flowlet", "23.4R2"),
        (intents.LOSSLESS, "23.4R1-S2", "dlb-flowlet", "23.4R2"),
        (intents.LOSSLESS.replace("dlb-flowlet", "dlb-per-packet"), "23.4R1", "dlb-per-packet", "23.4R2"),
        (intents.FRONTEND, "23.4R2-S5", "sflow", "24.2"),
        (intents.FRONTEND, "23.4X100-D40", "sflow", "24.2"),
    ],
)
def test_what_a_release_does_not_have_is_refused_with_the_one_that_has(
    text: str, version: str, feature: str, able: str
) -> None:
    fix = asked(text, version)[feature]
    assert fix.startswith(f"write os: junos-{able}, or ")
    assert "run Juniper Junos" not in fix
    assert feature not in asked(text, able)


@pytest.mark.parametrize("version", ["23.4R2", "23.4R2-S5.8-EVO", "23.4X100-D40", "24.2R1", "24.4R2"])
def test_a_lossless_backend_is_taken_by_every_train(version: str) -> None:
    text = re.sub(r"\n +sflow: .*", "", intents.LOSSLESS)
    assert asked(text, version) == {}
    assert list(between_releases(plan_of(text.replace("junos-24.4", f"junos-{version}")))) == []


def test_a_release_between_two_without_a_difference_is_accepted_with_a_warning() -> None:
    found = plan_of(intents.LOSSLESS.replace("junos-24.4", "junos-24.3"))
    assert list(platforms(found)) == []
    problems = list(between_releases(found))
    assert {problem.code for problem in problems} == {"release-between"}
    assert "24.2 and 24.4 were" in problems[0].why


@pytest.mark.parametrize("version", ["23.4X100", "23.4X100-D40", "23.4R2", "24.4R1"])
def test_a_model_of_some_trains_is_refused_in_others(version: str) -> None:
    text = re.sub("juniper-qfx52[34]0-64(cd|od)", "juniper-qfx5241-64od", intents.LOSSLESS)
    problems = list(platforms(plan_of(text.replace("junos-24.4", f"junos-{version}"))))
    if "X100" in version:
        assert problems == []
        return
    for problem in problems:
        assert problem.code == "unsupported-version"
        assert problem.what == f"junos-{version} does not run on juniper-qfx5241-64od"
        assert "in 23.4X100 and 25.2X100 only" in problem.why
        assert problem.fix.startswith("write os: junos-23.4X100, or waivers: ")
    assert len(problems) == 2, "leaves and spines"


@pytest.mark.parametrize("version", ["22.4", "23.2R2", "24.1", "25.2"])
def test_a_release_outside_or_beside_a_difference_is_refused(version: str) -> None:
    (problem, *_) = platforms(plan_of(intents.LOSSLESS.replace("junos-24.4", f"junos-{version}")))
    assert problem.code == "unsupported-version"
    assert "23.4, 24.2, 24.4" in problem.why


@pytest.mark.parametrize(
    ("watchdog", "key"),
    [
        (Watchdog(2500, 400, 200, "drop"), "detect_ms"),
        (Watchdog(400, 1001, 200, "drop"), "restore_ms"),
        (Watchdog(2000, 1000, 200, "drop"), None),
    ],
)
def test_the_watchdog_has_ranges_before_23_4r2(watchdog: Watchdog, key: str | None) -> None:
    device = sample("lossless leaf").device
    assert device.qos is not None
    slow = device._replace(qos=device.qos._replace(watchdog=watchdog))
    wanted = [] if key is None else [("fabrics", "backend", "roce", "watchdog", key)]
    for version in ("23.4", "23.4R1"):
        assert [problem.where for problem in JUNOS.limits(slow._replace(version=version))] == wanted
    assert list(JUNOS.limits(slow._replace(version="23.4R2"))) == []
