"""The way to a switch is not touched: which lines of a difference are by which it is managed, system by system."""

import re

import pytest

from fabricgen.platforms.proofs import PROOFS
from fabricgen.prove.whole_config import touching

TOUCHES = {
    "eos": (
        "interface Management1\n-   ip address 10.0.0.5/24\n+   ip address 10.0.0.6/24\n",
        "-username admin privilege 15\n",
        "+ip route vrf MGMT 0.0.0.0/0 10.0.0.1\n",
        "management api http-commands\n-   no shutdown\n",
    ),
    "frr": ("-password x\n", "iface mgmt\n-    address 10.0.0.5/24\n", "interface eth0\n+ shutdown\n"),
    "sonic": ("MGMT_INTERFACE / eth0|10.0.0.5/24\n-  gwaddr: 10.0.0.1\n", "TACPLUS / global\n+  passkey: <removed>\n"),
    "cumulus": ("-        eth0:\n", "     aaa:\n+      user:\n"),
    "junos": ("[edit system login user admin]\n-    class super-user;\n", "[edit interfaces]\n-   em0 {\n"),
    "srlinux": (
        "     interface mgmt0 {\n+        admin-state disable\n",
        "     tls {\n-        server-profile own {\n",
    ),
    "nxos": ("interface mgmt0\n-  ip address 10.0.0.5/24\n", "-feature nxapi\n"),
}
HARMLESS = {
    "eos": "interface Management1\n   ip address 10.0.0.5/24\ninterface Ethernet1\n-   mtu 9214\n+   mtu 9100\n",
    "frr": "router bgp 65000\n+ neighbor 10.0.0.1 description management\n",
    "sonic": "PORT / Ethernet0\n-  mtu: 9100\n+  mtu: 9214\n",
    "cumulus": "+      swp1:\n+        link:\n",
    "junos": "[edit interfaces et-0/0/0]\n-   mtu 9192;\n",
    "srlinux": "     interface ethernet-1/1 {\n+        mtu 9232\n",
    "nxos": "interface Ethernet1/1\n-  mtu 9216\n",
}
PORTS = {
    "eos": ("Management1", "Ethernet1/1"),
    "frr": ("eth0", "swp1s0"),
    "sonic": ("eth0", "Ethernet0"),
    "cumulus": ("eth0", "swp1"),
    "junos": ("em0", "et-0/0/0"),
    "srlinux": ("mgmt0", "ethernet-1/1"),
    "nxos": ("mgmt0", "Ethernet1/1"),
}


@pytest.mark.parametrize(("name", "difference"), [(name, text) for name, texts in TOUCHES.items() for text in texts])
def test_a_difference_in_how_it_is_managed_is_found(name: str, difference: str) -> None:
    assert touching(difference, PROOFS[name].access)


@pytest.mark.parametrize(("name", "difference"), HARMLESS.items())
def test_any_other_is_none(name: str, difference: str) -> None:
    assert touching(difference, PROOFS[name].access) == ""


@pytest.mark.parametrize(("name", "ports"), PORTS.items())
def test_ports_of_management_are_known_by_their_names(name: str, ports: tuple[str, str]) -> None:
    pattern = PROOFS[name].management
    assert [bool(re.fullmatch(pattern, port, re.IGNORECASE)) for port in ports] == [True, False]


def test_each_platform_has_cases() -> None:
    assert set(PROOFS) == TOUCHES.keys() == HARMLESS.keys() == PORTS.keys()
