"""One switch: its place, every number of it with the formula, its links and servers, its overrides."""

from collections.abc import Iterator

from fabricgen.base.addresses import ipv4
from fabricgen.explain.answer import Answer, AnswerLine, Origin
from fabricgen.explain.formula import (
    TIER_WORDS,
    address,
    block_formula,
    block_text,
    listed,
    place_text,
    radix,
    segment_text,
)
from fabricgen.explain.inverse import Seat, by_number, exists_today, fabric_of, seat_name, seat_of
from fabricgen.explain.known import KnownSite, intent_origin, segment_origin
from fabricgen.explain.parse import Question
from fabricgen.explain.states import override_facts, port_overrides, raw_facts
from fabricgen.intent.fabric import Backend, Frontend, overlay_of
from fabricgen.plan.fabric import FabricPlan, chassis_of, device_name, host_space, name_of
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.place import ALL_AXES, AXES, NAME_DIGITS, ROW_AXES, SHORT_NAMES, Place, Tier
from fabricgen.plan.segments import ASN_AXES
from fabricgen.plan.tenants import owner_of, owners, tenants_in
from fabricgen.plan.wiring import downlinks, groups_on, has_server, unit_slots, uplinks
from fabricgen.topologies.shape import GroupShape

MOST_DIGITS = 9
_ROLE_KEYS = {Tier.LEAF: "leaf", Tier.BORDER: "border", Tier.SPINE: "spine", Tier.SUPERSPINE: "superspine"}


def device_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """The switch with this name: existing, planned, or only kept in the lock."""
    if asked.kind in ("", "device"):
        seat = named_seat(known, asked.text)
        if seat is not None:
            name, place, fabric = seat_name(known.plan, seat), seat.place, fabric_of(known.plan, seat.segment)
            title = f"{name}: {TIER_WORDS[place.tier]} of {place.fabric}"
            facts = [AnswerLine("state", _state(known, seat)), *number_facts(known, seat)]
            if fabric is not None:
                facts = [AnswerLine("place", place_text(place)), *_hardware(known, fabric, place), *facts]
                if exists_today(known.plan, seat):
                    facts += _links(known, fabric, place)
                facts += _around(known, fabric, place, name)
            yield Answer("device", title, tuple(facts))


def named_seat(known: KnownSite, name: str) -> Seat | None:
    """The seat of a device name, from its prefix, tier and number."""
    plan = known.plan
    for fabric in plan.fabrics.values():
        for tier, short in SHORT_NAMES.items():
            digits = name.removeprefix(f"{fabric.prefix}-{short}-")
            if digits == name or not (digits.isascii() and digits.isdigit()) or len(digits) > MOST_DIGITS:
                continue
            if name == device_name(fabric.prefix, tier, int(digits)):
                return by_number(plan, fabric.name, tier, int(digits))
    return None


def switch_facts(known: KnownSite, seat: Seat, label: str = "switch") -> Iterator[AnswerLine]:
    """The switch that another thing belongs to, and its state."""
    yield AnswerLine(label, f"{seat_name(known.plan, seat)}, {_state(known, seat)}")


def _state(known: KnownSite, seat: Seat) -> str:
    if fabric_of(known.plan, seat.segment) is None:
        return "reserved in the lock for a fabric or server group that the intent no longer has"
    if not exists_today(known.plan, seat):
        return "planned: addresses and AS number are reserved, no switch is installed"
    fabric = known.plan.fabrics[seat.segment.fabric]
    return fabric.exceptions.devices.get(seat_name(known.plan, seat), "active")


def _hardware(known: KnownSite, fabric: FabricPlan, place: Place) -> Iterator[AnswerLine]:
    chassis = chassis_of(fabric, place)
    key = _ROLE_KEYS[place.tier]
    if place.tier is Tier.BORDER and isinstance(fabric.fabric, Frontend) and fabric.fabric.border is None:
        key = "leaf"
    group = place.tier is Tier.LEAF and place.group in fabric.fabric.leaf_models
    path = ("leaf_models", place.group) if group else (key,)
    origin = intent_origin(known, ("fabrics", fabric.name, *path))
    yield AnswerLine("hardware", f"{chassis.switch.model}, {chassis.system}", "", origin)


def number_facts(known: KnownSite, seat: Seat) -> Iterator[AnswerLine]:
    """Every number of a place: name, AS number, loopbacks, blocks, row and management address."""
    segment, n = seat
    origin = segment_origin(known, segment)
    point = segment.box.point(n)
    yield AnswerLine("segment", segment_text(segment).removeprefix("segment "), "", origin)
    yield AnswerLine("number", f"n = {n}", f"position in this line of the lock: {radix(segment.box, point)}")
    digits = NAME_DIGITS[segment.tier]
    yield AnswerLine("name", seat_name(known.plan, seat), f"first + n = {segment.first} + {n}, {digits} digits", origin)
    axes = ASN_AXES[segment.tier]
    asn = segment.box.number(point, axes)
    yield AnswerLine("ASN", str(segment.asn + asn), f"asn + {_counted(axes)} = {segment.asn} + {asn}", origin)
    yield from _loopback_facts(known, seat, origin)
    yield from _block_facts(known, seat, origin)
    if segment.row is not None:
        row = segment.box.number(point, ROW_AXES)
        yield AnswerLine(
            "port group",
            str(segment.row + row),
            f"row + {_counted(ROW_AXES)} = {segment.row} + {row}, the same on every spine",
            origin,
        )
    yield AnswerLine("management", ipv4(segment.oob + n), f"oob + n = {ipv4(segment.oob)} + {n}", origin)


def _counted(axes: tuple[int, ...]) -> str:
    """The term that is added to the first number of a run: n itself, or the number over some axes only."""
    return "n" if axes == ALL_AXES else f"number of its ({', '.join(AXES[axis] for axis in axes)})"


def has_vtep(known: KnownSite, seat: Seat) -> bool:
    """Whether a place has a VTEP in addition to its router id."""
    fabric = known.plan.fabrics.get(seat.segment.fabric)
    has_overlay = fabric is not None and overlay_of(fabric.fabric) is not None
    return has_overlay and seat.segment.tier in (Tier.LEAF, Tier.BORDER)


def _loopback_facts(known: KnownSite, seat: Seat, origin: Origin) -> Iterator[AnswerLine]:
    segment, n = seat
    run, run_ipv6 = segment.identifiers, segment.loopback6
    title = "loopback4" if segment.loopback4 is not None else "router_ids"
    yield AnswerLine("router id", address(run.block(n), 32), block_formula(title, run, n), origin)
    if has_vtep(known, seat):
        formula = f"router id + 1 = {address(run.block(n), 32)} + 1"
        yield AnswerLine("VTEP", address(run.block(n) + 1, 32), formula, origin)
    if run_ipv6 is not None:
        yield AnswerLine("loopback 0", address(run_ipv6.block(n), 128), block_formula("loopback6", run_ipv6, n), origin)


def _block_facts(known: KnownSite, seat: Seat, origin: Origin) -> Iterator[AnswerLine]:
    segment, n = seat
    for name, run in (("ipv4", segment.ipv4), ("ipv6", segment.ipv6)):
        if run is None:
            continue
        yield AnswerLine("block", block_text(run, n), block_formula(name, run, n), origin)
        space = host_space(segment.hosts)
        # On a shared backend, and where NICs have two leaves, there are routes to single NICs instead of an aggregate.
        if space and _hosts_family(known, seat) == name and not has_vtep(known, seat) and not _is_paired(known, seat):
            start, length = run.block(n), run.bits - space.bit_length() + 1
            formula = f"2 × hosts rounded up to a power of two: 2 × {segment.hosts} -> {space} addresses"
            yield AnswerLine("aggregate", f"{address(start, run.bits)}/{length}", formula, origin)


def _is_paired(known: KnownSite, seat: Seat) -> bool:
    fabric = known.plan.fabrics.get(seat.segment.fabric)
    return fabric is not None and has_leaf_pairs(fabric)


def _hosts_family(known: KnownSite, seat: Seat) -> str:
    fabric = known.plan.fabrics.get(seat.segment.fabric)
    return fabric.fabric.addressing.hosts if fabric is not None and isinstance(fabric.fabric, Backend) else ""


def _links(known: KnownSite, fabric: FabricPlan, place: Place) -> Iterator[AnswerLine]:
    links_up = tuple(uplinks(fabric, place))
    if links_up:
        names = tuple(dict.fromkeys(name_of(fabric, link.upper) for link in links_up))
        upper, links_per_switch = links_up[0].upper, len(links_up) // len(names)
        stride = len(chassis_of(fabric, upper).down) // links_per_switch
        port = f"port (u div {len(names)}) × {stride} + {_row(fabric, place)}"
        formula = f"uplink u on {upper.tier.value} u mod {len(names)}, {port}"
        yield AnswerLine(
            "uplinks", f"{len(links_up)} × {links_up[0].lower_port.speed_gbps}G to {listed(names)}", formula
        )
    if place.tier in (Tier.SPINE, Tier.SUPERSPINE):
        links_down = tuple(downlinks(fabric, place))
        names = tuple(dict.fromkeys(name_of(fabric, link_down.lower) for link_down in links_down))
        speed = f" × {links_down[0].upper_port.speed_gbps}G" if links_down else ""
        yield AnswerLine("downlinks", f"{len(links_down)}{speed} to {listed(names)}")
    if place.tier is Tier.LEAF:
        yield from _servers(known, fabric, place)
    if place.tier is Tier.BORDER:
        for tenant in known.plan.tenants.get(fabric.name, ()):
            for external in tenant.external:
                if external.border == place.index:
                    peer = f"{external.peer} AS {external.asn}"
                    yield AnswerLine(
                        "outside", f"{peer}, VLAN {external.vlan}, port {external.port}, tenant {tenant.name}"
                    )


def _row(fabric: FabricPlan, place: Place) -> int:
    segment, n = seat_of(fabric, place)
    return place.pod if segment.row is None else segment.row + segment.box.number(segment.box.point(n), ROW_AXES)


def _servers(known: KnownSite, fabric: FabricPlan, leaf: Place) -> Iterator[AnswerLine]:
    for group in groups_on(fabric, leaf):
        yield from _servers_of(known, fabric, leaf, group)


def _servers_of(known: KnownSite, fabric: FabricPlan, leaf: Place, group: GroupShape) -> Iterator[AnswerLine]:
    """Servers of one group on a leaf, their NIC ports and their tenants."""
    slots = unit_slots(group, leaf)
    count = sum(has_server(fabric, group, slot) for slot in range(slots.first, slots.last + 1))
    unit = leaf.pod * group.units_a_pod + leaf.su
    formula = f"unit × slots = {unit} × {group.slots_a_unit}, {group.slots_a_unit} of them"
    yield AnswerLine("servers", f"{group.name}[{slots.first}-{slots.last}], {count} exist", formula)
    nics = [
        group.nics.ports[nic_index] for nic_index in sorted(group.nics_at(leaf.plane, leaf.rail, leaf.index).values())
    ]
    tenants = known.plan.tenants.get(fabric.name, ())
    if isinstance(fabric.fabric, Backend):
        yield AnswerLine("NIC rails", ", ".join(f"{nic.rail} ({nic.name})" for nic in nics))
        if overlay_of(fabric.fabric) is not None:
            owned = owners(tenants, group.name)
            rails = sorted({nic.rail for nic in nics})
            unit_range = range(slots.first, slots.last + 1)
            tenant_names = {owner_of(owned, slot, rail) for slot in unit_range for rail in rails}
            yield AnswerLine("tenants", listed(tuple(sorted(tenant_names - {""}))))
        return
    yield AnswerLine("NIC ports", ", ".join(nic.name for nic in nics))
    yield AnswerLine("tenants", listed(tenants_in(owners(tenants, group.name), slots)))


def _around(known: KnownSite, fabric: FabricPlan, place: Place, name: str) -> Iterator[AnswerLine]:
    yield from override_facts(known, name)
    yield from port_overrides(known, name)
    system = chassis_of(fabric, place).system.partition("-")[0]
    yield from raw_facts(known, fabric.name, place.tier.value, name, system)
