"""Faults in frr.conf of leaves and border leaves with tenants: FRR on Linux, and SONiC, whose routing is FRR's."""

from functools import partial

from tests.audit.seeded.row import Seeded


def rows(system: str, vrf: str = "") -> tuple[Seeded, ...]:
    """Faults of a system. `vrf`: what the system puts before the name of a VRF."""
    row = partial(Seeded, system, file="frr.conf")
    research, storage = f"{vrf}research", f"{vrf}storage"
    border = (f"router bgp 4202000000 vrf {research}",)
    return (
        row(
            "session-password",
            "fe-border-00",
            r"^ neighbor 172\.31\.0\.1 password .*\n",
            "",
            "The firewall signs its segments and the border leaf does not: the session does not come up.",
            under=border,
            also=(r"neighbor 172\.31\.0\.1 remote-as",),
        ),
        row(
            "session-password",
            "fe-border-00",
            r"(neighbor fd5e:8c1f:2a00:2f00::1 password) .*$",
            r"\1 ${env:OTHER_PASSWORD}",
            "The session has the secret of something else: the firewall does not accept it.",
            under=border,
        ),
        row(
            "clear-secret",
            "fe-border-01",
            r"(neighbor 172\.31\.0\.3 password) .*$",
            r"\1 fabric123",
            "The password of the session is in clear in a file that is kept and reviewed.",
        ),
        row(
            "address-family",
            "fe-leaf-000",
            r"^  neighbor SPINES-EVPN activate\n",
            "",
            "The overlay sessions carry no EVPN: the servers of the leaf are reached by nobody.",
        ),
        row(
            "policy-not-applied",
            "fe-border-00",
            r"^  neighbor 172\.31\.0\.1 route-map RM-RESEARCH-FW1-0-900-IPV4-IN in\n",
            "",
            "The border leaf takes every prefix of the firewall, those of the tenants too.",
            under=border,
            also=(r"neighbor 172\.31\.0\.1 remote-as", r"neighbor 172\.31\.0\.1 activate"),
        ),
        row(
            "term-order",
            "fe-leaf-000",
            r"^route-map RM-SPINES-EVPN-OUT deny 10$",
            "route-map RM-SPINES-EVPN-OUT deny 30",
            "The term that permits all comes first, so the filter of routes from above is never reached.",
            also=(r"^route-map RM-SPINES-EVPN-OUT permit 20$",),
        ),
        row(
            "valley-filter",
            "fe-leaf-001",
            r"^route-map RM-SPINES-EVPN-OUT deny 10\n(?: .*\n)+exit\n!\n",
            "",
            "EVPN routes of one spine go on to the other: only the AS path keeps it from being a way there.",
            also=(r"^route-map RM-SPINES-EVPN-OUT permit 20$",),
        ),
        row(
            "community",
            "fe-border-00",
            r"^ set community 65000:2$",
            " set community 65000:1",
            "Routes of the firewall have the mark of routes from above: the border leaf hands none of them on.",
            under=("route-map RM-RESEARCH-FW1-0-900-IPV4-IN permit 20",),
        ),
        row(
            "prefix-list",
            "fe-border-00",
            r"^(ip prefix-list PL-RESEARCH-FW1-0-900-IPV4-OUT seq 10 permit) 172\.18\.0\.0/20$",
            r"\1 172.16.0.0/12 le 32",
            "The firewall gets the prefixes of the storage tenant, and single hosts.",
        ),
        row(
            "route-limit",
            "fe-border-00",
            r"neighbor 172\.31\.0\.1 maximum-prefix 100 restart 5",
            "neighbor 172.31.0.1 maximum-prefix 1000000 restart 5",
            "The limit protects the border leaf from no table of the firewall any more.",
        ),
        row(
            "tenant-leak",
            "fe-border-01",
            r"^  import vrf route-map RM-RESEARCH-IMPORT\n",
            "",
            "Every route of the other tenant is imported, not only the prefixes that are agreed.",
            under=(f"router bgp 4202000001 vrf {research}", "address-family ipv6 unicast"),
            also=(rf"^  import vrf {storage}$",),
        ),
        row(
            "route-target",
            "fe-border-01",
            rf"^  import vrf {storage}\n",
            "",
            "The tenant reaches nothing of the one that it may take over routes of.",
            under=(f"router bgp 4202000001 vrf {research}", "address-family ipv4 unicast"),
        ),
        row(
            "multihop",
            "fe-leaf-000",
            r"^ neighbor SPINES-EVPN ebgp-multihop 3\n",
            "",
            "Packets between loopbacks have a TTL of 1: the overlay session does not come up.",
            also=(r"neighbor SPINES-EVPN peer-group$",),
        ),
        row(
            "vni-swapped",
            "fe-leaf-002",
            rf"(vrf {research}\n(?: ip.*\n)* vni )10001(\nexit-vrf\n!\nvrf {storage}\n(?: ip.*\n)* vni )10003",
            r"\g<1>10003\g<2>10001",
            "Packets of one tenant arrive in the VRF of the other.",
        ),
        row(
            "rd-duplicate",
            "fe-leaf-001",
            r"^  rd 10\.128\.192\.7:1$",
            "  rd 10.128.192.5:1",
            "Two leaves have one distinguisher: a spine keeps one of their routes, and the other leaf's are lost.",
        ),
        row(
            "route-target",
            "fe-leaf-000",
            r"route-target export 65000:10003",
            "route-target export 65000:10033",
            "No other switch imports what the storage tenant of this leaf exports.",
        ),
        row(
            "route-target",
            "fe-leaf-001",
            r"route-target import 65000:10004",
            "route-target import 65000:10005",
            "The VLAN of this leaf hears of no MAC address of the other leaves.",
        ),
        row(
            "tenant-leak",
            "fe-leaf-000",
            r"^  route-target import 65000:10003$",
            r"  route-target import 65000:10001\n\g<0>",
            "Every route of the other tenant is imported, not only the prefixes that are agreed.",
            under=(f"router bgp 4202000002 vrf {storage}",),
        ),
        row(
            "tenant-leak",
            "fe-border-00",
            r"^(ip prefix-list PL-RESEARCH-REACHED-IPV4 seq 10 permit) 172\.17\.0\.0/20 le 32$",
            r"\1 0.0.0.0/0 le 32",
            "Every route of the other tenant passes the import.",
        ),
    )
