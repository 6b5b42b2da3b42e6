"""Arista EOS, for the tests of all platforms."""

from fabricgen.device.references import FIELDS
from tests.eos import control_text, lossless_text, pair_text
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
    # Class and queue 7 are reserved for them (ARISTA_GUIDE); marks assumed.
    sites={
        "eos": SmallSite(
            "eos-4.34",
            "arista-7060dx5-32",
            "arista-7060dx5-32",
            mistakes={
                "family": Seed("", r"\n +neighbor \S+-IPV6 activate", ""),
                "mtu": Seed("", r"mtu 9100", "mtu 9114"),
                "hold": Seed("", r"timers 4 12", "timers 5 15"),
                "bfd": Seed("", r"\n +neighbor \S+ bfd", ""),
                "dscp": Seed("", r"qos map dscp 48 to traffic-class 6", "qos map dscp 48 to traffic-class 5"),
                "pfc": Seed("", r"priority 3 no-drop", "priority 4 no-drop"),
            },
            spine_mistake=Seed("", r"\n +neighbor \S+ next-hop-unchanged", ""),
            own=OwnPackets(queue=7),
        ),
    },
    pair_text=pair_text.read,
    lossless_text=lossless_text.read,
    control_text=control_text.read,
    frontend={
        "family": Seed("", r"\n +neighbor \S+-EVPN activate", ""),
        "communities": Seed("", r"send-community standard extended", "send-community standard"),
        "source": Seed("", r"update-source Loopback0", "update-source Loopback1"),
        "hops": Seed("", r"\n +neighbor \S+ ebgp-multihop 3", ""),
        "import": Seed("", r"route-target import evpn 65000:10003", "route-target import evpn 65000:19999"),
    },
    unnumbered={
        "ipv6-hops": Seed("", r"\n +neighbor \S+ next-hop address-family ipv6 originate", ""),
        "advertises": Seed("", r"\n +ipv6 enable", ""),
    },
    own_gateway=Seed("", r"(ip(?:v6)? address) virtual", r"\1"),
    touching=(
        "interface Management1\n-   ip address 10.0.0.5/24\n+   ip address 10.0.0.6/24\n",
        "-username admin privilege 15\n",
        "+ip route vrf MGMT 0.0.0.0/0 10.0.0.1\n",
        "management api http-commands\n-   no shutdown\n",
    ),
    harmless="interface Management1\n   ip address 10.0.0.5/24\ninterface Ethernet1\n-   mtu 9214\n+   mtu 9100\n",
    management_ports=("Management1", "Ethernet1/1"),
    config="startup-config",
    # AVD's templates: `management ssh` has `vrf V` with `no shutdown`; the default VRF is shut.
    way_in=(
        r"\nmanagement ssh\n   shutdown\n   !\n   vrf mgmt\n      no shutdown\n",
        r"\ninterface Management\S+\n   description out of band\n   no shutdown\n   vrf mgmt\n"
        rf"   ip address {ADDRESS}\n",
        r"\nip route vrf mgmt 0\.0\.0\.0/0 10\.0\.0\.1\n",
    ),
    # User manual, username: privilege 15, role network-admin.
    account=r"\nusername admin privilege 15 role network-admin secret sha512 \$\{env:ADMIN_HASH\}\n",
    secrets={
        "eos-4.34": SecretSite("arista-7060x6-64pe", ALL, "Ethernet1/1", "snmp-server community {}"),
    },
    secret_lengths=tuple(
        # RFC 3414, 11.2; what a maker says of the most is beside it.
        row
        for version in ("4.33", "4.34", "4.35", "4.36")
        for row in (
            SecretLength(version, AUTH, 8, 0),
            SecretLength(version, PRIVACY, 8, 0),
            SecretLength(version, TACACS, 1, 0),
            SecretLength(version, BGP, 1, 80),
            SecretLength(version, FABRIC, 8, 20),
        )
    ),
    hashes=("sha512", "sha512-rounds"),
    left_out=(
        LeftOut("evpn.gateway_mac", "a border leaf has no VLAN, so no gateway", "border-leaf"),
        LeftOut("routing.bgp.overlay_paths", "paths of VRFs: switches above leaves have none", "spine superspine"),
        LeftOut(
            "routing.policy.community_lists.community",
            "above leaves the one list is of graceful shutdown, which has a word of its own",
            "spine superspine",
        ),
        LeftOut("evpn.vtep", "the address of the loopback that the tunnel names"),
        LeftOut("evpn.mtu", "tunnels have no MTU of their own there: links and gateways have"),
        LeftOut("evpn.vlans.vrf", "the gateway of the VLAN says its VRF"),
        LeftOut("evpn.vrfs.id", "a number for systems that make a VLAN or a distinguisher of it"),
        LeftOut("interfaces.ethernet.profile.parts", "the name and the speed of a port say how its cage splits"),
        LeftOut(
            "interfaces.ethernet.profile.mtu interfaces.lags.mtu",
            "a switched port takes the largest frame: `mtu` is of routed ports (EOS), 1500 or the jumbo size (NX-OS)",
            "leaf",
        ),
        LeftOut("interfaces.subinterfaces.mtu", "the port's own", "border-leaf"),
        LeftOut(
            "interfaces.ethernet.switching.broadcast_percent interfaces.ethernet.switching.multicast_percent "
            "interfaces.ethernet.switching.unknown_unicast_percent",
            "said of the port-channel where the port is a member",
            "leaf",
        ),
        LeftOut("interfaces.lags.members", "each port says its aggregate", "leaf"),
        LeftOut("management.gateway", "the static route of the management VRF has it"),
        LeftOut("qos.headroom", "ports have the octets of their own, or the switch has one value"),
        LeftOut("qos.profiles.speed_gbps", "the profile's name says it"),
        LeftOut("routing.bgp.vrfs.imports", "the route targets say it"),
    ),
    silent=(
        "dhcp-relay.j2",
        "end.j2",
        "hardware-counters.j2",
        "header.j2",
        "interface-defaults.j2",
        "ipv6-routing.j2",
        "link-tracking.j2",
        "load-balance-cluster.j2",
        "port-channel-hash.j2",
        "management-security.j2",
        "port-security.j2",
        "service-routing.j2",
        "spanning-tree.j2",
        "system-l1.j2",
        "tacacs-source.j2",
        "vlan-internal-order.j2",
        "vrfs.j2",
    ),
)
