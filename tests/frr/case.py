"""FRR on Linux, for the tests of all platforms."""

from collections.abc import Mapping

from fabricgen.device.references import FIELDS
from tests.frr import pair_text
from tests.platform_case import ADDRESS, LeftOut, PlatformCase, SecretLength, SecretSite, Seed, SmallSite

_, _, _, _, BGP, FABRIC = FIELDS
BARE: Mapping[str, Seed] = {
    "ipv6-hops": Seed("frr.conf", r"\n +neighbor \S+ capability extended-nexthop", ""),
    "advertises": Seed("frr.conf", r"(?m)^(router bgp \d+)$", r"interface <own_port>\n ipv6 nd suppress-ra\nexit\n\1"),
}
"""Links without addresses: FRR sends router advertisements where it has a session, unless they are suppressed."""
FRONTEND: Mapping[str, Seed] = {
    "family": Seed("frr.conf", r"\n +neighbor \S+-EVPN activate", ""),
    "communities": Seed(
        "frr.conf", r"(\n +)(neighbor \S+-EVPN )activate", r"\1\2activate\1no \2send-community extended"
    ),
    "source": Seed("frr.conf", r"update-source <own_loopback>", "update-source <own_vtep>"),
    "hops": Seed("frr.conf", r"\n +neighbor \S+ ebgp-multihop 3", ""),
    "import": Seed("frr.conf", r"route-target import 65000:10003", "route-target import 65000:19999"),
}

CASE = PlatformCase(
    sites={
        "frr": SmallSite(
            "frr-8.4",
            "nvidia-sn4700",
            "nvidia-sn4700",
            mistakes={
                "family": Seed("frr.conf", r"\n +neighbor \S+-IPV6 activate", ""),
                "mtu": Seed("interfaces", r"mtu 9100", "mtu 9114"),
                "hold": Seed("frr.conf", r"timers bgp 4 12", "timers bgp 5 15"),
                "bfd": Seed("frr.conf", r"\n +neighbor \S+ bfd", ""),
            },
            spine_mistake=Seed(
                "frr.conf", r"(\n +)(neighbor \S+-EVPN )activate", r"\1\2activate\1\2next-hop-self force"
            ),
            own=None,
        ),
    },
    pair_text=pair_text.read,
    frontend=FRONTEND,
    unnumbered=BARE,
    touching=("-password x\n", "iface mgmt\n-    address 10.0.0.5/24\n", "interface eth0\n+ shutdown\n"),
    harmless="router bgp 65000\n+ neighbor 10.0.0.1 description management\n",
    management_ports=("eth0", "swp1s0"),
    config="interfaces",
    # sshd is a service of its Linux, in no file of ours; interfaces(5) gives the address.
    way_in=(rf"\niface eth0\n    address {ADDRESS}\n    gateway 10\.0\.0\.1\n    vrf mgmt\n",),
    secrets={
        "frr-8.4": SecretSite("arista-7060x6-64pe", (), "swp1s0", "rpki cache {} 323 preference 1"),
    },
    secret_lengths=(
        # bgpd/bgpd.h of FRR: PEER_PASSWORD_MINLEN, PEER_PASSWORD_MAXLEN
        SecretLength("8.4", BGP, 1, 80),
        SecretLength("10.3", BGP, 1, 80),
        *(SecretLength(version, FABRIC, 8, 20) for version in ("8.4", "10.3")),
    ),
    left_out=(
        LeftOut("evpn.gateway_mac", "a border leaf has no VLAN, so no gateway", "border-leaf"),
        LeftOut("routing.bgp.overlay_paths", "paths of VRFs: switches above leaves have none", "spine superspine"),
        LeftOut(
            "routing.policy.community_lists.community",
            "above leaves the one list is of graceful shutdown, which has a word of its own",
            "spine superspine",
        ),
        LeftOut("evpn.vlans.vrf", "the gateway of the VLAN says its VRF"),
        LeftOut("interfaces.ethernet.profile.parts", "the name and the speed of a port say how its cage splits"),
        LeftOut("interfaces.ethernet.profile.lanes", "the driver's; the speed says them"),
        LeftOut("interfaces.ethernet.lag", "a bond names its members"),
        LeftOut("interfaces.lags.es_import", "made by the system of the identifier", "leaf"),
        LeftOut("interfaces.ethernet.profile.unnumbered", "a session that names the port makes it so (BGP)"),
        LeftOut("interfaces.ethernet.profile.routed", "a port that switches nothing is routed"),
        LeftOut("evpn.gateways.relay_source", "the loopback in the gateway's VRF", "leaf"),
        LeftOut(
            "routing.static_routes",
            "that of the management VRF is the gateway of its port",
            "border-leaf spine superspine",
        ),
        LeftOut("routing.static_routes.family", "the prefix says it"),
        LeftOut("load_balancing load_balancing.mode", "ecmp, and nothing else, by itself"),
        LeftOut("load_balancing.seed", "each switch has one of its own by itself: see hash-seed"),
        LeftOut("routing.bgp.wait_install", "not beside an EVPN session: see wait-install", "border-leaf"),
        LeftOut(
            "routing.bgp.vrfs.import_targets",
            "a VRF takes its own target; others are taken over by name inside the switch",
        ),
        LeftOut(
            "routing.bgp.groups.extended_communities", "sent without a line (FRR sends all kinds by default; Junos too)"
        ),
        LeftOut("routing.bgp.groups.next_hop_unchanged", "by itself, or with the word of every EVPN session", "spine"),
    ),
    silent=(
        "daemons.j2",
        "frr-bgp-end.j2",
        "frr-end.j2",
        "frr-header.j2",
        "frr-vrfs.j2",
        "hostname.j2",
        "interfaces-bridge.j2",
        "interfaces-header.j2",
        "interfaces-vrfs.j2",
        "raw.j2",
        "sysctl.j2",
    ),
)
