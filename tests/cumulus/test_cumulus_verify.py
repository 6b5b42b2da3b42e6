"""`fabricgen verify` and `diff --against live` on Cumulus Linux, from the command line to doubles behind SSH."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from fabricgen.verify.expect.derive import expectations
from tests.cumulus.push_fabric import ENVIRONMENT, HASH, INTENT, NAMES, PASSWORD, rendered
from tests.doubles.cumulus_nvue import Switch
from tests.doubles.cumulus_shown import Shown, shown
from tests.doubles.ssh_server import serving

LEAF = "be-leaf-000"
Run = Callable[..., Result]


class Site:
    """Doubles by name, and what each says."""

    def __init__(self) -> None:
        self.switches: dict[str, Switch] = {}
        self.says: dict[str, Shown] = {}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A fabric that says what its plan says."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    intent = tmp_path / "intent.yaml"
    intent.write_text(INTENT)
    found, texts = {one.name: one for one in devices(open_workspace(intent).plan)}, rendered(intent)
    hosts = known = ""
    site = Site()
    with ExitStack() as stack:
        for expected in expectations([*found.values()]):
            name = expected.device
            site.says[name] = shown(found[name], texts[name], expected)
            site.switches[name] = switch = Switch(texts[name], shows=site.says[name].get)
            server = stack.enter_context(serving(f"push:{PASSWORD}", switch.run))
            known += server.known(tmp_path / "known_hosts").read_text()
            hosts += f"{name}: {{hostname: 127.0.0.1, port: {server.port}, platform: cumulus}}\n"
        (tmp_path / "known_hosts").write_text(known)
        (tmp_path / "hosts.yaml").write_text(hosts)
        options = f"{{napalm: {{extras: {{timeout: 20, optional_args: {{known_hosts: {tmp_path / 'known_hosts'}}}}}}}}}"
        login = 'username: push\npassword: "${env:CUMULUS_PASSWORD}"\n'
        (tmp_path / "defaults.yaml").write_text(f"{login}connection_options: {options}\n")
        yield site


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a verb. No secret is in what it tells or keeps."""

    def call(verb: str, *words: str) -> Result:
        given = [verb, str(tmp_path / "intent.yaml"), "-i", str(tmp_path), *words]
        result = CliRunner().invoke(main, given, catch_exceptions=False)
        kept = "".join(path.read_text() for path in (tmp_path / "kept").glob("*.json"))
        for secret in (HASH, PASSWORD):
            assert secret not in result.output + kept
        return result

    return call


def test_a_fabric_in_order_is_verified_and_one_fault_is_told(site: Site, run: Run, tmp_path: Path) -> None:
    result = run("verify", "--save", str(tmp_path / "kept"))
    assert result.exit_code == 0, result.output
    assert len(list((tmp_path / "kept").glob("*.json"))) == len(NAMES)
    assert all("nv config show" in box.asked for box in site.switches.values())
    neighbors: dict[str, Any] = site.says[LEAF]["show bgp vrf all neighbors json"]["default"]
    row = next(row for row in neighbors.values() if isinstance(row, dict))
    row["bgpState"] = "Active"
    result = run("verify")
    assert result.exit_code == 4, result.output
    assert "Established" in result.output
    assert "Active" in result.output


def test_what_was_changed_by_hand_is_told_and_what_is_secret_is_not(site: Site, run: Run) -> None:
    box = site.switches[LEAF]
    box.applied = box.applied.replace("hostname: be-leaf-000", "hostname: be-leaf-000\n      timezone: Etc/UTC")
    box.applied = box.applied.replace(HASH, "$6$c4n4ry$ffff")
    verified = run("verify")
    assert verified.exit_code == 4, verified.output
    assert "timezone: Etc/UTC" in verified.output
    differs = run("diff", "--against", "live")
    assert "timezone: Etc/UTC" in differs.output
    assert "c4n4ry" not in verified.output + differs.output
