"""How scalable units are distributed to pods: units_per_pod of each server group, and the number of pods."""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.fabric import Topology
from fabricgen.intent.scalars import Ratio
from fabricgen.topologies.request import Request, unknown_groups


class PodLayout(NamedTuple):
    """Number of planned pods, and units per pod by server group."""

    number: int
    units: Mapping[str, int]


def make_pods(request: Request, planned: Mapping[str, int]) -> PodLayout:
    """Return the pods of a fabric; all units are in one pod without superspines.

    planned  units by server group. Raises FabricError where keys of a third tier are missing or wrong.
    """
    topology = request.fabric.topology
    if request.fabric.superspine is None:
        _check_two_tiers(request, topology)
        return PodLayout(1, dict(planned))
    if request.fabric.spine is None:
        raise FabricError.of(
            code="no-spine",
            what=f"fabric {request.name} has superspines and no spine",
            where=(*request.path, "superspine"),
            why="superspines connect the spines of pods",
            fix="add spine: {model: ..., os: ...}, or remove superspine",
        )
    if topology.units_per_pod is None:
        raise FabricError([_no_units(request, planned)])
    units = _units(request, topology.units_per_pod, planned)
    return PodLayout(max(-(-planned[name] // units[name]) for name in planned), units)


def _units(request: Request, units_per_pod: int | Mapping[str, int], planned: Mapping[str, int]) -> Mapping[str, int]:
    if isinstance(units_per_pod, int):
        return dict.fromkeys(planned, units_per_pod)
    problems = unknown_groups(request, "units_per_pod", units_per_pod)
    problems += [
        Problem(
            code="units-per-pod",
            what=f"units_per_pod of {request.name} does not have {name}",
            where=(*request.path, "topology", "units_per_pod"),
            why="every server group that the fabric connects needs its number of units per pod",
            fix=f"add {name}: {planned[name]}, or write one number for all",
        )
        for name in planned
        if name not in units_per_pod
    ]
    if problems:
        raise FabricError(problems)
    return {name: units_per_pod[name] for name in planned}


def _check_two_tiers(request: Request, topology: Topology) -> None:
    """Raise FabricError for keys that only have a meaning with superspines."""
    written = {
        "units_per_pod": topology.units_per_pod is not None,
        "superspines": topology.superspines is not None,
        "spine_oversubscription": topology.spine_oversubscription != Ratio(1, 1),
        "spine_uplinks": topology.spine_uplinks is not None,
    }
    problems = [
        Problem(
            code="no-superspine",
            what=f"{key} is for fabrics with pods, and {request.name} has none",
            where=(*request.path, "topology", key),
            why="pods need superspines; without them all leaves share one set of spines",
            fix=f"{_superspine(request)}, or remove {key}",
        )
        for key, is_written in written.items()
        if is_written
    ]
    if problems:
        raise FabricError(problems)


def _superspine(request: Request) -> str:
    """Return how to add superspines, of the spines' model where there is one."""
    spine = request.fabric.spine
    if spine is None:
        return "add a spine and a superspine, each with model and os"
    return f"write fabrics.{request.name}.superspine: {{model: {spine.model}, os: {spine.os}}}"


def _no_units(request: Request, planned: Mapping[str, int]) -> Problem:
    most = max(planned.values())
    return Problem(
        code="units-per-pod",
        what=f"fabric {request.name} has superspines, but no units_per_pod",
        where=(*request.path, "topology"),
        why="the pod of a unit is its number divided by units_per_pod",
        fix=f"add units_per_pod: {max(most // 2, 1)} (two pods of the {most} planned units), or fewer",
    )
