"""Switches that carry no traffic now since they run drained: a change of them costs no uplinks."""

from collections.abc import Mapping

from fabricgen.device.device import Device
from fabricgen.push.act.work import Fleet
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import Candidate


def run_drained(fleet: Fleet, drained: Mapping[str, Device]) -> frozenset[str]:
    """The switches whose established sessions all have the drained route maps already; none that does not answer.

    drained  name → Device of the drained switch
    """

    def act(switch: SwitchConnection) -> bool:
        text = switch.profile.drain(drained[switch.name], switch.running())
        return bool(text) and not switch.compare(Candidate(text, {}, merge=True))

    return frozenset(name for name, is_drained in fleet.each(drained, act).items() if is_drained is True)
