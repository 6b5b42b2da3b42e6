"""Cumulus Linux, for the tests of all platforms."""

from fabricgen.device.references import FIELDS
from tests.cumulus import control_text, lossless_text, pair_text
from tests.platform_case import ADDRESS, LeftOut, OwnPackets, PlatformCase, SecretLength, SecretSite, Seed, SmallSite

_, TACACS, _, _, BGP, FABRIC = FIELDS
RELEASES = ("5.11", "5.12", "5.13", "5.14", "5.15", "5.16")

CASE = PlatformCase(
    # FRRouting/frr: bgp session-dscp CS6, bfdd/bfd.h TOS 0xC0.
    sites={
        "cumulus": SmallSite(
            "cumulus-5.11",
            "nvidia-sn4700",
            "nvidia-sn4700",
            mistakes={
                "family": Seed("", r"(ipv6-unicast:\s*enable: )on(\s*policy)", r"\1off\2"),
                "mtu": Seed("", r"mtu: 9100", "mtu: 9114"),
                "hold": Seed("", r"hold: 12", "hold: 15"),
                "bfd": Seed("", r"(bfd:\s*enable: )on", r"\1off"),
                "dscp": Seed("", r"'26': \{switch-priority: 3 ?\}", "'26': {switch-priority: 0}"),
                "pfc": Seed("", r"(switch-priority:\s*)'3': \{\}", r"\1'4': {}"),
            },
            spine_mistake=Seed(
                "", r"(l2vpn-evpn:)(\n +)enable: on(\s*p)", r"\1\2enable: on\2nexthop-setting: self-force\3"
            ),
            own=OwnPackets(),
        ),
    },
    pair_text=pair_text.read,
    lossless_text=lossless_text.read,
    control_text=control_text.read,
    frontend={
        "family": Seed("", r"(l2vpn-evpn:\s*enable: )on(\s*p)", r"\1off\2"),
        "communities": Seed(
            "", r"(\n +)(l2vpn-evpn:)(\s*enable: on\s*p)", r"\1\2\1  community-advertise: {extended: off}\3"
        ),
        "source": Seed("", r"update-source: <own_loopback>", "update-source: <own_vtep>"),
        "hops": Seed("", r"multihop-ttl: 3", "multihop-ttl: 1"),
        "import": Seed("", r"(from-evpn: \{route-target: \{)'65000:10003'", r"\1'65000:19999'"),
    },
    unnumbered={"ipv6-hops": Seed("", r"extended-nexthop: on", "extended-nexthop: off")},
    touching=("-        eth0:\n", "     aaa:\n+      user:\n"),
    harmless="+      swp1:\n+        link:\n",
    management_ports=("eth0", "swp1"),
    config="startup.yaml",
    # NVUE reference, SSH-Server (15fcb959): `system ssh-server state`; SSH in VRF mgmt.
    way_in=(
        rf"address:\n\s+'{ADDRESS}': {{}}\n\s+gateway:\n\s+'10\.0\.0\.1': {{}}\n\s+vrf: mgmt\n",
        r"\n +ssh-server:\n +state: enabled\n",
    ),
    # NVUE, User Accounts: system-admin may run nv set and nv apply.
    account=r'\n        user:\n          "admin":\n            hashed-password: "\$\{env:ADMIN_HASH\}"\n'
    r"            role: system-admin\n",
    secrets={
        "cumulus-5.11": SecretSite("nvidia-sn5600", ("users", "aaa"), "swp1s0", '- set: {{system: {{word: "{}"}}}}'),
    },
    secret_lengths=(
        # bgpd/bgpd.h of FRR: PEER_PASSWORD_MINLEN, PEER_PASSWORD_MAXLEN
        *(SecretLength(release, BGP, 1, 80) for release in RELEASES),
        *(SecretLength(release, FABRIC, 8, 20) for release in RELEASES),
        *(SecretLength(release, TACACS, 1, 0) for release in RELEASES),
    ),
    hashes=("sha512", "sha256", "md5", "bcrypt", "yescrypt", "sha512-rounds", "sha256-rounds"),
    raw_line="- set: {system: {message: {pre-login: keep out}}}",
    left_out=(
        LeftOut("management.users.ssh_keys.comment", "NVUE has a name for each key in its place"),
        LeftOut("evpn.gateway_mac", "a border leaf has no VLAN, so no gateway", "border-leaf"),
        LeftOut("routing.bgp.overlay_paths", "paths of VRFs: switches above leaves have none", "spine superspine"),
        LeftOut(
            "routing.policy.community_lists.community",
            "above leaves the one list is of graceful shutdown, which has a word of its own",
            "spine superspine",
        ),
        LeftOut("routing.policy.community_lists.graceful_shutdown", "as above", "superspine"),
        LeftOut("evpn.vlans.vrf", "the gateway of the VLAN says its VRF"),
        LeftOut("interfaces.lags.es_import", "made by the system of the identifier", "leaf"),
        LeftOut("interfaces.ethernet.profile.unnumbered", "a session that names the port makes it so (BGP)"),
        LeftOut("interfaces.ethernet.profile.sflow", "sFlow is of all ports (sFlow.md)"),
        LeftOut("interfaces.ethernet.profile.routed", "a port that switches nothing is routed"),
        LeftOut("interfaces.loopbacks.number", "`lo` holds all of the default VRF's", "superspine"),
        LeftOut("evpn.gateways.relay_source", "the loopback in the gateway's VRF", "leaf"),
        LeftOut(
            "routing.static_routes",
            "that of the management VRF is the gateway of its port",
            "border-leaf spine superspine",
        ),
        LeftOut("management.port", "eth0 always"),
        LeftOut("telemetry.ecn_counters", "counted without a line: see ecn-counters"),
        LeftOut("routing.bgp.wait_install", "not beside an EVPN session: see wait-install", "border-leaf"),
        LeftOut("qos.headroom", "the switch sets it aside by itself, of what a port's cable asks"),
        LeftOut("qos.headroom_octets", "ports have their own, or the switch has it"),
        LeftOut(
            "interfaces.ethernet.headroom_octets",
            "one port's own is refused; of all lossless ports at once it may follow another MTU",
            "border-leaf",
        ),
        LeftOut(
            "routing.bgp.vrfs.import_targets",
            "a VRF takes its own target; others are taken over by name inside the switch",
        ),
        LeftOut(
            "routing.policy.route_target_lists",
            "matched by the VRF that a route comes from: lists of targets are FRR's, not NVUE's",
        ),
        LeftOut(
            "routing.bgp.groups.extended_communities", "sent without a line (FRR sends all kinds by default; Junos too)"
        ),
        LeftOut("routing.bgp.groups.next_hop_unchanged", "by itself, or with the word of every EVPN session", "spine"),
    ),
    silent=("header.j2",),
)
