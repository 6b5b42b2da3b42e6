"""The verbs that talk to switches, on a small fabric with NX-OS: NAPALM's own driver, over TLS to doubles of NX-API."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.device.device import Device
from fabricgen.platforms.nxos.live import reader as nxos
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from fabricgen.verify.expect.derive import expectations
from tests.doubles.certificate import authority, certificate
from tests.doubles.nxapi import Switch, grown, nxapi
from tests.doubles.nxos_shown import Shown, changed, outputs, shown
from tests.nxos.fleet import OS, render
from tests.push.boxed import CANARY, LOGIN
from tests.push.eos_fabric import INTENT as EOS_INTENT
from tests.push.eos_fabric import NAMES

HASH = f"$5$abcdefgh${'a' * 43}"
INTENT = EOS_INTENT.replace("{model: arista-7060dx5-32, os: eos-4.33}", f"{{model: cisco-n9332d-gx2b, os: {OS}}}")
INTENT = INTENT.replace(
    "ecn: formula", "ecn: {minimum_octets: 950000, maximum_octets: 3000000, probability_percent: 7}"
)
LEAF = "be-leaf-002"


class Site:
    """An intent, and the switches that run it. answers: what each shows, to be changed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.intent = folder, folder / "intent.yaml"
        self.intent.write_text(INTENT)
        self.answers: dict[str, Shown] = {}
        self.switches: dict[str, Switch] = {}

    def stand(self, stack: ExitStack) -> None:
        site = self.folder / "site"
        site.mkdir()
        tls = certificate(site / "switch.pem", authority(site / "authority.pem"))
        found = tuple(devices(open_workspace(self.intent).plan))
        for expected in expectations(found, _text):
            assert expected.configuration is not None
            self.answers[expected.device] = shown(expected, expected.configuration)
            switch = Switch(grown(expected.configuration), LOGIN, shows=self._shows(expected.device))
            self.switches[expected.device] = stack.enter_context(nxapi(switch, tls))
        rows = [
            f"{name}: {{hostname: 127.0.0.1, port: {one.port}, platform: nxos}}\n"
            for name, one in self.switches.items()
        ]
        (site / "hosts.yaml").write_text("".join(rows))
        (site / "password").write_text(CANARY)
        options = f"{{napalm: {{extras: {{timeout: 20, optional_args: {{ssl_verify: {site / 'authority.pem'}}}}}}}}}"
        (site / "defaults.yaml").write_text(
            f'username: push\npassword: "${{file:password}}"\nconnection_options: {options}\n'
        )

    def _shows(self, name: str) -> Any:  # noqa: ANN401 - a function of nothing
        def shows() -> dict[str, str]:
            found = outputs(self.answers[name]).items()
            return {command: str(one.value) for command, one in found if not one.error}

        return shows

    def call(self, verb: str, *words: str) -> Result:
        """Run a verb. No secret is in what it tells."""
        given = [verb, str(self.intent), *words, "-i", str(self.folder / "site")]
        result = CliRunner().invoke(main, given, catch_exceptions=False)
        assert HASH not in result.output
        assert CANARY not in result.output
        return result

    def configured(self) -> list[str]:
        """Commands that are no questions."""
        asked = [one for switch in self.switches.values() for one in switch.asked]
        return [one for one in asked if not one.startswith("show ")]


def _text(device: Device) -> str:
    return render(device).replace("${env:ADMIN_HASH}", HASH)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("ADMIN_HASH", HASH)
    found = Site(tmp_path)
    with ExitStack() as stack:
        found.stand(stack)
        assert set(found.switches) == set(NAMES)
        yield found


def test_verify_and_diff_find_nothing_and_then_what_was_seeded(site: Site) -> None:
    right = site.call("verify")
    assert right.exit_code == 0, right.output
    assert "6 switches, 6 reached: no findings" in right.output
    live = site.call("diff", "--against", "live")
    assert (live.exit_code, live.output.splitlines()[-1]) == (0, "6 switches: 0 differ, 6 match")
    changed(site.answers[LEAF], nxos.INTERFACES, {"eth_mtu": 1500}, interface="Ethernet1/1")
    site.switches[LEAF].running[("ip source-route",)] = None
    wrong = site.call("verify", "--devices", LEAF)
    assert wrong.exit_code != 0
    assert "accepts smaller packets than planned" in wrong.output
    assert "ip source-route" in wrong.output
    live = site.call("diff", "--against", "live", "--devices", LEAF)
    assert live.exit_code == 3
    assert "- ip source-route" in live.output
    assert site.configured() == []


def test_a_push_is_refused_before_a_switch_is_touched(site: Site) -> None:
    """The driver has no commit that reverts by itself."""
    site.intent.write_text(INTENT.replace("probability_percent: 7", "probability_percent: 9"))
    result = site.call("push", "--commit", "--i-have-tested-this")
    assert result.exit_code == 1, result.output
    assert "error[push-untimed]" in result.stderr
    assert site.configured() == []
