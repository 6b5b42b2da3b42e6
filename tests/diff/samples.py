"""A small difference made by hand, for what tells and judges differences."""

from fractions import Fraction

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.model import Blast, ClassChange, Difference, Hunk, MeaningClass, TextCause, TextClass
from fabricgen.plan.moved_values import Moved
from fabricgen.platforms.base.cost import Cost, Risk

NOBODY = Blast(gpus=0, gpus_all=256, rails=(), tenants=(), bisection={})
RAIL = Blast(gpus=64, gpus_all=256, rails=(0, 1), tenants=("research",), bisection={"backend": Fraction(1, 4)})


def line(
    kind: str, change: ChangeOp, risk: Risk, *, each: int = 1, values: tuple[str, str] = ("", ""), about: str = ""
) -> ClassChange:
    return ClassChange(kind, change, each, *values, (), (about,) if about else (), risk, "RFC 4271, 4.2")


def meaning(lines: tuple[ClassChange, ...], devices: tuple[str, ...], blast: Blast = NOBODY) -> MeaningClass:
    facts = tuple(DeviceChange(one.kind, one.change, "", one.before, one.after, "", *one.peers) for one in lines)
    return MeaningClass(
        fabric="backend",
        role="spine",
        system="eos",
        devices=devices,
        lines=lines,
        risk=max(one.risk for one in lines),
        blast=blast,
        device_changes=dict.fromkeys(devices, facts),
        costs={one.kind: _cost(one.kind, [other.risk for other in lines if other.kind == one.kind]) for one in lines},
    )


def _cost(kind: str, risks: list[Risk]) -> Cost:
    """Of two risks of one kind the lower one is that of a number that grows."""
    worst = max(risks)
    return Cost(kind, worst, worst, worst, "RFC 4271, 4.2", raised=min(risks))


TIMERS = line("bgp.timers", ChangeOp.CHANGED, Risk.SESSION_RESET, values=("3, 9", "10, 30"))
NEIGHBOR = line("bgp.neighbor", ChangeOp.ADDED, Risk.HITLESS, each=2, about="be-leaf-004")
SPINES = tuple(f"be-spine-{number:02}" for number in range(4))
LOST_PFC = TextClass(
    artifact="startup-config",
    cause=TextCause.RELEASE,
    devices=("be-leaf-000",),
    hunks=(Hunk(("interface Ethernet1/1",), ("priority-flow-control on",), ()),),
    risk=Risk.UNKNOWN,
    blast=RAIL,
)
MOVED = Moved("be-leaf-000", "asn", "4201000000", "4201000007")


def difference(
    *classes: MeaningClass,
    text: tuple[TextClass, ...] = (),
    moved: tuple[Moved, ...] = (),
    is_whole: bool = True,
    reached: Blast = NOBODY,
) -> Difference:
    return Difference(
        notes=(),
        is_whole=is_whole,
        before=20,
        after=20,
        equal=20 - len({name for one in classes for name in one.devices}),
        meaning=classes,
        text=text,
        reached=reached,
        moved=moved,
    )
