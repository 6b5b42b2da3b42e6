"""Judge a configuration of SR Linux in JSON_IETF by Nokia's YANG models of 25.3.1.

Judged: structure, types, ranges, what is mandatory, how many there may be, references between leaves, conditions
(`when`, features). Not judged: Nokia's `must` statements, which are dropped. They are written for an XPath in which a
leaf that is absent compares as false; in XPath 1.0 they refuse right configurations. So a network instance may name a
subinterface that is not there, or share one with another.
"""

import json
from functools import cache
from typing import TYPE_CHECKING

from tests.judges import models, yang

if TYPE_CHECKING:
    import libyang

# A switch has one of each pair of alternatives; which platform has which is not published. Without these the models
# describe one of fixed form with unicast queues of their own, as those on Broadcom's XGS chips.
ABSENT = ("qos-multi-traffic-queue", "loopback-mode-facility")
# Its own models but those of operations; they name spanning tree's identities of OpenConfig, and nothing implements it.
OWN, OPERATIONS, MORE = "srl_nokia-*.yang", "tools", ("openconfig-spanning-tree-types.yang",)


def available() -> str | None:
    """Why this judge cannot work here, or None when it can."""
    return yang.available() or models.available("srlinux")


def faults(text: str) -> list[str]:
    """What speaks against a whole configuration (one JSON object, modules' names as prefixes); [] when accepted."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return [f"line {error.lineno}: no JSON: {error.msg}"]
    return yang.faults(_schema(), text, "json")


@cache
def _schema() -> "libyang.Context":
    with models.unpacked("srlinux") as unpacked:
        folder = unpacked / "srlinux-yang"
        for path in folder.glob("srl_*.yang"):
            text = path.read_text()
            if "must" in text:
                path.write_text(yang.without_musts(text))
        own = [path for path in folder.glob(OWN) if OPERATIONS not in path.name]
        return yang.read(folder, [*own, *(folder / name for name in MORE)], without_features=ABSENT)
