"""A text of a later release is not clean for an earlier one: what it cannot load is a finding, or not understood."""

import pytest

from fabricgen.audit.switch import audited
from fabricgen.device.device import Device
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.render.render import Renderer
from tests.release_lines import more, neighbors, rows_between, switches
from tests.some import LONG


def _most_lines(name: str) -> tuple[str, str]:
    """The neighboring releases of a platform between which most lines differ."""
    return max(neighbors(name), key=lambda pair: len(rows_between(name, *pair)))


PAIRS = [
    pytest.param(name, *pair, marks=() if pair == _most_lines(name) else LONG)
    for name in PLATFORMS
    for pair in neighbors(name)
]
"""All neighboring releases; one pair of each platform is for every run."""


def files_of(device: Device) -> dict[str, str]:
    return {file.name: file.text for file in Renderer().render(device)}


@pytest.mark.parametrize(("name", "older", "newer"), PAIRS)
def test_lines_of_a_later_release_are_seen(name: str, older: str, newer: str) -> None:
    for device in switches(name):
        old, new = (device._replace(version=version) for version in (older, newer))
        if [*PLATFORMS[name].limits(old), *PLATFORMS[name].limits(new)]:
            continue  # one of the releases is refused for it, so no plan has it
        before, after = files_of(old), files_of(new)
        came = [line for file in after for line in more(before.get(file, ""), after[file])]
        if came:
            assert not audited(old, after, filled=False).is_clean, (device.name, came[:3])


def test_a_line_that_the_release_does_not_have_is_listed_with_the_first_that_has_it() -> None:
    device = next(one for one in switches("eos") if one.management.syslog)
    main = READBACKS["eos"].main
    text = files_of(device._replace(version="4.34"))[main]
    (line,) = (at for at, line in enumerate(text.split("\n"), 1) if "local-interface" in line and "logging" in line)
    found = audited(device._replace(version="4.33.3F"), {main: text}, filled=False).unread
    assert [(one.line, one.text.rpartition(" (")[2]) for one in found] == [(line, "a line of 4.33.4 and later)")]
    for version in ("4.33.4M", "4.34", ""):
        assert audited(device._replace(version=version), {main: text}, filled=False).is_clean


@pytest.mark.parametrize("space", ["  ", "\t"])
def test_a_line_of_a_later_release_is_seen_however_it_is_spaced(space: str) -> None:
    """The reader takes such a line as any other, so the release is asked for it, too."""
    device = next(one for one in switches("eos") if one.management.syslog)
    main = READBACKS["eos"].main
    text = files_of(device._replace(version="4.34"))[main]
    spaced = "\n".join(
        line.replace(" local-interface", f"{space}local-interface") if line.startswith("logging") else line
        for line in text.split("\n")
    )
    assert spaced != text
    assert audited(device._replace(version="4.33.4M"), {main: spaced}, filled=False).is_clean
    (found,) = audited(device._replace(version="4.33.3F"), {main: spaced}, filled=False).unread
    assert found.text.endswith(f"{space}local-interface Management1 (a line of 4.33.4 and later)")
