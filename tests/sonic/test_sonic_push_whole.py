"""`fabricgen push` and `verify` on SONiC from the command line to the switch, over SSH, on doubles of two switches."""

import json
import logging
import shlex
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.cli.push import run as push_run
from fabricgen.device.device import Device
from fabricgen.platforms.sonic.live import links as sonic_links
from fabricgen.platforms.sonic.live.asked import RUNNING
from fabricgen.platforms.sonic.live.reader import SONIC
from fabricgen.push.act.work import RunSettings
from fabricgen.resolve.device import devices
from fabricgen.verify.expect.derive import expectations
from tests.doubles.sonic_box import APPENDED, Box, box
from tests.doubles.sonic_shown import outputs
from tests.doubles.sonic_ssh import sshd
from tests.push.boxed import CANARY, LOGIN, inventory
from tests.sonic import sites
from tests.verify.seen import right_state

FAST = partial(RunSettings, watch=0.0, converge=0.5, quiet=3.0, polls=2, interval=0.05)
"""Times of a run, so that nothing waits for what doubles do at once."""
RELEASE = "202505"
MAC = "50:00:00:00:00:07"
LEAF = "be-leaf-000"
WORDS = {"SLOTS": "0", "TOPOLOGY": "spines: {now: 1, planned: 1}", "LINKS": "[ipv4, ipv6]", "MORE": ""}
INTENT = sites.text_of("best-effort", RELEASE, **WORDS)
CHANGED = INTENT.replace("vrf: MGMT", "vrf: MGMT, dns: [10.0.0.2]").rstrip() + "\n    bgp: {bfd: true}\n"
"""Another row of CONFIG_DB, and another frr.conf, on every switch."""
BFD = " neighbor SPINES-IPV4 bfd\n"


class Site:
    """Switches that run an intent, by name, and the words that reach them."""

    def __init__(self, folder: Path, boxes: Mapping[str, Box]) -> None:
        self.folder = folder
        self.boxes = boxes
        self.intent = folder / "intent.yaml"

    def run(self, verb: str, *words: str) -> Result:
        """Run a verb. The password is in none of what it tells."""
        given = [verb, str(self.intent), "-i", str(self.folder / "site"), *words]
        result = CliRunner().invoke(main, given, catch_exceptions=False)
        assert CANARY not in result.output
        return result


def _box(folder: Path, device: Device, answers: Mapping[str, str]) -> Box:
    files = sites.rendered(device)
    tables = json.loads(files["config_db.json"])
    tables["DEVICE_METADATA"]["localhost"]["mac"] = MAC
    found = box(folder, tables, files["frr.conf"] + APPENDED)
    for command, text in answers.items():
        if command != RUNNING:
            found.answer(" ".join(shlex.split(command)), text)
    return found


def _answers(fleet: list[Device]) -> Mapping[str, Mapping[str, str]]:
    found = {}
    for one, device in zip(expectations(fleet), fleet, strict=True):
        said = outputs(right_state(one), SONIC.vrf_names(device), {})
        found[device.name] = {
            command: output.value if isinstance(output.value, str) else json.dumps(output.value)
            for command, output in said.items()
        }
    return found


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The fabric, running what the intent says."""
    monkeypatch.setattr(push_run, "RunSettings", FAST)
    logging.getLogger("paramiko").setLevel(logging.CRITICAL)
    fleet = list(devices(sites.plan_of(INTENT)))
    answers = _answers(fleet)
    known = tmp_path / "known"
    with ExitStack() as stack:
        boxes = {device.name: _box(tmp_path / "boxes" / device.name, device, answers[device.name]) for device in fleet}
        servers = {name: stack.enter_context(sshd(found, LOGIN)) for name, found in boxes.items()}
        for server in servers.values():
            server.known(known)
        ports = {name: server.port for name, server in servers.items()}
        hosts = inventory(tmp_path / "site", ports, "sonic", known_hosts=known, commit_seconds=20) / "hosts.yaml"
        rows = [
            f"{name}: {{hostname: 127.0.0.1, port: {port}, platform: sonic, connection_options: {{napalm: {{extras: "
            f"{{timeout: 20, optional_args: {{root: {boxes[name].root}, known_hosts: {known}}}}}}}}}}}\n"
            for name, port in ports.items()
        ]
        hosts.write_text("".join(rows))
        found = Site(tmp_path, boxes)
        found.intent.write_text(INTENT)
        yield found


ONLY = ("--devices", LEAF, "--accept-loss", LEAF)
COMMIT = ("--commit", "--i-have-tested-this")


def test_what_runs_as_planned_is_verified_and_nothing_is_to_push(site: Site) -> None:
    result = site.run("verify", "--json")
    assert result.exit_code == 0, result.output
    result = site.run("push")
    assert (result.exit_code, result.output) == (0, "nothing to push: 2 switches match the intent\n")
    result = site.run("diff", "--against", "live")
    assert result.exit_code == 0, result.output


def test_a_change_is_shown_refused_without_a_word_and_then_committed_proven_and_saved(site: Site) -> None:
    before = site.boxes[LEAF].startup
    site.intent.write_text(CHANGED)
    shown = site.run("push", *ONLY, "-v")
    assert shown.exit_code == 3, shown.output
    assert "DNS_NAMESERVER" in shown.output
    assert "frr.conf" in shown.output
    refused = site.run("push", *ONLY, "--commit")
    assert refused.exit_code not in (0, 3), refused.output
    assert "unproven" in refused.output or "i-have-tested-this" in refused.output
    assert site.boxes[LEAF].running == site.boxes[LEAF].startup == before
    result = site.run("push", *ONLY, *COMMIT)
    assert result.exit_code == 0, result.output
    leaf = site.boxes[LEAF]
    assert leaf.running == leaf.startup == {**before, "DNS_NAMESERVER": {"10.0.0.2": {}}}
    assert leaf.running["DEVICE_METADATA"]["localhost"]["mac"] == MAC
    assert (leaf.waits, leaf.timers) == (False, [])
    assert leaf.asked.count("systemctl restart bgp") == 1
    assert BFD in leaf.frr
    assert BFD in leaf.frr_conf
    assert all("config save -y" not in found.asked for name, found in site.boxes.items() if name != LEAF)
    assert site.run("push", "--devices", LEAF).exit_code == 0


def portstat(**rows: str) -> str:
    """`portstat -f -j` as sonic-utilities' table_as_json prints it, of header_fec_only."""
    return json.dumps({port: {"FEC_CORR": "130,402", "FEC_UNCORR": text, "STATE": "U"} for port, text in rows.items()})


def test_code_words_that_fec_could_not_mend_take_a_wave_back(site: Site, tmp_path: Path) -> None:
    """Nobody works behind the leaf, whose bgp container starts again: its ports stay up, and are compared."""
    leaf, fleet = site.boxes[LEAF], devices(sites.plan_of(INTENT))
    device = next(one for one in fleet if one.name == LEAF)
    uplink = next(row.name for row in device.interfaces.ethernet if row.profile.role == "uplink")
    hosts = tmp_path / "hosts"
    hosts.write_text("".join(f"{row.peer}\n" for row in device.interfaces.ethernet if row.profile.role != "uplink"))
    (tmp_path / "site/push.yaml").write_text("counters: {window: 1}\n")
    leaf.answer(sonic_links.FEC, portstat(**{uplink: "1,001"}))
    leaf.answer(sonic_links.FEC, portstat(**{uplink: "1,003"}), "after")
    before = leaf.startup
    site.intent.write_text(CHANGED)
    result = site.run("push", "--devices", LEAF, "--drained-hosts", str(hosts), *COMMIT)
    assert result.exit_code == 4, result.output
    assert leaf.running == before
    told = f"counters rose during the wave: {LEAF} port {uplink}: FEC uncorrectable codewords"
    assert told in result.output
    assert " (2 in " in result.output
    assert f"not compared: hits of the PFC watchdog of {LEAF}: " in result.output


@pytest.mark.long
def test_a_check_that_does_not_hold_reverts(site: Site) -> None:
    leaf = site.boxes[LEAF]
    before, frr = leaf.startup, leaf.frr_conf
    leaf.answer("vtysh -c show bgp vrf all neighbors json", '{"default": {"vrfName": "default"}}', "after")
    site.intent.write_text(CHANGED)
    result = site.run("push", *ONLY, *COMMIT)
    assert result.exit_code == 4, result.output
    assert leaf.asked.count("systemctl restart bgp") == 2
    assert (leaf.running, leaf.startup, leaf.frr_conf, leaf.frr) == (before, before, frr, frr)
    assert (leaf.waits, leaf.timers) == (False, [])
