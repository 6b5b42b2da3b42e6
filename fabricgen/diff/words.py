"""Classes and their lines as text: the same on a terminal and in a review comment."""

import re
from collections.abc import Sequence
from fractions import Fraction

from fabricgen.base import text as wording
from fabricgen.changes.change import ChangeOp
from fabricgen.changes.kinds.catalogue import KIND
from fabricgen.diff.model import Blast, ClassChange, Difference, MeaningClass, TextCause, TextClass
from fabricgen.platforms.base.cost import NO_LINE, Risk

ROLES = {
    "leaf": ("leaf", "leaves"),
    "border-leaf": ("border leaf", "border leaves"),
    "spine": ("spine", "spines"),
    "superspine": ("superspine", "superspines"),
}
SIGNS = {ChangeOp.ADDED: "+", ChangeOp.CHANGED: "~", ChangeOp.REMOVED: "-"}
CAUSES = {
    TextCause.INTENT: "the intent changes this text, and no known kind of change covers it",
    TextCause.RELEASE: "this release or its templates write it differently",
    TextCause.TEMPLATES: "the templates differ",
    TextCause.HAND: "edited or deleted after it was rendered",
    TextCause.UNREADABLE: "the intent of the other side cannot be read",
    TextCause.LIVE: "the running configuration (-) differs from the rendered one (+)",
}
NUMBERED = {"lag": "port channel", "loopback": "loopback", "evpn.vlan": "VLAN", "evpn.gateway": "VLAN"}
"""Group of kinds whose subjects are numbers → what they number."""
YES = "yes"  # value of a flag
VARIED = "several"  # in place of values that are not the same everywhere
LONGEST = 70  # characters of one value
NAMED = 6  # names that are listed; with more, the first ones and the number of the others
_NUMBERED = re.compile(r"(.*?)(\d+)$")


def printable(text: str) -> str:
    """A value on one line that cannot control a terminal."""
    return wording.printable(text, "?")


def count(number: int, one: str, many: str) -> str:
    """`1 spine`, `2 spines`."""
    return f"{number:,} {one if number == 1 else many}"


def switches(meaning_class: MeaningClass) -> str:
    """`4 spines of backend`."""
    return f"{count(len(meaning_class.devices), *ROLES[meaning_class.role])} of {meaning_class.fabric}"


def named(names: Sequence[str], limit: int = NAMED) -> str:
    """Names in a row, consecutive numbers joined (`be-leaf-000…007`); the first ones and the number of the others."""
    words = [printable(word) for word in _runs(names)]
    if len(words) <= limit:
        return ", ".join(words)
    return f"{', '.join(words[: limit - 1])} and {len(words) - limit + 1:,} more"


def _runs(names: Sequence[str]) -> list[str]:
    """Names whose trailing numbers are consecutive, as one word."""
    words: list[str] = []
    start: tuple[str, str] | None = None
    last: tuple[str, int] | None = None
    for name in names:
        match = _NUMBERED.fullmatch(name)
        if match is None:
            words.append(name)
            start = last = None
            continue
        stem, number = match[1], match[2]
        if start is not None and last == (stem, int(number) - 1) and len(number) == len(start[1]):
            words[-1] = f"{stem}{start[1]}…{number}"
        else:
            words.append(name)
            start = (stem, number)
        last = (stem, int(number))
    return words


def shortened(value: str) -> str:
    """A value that fits into a line."""
    clean = printable(value)
    return clean if len(clean) <= LONGEST else f"{clean[: LONGEST - 1]}…"


def what(kind: str, change: ChangeOp) -> tuple[str, str]:
    """Singular and plural of a kind, for the operation: a removed flag has its own."""
    known = KIND[kind]
    return known.off if known.off and change is ChangeOp.REMOVED else (known.one, known.many)


def sign(kind: str, change: ChangeOp) -> str:
    """Sign of the operation. A removed flag counts as a change: its text says what is off."""
    return SIGNS[ChangeOp.CHANGED if change is ChangeOp.REMOVED and KIND[kind].off else change]


def numbered(kind: str) -> str:
    """What the subjects of a kind number; empty if they have names of their own."""
    return next((words for group, words in NUMBERED.items() if kind == group or kind.startswith(f"{group}.")), "")


def line(row: ClassChange, switch_count: int) -> str:
    """One line of a class: `+ 16 BGP neighbors per switch (to be-leaf-004…007)`."""
    if row.kind == "device":
        became = "new" if row.change is ChangeOp.ADDED else "removed"
        return f"{SIGNS[row.change]} {became} {'switch' if switch_count == 1 else 'switches'}"
    is_off = row.change is ChangeOp.REMOVED and KIND[row.kind].off is not None
    if row.each == 1 and (row.change is ChangeOp.CHANGED or (is_off and not (row.subjects or row.peers))):
        head = what(row.kind, row.change)[0]
    else:
        per_switch = " per switch" if switch_count > 1 else ""
        head = f"{count(row.each, *what(row.kind, row.change))}{per_switch}"
    about = _about(row)
    value = _value(row)
    return f"{sign(row.kind, row.change)} {head}{f' ({about})' if about else ''}{f': {value}' if value else ''}"


def _about(row: ClassChange) -> str:
    """What all switches have in common: remote ends before names, as people know cables by both ends."""
    if row.peers:
        return f"to {named(row.peers)}"
    number_noun = numbered(row.kind)
    return (
        f"{number_noun} {named(row.subjects)}"
        if number_noun and row.subjects and row.subjects[0].isdecimal()
        else named(row.subjects)
    )


def _value(row: ClassChange) -> str:
    """The values, if they are the same everywhere and say more than the names do."""
    before, after = shortened(row.before), shortened(row.after)
    if row.change is ChangeOp.CHANGED and (before or after):
        return f"{before or VARIED} → {after or VARIED}"
    names = {YES, *row.subjects, *row.peers, ", ".join(row.subjects)}
    return "" if (row.before or row.after) in names else before or after


def share(part: Fraction) -> str:
    """A share as text: `all`, `3/4`, else percent."""
    if part >= 1:
        return "all"
    if part.denominator <= 64:
        return f"{part.numerator}/{part.denominator}"
    return f"{float(part):.1%}".replace("%", " %") if part >= Fraction(1, 1000) else "less than 0.1 %"


def reach(blast: Blast) -> str:
    """Blast radius of a class in one phrase; empty if it reaches nothing."""
    parts = []
    if blast.gpus:
        rails = f" ({'rail' if len(blast.rails) == 1 else 'rails'} {_numbers(blast.rails)})" if blast.rails else ""
        parts.append(f"{blast.gpus:,} of {blast.gpus_all:,} GPUs{rails}")
    parts += [
        f"links that carry {share(part)} of the uplink bandwidth of {fabric}"
        for fabric, part in sorted(blast.bisection.items())
        if part
    ]
    if blast.tenants:
        parts.append(f"{'tenant' if len(blast.tenants) == 1 else 'tenants'} {named(blast.tenants)}")
    return "; ".join(parts)


def reaches(meaning_class: MeaningClass) -> str:
    """Verb for the blast radius of a class: new switches do not serve anything yet, a hitless change stops nothing."""
    added = {row.kind for row in meaning_class.lines if row.change is ChangeOp.ADDED}
    is_all = all(row.change is ChangeOp.ADDED for row in meaning_class.lines)
    hitless = "adds" if is_all and "interface" in added else "touches"
    return "serves" if "device" in added else "affects" if meaning_class.risk.is_disruptive else hitless


def rendered_lines(meaning_class: MeaningClass) -> tuple[ClassChange, ...]:
    """Changes of a class without those that are in no file, and cost nothing; all of them where no other is there."""
    rows = tuple(row for row in meaning_class.lines if not (row.risk is Risk.NONE and row.source.endswith(NO_LINE)))
    return rows or meaning_class.lines


def not_rendered(meaning_class: MeaningClass) -> str:
    """How many changes `rendered_lines` leaves out; empty if none."""
    number = len(meaning_class.lines) - len(rendered_lines(meaning_class))
    return f"and {count(number, 'kind', 'kinds')} of change that no file shows (-v lists all)" if number else ""


def _numbers(numbers: Sequence[int]) -> str:
    """`0-7`, `0, 2`."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return ", ".join(map(str, numbers))


def classes(difference: Difference) -> tuple[MeaningClass | TextClass, ...]:
    """All classes of both kinds, the highest risk first."""
    return tuple(sorted((*difference.meaning, *difference.text), key=lambda each_class: -each_class.risk))


def verdict(difference: Difference) -> str:
    """The one line to read if only one is read."""
    if difference.unread:
        unread_count = f"{len(difference.unread):,} of {count(difference.after, 'switch', 'switches')}"
        return f"{unread_count} could not be read: what a push would change there is unknown. Risk: unknown."
    if not difference.is_whole:
        return "The other side could not be read: the changed settings are unknown. Risk: unknown."
    if difference.is_empty:
        return "No differences."
    risky = [each_class for each_class in classes(difference) if each_class.risk is difference.risk]
    devices = {name for each_class in risky for name in each_class.devices}
    added = (row for row in risky if isinstance(row, MeaningClass) and reaches(row) == "serves")
    new = {name for meaning_class in added for name in meaning_class.devices}
    of_them = f", {len(new)} of them new" if new and new != devices else ""
    where = f" ({count(len(devices), 'switch', 'switches')}{of_them})" if devices else ""
    gpus = difference.reached.gpus
    reached = (
        f", up to {count(gpus, 'attached GPU', 'attached GPUs')} affected"
        if gpus and difference.risk.is_disruptive
        else ""
    )
    safe = "" if difference.risk.is_disruptive else ", no session reset, no traffic loss"
    return f"Highest risk: {difference.risk.words}{_at_least(difference)}{where}{reached}{safe}."


def _at_least(difference: Difference) -> str:
    """The highest known risk beside an unknown one; empty without one."""
    defaults = difference.defaults.changes if difference.defaults is not None else ()
    risks = (*(row.risk for row in classes(difference)), *(row.risk for row in defaults))
    known = max((risk for risk in risks if risk is not Risk.UNKNOWN), default=Risk.NONE)
    return f", at least {known.words}" if difference.risk is Risk.UNKNOWN and known.is_disruptive else ""


def counts(difference: Difference) -> str:
    """Numbers of switches: new, removed, not read, changed, unchanged."""
    new, removed = new_and_removed(difference)
    touched = {name for each_class in classes(difference) for name in each_class.devices} - new - removed
    differ = f"{len(touched):,} {'differs' if len(touched) == 1 else 'differ'}"
    match = f"{difference.equal:,} {'matches' if difference.equal == 1 else 'match'}"
    parts = [
        *([f"{len(new):,} new"] if new else []),
        *([f"{len(removed):,} removed"] if removed else []),
        *([f"{len(difference.unread):,} not read"] if difference.unread else []),
        differ if difference.is_live else f"{len(touched):,} changed",
        match if difference.is_live else f"{difference.equal:,} unchanged",
    ]
    return f"{count(difference.after, 'switch', 'switches')}: {', '.join(parts)}"


def new_and_removed(difference: Difference) -> tuple[set[str], set[str]]:
    """Switches that are new, and those that are removed."""
    by_operation: dict[ChangeOp, set[str]] = {ChangeOp.ADDED: set(), ChangeOp.REMOVED: set()}
    for meaning_class in difference.meaning:
        for row in meaning_class.lines:
            if row.kind == "device":
                by_operation[row.change] |= set(meaning_class.devices)
    return by_operation[ChangeOp.ADDED], by_operation[ChangeOp.REMOVED]
