"""Junos, for the tests of all platforms."""

from fabricgen.device.references import FIELDS
from tests.junos import control_text, lossless_text, pair_text
from tests.platform_case import (
    ADDRESS,
    ALL,
    LeftOut,
    OwnPackets,
    PlatformCase,
    SecretLength,
    SecretSite,
    Seed,
    SmallSite,
)

_, TACACS, AUTH, PRIVACY, BGP, FABRIC = FIELDS

CASE = PlatformCase(
    # host-outbound-traffic of the files; BFD of the forwarding engine assumed.
    sites={
        "junos": SmallSite(
            "junos-24.4",
            "juniper-qfx5230-64cd",
            "juniper-qfx5130-32cd",
            mistakes={
                "family": Seed("", r"family inet6 (\{\s*unicast)", r"family inet \1"),
                "mtu": Seed("", r"mtu 9114;", "mtu 9100;"),
                "hold": Seed("", r"hold-time 12;", "hold-time 15;"),
                "bfd": Seed("", r"bfd-liveness-detection \{[^}]*\}", ""),
                "dscp": Seed("", r"(code-points \[ 011000 011001) 011010", r"\1"),
                "pfc": Seed("", r"pfc-priority 3;", "pfc-priority 4;"),
            },
            spine_mistake=Seed("", r"\s*no-nexthop-change;", ""),
            own=OwnPackets(),
        ),
    },
    pair_text=pair_text.read,
    lossless_text=lossless_text.read,
    control_text=control_text.read,
    frontend={
        "family": Seed("", r"family evpn (\{\s*)signaling", r"family inet \1unicast"),
        "source": Seed("", r"local-address <own_loopback>;", "local-address <own_vtep>;"),
        "hops": Seed("", r"ttl 3;", "ttl 1;"),
        "import": Seed("", r"(community EC-STORAGE members target:65000):10003", r"\1:19999"),
    },
    unnumbered={
        "ipv6-hops": Seed("", r"\s*extended-nexthop;", ""),
        "advertises": Seed("", r"(interface et-\S+)\.0( \{\s*max-adv)", r"\1.1\2"),
    },
    own_gateway=Seed("", r"\n +l3-interface irb\.20;", ""),
    touching=("[edit system login user admin]\n-    class super-user;\n", "[edit interfaces]\n-   em0 {\n"),
    harmless="[edit interfaces et-0/0/0]\n-   mtu 9192;\n",
    management_ports=("em0", "et-0/0/0"),
    config="juniper.conf",
    # YANG of 24.4R1: `system services ssh`, `netconf ssh`; mgmt_junos is the instance of the management port.
    way_in=(
        r"\n    services \{\n        ssh;\n        netconf \{\n            ssh;\n",
        rf"family inet \{{\n                address {ADDRESS};",
        r"\n    mgmt_junos \{\n        routing-options \{\n            static \{\n"
        r"                route 0\.0\.0\.0/0 next-hop 10\.0\.0\.1;\n",
    ),
    # Login class super-user has all permissions (Juniper, login classes overview).
    account=r"\n        user admin \{\n            class super-user;\n            authentication \{\n"
    r'                encrypted-password "\$\{env:ADMIN_HASH\}";\n',
    secrets={
        "junos-24.4": SecretSite("juniper-qfx5240-64od", ALL, "et-0/0/0:0", 'event-options {{ word "{}"; }}', mtu=9202),
    },
    # Juniper's YANG of each: lengths of authentication-password, privacy-password, authentication-key
    secret_lengths=tuple(
        SecretLength(release, *lengths)
        for release in ("23.4", "24.2", "24.4")
        for lengths in ((AUTH, 8, 1024), (PRIVACY, 8, 1024), (TACACS, 1, 0), (BGP, 1, 126), (FABRIC, 8, 20))
    ),
    hashes=("sha512", "sha256", "md5", "sha512-rounds", "sha256-rounds"),
    left_out=(
        LeftOut("evpn.gateway_mac", "a border leaf has no VLAN, so no gateway", "border-leaf"),
        LeftOut("routing.bgp.overlay_paths", "paths of VRFs: switches above leaves have none", "spine superspine"),
        LeftOut("routing.policy.community_lists.graceful_shutdown", "the community is written as numbers"),
        LeftOut("evpn.vtep", "the address of the loopback that the tunnel names"),
        LeftOut("evpn.mtu", "tunnels have no MTU of their own there: links and gateways have"),
        LeftOut("evpn.vlans.vrf", "the gateway of the VLAN says its VRF"),
        LeftOut("evpn.marks", "copied both ways without a line: see tunnel-marks"),
        LeftOut("interfaces.ethernet.profile.parts", "a port whose cage is whole has none to say"),
        LeftOut("interfaces.ethernet.profile.lanes", "said of divided cages alone"),
        LeftOut("interfaces.lags.members", "each port says its aggregate", "leaf"),
        LeftOut("interfaces.lags.es_import", "made by the system of the identifier", "leaf"),
        LeftOut(
            "interfaces.ethernet.profile.fec",
            "from 50G a lane on IEEE 802.3 has one FEC, which the system takes by itself",
        ),
        LeftOut("interfaces.ethernet.profile.routed", "a port that switches nothing is routed"),
        LeftOut("interfaces.loopbacks.description", "said of units in a VRF", "border-leaf spine superspine"),
        LeftOut("management.gateway", "the static route of the management VRF has it"),
        LeftOut("routing.static_routes.family", "the prefix says it"),
        LeftOut(
            "routing.static_routes.vrf", "the management VRF has a name of its own", "border-leaf spine superspine"
        ),
        LeftOut("qos.headroom", "the switch sets it aside by itself, of what a port's cable asks"),
        LeftOut("qos.headroom_octets", "ports have their own, or the switch has it"),
        LeftOut("interfaces.ethernet.headroom_octets", "computed of the length; one of the operator's own is refused"),
        LeftOut("qos.headroom_pool_octets", "of ports without a table, or the system's own"),
        LeftOut("qos.profiles.speed_gbps", "the profile's name says it"),
        LeftOut("routing.bgp.vrfs.imports", "the route targets say it"),
        LeftOut(
            "routing.bgp.groups.extended_communities", "sent without a line (FRR sends all kinds by default; Junos too)"
        ),
        LeftOut("routing.bgp.groups.next_hop_unchanged", "by itself, or with the word of every EVPN session", "spine"),
        LeftOut(
            "routing.policy.prefix_lists.entries.sequence routing.policy.prefix_lists.family",
            "entries stand in their order; a prefix says its family",
        ),
    ),
    silent=("header.j2", "protocols-advertisements.j2", "protocols-isolation.j2", "routing-instances-end.j2"),
)
