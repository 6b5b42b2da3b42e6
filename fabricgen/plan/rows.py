"""Port rows of the spines and pods that are used: growth and removal leave gaps."""

from collections.abc import Iterator

from fabricgen.plan.fabric import FabricPlan, group_of, pod_exists
from fabricgen.plan.place import ROW_AXES, Tier
from fabricgen.plan.segments import Segment


def rows_recorded(fabric: FabricPlan) -> int:
    """One past the highest port row that any segment of the fabric uses, in the extended lock."""
    return max(
        (end for group_segments in fabric.segments.values() for segment in group_segments for end in _end(segment)),
        default=0,
    )


def _end(segment: Segment) -> Iterator[int]:
    if segment.row is not None:
        yield segment.row + segment.box.size(ROW_AXES)


def rows_in_use(fabric: FabricPlan) -> int:
    """One past the highest port row of an existing leaf or border leaf."""
    return max(
        (
            end
            for group_segments in fabric.segments.values()
            for segment in group_segments
            for end in _row_ends(fabric, segment)
        ),
        default=0,
    )


def _row_ends(fabric: FabricPlan, segment: Segment) -> Iterator[int]:
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
    """Whether every existing leaf has its ports on every spine: rows x links are within the spine's ports."""
    shape = fabric.shape
    return shape.spine is None or rows_in_use(fabric) * shape.links <= len(shape.spine.down)


def existing_pods(fabric: FabricPlan) -> int:
    """Number of pods of a plane that exist."""
    return sum(pod_exists(fabric, pod) for pod in range(fabric.shape.pods))


def last_pod(fabric: FabricPlan) -> int:
    """One past the highest pod that exists."""
    return 1 + max((pod for pod in range(fabric.shape.pods) if pod_exists(fabric, pod)), default=0)


def pods_recorded(fabric: FabricPlan) -> int:
    """One past the highest pod that has a spine in the extended lock."""
    return 1 + max((segment.box.pod.last for segment in fabric.segments.get((Tier.SPINE, ""), ())), default=0)


def leaves_of_pods(fabric: FabricPlan) -> tuple[int, ...]:
    """Existing leaves and border leaves in each pod of a plane."""
    shape = fabric.shape
    leaves = [0] * shape.pods
    leaves[0] = shape.borders
    for group in shape.leaf_groups:
        leaves_per_unit = group.leaves_a_unit
        for span in group.present:
            for pod in range(span.first // group.units_a_pod, span.last // group.units_a_pod + 1):
                first = pod * group.units_a_pod
                units = min(span.last, first + group.units_a_pod - 1) - max(span.first, first) + 1
                leaves[pod] += units * leaves_per_unit
    return tuple(leaves)
