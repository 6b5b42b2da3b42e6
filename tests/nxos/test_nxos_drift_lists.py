"""Lists of numbers and ports are compared as sets: NX-OS orders and joins them in its own way."""

import pytest

from fabricgen.platforms.nxos.live.drift import drift

TRUNK = "interface Ethernet1/1\n  switchport trunk allowed vlan {}\n"
CLASS = "class-map type qos match-any TC3\n  match dscp {}\n"
DLB = "hardware profile dlb\n  dlb-interface {}\n"


@pytest.mark.parametrize(
    ("form", "ours", "theirs"),
    [
        (TRUNK, "20,110-112", "20,110,111-112"),
        (TRUNK, "20,110-112", "110-112,20"),
        (TRUNK, "20,110-112", "20\n  switchport trunk allowed vlan add 110-112"),
        (CLASS, "24,26,28-31", "24,26,28,29,30-31"),
        (DLB, "Eth1/1,Eth1/2", "Eth1/2,Eth1/1"),
    ],
)
def test_another_order_and_other_ranges_are_no_drift(form: str, ours: str, theirs: str) -> None:
    assert drift(form.format(ours), form.format(theirs)) == ()


@pytest.mark.parametrize(
    ("form", "ours", "theirs", "lost", "added"),
    [
        (TRUNK, "20,110-112", "20,110-111,200", ["112"], ["200"]),
        (CLASS, "24-26", "24-25", ["26"], []),
        (DLB, "Eth1/1,Eth1/2", "Eth1/1", ["Eth1/2"], []),
    ],
)
def test_what_is_missing_or_added_is_told_by_itself(
    form: str, ours: str, theirs: str, lost: list[str], added: list[str]
) -> None:
    found = drift(form.format(ours), form.format(theirs))
    assert [row.line.split()[-1] for row in found if not row.present] == lost
    assert [row.line.split()[-1] for row in found if row.present] == added
