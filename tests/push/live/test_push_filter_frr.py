"""A push over SSH to live FRR whose rendered filter would not let it in again: refused before, or taken back after.

A real sshd, ifupdown2 and nftables in the switch; this host manages it over its management port.
"""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
import yaml

from fabricgen.device.device import Device
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.push.act import new_login
from fabricgen.push.journal.journal import Journal, read_journal
from fabricgen.push.model import RunOutcome, StepName, StepState
from fabricgen.push.plan.lockout import Arrival, lockouts
from fabricgen.push.report.model import report
from fabricgen.push.report.text import text
from fabricgen.push.switch.switch import Candidate
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from tests.frr.waiting import becomes
from tests.napalm_frr import boxes, fabric, switches
from tests.napalm_frr.boxes import INTERFACES, Box
from tests.push import kills
from tests.push.boxed import at, fleet
from tests.push.kills import Switch, once

SITE = Path(__file__).parents[3] / "inventories/frr/intent.yaml"
SOURCE, PORT = "198.51.100.1", "eth0"
"""Of this host (RFC 5737), and the switch's management port."""
LISTED, OTHER = f"{SOURCE}/32", "198.51.100.128/28"


class Managed(NamedTuple):
    """A switch with an sshd at the address of its management port. key, known: files of whoever may log in."""

    box: Box
    address: str
    key: Path
    known: Path


def device(folder: Path, sources: list[str]) -> Device:
    """A leaf of a site with these sources of managers."""
    intent = yaml.safe_load(SITE.read_text())
    intent["management"] |= {"oob": "198.51.100.0/24", "gateway": SOURCE, "access": {"sources": sources}}
    for servers in ("dns", "ntp", "syslog"):
        intent["management"].pop(servers)
    path = folder / "intent.yaml"
    path.write_text(yaml.safe_dump(intent))
    return next(row for row in devices(open_workspace(path).plan) if row.name == "be-leaf-000")


def file(found: Device) -> str:
    """The switch's file, with the commands of the rendered one in front of its first interface."""
    rendered = next(file.text for file in Renderer().render(found) if file.path.endswith("interfaces"))
    begin = rendered.index("    pre-up nft")
    command = rendered[begin : rendered.index("'\n", begin) + 2]
    return boxes.interfaces().replace("iface lo inet loopback\n", f"iface lo inet loopback\n{command}", 1)


@pytest.fixture(scope="module")
def managed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Managed]:
    if boxes.available() is not None:
        pytest.skip(f"judge: {boxes.available()}")
    address = device(tmp_path_factory.mktemp("first"), [LISTED]).management.address.partition("/")[0]
    with boxes.started() as box, ExitStack() as stack, switches.sshd_files() as files:
        space, near = box.loaded.namespace, f"fgf{box.loaded.namespace[-6:]}"
        stack.callback(subprocess.run, ["ip", "link", "delete", near], check=False, capture_output=True, timeout=60)
        for words in (
            f"link add {near} type veth peer name {PORT} netns {space}",
            f"address add {SOURCE}/24 dev {near}",
            f"link set {near} up",
            f"-n {space} address add {address}/24 dev {PORT}",
            f"-n {space} link set {PORT} up",
        ):
            subprocess.run(["ip", *words.split()], check=True, capture_output=True, timeout=60)
        server = ["nsenter", f"--mount={box.mount}", *switches.inside(box.loaded, "/usr/sbin/sshd")]
        with (files / "log").open("wb") as log:
            options = ["-o", f"ListenAddress={address}:22", "-D", "-e", "-f", str(files / "config")]
            daemon = subprocess.Popen([*server, *options], stdout=log, stderr=log)
        stack.callback(switches.stop, daemon)
        becomes(True, lambda: "Server listening" in (files / "log").read_text())
        (files / "known").write_text(f"{address} {' '.join((files / 'host.pub').read_text().split()[:2])}\n")
        box.loaded.show("write memory")
        yield Managed(box, address, files / "user", files / "known")


def site(folder: Path, found: Managed) -> Path:
    folder.mkdir()
    (folder / "hosts.yaml").write_text(f"leaf: {{hostname: {found.address}, username: root, platform: frr}}\n")
    options = {
        "key_file": found.key,
        "known_hosts": found.known,
        "pathspace": found.box.loaded.namespace,
        "state_dir": folder / "state",
    }
    words = ", ".join(f"{name}: {value}" for name, value in options.items())
    (folder / "defaults.yaml").write_text(
        f"connection_options: {{napalm: {{extras: {{timeout: 6, optional_args: {{{words}}}}}}}}}\n"
    )
    return folder


def filters(found: Managed) -> str:
    return found.box.run("nft", "list", "ruleset")


@pytest.mark.parametrize(("sources", "code"), [([LISTED], ""), ([OTHER], "push-source")])
def test_sources_without_the_pusher_are_refused(
    managed: Managed, tmp_path: Path, sources: list[str], code: str
) -> None:
    """The address is the one that the switch's own sshd says this host has."""
    with fleet(site(tmp_path / "site", managed), "frr") as reach:
        entry = at(reach, lambda one: one.entry())
    wanted = device(tmp_path, sources)
    found = [*lockouts([Arrival(wanted, commit_profile_of("frr"), entry, "")])]
    assert [problem.code for problem in found] == ([code] if code else [])
    if code:
        assert f"refuses SSH from {SOURCE}" in found[0].what
        assert f"add {SOURCE}/32 to management.access.ssh" in found[0].fix


def test_a_filter_that_is_committed_all_the_same_is_taken_back(
    managed: Managed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As behind a translated address, which no check before the commit can know."""
    monkeypatch.setattr(new_login, "AGAIN_SECONDS", 0.1)
    monkeypatch.setattr(kills, "HOLD_SECONDS", 60)
    before = managed.box.file(INTERFACES).read_text()
    switch = Switch(folder=tmp_path, site=site(tmp_path / "site", managed), state=tmp_path)
    after = Candidate(fabric.text("leaf1"), {INTERFACES: file(device(tmp_path, [OTHER]))})
    seen: list[str] = []
    note = Journal.note

    def noting(journal: Journal, run: int, step: StepName, how: StepState, **more: Any) -> None:  # noqa: ANN401
        note(journal, run, step, how, **more)
        if (step, how) == (StepName.COMMIT, StepState.ENDED):
            seen.append(filters(managed))

    with patch.object(Journal, "note", noting):
        assert once(switch, after) is RunOutcome.FAILED
    assert OTHER in seen[0]
    assert "inet fabricgen" not in filters(managed)
    assert managed.box.file(INTERFACES).read_text() == before
    with read_journal(switch.journal) as journal:
        record = journal.last()
    assert record is not None
    shown = " ".join("\n".join(text(report(record))).split())
    assert f"since this commit no new login is possible from {SOURCE}" in shown
    with fleet(switch.site, "frr") as reach:
        assert at(reach, lambda one: one.entry()) == ("ssh", "root", SOURCE)


def test_a_filter_that_lists_the_pusher_is_kept(managed: Managed, tmp_path: Path) -> None:
    switch = Switch(folder=tmp_path, site=site(tmp_path / "site", managed), state=tmp_path)
    after = Candidate(fabric.text("leaf1"), {INTERFACES: file(device(tmp_path, [LISTED]))})
    assert once(switch, after) is RunOutcome.DONE
    assert f"ip saddr {SOURCE} ip daddr {managed.address} tcp dport 22 accept" in filters(managed)
