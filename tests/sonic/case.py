"""SONiC, for the tests of all platforms."""

from fabricgen.device.references import FIELDS
from tests.frr.case import BARE as FRR_BARE
from tests.frr.case import FRONTEND as FRR_FRONTEND
from tests.platform_case import ADDRESS, LeftOut, OwnPackets, PlatformCase, SecretLength, SecretSite, Seed, SmallSite
from tests.sonic import control_text, lossless_text, pair_text

_, TACACS, AUTH, PRIVACY, BGP, FABRIC = FIELDS

CASE = PlatformCase(
    # sonic-swss e6b0c5b5, orchagent/portsorch.cpp, DEFAULT_HOSTIF_TX_QUEUE.
    sites={
        "sonic": SmallSite(
            "sonic-master",
            "nvidia-sn4700",
            "nvidia-sn4700",
            mistakes={
                "family": Seed("config_db.json", r'(IPV6\|ipv6_unicast": \{\s*"admin_status": )"up"', r'\1"down"'),
                "mtu": Seed("config_db.json", r'"mtu": "9100"', '"mtu": "9114"'),
                "hold": Seed("config_db.json", r'"holdtime": "12"', '"holdtime": "15"'),
                "bfd": Seed("config_db.json", r'"bfd": "true"', '"bfd": "false"'),
                "dscp": Seed("config_db.json", r'"26": "3"', '"26": "0"'),
                "pfc": Seed("config_db.json", r'"pfc_enable": "3"', '"pfc_enable": "4"'),
            },
            spine_mistake=Seed("config_db.json", r'"unchanged_nexthop": "true"', '"nhself": "true"'),
            own=OwnPackets(queue=7),
        ),
        "sonic-202505": SmallSite(
            "sonic-202505",
            "dell-z9664f-on",
            "nvidia-sn4700",
            mistakes={
                "family": Seed("frr.conf", r"\n +neighbor \S+-IPV6 activate", ""),
                "mtu": Seed("config_db.json", r'"mtu": "9100"', '"mtu": "9114"'),
                "hold": Seed("frr.conf", r"timers bgp 4 12", "timers bgp 5 15"),
                "bfd": Seed("frr.conf", r"\n +neighbor \S+ bfd", ""),
                "dscp": Seed("config_db.json", r'"26": "3"', '"26": "0"'),
                "pfc": Seed("config_db.json", r'"pfc_enable": "3"', '"pfc_enable": "4"'),
            },
            spine_mistake=Seed(
                "frr.conf", r"(\n +)(neighbor \S+-EVPN )activate", r"\1\2activate\1\2next-hop-self force"
            ),
            own=OwnPackets(queue=7),
        ),
    },
    pair_text=pair_text.read,
    lossless_text=lossless_text.read,
    control_text=control_text.read,
    frontend=FRR_FRONTEND,
    unnumbered={
        **FRR_BARE,
        "advertises": Seed("config_db.json", r'"ipv6_use_link_local_only": "enable"', '"mpls": "disable"'),
    },
    own_gateway=Seed("config_db.json", r'"static_anycast_gateway": "true"', '"static_anycast_gateway": "false"'),
    touching=("MGMT_INTERFACE / eth0|10.0.0.5/24\n-  gwaddr: 10.0.0.1\n", "TACPLUS / global\n+  passkey: <removed>\n"),
    harmless="PORT / Ethernet0\n-  mtu: 9100\n+  mtu: 9214\n",
    management_ports=("eth0", "Ethernet0"),
    config="config_db.json",
    # sshd is a service of its Linux, in no file of ours; MGMT_INTERFACE gives the address.
    way_in=(rf'"MGMT_INTERFACE": \{{\s+"eth0\|{ADDRESS}": \{{\s+"gwaddr": "10\.0\.0\.1"',),
    secrets={
        "sonic-202505": SecretSite(
            "nvidia-sn5600", ("aaa", "snmp"), "Ethernet0", '{{"RAW": {{"{0}": {{"word": "{0}"}}}}}}'
        ),
        "sonic-master": SecretSite(
            "nvidia-sn5600", ("aaa", "snmp"), "Ethernet0", '{{"RAW": {{"{0}": {{"word": "{0}"}}}}}}'
        ),
    },
    secret_lengths=tuple(
        # sonic-snmp.yang, sonic-system-tacacs.yang
        SecretLength(release, *row)
        for release, most in (("202505", 65), ("202511", 256), ("202605", 256), ("master", 256))
        for row in ((AUTH, 8, 64), (PRIVACY, 8, 64), (TACACS, 1, most), (BGP, 1, 80), (FABRIC, 8, 20))
    ),
    raw_line='{"BANNER_MESSAGE": {"global": {"state": "enabled"}}}',
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
        LeftOut("routing.bgp.overlay_paths", "this release has no tunnels, so no VRFs", "leaf/202505"),
        LeftOut(
            "routing.policy.prefix_lists.entries.sequence management.vrf",
            "tables number entries by themselves, and call the VRF mgmt",
            "spine/master superspine/master",
        ),
        LeftOut("routing.bgp.groups.next_hop_unchanged", "FRR keeps it by itself", "spine/202505"),
        LeftOut("interfaces.subinterfaces.mtu", "the port's own", "border-leaf"),
        LeftOut("interfaces.ethernet.profile.routed", "a port that switches nothing is routed"),
        LeftOut("interfaces.subinterfaces.description", "VLAN_SUB_INTERFACE has no field for it", "border-leaf"),
        LeftOut("evpn.gateways.description", "VLAN_INTERFACE has no field for it", "leaf"),
        LeftOut(
            "routing.static_routes",
            "that of the management VRF is the gateway of its port",
            "border-leaf spine superspine",
        ),
        LeftOut("routing.static_routes.family", "the prefix says it"),
        LeftOut("load_balancing load_balancing.mode", "ecmp, and nothing else, by itself"),
        LeftOut("load_balancing.seed", "the tier says it: see hash-seed"),
        LeftOut("qos.headroom_pool_octets qos.resume_octets", "NVIDIA's chips compute them", "superspine"),
        LeftOut("qos.headroom", "ports have the octets of their own, or the switch has one value"),
        LeftOut("qos.headroom_octets", "ports have their own, or the switch has it"),
        LeftOut("interfaces.ethernet.headroom_octets", "NVIDIA's chips compute it: see headroom", "spine superspine"),
        LeftOut(
            "routing.bgp.vrfs.import_targets",
            "a VRF takes its own target; others are taken over by name inside the switch",
        ),
        LeftOut(
            "routing.bgp.groups.extended_communities", "sent without a line (FRR sends all kinds by default; Junos too)"
        ),
    ),
    silent=("buffer-ports.j2", "frr-raw.j2", "header.j2", "metadata.j2", "port-qos.j2"),
)
