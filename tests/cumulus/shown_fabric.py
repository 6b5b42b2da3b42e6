"""Switches of the small site, one of each fabric and role, as doubles show them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.cumulus.live.reader import CUMULUS
from fabricgen.resolve.device import devices
from fabricgen.state.state import State
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.device import judge
from tests.cumulus import intents
from tests.cumulus.fleet import render
from tests.doubles.cumulus_shown import Shown, shown

NUMBERED, UNNUMBERED = "numbered", "unnumbered"
EDITS: Mapping[str, Mapping[str, object]] = {NUMBERED: {}, UNNUMBERED: intents.UNNUMBERED}

RUNNING = "nv config show"
JUDGED = ("be-leaf-000", "be-spine-00", "fe-leaf-000", "fe-border-00", "fe-spine-00")


class Switch(NamedTuple):
    """One switch of a site."""

    device: Device
    expected: Expected

    def says(self) -> Shown:
        """All that it says; to be spoilt."""
        return shown(self.device, self.expected.configuration or "", self.expected)


@cache
def _site(kind: str) -> Mapping[str, Device]:
    return {one.name: one for one in devices(intents.planned(intents.intent(**EDITS[kind])))}


@cache
def site(kind: str = NUMBERED) -> Mapping[str, Switch]:
    """The judged switches by name."""
    found = _site(kind)
    every = expectations([*found.values()], artifacts=lambda one: render(one) if one.name in JUDGED else "")
    return {one.device: Switch(found[one.device], one) for one in every if one.device in JUDGED}


def outputs(said: Mapping[str, object]) -> dict[str, Output]:
    """What was printed, as a verification keeps it."""
    kept = {
        command: without_secrets(value) if command == "nv config show" else value for command, value in said.items()
    }
    return {command: Output(value) for command, value in kept.items()}


def state(switch: Switch, said: Outputs) -> State:
    """What our reader makes of it."""
    return CUMULUS.state(said, CUMULUS.vrf_names(switch.device))


def findings(switch: Switch, said: Mapping[str, object], *, drift: bool = True) -> tuple[Finding, ...]:
    """What verify's judge finds. drift: the configuration is compared too, which takes the most time."""
    expected = switch.expected if drift else replace(switch.expected, configuration=None)
    return judge(expected, state(switch, outputs(said)), CUMULUS.drift).findings
