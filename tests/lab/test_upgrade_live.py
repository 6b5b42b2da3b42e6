"""A spine gets another release of FRR under traffic: drained, its daemons exchanged, its new lines loaded, and back.

The host's FRR, and the newer one that `make lab-deps` has unpacked; the spine is drained and active again, as
`plan --steps` says.
"""

import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from fabricgen.lab.host.daemons import ORDER, enabled, profile, write_configuration
from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.render.render import Renderer
from fabricgen.site.workspace import open_workspace
from tests.frr.waiting import becomes
from tests.judges.frr import NEWER, available
from tests.lab.test_drain_live import (
    LEAVES,
    SPINES,
    SUBSET,
    Site,
    _over,
    _preferences,
    _replace,
    _replaced,
    _traffic,
    site,
)
from tests.some import LONG

__all__ = ["site"]

pytestmark = [LONG, pytest.mark.skipif(available(NEWER) is not None, reason=str(available(NEWER)))]

SPINE = SPINES[0]
RELOAD = "/usr/lib/frr/frr-reload.py"
PID = "/run/frr/{0}.pid"
END = f'n=$(cat {PID}) && kill "$n" && while kill -0 "$n" 2>/dev/null; do sleep 0.05; done; rm -f {PID}'


def _files(site: Site, state: str, version: str) -> dict[str, str]:
    """The files of the spine in a state and a release."""
    path = site.intent.with_name("step.yaml")
    path.write_text(f"overlay: 1\noverrides:\n  {SPINE}: {{state: {state}}}\n")
    lab = make_lab(open_workspace(site.intent, overlay=path).plan, parse_subset(SUBSET))
    (device,) = (device for device in lab.devices if device.name == SPINE)
    return {Path(file.path).name: file.text for file in Renderer().render(device._replace(version=version))}


def _in_spine(site: Site, *words: str) -> str:
    command = place_of(site.folder).space(SPINE).enter(*words)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _install(site: Site, files: dict[str, str]) -> None:
    """End the daemons, and start those of the newer release with its configuration."""
    running = enabled(files["daemons"])
    _in_spine(site, "sh", "-ec", "\n".join(END.format(name) for name in reversed(running)))
    write_configuration(place_of(site.folder), SPINE, files["frr.conf"])
    starts = ({"mgmtd": list[str]()} | running).items()
    _in_spine(site, "sh", "-ec", "\n".join(_starts(starts, profile(files["daemons"]))))
    assert "% " not in _in_spine(site, NEWER.vtysh, "-b")


def _starts(daemons: Iterable[tuple[str, list[str]]], options: list[str]) -> Iterable[str]:
    for name, own in sorted(daemons, key=lambda one: ORDER.index(one[0])):
        words = ("-d", *options, *own, "--log", f"file:/var/log/frr/{name}-new.log")
        yield f"{NEWER.folder / name} {' '.join(words)} >/dev/null 2>&1"


def test_a_spine_gets_another_release_and_no_packet_is_lost(site: Site, tmp_path: Path) -> None:
    old, new = "8.4", NEWER.release
    with _traffic(site), _replaced(site, LEAVES[0]):
        assert _replace(site, SPINE, _files(site, "drained", old)["frr.conf"])
        _over(site, SPINES[1])
        _install(site, _files(site, "drained", new))
        assert f"FRRouting {new}" in _in_spine(site, NEWER.vtysh, "-c", "show version")
        for leaf in LEAVES:
            becomes({(SPINE, 0, True), (SPINES[1], 100, False)}, _preferences, site, leaf)
        _over(site, SPINES[1])
        text = tmp_path / "back.conf"
        text.write_text(_files(site, "active", new)["frr.conf"])
        text.chmod(0o644)
        _in_spine(site, RELOAD, "--reload", "--bindir", str(NEWER.folder), str(text))
        _over(site, *SPINES)
        for leaf in LEAVES:
            becomes({(SPINE, 100, False), (SPINES[1], 100, False)}, _preferences, site, leaf)
