"""Risk of bringing one switch to its artifact, and the reason for it.

If the switch runs exactly what the baseline's Device renders to, the changes between both Devices decide, each with its
cost. Otherwise the differing lines decide, as far as a table knows them: an unknown line makes the risk unknown, and
unknown counts as loss. Neither shows secrets: a secret that differs is found in the driver's difference.
"""

import re
from collections.abc import Callable, Mapping

from fabricgen.base.text import counted, listed
from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.device import changes_between
from fabricgen.device.device import Device
from fabricgen.diff.classes import risk_of
from fabricgen.diff.derived import derived_changes
from fabricgen.diff.live import UNKNOWN
from fabricgen.diff.model import TextClass
from fabricgen.platforms.base.cost import Cost, Risk
from fabricgen.push.model import SwitchToChange
from fabricgen.verify.collect.redact_config import REMOVED

UNSEEN = "a secret differs, or a part that is not compared"

SPELLED = re.compile(rf"(?: (?:\d+a?|\*|clear|encrypted|md5|sha(?:-?\d+)*|3?des|aes(?:-?\d+)?))* ?{re.escape(REMOVED)}")
"""A removed secret, with the words in front of it that name its encoding."""
MASK = re.compile(f"{SPELLED.pattern}.*")
"""A removed secret and the rest of the line, from the words that name its encoding, which may change with it."""


def subject_of(
    device: Device, lines: TextClass | None, other_files: tuple[str, ...], against: str | None = None
) -> SwitchToChange:
    """Rate a switch by the lines that differ.

    other_files  differing files that no table of lines knows
    against  the baseline, if one was given: the switch runs something else
    """
    remedy = "without --against the change is not rated" if against is None else no_match(against)
    risk = lines.risk if lines is not None else Risk.NONE
    reason = "the cost of every changed line is known"
    if lines is not None and UNKNOWN in lines.kinds:
        reason = "lines whose cost is unknown"
    elif risk is Risk.UNKNOWN and lines is not None:
        reason = f"the cost does not follow from the lines ({listed(lines.kinds, '')}): {remedy}"
    if other_files:
        risk, reason = max(risk, Risk.UNKNOWN), f"{', '.join(other_files)} differs: {remedy}"
    return SwitchToChange(device.name, device.fabric, device.role, device.system, risk, reason)


def no_match(against: str) -> str:
    """The reason why the changes do not decide although a baseline was given."""
    return f"its running configuration differs from {against}"


def all_changes(old: Device, device: Device) -> tuple[DeviceChange, ...]:
    """All changes between two Devices of a switch, as `fabricgen diff` reports them."""
    return (*changes_between(old, device), *derived_changes(old, device))


def subject_by_changes(
    device: Device, changes: tuple[DeviceChange, ...], costs: Mapping[str, Cost], name: str
) -> SwitchToChange:
    """Rate a switch by its changes from the baseline. name: of the baseline."""
    risks = [risk_of(costs.get(change.kind), change) for change in changes]
    risk = max(risks, default=Risk.NONE)
    worst = next((change.kind for change, change_risk in zip(changes, risks, strict=True) if change_risk is risk), "")
    reason = f"{counted(len(changes), 'change')} from {name}" + (f", the riskiest: {worst}" if worst else "")
    return SwitchToChange(device.name, device.fabric, device.role, device.system, risk, reason)


def with_unseen(
    subject: SwitchToChange, difference: str, price: Callable[[str], Risk], *, has_changes: bool
) -> SwitchToChange:
    """Return the subject with a higher risk where something differs that neither changes nor lines show.

    difference  what a commit would change, as the driver prints it, secrets masked
    price       risk of a change of the secret in a line
    has_changes  whether changes, lines or files were found that differ
    """
    lines = secrets_between(difference)
    risk = max(map(price, lines), default=Risk.NONE)
    if difference and not lines and not has_changes:
        risk = Risk.UNKNOWN
    return subject._replace(risk=risk, why=UNSEEN) if risk > subject.risk else subject


def secrets_between(difference: str) -> tuple[str, ...]:
    """Lines that differ only in their secret: a removed line and an added one are equal up to the secret.

    A line that is only added or only removed is seen by the readers anyway. Context lines around the changes, and their
    section headers, have no sign in front.
    """
    old, new = ([" ".join(line[1:].split()) for line in difference.splitlines() if line[:1] == sign] for sign in "-+")
    return tuple(
        line
        for lines, others in ((old, new), (new, old))
        for line in lines
        if REMOVED in line and any(other.startswith(MASK.sub("", line)) for other in others)
    )
