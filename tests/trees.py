"""The whole tree of a plan, made again in this process: what a render that keeps nothing would write."""

from typing import NamedTuple

from fabricgen.plan.fabric import name_of, present_places
from fabricgen.plan.fabric import places as all_places
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import Keys
from fabricgen.render.tree import CABLING, DeviceRenderer, cabling_octets


class Whole(NamedTuple):
    """Input key of each switch, and octets of each file by its path."""

    keys: dict[str, str]
    files: dict[str, bytes]


def whole_tree(plan: Plan) -> Whole:
    """Every switch resolved and rendered."""
    press, keys, found = DeviceRenderer(plan), Keys(plan), Whole({}, {})
    lines: list[bytes] = []
    for name, fabric in plan.fabrics.items():
        for place in present_places(fabric):
            found.keys[name_of(fabric, place)] = keys.of(fabric, place).files
            found.files.update(press.files(press.device(name, place)))
        lines += (line.encode() for line in press.cabling(name, all_places(fabric)))
    found.files[CABLING] = b"".join(cabling_octets(lines))
    return found
