"""An operator shuts a port of a live FRR switch: verify tells it apart, and no push enables it again unless told to."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import forked
from tests.frr.waiting import becomes
from tests.lab.pushing import Pushing, pushing, standing, trap
from tests.lab.sites import available
from tests.lab.test_drain_live import Site

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=2,spines=2,links=1,servers=2"
SPINE = "be-spine-00"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two leaves below two spines."""
    with standing(tmp_path_factory.mktemp("lab"), SUBSET) as found:
        yield found


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, as it was made before and after."""
    with pushing(site, tmp_path) as found:
        yield found


def test_an_operators_shutdown_is_told_and_undone_only_by_name(lab: Pushing) -> None:
    accepted = ("--accept-loss", SPINE)
    assert lab.push(lab.with_line("FIRST", SPINE), "--commit", *accepted).code == 0
    device = next(one for one in lab.site.lab.devices if one.name == SPINE)
    port = next(row.name for row in device.interfaces.ethernet if row.enabled)
    lab.running.inside(SPINE, "vtysh", "-c", "configure", "-c", f"interface {port}", "-c", "shutdown")
    line = f"{SPINE}: interface {port} / shutdown"

    intent = lab.with_line("SECOND", SPINE)
    words = ("verify", intent, "-i", lab.inventory, "--journal", lab.journal, "--json", "--twice", 1)
    verified = forked.fabricgen(tuple(map(str, words)), 900)
    assert '"line-by-hand"' in verified.stdout, verified
    shown = lab.push(intent, *accepted)
    told = re.search(rf"manual change: {line} \(added; id (\w+)\); --commit is refused", shown.text)
    assert told is not None, shown.text
    refused = lab.push(intent, "--commit", *accepted)
    assert refused.code == 1, refused.text
    assert f"a line was shut down manually since the last push: {line}" in refused.text
    assert "\n shutdown\n" in lab.runs(SPINE)
    assert lab.has(SPINE, "SECOND") == (False, False)

    done = lab.push(intent, "--commit", *accepted, "--undo", line)
    assert done.code == 0, done.text
    becomes(False, lambda: "\n shutdown\n" in lab.runs(SPINE))
    assert lab.has(SPINE, "SECOND") == (True, True)


def test_a_password_that_is_typed_while_a_spine_is_drained_is_told_when_it_goes_back(lab: Pushing) -> None:
    """Right behind the merge, before what runs is read again."""
    before = lab.runs(SPINE)
    bgp = next(line for line in before.splitlines() if line.startswith("router bgp "))
    peer = next(found[1] for found in re.finditer(r"^ neighbor ([0-9.]+) remote-as", before, re.MULTILINE))
    held = trap("commit", "after", "wait", device=SPINE)
    with lab.begun(lab.with_line("PASSWORD", SPINE), "--commit", "--accept-loss", SPINE, trap=held) as child:
        child.reach()
        lab.running.typed(SPINE, bgp, f"neighbor {peer} password typed")
        child.go()
        ended = child.end()
    assert ended.code == 5, ended.text
    place = f"{bgp} / neighbor {peer} password <secret>"
    assert (
        f"1. {SPINE}: added manually while the commit waited, and undone with the revert: {place}: type it again"
        in ended.out
    )
    assert "it was changed manually while it was being drained" in ended.out
    assert lab.runs(SPINE) == before
