"""Block and form → how often it stands in a switch's text, by its Device alone."""

from collections.abc import Mapping

from tests.nxos import counts as of
from tests.nxos.counts import Count

TABLE: Mapping[str, Mapping[str, Count]] = {
    "": {
        "hostname NAME": lambda d: 1,
        "nv overlay evpn": of.overlay,
        "feature nxapi|grpc|bgp|interface-vlan|vn-segment-vlan-based|lldp|dhcp|bfd|sflow|tacacs+": of.features,
        "feature fabric forwarding": lambda d: d.evpn is not None,
        "feature nv overlay": of.overlay,
        "username NAME password 5 SECRET role network-admin|network-operator": lambda d: len(d.management.users),
        "username NAME sshkey KEYTYPE KEY": lambda d: sum(len(user.ssh_keys) for user in d.management.users),
        "ip domain-name NAME": lambda d: bool(d.management.domain),
        "ip name-server IP use-vrf NAME": lambda d: len(d.management.dns),
        "copp profile strict": lambda d: 1,
        "ip access-list NAME": lambda d: bool(of.sources(d, "ssh")) * (2 + (d.management.snmp is not None)),
        "ipv6 access-list NAME": lambda d: bool(of.sources(d, "ssh")),
        "line vty": lambda d: bool(of.sources(d, "ssh") or of.idle(d)),
        "line console": of.idle,
        "banner motd TEXT": lambda d: bool(d.management.login),
        "tacacs-server host IP key 0 SECRET": lambda d: of.tacacs(d, lambda t: len(t.servers)),
        "aaa group server tacacs+ NAME": lambda d: of.tacacs(d, lambda t: 1),
        "aaa authentication login default group NAME local": lambda d: of.tacacs(d, lambda t: 1),
        "aaa accounting default group NAME": lambda d: of.tacacs(d, lambda t: 1),
        "snmp-server contact TEXT": lambda d: of.snmp(d, lambda s: bool(s.contact)),
        "snmp-server location TEXT": lambda d: of.snmp(d, lambda s: bool(s.location)),
        "snmp-server user NAME NAME auth sha SECRET priv aes-128 SECRET": lambda d: of.snmp(d, lambda s: 1),
        "snmp-server user NAME use-ipv4acl NAME use-ipv6acl NAME": lambda d: of.snmp(
            d, lambda s: bool(of.sources(d, "snmp"))
        ),
        "snmp-server host IP traps version 3 priv NAME": lambda d: of.snmp(d, lambda s: len(s.traps)),
        "snmp-server host IP use-vrf NAME": lambda d: of.snmp(d, lambda s: len(s.traps)),
        "ntp server IP use-vrf NAME": lambda d: len(d.management.ntp),
        "ntp source-interface mgmt0": lambda d: bool(d.management.ntp),
        "logging server IP <0-7> use-vrf NAME": lambda d: len(d.management.syslog),
        "logging source-interface mgmt0": lambda d: bool(d.management.syslog),
        "system default switchport shutdown": lambda d: 1,
        "interface breakout module 1 port <1-64> map MAP": lambda d: len(
            {row.name.rpartition("/")[0] for row in of.ports(d) if row.profile.parts > 1}
        ),
        "class-map type qos match-any NAME": of.marked,
        "policy-map type qos NAME": lambda d: d.qos is not None,
        "policy-map type network-qos NAME": lambda d: d.qos is not None,
        "policy-map type queuing NAME": lambda d: of.qos(d, lambda q: len(q.profiles)),
        "system qos": lambda d: d.qos is not None,
        "priority-flow-control watch-dog-interval on": lambda d: d.qos is not None,
        "service dhcp": lambda d: any(row.relay_source >= 0 for row in of.gateways(d)),
        "ip dhcp relay": lambda d: any(row.relay_source >= 0 for row in of.gateways(d)),
        "ip dhcp relay information option": lambda d: any(row.relay_source >= 0 for row in of.gateways(d)),
        "ip dhcp relay information option vpn": lambda d: any(row.relay_source >= 0 for row in of.gateways(d)),
        "ipv6 dhcp relay": lambda d: any(row.relays_ipv6 for row in of.gateways(d)),
        "fabric forwarding anycast-gateway-mac MAC": lambda d: bool(of.gateways(d)),
        "l2rib dup-host-mac-detection <1-1000> <2-36000>": of.duplicates,
        "system vlan long-name": lambda d: of.evpn(d, lambda e: any(len(row.name) > 32 for row in e.vlans)),
        "vlan VLANS": lambda d: of.evpn(d, lambda e: len(e.vlans)),
        "vrf context NAME": lambda d: 1 + len(d.routing.bgp.vrfs),
        "ip route NET4 HOP4": lambda d: of.static(d, "ipv4", default=True),
        "ipv6 route NET6 HOP6": lambda d: of.static(d, "ipv6", default=True),
        "ip prefix-list NAME seq <1-4294967294> permit NET4": lambda d: of.entries(d, "ipv4", longer=False),
        "ip prefix-list NAME seq <1-4294967294> permit NET4 le <1-32>": lambda d: of.entries(d, "ipv4", longer=True),
        "ipv6 prefix-list NAME seq <1-4294967294> permit NET6": lambda d: of.entries(d, "ipv6", longer=False),
        "ipv6 prefix-list NAME seq <1-4294967294> permit NET6 le <1-128>": lambda d: of.entries(d, "ipv6", longer=True),
        "ip community-list standard NAME seq <1-4294967294> permit COMMUNITY": lambda d: len(
            d.routing.policy.community_lists
        ),
        "route-map NAME permit|deny <0-65535>": lambda d: len(of.statements(d)),
        "ip load-sharing address source-destination port source-destination universal-id <1-4294967295>": lambda d: (
            bool(d.load_balancing.seed)
        ),
        "hardware profile dlb": of.balanced,
        "interface PORT": lambda d: len(of.ports(d)),
        "interface SUB": lambda d: len(d.interfaces.subinterfaces),
        "interface VLANIF": lambda d: len(of.gateways(d)),
        "interface LOOPBACK": lambda d: len(d.interfaces.loopbacks),
        "interface mgmt0": lambda d: 1,
        "interface nve1": lambda d: d.evpn is not None,
        "router bgp <1-4294967295>": lambda d: 1,
        "evpn": lambda d: of.evpn(d, lambda e: bool(e.vlans)),
        "nxapi https port <1-65535>": lambda d: bool(d.management.eapi_certificate),
        "no nxapi http": lambda d: bool(d.management.eapi_certificate),
        "nxapi use-vrf NAME": lambda d: bool(d.management.eapi_certificate),
        "nxapi certificate trustpoint NAME": lambda d: bool(d.management.eapi_certificate),
        "grpc certificate NAME": lambda d: of.gnmi(d, lambda g: 1),
        "grpc port <1024-65535>": lambda d: of.gnmi(d, lambda g: 1),
        "sflow sampling-rate <4096-1000000000>": lambda d: of.sflow(d, lambda s: 1),
        "sflow counter-poll-interval <0-2147483647>": lambda d: of.sflow(d, lambda s: 1),
        "sflow collector-ip IP vrf NAME": lambda d: of.sflow(d, lambda s: len(s.collectors)),
        "sflow agent-ip IP": lambda d: of.sflow(d, lambda s: 1),
        "sflow data-source interface PORT": lambda d: sum(row.profile.sflow for row in of.ports(d)),
    },
    "access list": {
        "SEQ permit tcp SOURCE any eq <1-65535>": lambda d: (
            2 * of.sources(d, "ssh") + of.sources(d, "api") + of.gnmi(d, lambda g: of.sources(d, "gnmi"))
        ),
        "SEQ permit udp SOURCE any eq snmp": lambda d: of.snmp(d, lambda s: 2 * of.sources(d, "snmp")),
        "SEQ deny tcp any any eq <1-65535>": lambda d: (
            bool(of.sources(d, "ssh")) * (2 + (d.management.gnmi is not None) + (d.management.snmp is not None))
        ),
        "SEQ deny udp any any eq snmp": lambda d: of.snmp(d, lambda s: bool(of.sources(d, "snmp"))),
        "SEQ permit ip any any": lambda d: bool(of.sources(d, "ssh")),
    },
    "access list 6": {"SEQ deny ipv6 any any": lambda d: bool(of.sources(d, "ssh"))},
    "line console": {"exec-timeout <1-60>": of.idle},
    "line vty": {
        "exec-timeout <1-60>": of.idle,
        "access-class NAME in": lambda d: bool(of.sources(d, "ssh")),
        "ipv6 access-class NAME in": lambda d: bool(of.sources(d, "ssh")),
    },
    "aaa group": {
        "server IP": lambda d: of.tacacs(d, lambda t: len(t.servers)),
        "use-vrf NAME": lambda d: of.tacacs(d, lambda t: 1),
        "source-interface mgmt0": lambda d: of.tacacs(d, lambda t: 1),
    },
    "class-map": {"match dscp DSCPS": of.marked},
    "policy qos": {"class NAME": lambda d: of.marked(d) + (d.qos is not None)},
    "class qos": {"set qos-group <0-7>": lambda d: of.marked(d) + (d.qos is not None)},
    "policy network": {"class type network-qos NQCLASS": lambda d: len(of.groups(d))},
    "class network": {
        "mtu <576-9216>": lambda d: len(of.groups(d)),
        "pause pfc-cos <0-7>": lambda d: of.qos(
            d, lambda q: len({p for row in q.profiles for p in row.lossless_priorities})
        ),
    },
    "policy queuing": {"class type queuing QCLASS": lambda d: of.qos(d, lambda q: 8 * len(q.profiles))},
    "class queuing": {
        "priority level <1-8>": lambda d: sum(not row.weight_percent for row in of.queues(d)),
        "bandwidth remaining percent <0-100>": lambda d: (
            of.qos(d, lambda q: 8 * len(q.profiles)) - sum(not row.weight_percent for row in of.queues(d))
        ),
        "shape min <0-100000> mbps max <200-100000> mbps": lambda d: of.shaped(d, 0),
        "shape min <0-100000> mbps max <1-800> gbps": lambda d: of.shaped(d, 1),
        "random-detect minimum-threshold <1-52428> kbytes maximum-threshold <1-52428> kbytes "
        "drop-probability <1-100> weight 0 ecn": lambda d: sum(row.ecn is not None for row in of.queues(d)),
    },
    "system qos": {"service-policy type network-qos NAME": lambda d: d.qos is not None},
    "vlan": {
        "name NAME": lambda d: of.evpn(d, lambda e: len(e.vlans)),
        "vn-segment <1-16777214>": lambda d: of.evpn(d, lambda e: len(e.vlans)),
    },
    "vrf": {
        "vni <1-16777214> l3": lambda d: of.evpn(d, lambda e: len(e.vrfs)),
        "ip route NET4 HOP4": lambda d: of.static(d, "ipv4", default=False),
        "ipv6 route NET6 HOP6": lambda d: of.static(d, "ipv6", default=False),
        "rd RT": lambda d: len(d.routing.bgp.vrfs),
        "address-family ipv4|ipv6 unicast": lambda d: 2 * len(d.routing.bgp.vrfs),
    },
    "vrf family": {
        "route-target import|export RT": lambda d: 2 * of.imports(d),
        "route-target import|export RT evpn": lambda d: 2 * of.imports(d),
    },
    "route-map": {
        "match community NAME": lambda d: sum(bool(row.match_community_list) for row in of.statements(d)),
        "match ip address prefix-list NAME": lambda d: sum(bool(r.match_prefix_list_ipv4) for r in of.statements(d)),
        "match ipv6 address prefix-list NAME": lambda d: sum(bool(r.match_prefix_list_ipv6) for r in of.statements(d)),
        "set community COMMUNITY": lambda d: sum(
            bool(r.set_community) and r.replace_communities and not r.set_graceful_shutdown for r in of.statements(d)
        ),
        "set community COMMUNITY additive": lambda d: sum(
            bool(r.set_community) and not r.replace_communities and not r.set_graceful_shutdown
            for r in of.statements(d)
        ),
        "set community graceful-shutdown additive": lambda d: sum(
            not r.set_community and not r.replace_communities and r.set_graceful_shutdown for r in of.statements(d)
        ),
        "set community COMMUNITY graceful-shutdown additive": lambda d: sum(
            bool(r.set_community) and not r.replace_communities and r.set_graceful_shutdown for r in of.statements(d)
        ),
        "set community COMMUNITY graceful-shutdown": lambda d: sum(
            bool(r.set_community) and r.replace_communities and r.set_graceful_shutdown for r in of.statements(d)
        ),
        "set local-preference <0-4294967295>": lambda d: sum(r.set_local_preference >= 0 for r in of.statements(d)),
        "set ip next-hop unchanged": of.unchanged,
    },
    "dlb": {
        "dlb-interface PORTS": of.balanced,
        "mode flowlet|per-packet": of.balanced,
        "flowlet-aging <1-2000000>": lambda d: of.balanced(d) and d.load_balancing.flowlet_gap_us > 0,
    },
    "port": {
        "description TEXT": lambda d: len(of.ports(d)) + len(d.interfaces.subinterfaces),
        "no switchport": lambda d: len(of.routed(d)),
        "switchport": lambda d: len(of.ports(d)) - len(of.routed(d)),
        "speed 10000|25000|40000|50000|100000|200000|400000|800000": lambda d: sum(
            row.profile.parts == 1 for row in of.ports(d)
        ),
        "fec rs-fec|fc-fec|off": lambda d: sum(
            bool(row.profile.fec) and (row.profile.fec != "rs-fec" or row.profile.speed_gbps < 200)
            for row in of.ports(d)
        ),
        "mtu <1500-9216>": lambda d: len(of.ports(d)) + len(d.interfaces.subinterfaces) - of.bare(d),
        "encapsulation dot1q <2-4093>": lambda d: len(d.interfaces.subinterfaces),
        "vrf member NAME": lambda d: sum(bool(row.vrf) for row in of.ports(d)) + len(d.interfaces.subinterfaces),
        "no ip redirects": lambda d: of.addresses(d, "ipv4"),
        "ip address IPV4/LEN": lambda d: of.addresses(d, "ipv4"),
        "no ipv6 redirects": lambda d: of.addresses(d, "ipv6"),
        "ipv6 address IPV6/LEN": lambda d: of.addresses(d, "ipv6"),
        "ipv6 nd suppress-ra": lambda d: of.addresses(d, "ipv6"),
        "switchport access vlan VLANS": lambda d: sum(
            bool(row.switching and row.switching.access_vlan) for row in of.ports(d)
        ),
        "switchport mode trunk": of.trunks,
        "switchport trunk allowed vlan VLANS": of.trunks,
        "spanning-tree port type edge": lambda d: sum(
            bool(row.switching and row.switching.access_vlan) for row in of.ports(d)
        ),
        "spanning-tree port type edge trunk": of.trunks,
        "spanning-tree bpduguard enable": lambda d: sum(
            bool(row.switching and row.switching.bpdu_guard) for row in of.ports(d)
        ),
        "storm-control broadcast|multicast level PERCENT": of.storms,
        "load-interval counter 1 <5-300>": lambda d: bool(d.telemetry.load_interval_seconds) * len(of.ports(d)),
        "priority-flow-control mode on": lambda d: len(of.lossless(d)),
        "priority-flow-control watch-dog-interval on": lambda d: of.watched(d, "drop"),
        "priority-flow-control watch-dog-interval on disable-action": lambda d: of.watched(d, "notify"),
        "service-policy type qos input NAME": lambda d: sum(bool(row.profile.qos) for row in of.ports(d)),
        "service-policy type queuing output NAME": lambda d: sum(bool(row.profile.qos) for row in of.ports(d)),
        "no shutdown": lambda d: sum(row.enabled for row in of.ports(d)) + len(d.interfaces.subinterfaces),
        "shutdown": lambda d: sum(not row.enabled for row in of.ports(d)),
    },
    "svi": {
        "description TEXT": lambda d: len(of.gateways(d)),
        "no shutdown": lambda d: len(of.gateways(d)),
        "mtu <64-9216>": lambda d: len(of.gateways(d)),
        "vrf member NAME": lambda d: len(of.gateways(d)),
        "no ip redirects": lambda d: len(of.gateways(d)),
        "ip address IPV4/LEN": lambda d: sum(bool(row.ipv4) for row in of.gateways(d)),
        "no ipv6 redirects": lambda d: len(of.gateways(d)),
        "ipv6 address IPV6/LEN": lambda d: sum(bool(row.ipv6) for row in of.gateways(d)),
        "ipv6 nd suppress-ra": lambda d: sum(bool(row.ipv6) and not row.relays_ipv6 for row in of.gateways(d)),
        "no ipv6 nd suppress-ra": lambda d: sum(bool(r.ipv6) and bool(r.relays_ipv6) for r in of.gateways(d)),
        "ipv6 nd managed-config-flag": lambda d: sum(bool(r.ipv6) and bool(r.relays_ipv6) for r in of.gateways(d)),
        "fabric forwarding mode anycast-gateway": lambda d: len(of.gateways(d)),
        "ip dhcp relay address IPV4": lambda d: sum(len(row.relays_ipv4) for row in of.gateways(d)),
        "ip dhcp relay source-interface LOOPBACK": lambda d: sum(bool(row.relays_ipv4) for row in of.gateways(d)),
        "ipv6 dhcp relay address IPV6": lambda d: sum(len(row.relays_ipv6) for row in of.gateways(d)),
        "ipv6 dhcp relay source-interface LOOPBACK": lambda d: sum(bool(row.relays_ipv6) for row in of.gateways(d)),
    },
    "loopback": {
        "description TEXT": lambda d: len(d.interfaces.loopbacks),
        "vrf member NAME": lambda d: sum(bool(row.vrf) for row in d.interfaces.loopbacks),
        "ip address IPV4/LEN": lambda d: sum(bool(row.ipv4) for row in d.interfaces.loopbacks),
        "ipv6 address IPV6/LEN": lambda d: sum(bool(row.ipv6) for row in d.interfaces.loopbacks),
    },
    "mgmt": {
        "description TEXT": lambda d: 1,
        "vrf member management": lambda d: 1,
        "ip address IPV4/LEN": lambda d: ":" not in d.management.address,
        "ipv6 address IPV6/LEN": lambda d: ":" in d.management.address,
        "ip access-group NAME in": lambda d: bool(of.sources(d, "ssh")),
        "ipv6 traffic-filter NAME in": lambda d: bool(of.sources(d, "ssh")),
    },
    "nve": {
        "no shutdown": lambda d: d.evpn is not None,
        "host-reachability protocol bgp": lambda d: d.evpn is not None,
        "source-interface LOOPBACK": lambda d: d.evpn is not None,
        "member vni <1-16777214>": lambda d: of.evpn(d, lambda e: len(e.vlans)),
        "member vni <1-16777214> associate-vrf": lambda d: of.evpn(d, lambda e: len(e.vrfs)),
    },
    "member": {
        "suppress-arp": lambda d: len(of.gateways(d)),
        "ingress-replication protocol bgp": lambda d: of.evpn(d, lambda e: len(e.vlans)),
    },
    "bgp": {
        "router-id IPV4": lambda d: 1,
        "suppress-fib-pending": lambda d: d.routing.bgp.wait_install,
        "bestpath as-path multipath-relax": lambda d: 1,
        "log-neighbor-changes": lambda d: 1,
        "address-family ipv4|ipv6 unicast": of.own_families,
        "address-family l2vpn evpn": of.overlay,
        "neighbor IP": lambda d: len(d.routing.bgp.neighbors),
        "vrf NAME": lambda d: len(d.routing.bgp.vrfs),
    },
    "routed family": {
        "network NET4": lambda d: len(d.routing.bgp.networks_ipv4),
        "network NET6": lambda d: len(d.routing.bgp.networks_ipv6),
        "maximum-paths <1-64>": of.own_families,
    },
    "evpn family": {"retain route-target all": lambda d: of.overlay(d) and d.evpn is None},
    "neighbor": {
        "bfd": lambda d: sum(group.bfd and not group.multihop for _, group in of.sessions(d)),
        "bfd multihop": lambda d: sum(group.bfd and group.multihop > 0 for _, group in of.sessions(d)),
        "remote-as <1-4294967295>": lambda d: len(of.sessions(d)) + len(of.external(d)),
        "description TEXT": lambda d: len(of.sessions(d)) + len(of.external(d)),
        "update-source LOOPBACK": lambda d: sum(group.update_source >= 0 for _, group in of.sessions(d)),
        "ebgp-multihop <2-255>": lambda d: sum(
            group.ttl_security == "send" or (group.multihop > 0 and not group.ttl_security)
            for _, group in of.sessions(d)
        ),
        "ttl-security hops <1-254>": lambda d: sum(group.ttl_security == "check" for _, group in of.sessions(d)),
        "disable-connected-check": lambda d: sum(
            group.ttl_security == "check" and group.update_source >= 0 for _, group in of.sessions(d)
        ),
        "timers <0-3600> <0-3600>": lambda d: len(of.sessions(d)) + len(of.external(d)),
        "address-family ipv4|ipv6 unicast": lambda d: of.families(d, "ipv4", "ipv6") + len(of.external(d)),
        "address-family l2vpn evpn": lambda d: of.families(d, "evpn"),
        "password SECRET": lambda d: (
            sum(bool(row.password) for row in of.external(d)) + sum(bool(group.password) for _, group in of.sessions(d))
        ),
    },
    "neighbor family": {
        "send-community": lambda d: of.families(d, "ipv4", "ipv6") + len(of.external(d)),
        "route-map NAME in|out": lambda d: 2 * (of.families(d, "ipv4", "ipv6") + len(of.external(d))),
        "maximum-prefix <1-4294967295> warning-only": lambda d: of.limited(d, False, "ipv4", "ipv6"),
        "maximum-prefix <1-4294967295> restart <1-65535>": lambda d: (
            of.limited(d, True, "ipv4", "ipv6") + len(of.external(d))
        ),
    },
    "neighbor evpn": {
        "send-community": lambda d: of.families(d, "evpn"),
        "send-community extended": lambda d: of.families(d, "evpn"),
        "route-map NAME in|out": lambda d: 2 * of.families(d, "evpn"),
        "maximum-prefix <1-4294967295> warning-only": lambda d: of.limited(d, False, "evpn"),
        "maximum-prefix <1-4294967295> restart <1-65535>": lambda d: of.limited(d, True, "evpn"),
    },
    "bgp vrf": {
        "router-id IPV4": lambda d: len(d.routing.bgp.vrfs),
        "bestpath as-path multipath-relax": lambda d: len(d.routing.bgp.vrfs),
        "address-family ipv4|ipv6 unicast": lambda d: 2 * len(d.routing.bgp.vrfs),
        "neighbor IP": lambda d: len(of.external(d)),
    },
    "bgp vrf family": {
        "network NET4": lambda d: of.vrfs(d, lambda v: len(v.networks_ipv4)),
        "network NET6": lambda d: of.vrfs(d, lambda v: len(v.networks_ipv6)),
        "advertise l2vpn evpn": lambda d: 2 * len(d.routing.bgp.vrfs),
        "maximum-paths <1-64>": lambda d: 2 * len(d.routing.bgp.vrfs),
    },
    "evpn": {"vni <1-16777214> l2": lambda d: of.evpn(d, lambda e: len(e.vlans))},
    "evpn vni": {
        "rd RT": lambda d: of.evpn(d, lambda e: len(e.vlans)),
        "route-target import|export RT": lambda d: 2 * of.evpn(d, lambda e: len(e.vlans)),
    },
}
