"""Forms of EOS output that were not recorded, each a small case with its source. Values are ours, the forms are not.

ANTA is Arista's own test catalog, github.com/aristanetworks/anta at 68667e0, its tests' inputs (tests/units/anta_tests)
and the paths it reads (anta/tests). NAPALM is github.com/napalm-automation/napalm at ee70e63, test/eos/mocked_data.
"""

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.eos.live import reader as eos
from fabricgen.platforms.eos.live.reader import EOS
from fabricgen.state.state import LINKS, PARTS, Adjacency, BfdSession, Hop, Interface, Route
from tests.live.eos_shown import REFUSED, of, shown
from tests.live.recorded import asked


def test_lldp_by_the_second_form_of_the_port() -> None:
    """ANTA test_connectivity.py, VerifyLLDPNeighbors: systemName and interfaceId_v2; a port alone has an empty list."""
    row = {
        "systemName": "spine-1.lab",
        "neighborInterfaceInfo": {"interfaceId": "Et7", "interfaceId_v2": "Ethernet7/1"},
    }
    found = of(
        eos.LLDP,
        {"lldpNeighbors": {"Ethernet1/1": {"lldpNeighborInfo": [row]}, "Ethernet2/1": {"lldpNeighborInfo": []}}},
    )
    assert found.lldp == (Adjacency("Ethernet1/1", "spine-1.lab", "Ethernet7/1"),)


@pytest.mark.parametrize(
    ("shown_id", "port_id"),
    [
        ("000f.532e.ced1", "00:0f:53:2e:ce:d1"),  # a Linux server: interfaceIdType macAddress, in groups of four
        ('"Ethernet7"', "Ethernet7"),  # older EOS: interfaceIdType interfaceName, in quotation marks
        ("swp7", "swp7"),
    ],
)
def test_lldp_of_servers_and_older_releases(shown_id: str, port_id: str) -> None:
    """NAPALM test_get_lldp_neighbors_detail: interfaceId alone."""
    row = {"systemName": "node-1", "neighborInterfaceInfo": {"interfaceId": shown_id}}
    found = of(eos.LLDP, {"lldpNeighbors": {"Ethernet8": {"lldpNeighborInfo": [row]}}})
    assert found.lldp == (Adjacency("Ethernet8", "node-1", port_id),)


def test_bfd_of_both_families() -> None:
    """ANTA test_bfd.py, VerifyBFDPeersHealth, revision 1: up needs the far discriminator too."""

    def peer(status: str, far: int) -> object:
        return {"peerStats": {"": {"status": status, "remoteDisc": far}}}

    found = of(
        eos.BFD,
        {
            "vrfs": {
                "default": {
                    "ipv4Neighbors": {
                        "10.0.0.1": peer("up", 7),
                        "10.0.0.3": peer("down", 7),
                        "10.0.0.5": peer("up", 0),
                    },
                    "ipv6Neighbors": {"FD00::1": peer("up", 9)},
                },
                "red": {"ipv4Neighbors": {"10.0.0.1": peer("down", 0)}, "ipv6Neighbors": {}},
            }
        },
    )
    assert found.bfd == (
        BfdSession("", "10.0.0.1", True),
        BfdSession("", "10.0.0.3", False),
        BfdSession("", "10.0.0.5", False),
        BfdSession("", "fd00::1", True),
        BfdSession("red", "10.0.0.1", False),
    )


def test_bfd_of_a_peer_behind_two_ports() -> None:
    """The form of ANTA's peers with a session a port: all must be up, and one at least; of link-local ones each."""
    up, down = {"status": "up", "remoteDisc": 1}, {"status": "down", "remoteDisc": 0}

    def vrf(stats: dict[str, object], peer: str = "fd00::1") -> object:
        return {"vrfs": {"default": {"ipv4Neighbors": {}, "ipv6Neighbors": {peer: {"peerStats": stats}}}}}

    assert of(eos.BFD, vrf({"Ethernet1": up, "Ethernet2": up})).bfd == (BfdSession("", "fd00::1", True),)
    assert of(eos.BFD, vrf({"Ethernet1": up, "Ethernet2": down})).bfd == (BfdSession("", "fd00::1", False),)
    assert of(eos.BFD, vrf({})).bfd == (BfdSession("", "fd00::1", False),)
    each = (BfdSession("", "Ethernet1", True), BfdSession("", "Ethernet2", False))
    assert of(eos.BFD, vrf({"Ethernet1": up, "Ethernet2": down}, "fe80::1")).bfd == each
    assert of(eos.BFD, vrf({}, "fe80::1%Et1")).bfd == (BfdSession("", "Ethernet1", False),)


def test_a_later_revision_of_bfd_is_not_understood() -> None:
    """ANTA asks for the first: later ones nest by the type of session. NAPALM asks for the first of all."""
    nested: object = {"vrfs": {"default": {"ipv4Neighbors": {"10.0.0.1": {"peerStatsByType": {}}}}}}
    assert of(eos.BFD, nested).bfd is None


def test_routes_that_discard() -> None:
    """`routeAction: drop` and no vias: an aggregate's in the tests of eBay's netforce, a static one's on cEOS 4.34.8M.

    The latter from the notes of a public tool's driver, which reads IPv6 routes in the form of IPv4 ones.
    """
    ipv4 = {
        "10.215.0.0/16": {
            "kernelProgrammed": True,
            "directlyConnected": True,
            "routeAction": "drop",
            "vias": [],
            "hardwareProgrammed": True,
            "routeType": "bgpAggregate",
        }
    }
    ipv6 = {
        "FD00:1::/64": {
            "routeType": "dropRoute",
            "routeAction": "drop",
            "directlyConnected": True,
            "vias": [{"interface": "Null0"}],
        },
        "fd00:2::/64": {
            "routeType": "eBGP",
            "routeAction": "forward",
            "hardwareProgrammed": True,
            "vias": [{"nexthopAddr": "FD00::1", "interface": "Ethernet1/1"}],
        },
        "fd00:3::/64": {"routeType": "eBGP", "routeAction": "forward", "hardwareProgrammed": False, "vias": []},
        "fd00:4::/64": {"routeType": "eBGP", "routeAction": "forward", "kernelProgrammed": False, "vias": []},
    }
    outputs = {
        eos.ROUTES_IPV4: Output({"vrfs": {"default": {"routes": ipv4}}}),
        eos.ROUTES_IPV6: Output({"vrfs": {"default": {"routes": {}}, "red": {"routes": ipv6}}}),
    }
    assert shown(outputs).routes == (
        Route("", "10.215.0.0/16", "bgpaggregate", ()),
        Route("red", "fd00:1::/64", "droproute", ()),
        Route("red", "fd00:2::/64", "ebgp", (Hop("fd00::1", "Ethernet1/1"),)),
    )


def test_ipv6_routes_that_were_not_read_are_no_empty_table() -> None:
    outputs = {eos.ROUTES_IPV4: Output({"vrfs": {}}), eos.ROUTES_IPV6: Output(None, "timed out")}
    assert shown(outputs).routes is None
    assert shown({**outputs, eos.ROUTES_IPV6: REFUSED}).routes == ()


def test_addresses_of_show_ipv6_interface() -> None:
    """NAPALM test_get_interfaces_ip/normal: addresses with their subnet; link-local ones stand apart."""
    outputs = {
        eos.INTERFACES: Output(
            {
                "interfaces": {
                    "Ethernet1/1.100": {
                        "interfaceStatus": "connected",
                        "lineProtocolStatus": "up",
                        "forwardingModel": "routed",
                        "mtu": 9214,
                    }
                }
            }
        ),
        eos.INTERFACES_IPV6: Output(
            {
                "interfaces": {
                    "Ethernet1/1.100": {
                        "linkLocal": {"address": "fe80::1", "subnet": "fe80::/64"},
                        "addresses": [
                            {"address": "FD00:0::1", "subnet": "fd00::/127"},
                            {"address": "fe80::2", "subnet": "fe80::/64"},
                        ],
                    }
                }
            }
        ),
        eos.VRFS: Output({"vrfs": {"red": {"interfaces": ["Ethernet1/1.100"]}}}),
    }
    row = Interface("Ethernet1/1.100", "subinterface", True, True, 9214, ("fd00::1/127",), "red", 100)
    assert shown(outputs).interfaces == (row,)
    renamed = EOS.state(outputs, {"red": "research"}).interfaces
    assert renamed == (row._replace(vrf="research"),)


def test_secondary_and_virtual_addresses() -> None:
    """NAPALM test_get_interfaces_ip and the recordings: `virtualIp` of an anycast gateway, lists of secondary ones."""
    address = {
        "primaryIp": {"address": "192.0.2.1", "maskLen": 24},
        "virtualIp": {"address": "0.0.0.0", "maskLen": 0},  # noqa: S104 -- how EOS writes that there is none
        "secondaryIpsOrderedList": [{"address": "198.51.100.1", "maskLen": 25}],
        "virtualSecondaryIpsOrderedList": [{"address": "203.0.113.1", "maskLen": 26}],
    }
    row = {"interfaceStatus": "errdisabled", "lineProtocolStatus": "down", "interfaceAddress": [address]}
    outputs = {
        eos.INTERFACES: Output({"interfaces": {"Vlan20": row}}),
        eos.INTERFACES_IPV6: REFUSED,
        eos.VRFS: Output({"vrfs": {"default": {"interfaces": ["Vlan20"]}}}),
    }
    wanted = ("192.0.2.1/24", "198.51.100.1/25", "203.0.113.1/26")
    assert shown(outputs).interfaces == (Interface("Vlan20", "svi", True, False, 0, wanted, "", 20, "errdisabled"),)


def test_every_command_goes_through_napalm() -> None:
    """Each read is asked as it is; what the switch refuses is told as a refusal, and the part as not read."""
    reads = EOS.reads(["red"])
    version = {"version": "4.34.2F", "modelName": "DCS-7060X6-64PE-F", "serialNumber": "X1"}
    outputs = asked({"show version": version, "show hostname": {"hostname": "leaf-1", "fqdn": "leaf-1.lab"}}, {}, reads)
    assert set(outputs) == {read.command for read in reads}
    found = shown(outputs)
    assert found.facts == ("leaf-1", "4.34.2F", "DCS-7060X6-64PE-F", "X1")
    assert set(found.unread) == {
        "qos",
        "interfaces",
        "lldp",
        "bgp",
        "bfd",
        "routes",
        "vnis",
        "evpn",
        "running",
        "links",
        LINKS["watchdog"],
        "startup",
    }
    assert found.counters == ()  # a chip that counts nothing refuses to show it
    assert found.unread["running"] == f"{eos.RUNNING}: the switch refused it"


def test_every_part_is_read_or_said_to_be_unseen() -> None:
    """And each command has a source."""
    served = {part for part, _, _ in eos.SOURCES} | {"vnis"}  # of `show interfaces`
    assert served | set(EOS.unseen) == {*PARTS, "links", "maintenance", "startup"}
    assert not served & set(EOS.unseen)
    assert all(source for _, _, source in eos.SOURCES)
