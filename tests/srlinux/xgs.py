"""Nokia's models as a 7220 IXR on a Broadcom XGS chip has them: without the features of the other families.

tests/judges/srlinux.py turns on every feature but two, which makes of the models a switch that nobody has: what is
`not` for a family is gone with it (time servers, logging, SNMP, hash options).
"""

from functools import cache
from typing import TYPE_CHECKING

from tests.judges import models, yang
from tests.judges.srlinux import MORE, OPERATIONS, OWN

if TYPE_CHECKING:
    import libyang

OTHERS = (
    "qos-multi-traffic-queue",
    "loopback-mode-facility",
    "fpcx",
    "hold-time-fpcx",
    "ixr-dnx",
    "qos-pfc-dnx",
    "platform-vsrl",
    "platform-imgmt",
    "platform-7215-a1",
    "qos-ecn-dscp-policy",
    "future-0-0",
    "msdp",
)
"""Features of 7730 SXR (fpcx), 7250 IXR (dnx), 7215, the virtual one, one in a card, and of no release yet."""


@cache
def schema() -> "libyang.Context":
    """The models without their `must` statements; 2 s."""
    with models.unpacked("srlinux") as unpacked:
        folder = unpacked / "srlinux-yang"
        for path in folder.glob("srl_*.yang"):
            text = path.read_text()
            if "must" in text:
                path.write_text(yang.without_musts(text))
        own = [path for path in folder.glob(OWN) if OPERATIONS not in path.name]
        return yang.read(folder, [*own, *(folder / name for name in MORE)], without_features=OTHERS)


def faults(text: str) -> list[str]:
    """What the models say against a configuration; [] when it is accepted."""
    return yang.faults(schema(), text, "json")
