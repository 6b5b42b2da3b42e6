"""The yardstick: the benchmark's tree written by f-strings alone, from the same resolved switches.

It knows no other intent, platform or role, checks nothing and commits nothing. What the tool costs above it is the
price of templates, checks and a tree that is whole or not there.
"""

from collections.abc import Iterator
from pathlib import Path

from fabricgen.device.device import Device
from fabricgen.device.qos import Qos
from fabricgen.device.routing import Bgp, PeerGroup, PrefixList, RouteMap
from fabricgen.plan.cable import CableEnd
from fabricgen.plan.cabling import COLUMNS, cables
from fabricgen.plan.plan import Plan
from fabricgen.resolve.device import devices


def write_tree(plan: Plan, out: Path) -> None:
    """Write every file of the tree below `out`, which must exist."""
    for device in devices(plan):
        folder = f"{out}/{device.name}"
        Path(folder).mkdir()
        with open(f"{folder}/startup-config", "wb") as file:  # noqa: PTH123 - plain on purpose
            file.write(configuration(device).encode())
    with open(f"{out}/cabling.csv", "wb") as file:  # noqa: PTH123
        file.write("".join(cabling(plan)).encode())


def configuration(device: Device) -> str:
    """EOS text of one switch of the benchmark's backend."""
    qos = device.qos
    if qos is None:
        raise ValueError(f"{device.name} has no QoS")
    parts = [_head(device, qos), *_profiles(qos), _services(device), *_ethernet(device), _after_ports(device)]
    parts += [*_policy(device), *_maps(device.routing.policy.route_maps), *_bgp(device), _tail(device, qos)]
    return "".join(parts)


def _head(device: Device, qos: Qos) -> str:
    site = device.management
    user = site.users[0]
    return f"""! {device.name}: {device.role} of {device.fabric} at {device.site}
! device: {device.name} ({device.hardware.model.replace("arista-", "DCS-").upper()}, EOS-{device.version})
!
no aaa root
!
username {user.name} privilege 15 role {user.role} secret sha512 {user.password.written}
!
vlan internal order ascending range 3583 4094
!
interface defaults
   ethernet
      shutdown
!
service routing protocols model multi-agent
!
queue-monitor length
!
lldp management-address {site.port}
lldp management-address vrf {site.vrf}
!
logging vrf {site.vrf} host {site.syslog[0]}
logging vrf {site.vrf} local-interface {site.port}
!
platform trident mmu queue profile LOSSLESS
   ingress threshold {qos.alpha}
   ingress headroom {qos.headroom_octets}
!
hostname {device.name}
ip domain lookup vrf {site.vrf} source-interface {site.port}
ip name-server vrf {site.vrf} {site.dns[0]}
dns domain {site.domain}
"""


def _times(qos: Qos) -> tuple[str, str, str]:
    """Timeout, polling and recovery of the watchdog, in seconds."""
    watchdog = qos.watchdog
    return f"{watchdog.detect_ms / 1000:.2f}", f"{watchdog.polling_ms / 1000:.2f}", f"{watchdog.restore_ms / 1000:.2f}"


def _profiles(qos: Qos) -> Iterator[str]:
    timeout, polling, recovery = _times(qos)
    for profile in qos.profiles:
        yield f"""!
qos profile {profile.name}
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority {profile.lossless_priorities[0]} no-drop
   priority-flow-control pause watchdog
   priority-flow-control pause watchdog port timer timeout {timeout} polling-interval {polling} recovery-time {recovery}
   priority-flow-control pause watchdog port action {qos.watchdog.action}
"""
        for queue in reversed(profile.queues):
            if not (queue.weight_percent or queue.cap_percent or queue.ecn):
                continue
            share = f"no priority\n      bandwidth percent {queue.weight_percent}"
            yield f"   !\n   uc-tx-queue {queue.queue}\n      {share if queue.weight_percent else 'priority strict'}\n"
            if queue.cap_percent:
                yield f"      shape rate {queue.cap_percent} percent\n"
            if queue.ecn:
                low, high, percent = queue.ecn
                yield (
                    f"      random-detect ecn minimum-threshold {low // 1000} kbytes maximum-threshold {high // 1000} "
                    f"kbytes max-mark-probability {percent} weight 0\n      random-detect ecn count\n"
                )


def _services(device: Device) -> str:
    site = device.management
    snmp, gnmi, tacacs, certificate = site.snmp, site.gnmi, site.tacacs, site.eapi_certificate
    if snmp is None or gnmi is None or tacacs is None:
        raise ValueError(f"{device.name} lacks a service")
    return f"""{_sflow(device)}!
snmp-server location {snmp.location}
snmp-server vrf {site.vrf} local-interface {site.port}
snmp-server view ALL iso included
snmp-server group MONITORING v3 priv read ALL
snmp-server user {snmp.user} MONITORING v3 auth sha {snmp.auth.written} priv aes {snmp.privacy.written}
snmp-server host {snmp.traps[0]} vrf {site.vrf} version 3 priv {snmp.user}
no snmp-server vrf default
snmp-server vrf {site.vrf}
!
spanning-tree mode mstp
!
system l1
   unsupported speed action error
   unsupported error-correction action error
!
vrf instance {site.vrf}
!
management api http-commands
   protocol https
   protocol https ssl profile {certificate}
   no shutdown
   !
   vrf {site.vrf}
      no shutdown
!
management api gnmi
   transport grpc {site.vrf}
      ssl profile {gnmi.certificate}
      port {gnmi.port}
      vrf {site.vrf}
   provider eos-native
!
management security
   !
   ssl profile {certificate}
      certificate {certificate}.crt key {certificate}.key
!
tacacs-server host {tacacs.servers[0]} vrf {site.vrf} key 0 {tacacs.key.written}
!
aaa group server tacacs+ TACACS
   server {tacacs.servers[0]} vrf {site.vrf}
!
aaa authentication login default group TACACS local
aaa authorization exec default group TACACS local
aaa accounting exec default start-stop group TACACS
aaa accounting commands all default start-stop group TACACS
"""


def _sflow(device: Device) -> str:
    site, sflow = device.management, device.management.sflow
    if sflow is None:
        return ""
    return f"""!
sflow sample {sflow.sample}
sflow polling-interval {sflow.polling_seconds}
sflow vrf {site.vrf} destination {sflow.collectors[0]}
sflow vrf {site.vrf} source-interface {site.port}
sflow interface disable default
sflow run
"""


def _ethernet(device: Device) -> Iterator[str]:
    sampled = "   sflow enable\n"
    for row in device.interfaces.ethernet:
        profile = row.profile
        six = f"   ipv6 enable\n   ipv6 address {row.ipv6}\n   ipv6 nd ra disabled\n" if row.ipv6 else ""
        yield (
            f"!\ninterface {row.name}\n   description {row.description}\n   "
            f"{'no shutdown' if row.enabled else 'shutdown'}\n   mtu {profile.mtu}\n"
            f"   speed {profile.speed_gbps}g-{profile.lanes}\n   error-correction encoding reed-solomon\n"
            f"   no switchport\n   ip address {row.ipv4}\n{six}   service-profile {profile.qos}\n"
            f"{sampled if profile.sflow else ''}"
        )


def _after_ports(device: Device) -> str:
    site, loopback = device.management, device.interfaces.loopbacks[0]
    seed = f"ip load-sharing trident {device.load_balancing.seed}\n" if device.load_balancing.seed else ""
    return f"""!
interface Loopback0
   description {loopback.description}
   no shutdown
   ip address {loopback.ipv4}
   ipv6 address {loopback.ipv6}
!
interface {site.port}
   description out of band
   no shutdown
   vrf {site.vrf}
   ip address {site.address}
!
ip routing
{seed}ip hardware fib load-balance distribution dynamic
no ip routing vrf {site.vrf}
"""


def _policy(device: Device) -> Iterator[str]:
    policy, site = device.routing.policy, device.management
    yield "!\n"
    for found in policy.community_lists:
        yield f"ip community-list {found.name} permit {'GSHUT' if found.graceful_shutdown else found.community}\n"
    for family, word in (("ipv4", "ip"), ("ipv6", "ipv6")):
        for prefixes in policy.prefix_lists:
            if prefixes.family == family:
                yield _prefix_list(word, prefixes)
    yield "!\nipv6 unicast-routing\n!\n"
    for route in device.routing.static_routes:
        vrf = f"vrf {route.vrf} " if route.vrf else ""
        yield f"ip route {vrf}{route.prefix} {route.next_hop or 'Null0'}\n"
    yield f"!\nntp local-interface vrf {site.vrf} {site.port}\n"
    for server in site.ntp:
        yield f"ntp server vrf {site.vrf} {server} iburst\n"
    if device.qos is not None:
        yield from _classes(device.qos)


def _prefix_list(word: str, found: PrefixList) -> str:
    entries = "".join(
        f"   seq {entry.sequence} permit {entry.prefix}{f' le {entry.longest}' if entry.longest else ''}\n"
        for entry in found.entries
    )
    return f"!\n{word} prefix-list {found.name}\n{entries}"


def _classes(qos: Qos) -> Iterator[str]:
    timeout, polling, recovery = _times(qos)
    yield "!\n"
    for row in qos.dscp_classes:
        for at in range(0, len(row.dscps), 8):
            yield f"qos map dscp {' '.join(map(str, row.dscps[at : at + 8]))} to traffic-class {row.traffic_class}\n"
    for number, queue in qos.class_queues[:7]:
        yield f"qos map traffic-class {number} to tx-queue {queue}\n"
    start = "priority-flow-control pause watchdog"
    yield f"{start} default timeout {timeout}\n{start} default recovery-time {recovery}\n"
    yield f"{start} default polling-interval {polling}\n{start} action {qos.watchdog.action}\n"


def _maps(found: tuple[RouteMap, ...]) -> Iterator[str]:
    for name, statements in found:
        for row in statements:
            yield f"!\nroute-map {name} {'permit' if row.permit else 'deny'} {row.sequence}\n"
            if row.match_community_list:
                yield f"   match community {row.match_community_list}\n"
            if row.match_prefix_list_ipv4:
                yield f"   match ip address prefix-list {row.match_prefix_list_ipv4}\n"
            if row.match_prefix_list_ipv6:
                yield f"   match ipv6 address prefix-list {row.match_prefix_list_ipv6}\n"
            if row.set_community or row.set_graceful_shutdown:
                members = f"{row.set_community} GSHUT" if row.set_graceful_shutdown else row.set_community
                yield f"   set community {members.strip()} additive\n"
            if row.set_local_preference >= 0:
                yield f"   set local-preference {row.set_local_preference}\n"


def _bgp(device: Device) -> Iterator[str]:
    bgp = device.routing.bgp
    yield f"""!
router bgp {bgp.asn}
   router-id {bgp.router_id}
   update wait-install
   no bgp default ipv4-unicast
   distance bgp 20 200 200
   maximum-paths {bgp.maximum_paths} ecmp {bgp.maximum_paths}
"""
    for group in bgp.groups:
        yield _group(bgp, group)
    for address, name, asn, description, into, out, _ in bgp.neighbors:
        yield (
            f"   neighbor {address} peer group {name}\n   neighbor {address} remote-as {asn}\n"
            f"   neighbor {address} description {description}\n"
        )
        if into:
            yield f"   neighbor {address} route-map {into} in\n   neighbor {address} route-map {out} out\n"
    for family, networks in (("ipv4", bgp.networks_ipv4), ("ipv6", bgp.networks_ipv6)):
        groups = (group.name for group in bgp.groups if group.families == (family,))
        active = "".join(f"      neighbor {name} activate\n" for name in groups)
        originated = "".join(f"      network {network}\n" for network in networks)
        yield f"   !\n   address-family {family}\n{active}{originated}"


def _group(bgp: Bgp, group: PeerGroup) -> str:
    start = f"   neighbor {group.name}"
    minutes = group.restart_minutes
    over = f"\n{start} idle-restart-timer {minutes * 60}" if minutes else " warning-only"
    return f"""{start} peer group
{start} description {group.description}
{start} timers {bgp.keepalive_seconds} {bgp.hold_seconds}
{start} route-map {group.route_map_in} in
{start} route-map {group.route_map_out} out
{start} send-community standard
{start} maximum-routes {group.maximum_routes}{over}
"""


def _tail(device: Device, qos: Qos) -> str:
    site = device.management
    return f"""!
ip tacacs vrf {site.vrf} source-interface {site.port}
!
platform trident mmu queue profile LOSSLESS apply
!
platform trident mmu headroom-pool limit bytes {qos.headroom_pool_octets}
!
management ssh
   shutdown
   !
   vrf {site.vrf}
      no shutdown
!
end
"""


def cabling(plan: Plan) -> Iterator[str]:
    yield ",".join(COLUMNS) + "\n"
    for row in cables(plan):
        near, far = _end(row.near, row.speed_gbps), _end(row.far, row.speed_gbps)
        yield f"{row.fabric},{row.kind},{near},{far},{row.speed_gbps},{row.length_m:g},{row.medium},{row.state}\n"


def _end(end: CableEnd, speed_gbps: int) -> str:
    part = f"{end.part + 1} of {end.parts}x{speed_gbps}G" if end.parts > 1 else ""
    return f"{end.device},{end.port},{end.cage},{part},{end.module}"
