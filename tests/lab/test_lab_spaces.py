"""No namespace of a switch's tenants is ever among the host's own, whatever fails while its namespaces are made."""

import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.build.remove import remove
from fabricgen.lab.host import spaces
from fabricgen.lab.host.place import NETNS, LabPlace, Space, place_of
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.host.spaces import SERVER, SWITCH, hold, make_space, make_vrf
from tests.lab.sites import available, remains

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))


@pytest.fixture
def vrf() -> Iterator[str]:
    """Name of a tenant that this host has not; in the end it is not among the host's namespaces."""
    name = f"vrf{secrets.token_hex(4)}"
    try:
        yield name
        assert not (NETNS / name).exists()
    finally:
        if (NETNS / name).exists():
            subprocess.run(["ip", "netns", "delete", name], check=False)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LabPlace]:
    found = place_of(tmp_path / "lab")
    found.folder.mkdir()
    found.run.mkdir(parents=True)
    try:
        hold(LabShell(found.id), found)
        yield found
    finally:
        remove(found)
        shutil.rmtree(found.run)
        shutil.rmtree(found.folder)
        assert remains(found) == {}


def test_a_tenant_s_namespace_is_the_switch_s_own(place: LabPlace, vrf: str) -> None:
    shell = LabShell(place.id)
    make_space(shell, place, "leaf", has_frr=True)
    make_vrf(shell, place.space("leaf"), vrf)
    assert shell.must(place.space("leaf").enter("ls", "/run/netns"), doing="ls").split() == [vrf]


def _refused(space: Space, vrf: str) -> str:
    with pytest.raises(FabricError) as caught:
        make_vrf(LabShell("x"), space, vrf)
    (problem,) = caught.value.problems
    assert problem.what == f"VRF {vrf} of {space.name}: sh failed"
    assert not (NETNS / vrf).exists()
    return problem.why


def test_a_space_that_is_the_host_s_own_gets_no_vrf(vrf: str) -> None:
    """As if entering the mount namespace had done nothing."""
    own = Path("/proc/self/ns")
    assert _refused(Space("leaf", "", own / "net", own / "uts", own / "mnt"), vrf) == "this is not inside leaf"


@contextmanager
def _mounts(script: str) -> Iterator[Space]:
    """A space called leaf with mounts of its own, after a script of the test's."""
    words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", f"{script} && echo made && exec sleep 600"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "made\n"
            held = Path(f"/proc/{process.pid}/ns")
            yield Space("leaf", "", held / "net", held / "uts", held / "mnt")
        finally:
            process.kill()


OWN_RUN = "mount -t tmpfs tmpfs /run && mkdir /run/netns"


@pytest.mark.parametrize("script", ["true", OWN_RUN, f"{OWN_RUN} && echo other >/run/fabricgen-space"])
def test_a_space_that_is_half_made_gets_no_vrf(vrf: str, script: str) -> None:
    """Mounts of its own, and /run is still the host's; or what comes after was not done; or it is another switch's."""
    with _mounts(script) as space:
        assert _refused(space, vrf) == "this is not inside leaf"


def test_a_mark_in_the_host_s_own_run_folder_counts_for_nothing(vrf: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's /run has the mark, as far as the space can tell."""
    with _mounts(f"{OWN_RUN} && echo leaf >/run/fabricgen-space") as space:
        found = LabShell("x").must(space.enter("stat", "-c", "%d", "/run"), doing="stat").strip()
        monkeypatch.setattr(spaces, "host_run", lambda: found)
        assert _refused(space, vrf) == "this is not inside leaf"
        monkeypatch.undo()
        make_vrf(LabShell("x"), space, vrf)
        assert not (NETNS / vrf).exists()


MOUNTS = re.findall(r"^(?:if .* then )?mount (.*?)(?:; fi)?$", SWITCH, re.MULTILINE)


def _failing(folder: Path, number: int) -> str:
    """A double of mount(8) in front of the real one: it fails at its call of this number. The PATH that has it."""
    (folder / "calls").write_text("")
    script = f"""#!/bin/sh
echo >>{folder}/calls
if [ "$(wc -l <{folder}/calls)" = {number} ]; then echo "mount: it fails" >&2; exit 32; fi
exec {shutil.which("mount")} "$@"
"""
    (folder / "mount").write_text(script)
    (folder / "mount").chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


MADE = [words for words in MOUNTS if "/dev/log" not in words or Path("/dev/log").exists()]
"""Those of this host: without a log there is nothing to silence."""


@pytest.mark.parametrize("number", range(1, len(MADE) + 1))
def test_each_mount_that_fails_ends_the_lab(
    place: LabPlace, tmp_path: Path, vrf: str, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """The lab is refused there and then; and whoever went on would find the space without its mark."""
    (tmp_path / "bin").mkdir()
    shell, path = LabShell(place.id), os.environ["PATH"]
    monkeypatch.setenv("PATH", _failing(tmp_path / "bin", number))
    with pytest.raises(FabricError) as caught:
        make_space(shell, place, "leaf", has_frr=True)
    assert caught.value.problems[0].what == "namespaces of leaf: unshare failed"
    assert caught.value.problems[0].why == "mount: it fails"
    monkeypatch.setenv("PATH", path)
    _refused(place.space("leaf"), vrf)


def test_the_mounts_that_are_tried_are_those_that_are_made() -> None:
    assert [words.split()[-1] for words in MOUNTS] == [
        "/etc/frr",
        "/var/log/frr",
        "/etc/network",
        "/etc/sysctl.d",
        "/usr/local/sbin",
        "/dev/log",
        "/run",
        "/sys",
    ]


@pytest.mark.parametrize("script", [SERVER, SWITCH])
def test_the_host_s_own_mounts_are_never_mounted_over(script: str, tmp_path: Path) -> None:
    """The script run where nothing was unshared, as far as it can tell; it was, should it go on."""
    words = ["unshare", "--mount", "--uts", "--net", "--propagation", "private", "sh", "-c"]
    inner = 'exec sh -c "$1" sh leaf "$(readlink /proc/self/ns/mnt)" 0 "$2" "$2" "$2" "$2" "$2"'
    done = subprocess.run([*words, inner, "sh", script, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "these are the host's own mounts\n"


def test_a_run_folder_that_was_not_covered_ends_the_script(tmp_path: Path) -> None:
    """A mount that says it was made, and was not."""
    (tmp_path / "mount").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "mount").chmod(0o755)
    words = ["unshare", "--mount", "--uts", "--net", "--propagation", "private", "sh", "-c", SWITCH]
    paths = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    run = str(Path("/run").stat().st_dev)
    done = subprocess.run(
        [*words, "sh", "leaf", "", run, *[tmp_path] * 5], env=paths, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "/run is the host's own\n"
    assert not Path("/run/fabricgen-space").exists()
