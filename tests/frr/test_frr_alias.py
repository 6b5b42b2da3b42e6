"""Texts and names on FRR: what ifupdown2 cannot take is refused by name, all else is in the kernel as written."""

import pytest

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.frr.limits import limits
from fabricgen.platforms.linux.interfaces import alias, management_vrf
from tests.frr.site import site
from tests.judges import interfaces
from tests.some import some

TAKEN = (
    "spine-1 swp1",
    "costs $5",
    "see ${env:TOKEN}",
    "$(reboot) `id` $",
    "# not a remark",
    "a \"quoted\" 'text'",
    "${IFACE} $iface",
    "übergabe",
)
REFUSED = {
    "50% used": ("%", "50% used"),
    "a\\b": ("\\", "a b"),
    "to $IFACE": ("$IFACE", "to swp1"),
    "to $$IFACE": ("$IFACE", "to $swp1"),
}
"""Text → the sign that is named, and what the kernel's alias is where ifupdown2 reads it, without Mako."""


def told(text: str) -> list[tuple[str, str]]:
    device = site()["be-leaf-000"].device
    first, *others = device.interfaces.ethernet
    rows = (first._replace(description=text), *others)
    found = limits(device._replace(interfaces=device.interfaces._replace(ethernet=rows)))
    return [(one.what, one.fix) for one in found]


@pytest.mark.parametrize("text", TAKEN)
def test_what_arrives_as_it_is_written(text: str) -> None:
    assert told(text) == []
    assert alias(text) == text


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused_is_named(text: str) -> None:
    ((what, fix),) = told(text)
    sign = REFUSED[text][0]
    assert what == f"the description of swp1s0 on be-leaf-000 cannot have {sign}"
    assert fix == f"write the description without {sign}"
    assert alias(text) != text


def test_the_platform_asks() -> None:
    assert PLATFORMS["frr"].limits is limits


@pytest.mark.skipif(interfaces.available() is not None, reason=str(interfaces.available()))
@pytest.mark.parametrize("text", some([*TAKEN, *REFUSED]))
def test_what_the_kernel_has(text: str) -> None:
    assert interfaces.kernel_alias(text) == (REFUSED[text][1] if text in REFUSED else text)
    assert interfaces.kernel_alias(alias(text)) == alias(text)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("MGMT", ""),
        ("management", ""),
        ("fifteen-letters", ""),
        ("sixteen-letters-", "a device name has at most 15 characters"),
        ("oob.1", "takes a name with a dot as a VLAN of another device"),
        ("eth0", "another device or a route table already has this name"),
        ("swp1", "another device or a route table already has this name"),
        ("local", "another device or a route table already has this name"),
    ],
)
def test_a_management_vrf_is_a_name_that_linux_takes(name: str, why: str) -> None:
    """IFNAMSIZ of Linux is 16 with its end; ifupdown2, addons/vlan.py and addons/vrf.py."""
    device = site()["be-leaf-000"].device
    found = list(limits(device._replace(management=device.management._replace(vrf=name))))
    assert [problem.where for problem in found] == ([("management", "vrf")] if why else [])
    assert all(why in problem.why and problem.fix == "write another name, e.g. MGMT" for problem in found)
    lab = management_vrf(device._replace(management=device.management._replace(vrf=name)))
    assert lab == ("mgmt" if why else name)
