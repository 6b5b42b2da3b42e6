"""Nokia's models as a 7220 IXR on a Broadcom XGS chip has them: without the features of the other families.

tests/judges/srlinux.py turns on every feature but two, which makes of the models a switch that nobody has: what is
`not` for a family is gone with it (time servers, logging, SNMP, hash options).
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from tests.judges import models, srlinux, yang
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


RELEASES: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = MappingProxyType(
    {
        "24.10": (
            "srlinux-24.10",
            (),
            ("bgp-weighted-ecmp", "bgp-send-community-leaflist", "routing-policy-prefix-set-match-options-any"),
        ),
        "25.3": ("srlinux", MORE, ()),
    }
)
"""Release → its archive; models that it needs beside Nokia's own; features without which it has no words of 25.3."""
NEWEST = "25.3"


def available() -> str | None:
    """Why this judge cannot work here, or None when it can."""
    reasons = (srlinux.available(), *(models.available(name) for name, _, _ in RELEASES.values()))
    return next((reason for reason in reasons if reason), None)


@cache
def schema(release: str = NEWEST, without: tuple[str, ...] = ()) -> "libyang.Context":
    """The models without their `must` statements, and without more features; 2 s."""
    archive, more, absent = RELEASES[release]
    with models.unpacked(archive) as unpacked:
        folder = unpacked / "srlinux-yang"
        for path in folder.glob("srl_*.yang"):
            text = path.read_text()
            if "must" in text:
                path.write_text(yang.without_musts(text))
        own = [path for path in folder.glob(OWN) if OPERATIONS not in path.name]
        return yang.read(
            folder, [*own, *(folder / name for name in more)], without_features=(*OTHERS, *absent, *without)
        )


def faults(text: str, release: str = NEWEST) -> list[str]:
    """What the models say against a configuration; [] when it is accepted."""
    return yang.faults(schema(release), text, "json")
