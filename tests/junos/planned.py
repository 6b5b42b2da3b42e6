"""Switches of the small fabrics beside what they answer where all is as planned, and what a drained one runs."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions
from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.junos.live import reader as junos
from fabricgen.platforms.junos.live.reader import JUNOS
from fabricgen.resolve.device import devices
from fabricgen.state.state import State
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import SwitchVerdict
from fabricgen.verify.judge.device import judge
from tests.doubles.junos_answers import answers, running
from tests.junos import intents
from tests.junos.sites import found, plan_of, render

TEXTS = {"lossless": intents.LOSSLESS, "unnumbered": intents.UNNUMBERED, "front": intents.FRONTEND}


class Switch(NamedTuple):
    """One switch: its plan and what it answers."""

    device: Device
    expected: Expected
    outputs: Mapping[str, Output]


@cache
def switches(plan: str) -> Mapping[str, Switch]:
    """Every switch of a plan, each as planned."""
    devices = found(plan)
    wanted = expectations(tuple(devices.values()), lambda device: str(without_secrets(render(device))))
    return {
        one.device: Switch(
            devices[one.device], one, _kept(answers(devices[one.device], one, render(devices[one.device])))
        )
        for one in wanted
    }


def _kept(outputs: Mapping[str, Output]) -> Mapping[str, Output]:
    """As a collection keeps them."""
    return {**outputs, junos.RUNNING: Output(without_secrets(outputs[junos.RUNNING].value))}


def state(switch: Switch, outputs: Outputs) -> State:
    return JUNOS.state(outputs, JUNOS.vrf_names(switch.device))


def verdict(switch: Switch, outputs: Outputs) -> SwitchVerdict:
    return judge(switch.expected, state(switch, outputs), JUNOS.drift)


class Drained(NamedTuple):
    """A drained Device, and what runs on the healthy one and on one that is drained already."""

    device: Device
    healthy: str
    drained: str


@cache
def drained(plan: str, name: str) -> Drained:
    def of(exceptions: Exceptions) -> Device:
        return next(one for one in devices(plan_of(TEXTS[plan], exceptions)) if one.name == name)

    away, here = of(Exceptions(devices={name: "drained"})), of(Exceptions())
    return Drained(away, shown(render(here)), shown(render(away)))


def shown(text: str) -> str:
    return str(without_secrets(running(text)))
