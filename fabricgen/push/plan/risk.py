"""What it costs to bring one switch to its artifact, and what that rests on.

Where the switch runs exactly what the old side's Device is written as, the facts that differ between both Devices
tell, each with its price. Elsewhere the lines that differ tell, as far as a table knows them: one that none knows
makes the risk unknown, and unknown counts as loss. Neither sees a secret: that one differs, the driver's words tell.
"""

import re
from collections.abc import Callable, Mapping

from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.device import facts
from fabricgen.device.device import Device
from fabricgen.diff.classes import risk_of
from fabricgen.diff.derived import derived_facts
from fabricgen.diff.live import UNKNOWN
from fabricgen.diff.model import TextClass
from fabricgen.platforms.base.cost import Cost, Risk
from fabricgen.push.model import SwitchToChange
from fabricgen.push.plan.impact import few
from fabricgen.verify.collect.redact_config import REMOVED

UNSEEN = "a secret or a part that is not compared differs"

SPELLED = re.compile(rf"(?: (?:\d+a?|\*|clear|encrypted|md5|sha(?:-?\d+)*|3?des|aes(?:-?\d+)?))* ?{re.escape(REMOVED)}")
"""A secret that is gone, with the words in front that say how it is spelled."""
MASK = re.compile(f"{SPELLED.pattern}.*")
"""A secret that is gone, from what says how it is written, which may change with it."""


def subject_of(
    device: Device, lines: TextClass | None, beside: tuple[str, ...], against: str | None = None
) -> SwitchToChange:
    """By the lines that differ.

    beside   files that differ and that no table of lines knows
    against  the old side, where one was said: the switch runs something else
    """
    facts = "add --against with the running state to rate it" if against is None else no_match(against)
    risk = lines.risk if lines is not None else Risk.NONE
    why = "the cost of every changed line is known"
    if lines is not None and UNKNOWN in lines.facts:
        why = "lines that no table knows"
    elif risk is Risk.UNKNOWN and lines is not None:
        why = f"the lines do not show the cost ({few(lines.facts)}): {facts}"
    if beside:
        risk, why = max(risk, Risk.UNKNOWN), f"{', '.join(beside)} differs: {facts}"
    return SwitchToChange(device.name, device.fabric, device.role, device.system, risk, why)


def no_match(against: str) -> str:
    """Why facts do not decide though an old side was said."""
    return f"its running configuration differs from {against}"


def facts_between(old: Device, device: Device) -> tuple[DeviceChange, ...]:
    """All that differs between two Devices of a switch, as `fabricgen diff` tells it."""
    return (*facts(old, device), *derived_facts(old, device))


def subject_by_facts(
    device: Device, found: tuple[DeviceChange, ...], costs: Mapping[str, Cost], name: str
) -> SwitchToChange:
    """By the facts that differ from the old side. name: of that side."""
    risks = [risk_of(costs.get(fact.kind), fact) for fact in found]
    risk = max(risks, default=Risk.NONE)
    worst = next((fact.kind for fact, one in zip(found, risks, strict=True) if one is risk), "nothing")
    why = f"{len(found)} {'change' if len(found) == 1 else 'changes'} from {name}, the worst is {worst}"
    return SwitchToChange(device.name, device.fabric, device.role, device.system, risk, why)


def with_unseen(
    subject: SwitchToChange, difference: str, price: Callable[[str], Risk], *, is_told: bool
) -> SwitchToChange:
    """The same, of more risk where something differs that neither facts nor lines show.

    difference  what a commit would change, in the driver's words, secrets masked
    price       what it costs to change the secret of a line
    is_told     whether facts, lines or files were found that differ
    """
    lines = secrets_between(difference)
    risk = max(map(price, lines), default=Risk.NONE)
    if difference and not lines and not is_told:
        risk = Risk.UNKNOWN
    return subject._replace(risk=risk, why=UNSEEN) if risk > subject.risk else subject


def secrets_between(difference: str) -> tuple[str, ...]:
    """Lines that differ by their secrets: others go or come for them that are equal up to there.

    A line that only comes, or only goes, differs for the readers too. What stands around the changed lines, and the
    sections that they stand in, have no sign in front.
    """
    gone, new = ([" ".join(line[1:].split()) for line in difference.splitlines() if line[:1] == sign] for sign in "-+")
    return tuple(
        line
        for lines, others in ((gone, new), (new, gone))
        for line in lines
        if REMOVED in line and any(other.startswith(MASK.sub("", line)) for other in others)
    )
