"""SR Linux, for the tests of all platforms."""

from fabricgen.device.references import FIELDS
from tests.platform_case import ALL, LeftOut, OwnPackets, PlatformCase, SecretLength, SecretSite, Seed, SmallSite
from tests.srlinux import control_text, lossless_text, pair_text, way_in

_, TACACS, AUTH, PRIVACY, BGP, FABRIC = FIELDS

CASE = PlatformCase(
    # Assumed: no source.
    sites={
        "srlinux": SmallSite(
            "srlinux-25.3",
            "nokia-7220-ixr-h4",
            "nokia-7220-ixr-d5",
            mistakes={
                "family": Seed("", r'(ipv6-unicast",\s*"admin-state": )"enable"(,\s*"send-)', r'\1"disable"\2'),
                "mtu": Seed("", r'"mtu": 9114', '"mtu": 9100'),
                "hold": Seed("", r'"hold-time": 12', '"hold-time": 15'),
                "bfd": Seed("", r'"enable-bfd": true', '"enable-bfd": false'),
                "dscp": Seed("", r'("value": 26,\s*"forwarding-class": )"fc3"', r'\1"fc0"'),
                "pfc": Seed("", r'"pfc-pause-frame-priority": 3', '"pfc-pause-frame-priority": 4'),
            },
            spine_mistake=Seed("", r'"inter-as-vpn": true', '"inter-as-vpn": false'),
            own=OwnPackets(),
        ),
    },
    pair_text=pair_text.read,
    lossless_text=lossless_text.read,
    control_text=control_text.read,
    frontend={
        "family": Seed("", r'(:evpn",\s*"admin-state": )"enable"(,\s*"send-)', r'\1"disable"\2'),
        "communities": Seed("", r',\s*"extended"', ""),
        "source": Seed("", r'"local-address": "<own_loopback>"', '"local-address": "<own_vtep>"'),
        "hops": Seed("", r'"maximum-hops": 3', '"maximum-hops": 1'),
        "import": Seed("", r'("name": "(?:EC|RT)-STORAGE(?:-IMPORTS)?",[^]]*any[^]]*?):10003', r"\1:19999"),
    },
    unnumbered={
        "ipv6-hops": Seed("", r'"advertise-ipv6-next-hops": true', '"advertise-ipv6-next-hops": false'),
        "advertises": Seed("", r'("router-role": \{\s*"admin-state": )"enable"', r'\1"disable"'),
    },
    own_gateway=Seed("", r'"anycast-gw": true', '"anycast-gw": false'),
    touching=(
        "     interface mgmt0 {\n+        admin-state disable\n",
        "     tls {\n-        server-profile own {\n",
    ),
    harmless="     interface ethernet-1/1 {\n+        mtu 9232\n",
    management_ports=("mgmt0", "ethernet-1/1"),
    config="config.json",
    # YANG of 25.3.1: `system ssh-server NAME network-instance`.
    missing_way_in=way_in.missing,
    # YANG of 25.3.1, srl_nokia-aaa: admin-user is a container of its own; superuser may do all.
    account=r'\n        "admin-user": \{\n          "password": "\$\{env:ADMIN_HASH\}",\n          "role": \[\n'
    r'            "network-admin"\n          \],\n          "superuser": true\n',
    secrets={
        "srlinux-25.3": SecretSite("nokia-7220-ixr-h5-64o", ALL, "ethernet-1/1/1", '{{"word": ["{}"]}}'),
    },
    # Nokia's YANG of each: routing-password is cut behind 20 (unsure for AAA), passwords of SNMP have 8 to 255
    secret_lengths=tuple(
        SecretLength(release, *lengths)
        for release in ("24.10", "25.3")
        for lengths in ((AUTH, 8, 255), (PRIVACY, 8, 255), (TACACS, 1, 0), (BGP, 1, 20), (FABRIC, 8, 20))
    ),
    hashes=("sha512", "sha256", "md5", "bcrypt", "yescrypt", "argon2", "sha512-rounds", "sha256-rounds"),
    raw_line='{"srl_nokia-system:system": {"srl_nokia-system-banner:banner": {"motd-banner": "keep out"}}}',
    # Loopbacks in VRFs are for relays of DHCP, which it refuses.
    no_device=("Loopback.vrf",),
    left_out=(
        LeftOut("evpn.gateway_mac", "a border leaf has no VLAN, so no gateway", "border-leaf"),
        LeftOut("routing.bgp.overlay_paths", "paths of VRFs: switches above leaves have none", "spine superspine"),
        LeftOut(
            "routing.policy.community_lists.community",
            "above leaves the one list is of graceful shutdown, which has a word of its own",
            "spine superspine",
        ),
        LeftOut("routing.policy.community_lists.graceful_shutdown", "as above", "superspine"),
        LeftOut("evpn.vtep", "the address of the loopback that the tunnel names"),
        LeftOut("evpn.mtu", "tunnels have no MTU of their own there: links and gateways have"),
        LeftOut("evpn.vlans.vrf", "the gateway of the VLAN says its VRF"),
        LeftOut(
            "interfaces.lags.switching.broadcast_percent interfaces.lags.switching.multicast_percent "
            "interfaces.lags.switching.unknown_unicast_percent",
            "said of the member ports",
            "leaf",
        ),
        LeftOut("interfaces.lags.members", "each port says its aggregate", "leaf"),
        LeftOut("interfaces.lags.es_import", "made by the system of the identifier", "leaf"),
        LeftOut(
            "interfaces.ethernet.profile.fec",
            "from 50G a lane on IEEE 802.3 has one FEC, which the system takes by itself",
        ),
        LeftOut("management.gateway", "the static route of the management VRF has it"),
        LeftOut("routing.static_routes.family", "the prefix says it"),
        LeftOut("telemetry.ecn_counters", "counted without a line: see ecn-counters"),
        LeftOut("load_balancing load_balancing.mode", "ecmp, and nothing else, by itself"),
        LeftOut("telemetry", "every part of it is refused, or is no line"),
        LeftOut("qos.headroom", "ports have the octets of their own, or the switch has one value"),
        LeftOut("qos.headroom_octets", "ports have their own, or the switch has it"),
        LeftOut("qos.headroom_pool_octets", "of ports without a table, or the system's own"),
        LeftOut("qos.profiles.speed_gbps", "the profile's name says it"),
        LeftOut("qos.watchdog.polling_ms", "the system's own"),
        LeftOut("routing.bgp.vrfs.imports", "the route targets say it"),
        LeftOut("routing.bgp.groups.next_hop_unchanged", "by itself, or with the word of every EVPN session", "spine"),
        LeftOut(
            "routing.policy.prefix_lists.entries.sequence routing.policy.prefix_lists.family",
            "entries stand in their order; a prefix says its family",
        ),
    ),
    silent=("qos-interfaces.j2",),
)
