"""Which port rows of the spines are taken, and which pods: growth and removal leave gaps."""

from collections.abc import Iterator

from fabricgen.plan.fabric import FabricPlan, group_of, pod_stands
from fabricgen.plan.place import ROW_AXES, Tier
from fabricgen.plan.segments import Segment


def rows_recorded(fabric: FabricPlan) -> int:
    """One past the highest port row that any segment of the fabric takes, in today's lock as it becomes."""
    return max((end for found in fabric.segments.values() for s in found for end in _end(s)), default=0)


def _end(segment: Segment) -> Iterator[int]:
    if segment.row is not None:
        yield segment.row + segment.box.size(ROW_AXES)


def rows_standing(fabric: FabricPlan) -> int:
    """One past the highest port row of a leaf or border leaf that stands today."""
    return max((end for found in fabric.segments.values() for s in found for end in _standing(fabric, s)), default=0)


def _standing(fabric: FabricPlan, segment: Segment) -> Iterator[int]:
    """Ends of the rows of one segment that hold a switch; units are the slowest axis of a row."""
    if segment.row is None:
        return
    if segment.tier is not Tier.LEAF:
        count = min(segment.box.index.last, fabric.shape.borders - 1) - segment.box.index.first + 1
        if count > 0:
            yield segment.row + count
        return
    group = group_of(fabric, segment.group)
    stride = segment.box.size((3, 4))
    for pod in range(segment.box.pod.first, segment.box.pod.last + 1):
        first = pod * group.units_a_pod
        for span in group.present:
            last = min(span.last - first, segment.box.su.last)
            if last >= max(span.first - first, segment.box.su.first):
                yield segment.row + (last - segment.box.su.first + 1) * stride


def rows_fit(fabric: FabricPlan) -> bool:
    """Whether every standing leaf finds its ports on every spine: rows x links lie within the spine's ports."""
    shape = fabric.shape
    return shape.spine is None or rows_standing(fabric) * shape.links <= len(shape.spine.down)


def pods_standing(fabric: FabricPlan) -> int:
    """How many pods of a plane have a unit today."""
    return sum(pod_stands(fabric, pod) for pod in range(fabric.shape.pods))


def last_pod(fabric: FabricPlan) -> int:
    """One past the highest pod that has a unit today."""
    return 1 + max((pod for pod in range(fabric.shape.pods) if pod_stands(fabric, pod)), default=0)


def pods_recorded(fabric: FabricPlan) -> int:
    """One past the highest pod that any spine of the lock, as it becomes, stands or will stand in."""
    return 1 + max((s.box.pod.last for s in fabric.segments.get((Tier.SPINE, ""), ())), default=0)


def leaves_of_pods(fabric: FabricPlan) -> tuple[int, ...]:
    """Leaves and border leaves that stand in each pod of a plane."""
    shape = fabric.shape
    found = [0] * shape.pods
    found[0] = shape.borders
    for group in shape.groups:
        each = group.rails * group.indexes
        for span in group.present:
            for pod in range(span.first // group.units_a_pod, span.last // group.units_a_pod + 1):
                first = pod * group.units_a_pod
                units = min(span.last, first + group.units_a_pod - 1) - max(span.first, first) + 1
                found[pod] += units * each
    return tuple(found)
