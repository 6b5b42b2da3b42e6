"""`fabricgen verify` on EOS, from the command line to the switch: NAPALM's own driver, over TLS, against doubles.

What the doubles say was recorded on nine switches of another fabric, so the right verdict is known: behind each address
another switch answers, and that is all that is told of it; what was kept of it is what its own configuration says.
"""

import base64
import json
import re
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fabricgen.platforms.eos.live.reader import EOS
from fabricgen.state.state import State
from fabricgen.verify.collect.store import read as collected
from fabricgen.verify.finding import CHECKS
from tests import forked
from tests.doubles.certificate import authority, certificate
from tests.doubles.eapi import Double, eapi
from tests.live.recorded import FABRIC, Recording, answers, recordings, sanitized
from tests.live.running_config import Switch, read

ROOT = Path(__file__).parents[2]
INTENT = ROOT / "inventories/demo/intent.yaml"
SWITCHES = 20  # of the demo
SECONDS = 300
CANARY = "c4n4ry-7f3a9"
LOGIN = f"verify:{CANARY}"
RUNNING = "show running-config sanitized"

BEHIND = {
    "be-leaf-000": "DC1-LEAF1A",
    "be-leaf-003": "DC1-BL1A",
    "be-spine-01": "DC1-SPINE2",
    "fe-border-01": "DC1-BL1B",
    "fe-leaf-000": "DC1-LEAF2A",
    "fe-leaf-001": "DC1-LEAF2B",
    "fe-leaf-002": "DC1-SVC3A",
    "fe-leaf-005": "DC1-SVC3B",
    "fe-spine-00": "DC1-SPINE1",
}
"""Switch of the demo → who answers at its address: spines behind spines, leaves behind leaves."""

TALKATIVE = "fe-leaf-005"
"""Shows its configuration with the secrets in it, as a release would that does not know the word `sanitized`."""


def inventory(folder: Path, ports: Mapping[str, int]) -> Path:
    """Write an inventory with an authority of its own; each switch is a port on loopback."""
    lines = [f"{name}: {{hostname: 127.0.0.1, port: {port}, platform: eos}}\n" for name, port in ports.items()]
    (folder / "hosts.yaml").write_text("".join(lines))
    options = "{napalm: {extras: {timeout: 60, optional_args: {ca_file: authority.pem}}}}"
    (folder / "defaults.yaml").write_text(
        f'username: verify\npassword: "${{env:EOS_PASSWORD}}"\nconnection_options: {options}\n'
    )
    return folder


def verify(*words: object, temporary: Path) -> subprocess.CompletedProcess[str]:
    """Run the verb. The password is in none of what it tells, nor does it leave a temporary file."""
    temporary.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("EOS_PASSWORD", CANARY)
        patch.setenv("TMPDIR", str(temporary))
        patch.setattr(tempfile, "tempdir", None)
        result = forked.fabricgen(["verify", INTENT, *words], SECONDS)
    assert result.stderr == ""
    assert not told_secrets(result.stdout, (CANARY,))
    assert not list(temporary.iterdir())
    return result


def told_secrets(text: str, secrets: tuple[str, ...]) -> set[str]:
    """Which of the secrets a text has; or the login, as HTTP writes it."""
    return {secret for secret in (*secrets, base64.b64encode(LOGIN.encode()).decode()) if secret in text}


def everything(folder: Path) -> str:
    """All that is kept in a folder."""
    return "".join(path.read_text() for path in sorted(folder.rglob("*")) if path.is_file())


class Run(NamedTuple):
    """A live run on recorded switches: what it told, where it kept it, and what the doubles were told."""

    live: subprocess.CompletedProcess[str]
    kept: Path
    temporary: Path
    doubles: Mapping[str, Double]

    def again(self, *words: object) -> subprocess.CompletedProcess[str]:
        """Judge what was kept."""
        return verify("--from", self.kept, *words, temporary=self.temporary)


@pytest.fixture(scope="module")
def recorded() -> dict[str, Recording]:
    """Who answers, by the name of the plan."""
    found = recordings(FABRIC)
    assert sorted(found) == sorted(BEHIND.values())
    return {name: found[behind] for name, behind in BEHIND.items()}


@pytest.fixture(scope="module")
def run(recorded: Mapping[str, Recording], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Verify the demo, whose addresses lead to the recorded switches."""
    folder = tmp_path_factory.mktemp("site")
    kept, temporary = folder / "collection", folder / "temporary"
    tls = certificate(folder / "switch.pem", authority(folder / "authority.pem"))

    def serve(name: str, one: Recording) -> Double:
        running = one.running if name == TALKATIVE else sanitized(one.running)
        return stack.enter_context(eapi(answers(one), {RUNNING: running}, tls=tls, login=LOGIN))

    with ExitStack() as stack:
        doubles = dict(zip(recorded, starmap(serve, recorded.items()), strict=True))
        inventory(folder, {name: double.port for name, double in doubles.items()})
        live = verify("-i", folder, "--save", kept, temporary=temporary)
    return Run(live, kept, temporary, doubles)


@pytest.fixture(scope="module")
def judged(run: Run) -> dict[str, dict[str, Any]]:
    """What was found, by switch: as JSON tells it."""
    result = run.again("--json")
    assert result.returncode == 4
    told = json.loads(result.stdout)
    assert (told["summary"]["switches"], told["summary"]["reached"]) == (SWITCHES, len(BEHIND))
    return {switch["device"]: switch for switch in told["switches"]}


class Case(NamedTuple):
    """One address, and what stands behind it."""

    planned: str
    recording: Recording
    switch: Switch
    state: State


@pytest.fixture(params=BEHIND)
def case(request: pytest.FixtureRequest, run: Run, recorded: Mapping[str, Recording]) -> Case:
    """A switch of the plan, who answers at its address, what that one's configuration says and what was kept of it."""
    one = recorded[request.param]
    kept = collected(run.kept, request.param)
    assert kept is not None
    return Case(request.param, one, read(one.running), EOS.state(kept.outputs, kept.vrfs))


def of(findings: list[dict[str, str]], code: str) -> dict[str, dict[str, str]]:
    """Findings with a code, by subject."""
    return {one["subject"]: one for one in findings if one["code"] == code}


def test_each_is_told_to_be_another_switch_and_that_is_all(case: Case, judged: Mapping[str, dict[str, Any]]) -> None:
    """By its name, AS and router id; nothing that it shows is right or wrong where another one belongs."""
    told = judged[case.planned]
    assert [(one["code"], one["expected"], one["actual"]) for one in told["findings"]] == [
        ("another-switch", case.planned, BEHIND[case.planned])
    ]
    assert f"AS {case.switch.asn} with router id {case.switch.router_id};" in told["findings"][0]["explained"]
    assert told["passed"] == {}
    checks = [check for check in CHECKS if check not in ("reachable", "pings", "paths")]
    assert [one["check"] for one in told["unchecked"]] == checks
    assert {one["reason"] for one in told["unchecked"]} == {"another switch answers at its address"}


def test_its_sessions_are_those_of_its_own_configuration(case: Case) -> None:
    bgp = case.state.bgp
    assert bgp is not None
    assert (bgp.asn, bgp.router_id) == (case.switch.asn, case.switch.router_id)
    found = {(one.vrf, one.peer): (one.state, one.remote_as) for one in bgp.sessions}
    assert found == {(peer.vrf, peer.address): ("Established", peer.remote_as) for peer in case.switch.peers}


def test_its_ports_are_those_of_its_own_configuration(case: Case) -> None:
    found = {one.name: one for one in case.state.interfaces or ()}
    wanted = {name: port for name, port in case.switch.ports.items() if port.addresses}
    assert len(wanted) > 3
    assert {name: set(found[name].addresses) for name in wanted} == {
        name: set(port.addresses) for name, port in wanted.items()
    }


def test_its_vnis_are_those_of_its_own_configuration(case: Case) -> None:
    wanted = {*case.switch.vlans.values(), *case.switch.vnis.values()}
    assert {one.vni for one in case.state.vnis or ()} == wanted


def test_its_configuration_is_its_own(case: Case) -> None:
    assert f"hostname {case.recording.name}" in (case.state.running or "").splitlines()


def test_those_that_no_one_names_are_told(judged: Mapping[str, dict[str, Any]]) -> None:
    lost = [name for name in judged if name not in BEHIND and name != "servers"]
    assert len(lost) == SWITCHES - len(BEHIND)
    assert {found["code"] for name in lost for found in judged[name]["findings"]} == {"host-missing"}


def test_a_collection_gives_the_same_text(run: Run) -> None:
    assert run.live.returncode == 4
    assert f"{SWITCHES} switches, {len(BEHIND)} reached: " in run.live.stdout.splitlines()[-1]
    again = run.again()
    assert (again.returncode, again.stdout) == (4, run.live.stdout)


def test_no_secret_is_told_or_kept(run: Run, recorded: Mapping[str, Recording]) -> None:
    """Neither the password that opened the switches, which each heard, nor those of their configurations."""
    assert {user for double in run.doubles.values() for user in double.heard} == {LOGIN}
    running = recorded[TALKATIVE].running
    theirs = tuple(set(re.findall(r"(?:secret sha512|password 7) (\S+)", running)))
    assert len(theirs) > 2
    kept = everything(run.kept)
    assert f"hostname {BEHIND[TALKATIVE]}" in kept
    assert not told_secrets(kept + run.live.stdout, (CANARY, *theirs))


def test_a_switch_is_asked_each_command_once_and_changed_by_none(run: Run) -> None:
    for double in run.doubles.values():
        commands = [command for _, _, command in double.asked if command not in ("enable", "show version")]
        assert len(commands) == len(set(commands)) > 10
        assert all(command.startswith("show ") for command in commands)


def test_a_refused_login_and_wrong_certificates_hide_no_other(tmp_path: Path) -> None:
    """One lets in, one does not, and four cannot prove who they are: these do not even hear the password."""
    own = authority(tmp_path / "authority.pem")
    stranger = authority(tmp_path / "stranger.pem", "authority of nobody")
    right = certificate(tmp_path / "right.pem", own)
    tls = {
        "fe-leaf-000": right,
        "fe-leaf-001": right,
        "fe-leaf-002": certificate(tmp_path / "strange.pem", stranger),
        "fe-leaf-003": certificate(tmp_path / "elsewhere.pem", own, address="192.0.2.1"),
        "fe-leaf-004": certificate(tmp_path / "ended.pem", own, days=-1),
        "fe-leaf-005": None,
    }
    says = {"show version": {"version": "4.34.1F"}, "show hostname": {"hostname": "leaf-9.example.net"}}
    with ExitStack() as stack:
        doubles = {
            name: stack.enter_context(
                eapi(says, {}, tls=file, login="verify:other" if name == "fe-leaf-001" else LOGIN)
            )
            for name, file in tls.items()
        }
        site = inventory(tmp_path, {name: double.port for name, double in doubles.items()})
        kept, words = tmp_path / "collection", ("--devices", "fe-leaf-*", "--json")
        result = verify("-i", site, "--save", kept, *words, temporary=tmp_path / "temporary")
    told = json.loads(result.stdout)
    assert (result.returncode, told["summary"]["switches"], told["summary"]["reached"]) == (4, 6, 1)
    found = {switch["device"]: switch["findings"] for switch in told["switches"]}
    assert of(found["fe-leaf-000"], "another-switch")["management address"]["actual"] == "leaf-9.example.net"
    reasons = {name: of(found[name], "unreachable")["the switch"]["actual"] for name in list(tls)[1:]}
    assert {len(found[name]) for name in reasons} == {1}
    for name, reason in {
        "fe-leaf-001": "Unauthorized. Unable to authenticate user: Bad username/password combination",
        "fe-leaf-002": "certificate verify failed: unable to get local issuer certificate",
        "fe-leaf-003": "IP address mismatch, certificate is not valid for '127.0.0.1'",
        "fe-leaf-004": "certificate verify failed: certificate has expired",
        "fe-leaf-005": "[SSL: ",  # it speaks plain HTTP, and releases of OpenSSL word that differently
    }.items():
        assert reason in reasons[name], reasons[name]
    heard = {name: set(double.heard) for name, double in doubles.items()}
    assert heard == {name: {LOGIN} if file is right else set() for name, file in tls.items()}
    assert not told_secrets(everything(kept), (CANARY,))
