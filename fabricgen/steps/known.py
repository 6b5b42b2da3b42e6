"""The known sequence for a change, or the reason why there is none."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from fabricgen.base.grouping import grouped
from fabricgen.errors import FabricError, IntentPath, Problem
from fabricgen.plan.moved_values import moved, recabled
from fabricgen.plan.renamed import former_names
from fabricgen.site.workspace import LOCK
from fabricgen.source.yaml_events import path_text
from fabricgen.steps.differing import differing
from fabricgen.steps.drain import drain
from fabricgen.steps.growth import growth
from fabricgen.steps.guards import guards, no_password
from fabricgen.steps.model import Intents, KnownSequence
from fabricgen.steps.owners import handed_over
from fabricgen.steps.selectors import exceptions_of
from fabricgen.steps.spines import spines
from fabricgen.steps.tenants import tenants
from fabricgen.steps.upgrade import upgrade

DRAIN, SPINES, PLANNED, GROWTH, TENANTS = "drains", "spine count", "numbers planned", "growth", "a tenant's servers"
UPGRADE, GUARDS = "releases", "TTL security"
SEQUENCES = (
    "known changes: overrides between active and drained; topology.spines.now or superspines.now of one fabric; slots "
    "and planned of server groups that grow; servers of tenants; os of leaves, spines, superspines and border leaves, "
    "or of switches in overrides; bgp.ttl_security of fabrics"
)
MOST = 10
"""Maximum number of keys that are reported; more mean that another change is intended."""


def known(intents: Intents, floors: Mapping[str, Fraction]) -> KnownSequence:
    """The sequence that leads from one intent to the other.

    floors  fabric → share that every rail must keep

    Raises FabricError, with the keys of the intent, for a change that has no known sequence.
    """
    if intents.after.lock_document is None:
        raise FabricError([_no_lock(intents)])
    # A waiver changes no switch.
    paths = [path for path in differing(*(side.intent for side in intents)) if path[0] != "waivers"]
    password = next((path for path in paths if path[0] == "fabrics" and path[2:] == ("bgp", "password")), None)
    if password is not None:
        raise no_password(password)
    kinds = grouped((UPGRADE if _is_release(path, intents) else _kind(path), path) for path in paths)
    if "" in kinds:
        raise FabricError(_unknown(path) for path in kinds[""][:MOST])
    if SPINES in kinds and _same_shapes(intents):  # only the existing count is now written
        kinds.setdefault(PLANNED, []).extend(kinds.pop(SPINES))
    kind = _only(_joined(kinds, intents))
    problems = _other_inputs(intents, kind)
    if problems:
        raise FabricError(problems)
    sequence = _make(kind, intents, kinds, floors)
    stays(intents, kind, sequence)
    return sequence


def _kind(path: IntentPath) -> str:
    kind = ""
    match path:
        case ("overrides", *_):
            kind = DRAIN
        case ("fabrics", _, "topology", "spines" | "superspines", "planned"):
            kind = PLANNED
        case ("fabrics", _, "topology", "spines" | "superspines") | (
            "fabrics", _, "topology", "spines" | "superspines", "now",
        ):  # fmt: skip
            kind = SPINES
        case ("servers", _, "slots" | "planned"):
            kind = GROWTH
        case ("tenants", _, "servers" | "nics"):
            kind = TENANTS
        case ("fabrics", _, "leaf" | "spine" | "superspine" | "border", "os"):
            kind = UPGRADE
        case ("fabrics", _, "bgp", "ttl_security"):
            kind = GUARDS
    return kind


def _is_release(path: IntentPath, intents: Intents) -> bool:
    """Whether a key of the overrides is the release of switches, and nothing else of them differs."""
    match path:
        case ("overrides", _, "os"):
            return True
        case ("overrides", selector):  # written on one side alone
            overrides = (side.intent.overrides for side in intents)
            return {key for both in overrides if selector in both for key in both[selector].model_fields_set} == {"os"}
    return False


def _joined(kinds: Mapping[str, list[IntentPath]], intents: Intents) -> dict[str, list[IntentPath]]:
    """The kinds that need a sequence: planned numbers belong to any growth, new servers to their tenant."""
    remaining = {kind: paths for kind, paths in kinds.items() if kind != PLANNED}
    if PLANNED in kinds and not remaining:
        remaining[GROWTH] = kinds[PLANNED]
    if remaining.keys() == {GROWTH, TENANTS} and not handed_over(intents.before.intent, intents.after.intent):
        del remaining[TENANTS]
    return remaining or {DRAIN: []}


def _only(kinds: Mapping[str, list[IntentPath]]) -> str:
    """The single kind of the change; for spines, of one fabric and one tier."""
    fabrics = sorted({path[1] for path in kinds.get(SPINES, ())}, key=str)
    keys = sorted({f"{path[1]}.{path[3]}" for path in kinds.get(SPINES, ())})
    if len(kinds) > 1:
        raise FabricError(_several(path_text(paths[0]), paths[0], kinds) for paths in kinds.values())
    if len(fabrics) == 1 and len(keys) > 1:
        raise FabricError(_several(path_text(path), path, keys) for path in kinds[SPINES])
    if len(fabrics) > 1:
        named = [f"{SPINES} of {fabric}" for fabric in fabrics]
        raise FabricError(_several(path_text(path), path, named) for path in kinds[SPINES])
    return next(iter(kinds))


def _make(
    kind: str, intents: Intents, kinds: Mapping[str, list[IntentPath]], floors: Mapping[str, Fraction]
) -> KnownSequence:
    where = kinds[kind][0] if kind in kinds else next(iter(kinds.values()), [("overrides",)])[0]
    makers: dict[str, Callable[[], KnownSequence]] = {
        DRAIN: lambda: drain(intents),
        SPINES: lambda: spines(intents, str(where[1]), where, floors[str(where[1])]),
        GROWTH: lambda: growth(intents, where),
        TENANTS: lambda: tenants(intents, where),
        GUARDS: lambda: guards(intents, where),
        UPGRADE: lambda: upgrade(intents, where, floors),
    }
    return makers[kind]()


def _same_shapes(intents: Intents) -> bool:
    old, new = (
        [(fabric.shape.spines, fabric.shape.cores) for fabric in side.plan.fabrics.values()] for side in intents
    )
    return old == new


def _other_inputs(intents: Intents, kind: str) -> tuple[Problem, ...]:
    """Other input files that differ and have an effect that the sequence does not cover."""
    before, after = (
        {name: octets for name, octets in side.inputs.items() if name.startswith("hardware/")} for side in intents
    )
    names = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    old_exceptions, new_exceptions = (exceptions_of(side.plan) for side in intents)
    if kind != DRAIN and any(new_exceptions.slots.get(key) != state for key, state in old_exceptions.slots.items()):
        names.append(intents.after.intent.placement or "placement")
    if kind in (DRAIN, TENANTS, UPGRADE) and old_exceptions.cables != new_exceptions.cables:
        names.append(intents.after.intent.cables.file or "cables")
    return tuple(_file(name) for name in names[:MOST])


def stays(intents: Intents, kind: str, sequence: KnownSequence) -> None:
    """Raise FabricError if a number changes, or if a cable moves that is not part of the sequence."""
    before, after = (side.plan for side in intents)
    former = former_names(before.intent, after.intent)
    numbers = next(moved(before, after, former), None)
    if numbers is not None:
        raise FabricError(
            [_moves(f"{numbers.what} of {numbers.owner}", sequence.where, "commit the lock of both sides")]
        )
    listed = {(cable.leaf, cable.leaf_port) for cable in sequence.cables}
    for cable in recabled(before, after, former):
        if (cable.device, cable.port) not in listed:
            fix = "change the number of spines first" if kind == GROWTH else "keep it unchanged"
            raise FabricError([_moves(f"the cable of {cable.device} {cable.port}", sequence.where, fix)])


def _no_lock(intents: Intents) -> Problem:
    lock = intents.after.path.parent / LOCK
    return Problem(
        code="steps-lock",
        what=f"{lock} is missing",
        why="it keeps addresses and AS numbers of both intents the same; without it the tree of the first steps "
        "cannot be used",
        fix=f"copy it from {intents.before.path.parent}, or from the tree that was rendered from it"
        if intents.before.lock_document is not None
        else f"render {intents.before.path} first, which writes {LOCK} beside it, and copy that",
    )


def _moves(item: str, where: IntentPath, fix: str) -> Problem:
    return Problem(
        code="steps-moves",
        what=f"{item} differs after the change",
        where=where,
        why="a sequence changes nothing that exists, except the cables that it lists",
        fix=fix,
    )


def _unknown(path: IntentPath) -> Problem:
    return Problem(
        code="steps-unknown",
        what=f"{path_text(path)} differs, and no known sequence changes it",
        where=path,
        why=SEQUENCES,
        fix="make it a separate change, and review it with fabricgen diff",
    )


def _several(key: str, where: IntentPath, kinds: Iterable[str]) -> Problem:
    return Problem(
        code="steps-several",
        what=f"{key} is changed together with something else",
        where=where,
        why=f"steps are planned for one kind of change at a time, and this intent has {' and '.join(kinds)}",
        fix="write an intent with one of these changes, plan and push its steps, and then add the other",
    )


def _file(name: str) -> Problem:
    return Problem(
        code="steps-files",
        what=f"{name} differs",
        why="it changes switches, servers or cables that are not part of the sequence",
        fix="make it a separate change",
    )
