"""Files of a sequence: overlays for the render command, the list of cables, and a README with the steps."""

import csv
import io
import json
import shlex
from collections.abc import Iterator, Mapping
from fractions import Fraction

from fabricgen.base.text import listed
from fabricgen.plan.growth import Recabling
from fabricgen.steps.capacity import worst
from fabricgen.steps.model import Base, Draft, Rail, Sequence, SequenceStep

CABLES = "cables.csv"
SUPERSPINES = (
    "Where fewer of the superspines of its plane carry traffic of its pod, it is the share of those; the floor counts "
    "uplinks of leaves only. "
)


def overlay_text(draft: Draft) -> str:
    """An overlay, without its heading."""
    lines = ["overlay: 1"]
    lines += [f"floor: {draft.floor}"] if draft.floor is not None else []
    lines += ["overrides:", *(f"  {json.dumps(key)}: {{{keys}}}" for key, keys in _keys(draft).items())]
    return "\n".join(lines) + "\n"


def _keys(draft: Draft) -> dict[str, str]:
    """Selector → its keys in an overlay."""
    keys = {selector: f"state: {state}" for selector, state in draft.overrides.items()}
    for switch, release in draft.releases.items():
        keys[switch] = ", ".join(filter(None, (keys.get(switch), f"os: {release}")))
    return keys | dict(draft.settings)


def overlay_file(sequence: Sequence, step: SequenceStep) -> str:
    """An overlay file: a heading with its purpose, then the overlay."""
    heading = [
        f"Step {step.number} of {len(sequence.steps)}: {sequence.known.title}.",
        f"An overlay for {_intent(sequence, step)}. Render it:",
        f"  {step.command}",
        step.draft.todo,
        f"Minimum capacity of a rail in this state: {_least(step)}. Risk of this step: {_risk(step)}.",
    ]
    return "".join(f"# {line}\n" for line in heading) + overlay_text(step.draft)


def cables_csv(cables: tuple[Recabling, ...]) -> str:
    """Cables to move by hand, leaf by leaf."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Recabling._fields)
    writer.writerows(cables)
    return text.getvalue()


def readme(sequence: Sequence) -> str:
    """The README of the sequence, step by step."""
    lines = [
        f"# From {sequence.before} to {sequence.after}",
        "",
        f"{sequence.known.title[0].upper()}{sequence.known.title[1:]}.",
        "",
        *_floor_lines(sequence),
        "",
        "| step | state | capacity | risk of the step | switches changed |",
        "|---|---|---|---|---|",
        f"| | {sequence.before} (now) | {_share(sequence.start)} | | |",
    ]
    for step in sequence.steps:
        row = (str(step.number), _state(sequence, step), _share(step.shares), step.risk.words, str(step.touched))
        lines.append(f"| {' | '.join(row)} |")
    lines += [
        "",
        "Capacity is the share of its uplinks that the worst rail has for traffic; a rail is one leaf of a backend, or "
        f"one leaf pair of a frontend. {SUPERSPINES if sequence.has_superspines else ''}Risk is the risk of each kind "
        "of change by itself: a link that is shut down counts as traffic loss, even if the step before has drained it.",
        "",
        "To go back one step, run the command of the step before. Run commands in the folder in which `fabricgen plan "
        "--steps` was run.",
    ]
    for step in sequence.steps:
        lines += _step_lines(sequence, step)
    return "\n".join(lines) + "\n"


def _floor_lines(sequence: Sequence) -> Iterator[str]:
    floors = ", ".join(f"{share} on {name}" for name, share in sorted(sequence.floors.items()))
    yield f"Every state passed the checks of `fabricgen validate` and keeps the floor: {floors}."
    if sequence.known.cables:
        yield ""
        yield f"Cables to move: {len(sequence.known.cables)}, listed in [{CABLES}]({CABLES})."


def _step_lines(sequence: Sequence, step: SequenceStep) -> Iterator[str]:
    yield from ("", f"## {step.number}. {_state(sequence, step)}", "", step.draft.todo, "", f"    {step.command}", "")
    yield f"Risk of this step: {_risk(step)}. Capacity: {_least(step)}."
    yield ""
    when = "In the end" if step.number == len(sequence.steps) else "Before the next step"
    yield f"{when}: {step.draft.verify} Check the rest with your inventory:"
    yield ""
    yield f"    {verify_command(step)}"


def verify_command(step: SequenceStep) -> str:
    """The command that compares the live switches with a state; the operator names the inventory."""
    arguments = shlex.split(step.command)
    arguments = arguments[2 : arguments.index("-o")]
    return f"{shlex.join(['fabricgen', 'verify', *arguments])} -i INVENTORY"


def table(sequence: Sequence) -> Iterator[str]:
    """Yield the sequence as a short table for a terminal."""
    rows = [("step", "state", "capacity", "risk", "command")]
    rows += [("", "now", _share(sequence.start), "", "")]
    rows += [
        (str(step.number), _short_state(step), _share(step.shares), step.risk.words, step.command)
        for step in sequence.steps
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    yield f"{sequence.known.title}"
    yield ""
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join((*cells, row[4])).rstrip()


def plain(sequence: Sequence) -> dict[str, object]:
    """The sequence as values for JSON. Shares are texts such as "3/4"; rails with all of their uplinks are left out."""
    return {
        "kind": sequence.known.kind,
        "title": sequence.known.title,
        "before": sequence.before,
        "after": sequence.after,
        "floors": {name: str(share) for name, share in sequence.floors.items()},
        "cables": [cable._asdict() for cable in sequence.known.cables],
        "start": _capacity(sequence.start),
        "steps": [
            {
                "step": step.number,
                "base": step.draft.base.value,
                "overlay": step.overlay,
                "overrides": dict(step.draft.overrides),
                "releases": dict(step.draft.releases),
                "command": step.command,
                "capacity": _capacity(step.shares),
                "risk": step.risk.words,
                "switches_changed": step.touched,
                "do": step.draft.todo,
                "check": step.draft.verify,
            }
            for step in sequence.steps
        ],
    }


def _capacity(shares: Mapping[Rail, Fraction]) -> dict[str, object]:
    less = {rail: share for rail, share in sorted(shares.items()) if share < 1}
    return {
        "least": _share(shares),
        "rails": len(shares),
        "less": [rail._asdict() | {"share": str(share)} for rail, share in less.items()],
    }


def _share(shares: Mapping[Rail, Fraction]) -> str:
    return str(min(shares.values(), default=Fraction(1)))


def _least(step: SequenceStep) -> str:
    rail = worst(step.shares)
    if rail is None or step.least == 1:
        return "1, all uplinks"
    of_fabric = [share for each, share in step.shares.items() if each.fabric == rail.fabric]
    count = f"{of_fabric.count(step.least)} of the {len(of_fabric)} rails of {rail.fabric}"
    return f"{step.least} ({count}, e.g. {rail.place_words})"


def _risk(step: SequenceStep) -> str:
    return f"{step.risk.words} on {step.touched} switch{'es' if step.touched != 1 else ''}"


def _intent(sequence: Sequence, step: SequenceStep) -> str:
    return sequence.before if step.draft.base is Base.BEFORE else sequence.after


def _state(sequence: Sequence, step: SequenceStep) -> str:
    intent = _intent(sequence, step)
    return f"{intent} with [{step.overlay}]({step.overlay})" if step.overlay else f"{intent} without an overlay"


def _short_state(step: SequenceStep) -> str:
    intent = "old intent" if step.draft.base is Base.BEFORE else "new intent"
    named = step.draft.about or step.draft.overrides
    return f"{intent}, {listed(named, most=1)} {step.draft.word}" if step.overlay else intent
