"""NX-OS, for the tests of all platforms."""

from fabricgen.device.references import FIELDS
from tests.nxos import control_text, lossless_text, pair_text
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
    # A control group of the switch's own (QoS guide).
    sites={
        "nxos": SmallSite(
            "nxos-10.5",
            "cisco-n9332d-gx2b",
            "cisco-n9332d-gx2b",
            mistakes={
                "family": Seed("", r"address-family ipv6 unicast(\s*send-community)", r"address-family ipv4 unicast\1"),
                "mtu": Seed("", r"mtu 9100", "mtu 9114"),
                "hold": Seed("", r"timers 4 12", "timers 5 15"),
                "bfd": Seed("", r"\n    bfd\b", ""),
                "dscp": Seed("", r"match dscp 24,25,26,", "match dscp 24,25,"),
                "pfc": Seed("", r"pause pfc-cos 3", "pause pfc-cos 4"),
            },
            spine_mistake=Seed("", r"\n +set ip next-hop unchanged", ""),
            own=OwnPackets(outside=True),
        ),
    },
    pair_text=pair_text.read,
    lossless_text=lossless_text.read,
    control_text=control_text.read,
    frontend={
        "family": Seed("", r"    address-family l2vpn evpn(\s*send-community)", r"    address-family ipv4 unicast\1"),
        "communities": Seed("", r"\n +send-community extended", ""),
        "source": Seed("", r"update-source loopback0", "update-source loopback1"),
        "hops": Seed("", r"\n +ebgp-multihop 3", ""),
        "import": Seed("", r"route-target import 65000:10003 evpn", "route-target import 65000:19999 evpn"),
    },
    own_gateway=Seed("", r"\n +fabric forwarding mode anycast-gateway", ""),
    touching=("interface mgmt0\n-  ip address 10.0.0.5/24\n", "-feature nxapi\n"),
    harmless="interface Ethernet1/1\n-  mtu 9216\n",
    management_ports=("mgmt0", "Ethernet1/1"),
    config="running-config",
    # Nexus 9000 security guide 10.5, SSH and Telnet: the SSH server is on by default, `no feature ssh` turns it off.
    way_in=(
        rf"\ninterface mgmt0\n  description out of band\n  vrf member management\n  ip address {ADDRESS}\n",
        r"\nvrf context management\n  ip route 0\.0\.0\.0/0 10\.0\.0\.1\n",
    ),
    # Security guide, RBAC: network-admin reads and writes all.
    account=r"\nusername admin password 5 \$\{env:ADMIN_HASH\} role network-admin\n",
    secrets={
        "nxos-10.5": SecretSite("cisco-n9364e-sg2-o", ALL, "Ethernet1/1/1", "snmp-server community {}"),
    },
    admin_hash=f"$5$salt${'h4sh' * 10}xxx",
    secret_lengths=tuple(
        # Cisco: TACACS+ keys of 63 characters; that of SNMP is of other switches than these
        row
        for version in ("10.4", "10.5", "10.6")
        for row in (
            SecretLength(version, AUTH, 8, 0),
            SecretLength(version, PRIVACY, 8, 0),
            SecretLength(version, TACACS, 1, 63),
            SecretLength(version, BGP, 1, 0),
            SecretLength(version, FABRIC, 8, 20),
        )
    ),
    hashes=("sha256", "sha256-rounds", "md5"),
    left_out=(
        LeftOut("management.users.ssh_keys.comment", "no source has a comment behind a key"),
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
        LeftOut("evpn.vrfs.id", "a number for systems that make a VLAN or a distinguisher of it"),
        LeftOut("evpn.marks", "copied both ways without a line: see tunnel-marks"),
        LeftOut("interfaces.ethernet.profile.lanes", "the driver's; the speed says them"),
        LeftOut(
            "interfaces.ethernet.profile.mtu interfaces.lags.mtu",
            "a switched port takes the largest frame: `mtu` is of routed ports (EOS), 1500 or the jumbo size (NX-OS)",
            "leaf",
        ),
        LeftOut(
            "interfaces.ethernet.profile.fec",
            "from 50G a lane on IEEE 802.3 has one FEC, which the system takes by itself",
        ),
        LeftOut("management.gateway", "the static route of the management VRF has it"),
        LeftOut("qos.headroom", "the switch sets it aside by itself, of what a port's cable asks"),
        LeftOut("qos.headroom_octets", "ports have their own, or the switch has it"),
        LeftOut("qos.watchdog.action", "notify has a word, any other action none", "border-leaf"),
        LeftOut("qos.watchdog.polling_ms", "the system's own"),
        LeftOut("routing.bgp.groups.description", "sessions in full: each has its own"),
    ),
    silent=(
        "breakouts.j2",
        "default-ports.j2",
        "dhcp-relay.j2",
        "header.j2",
        "hostname.j2",
        "nve.j2",
        "qos-network.j2",
        "qos-system.j2",
        "static-routes.j2",
    ),
)
