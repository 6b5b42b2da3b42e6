"""Small intents for Junos, as text: each says what the others do not."""

ECDSA = (
    "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBCJyh5dlD1Dp7Eb4euYKZIQvQARX"
    "Se48vXtFfqFbDZ3VL8Bb8A/fiphlYLpOEaBYrFXi+VGw68C7PHIzMhQDLqQ="
)
MANAGEMENT = """\
fabricgen: 1
site: {site}
cables: {{default: {{server_leaf: 5, leaf_spine: 40, border_external: 30}}}}
management:
  vrf: MGMT
  oob: 10.0.0.0/20
  gateway: 10.0.0.1
  domain: dc1.example.net
  dns: [10.0.0.2, 10.0.0.3]
  ntp: [10.0.0.5, 10.0.0.6]
  syslog: [10.0.0.8]
  users:
    admin: {{role: network-admin, password: "${{env:ADMIN_HASH}}", ssh_keys: [
      ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGYR9S1ccv0INcgZMrGg3PjgrqcwDWmaoJSfRYGd9Cx5 robot@ci]}}
    reader: {{role: network-operator, password: "${{file:reader.hash}}", ssh_keys: [
      ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGYR9S1ccv0INcgZMrGg3PjgrqcwDWmaoJSfRYGd9Cx5 robot@ci,
      {ecdsa}]}}
  aaa: {{tacacs: [10.0.0.7], key: "${{env:TACACS_KEY}}"}}
  snmp: {{user: monitor, auth: "${{env:SNMP_AUTH}}", privacy: "${{env:SNMP_PRIVACY}}", location: "row 7, hall 2",
    contact: noc, traps: [10.0.0.9]}}
  gnmi: {{port: 6030, certificate: fabric}}
  sflow: {{collectors: [10.0.0.10], sample: 65536}}
  login: {{banner: "Authorised access only.", idle_timeout: 10, password_login: false, ssh_ciphers: strong}}
  access: {{sources: [10.0.0.16/28, 192.0.2.7/32], gnmi: [0.0.0.0/0]}}
"""
BARE = """\
fabricgen: 1
site: {site}
management: {{vrf: OOB, oob: 10.0.0.0/20, gateway: 10.0.0.1, lldp: false}}
"""

LOSSLESS = (
    MANAGEMENT.format(site="lossless", ecdsa=ECDSA)
    + """\
servers: {train: {model: dgx-h100, slots: 0-7}}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {train: compute}
    topology: {design: rail-optimized, rails_per_leaf: 8, spines: {now: 2, planned: 2}}
    leaf: {model: juniper-qfx5230-64cd, os: junos-24.4}
    spine: {model: juniper-qfx5230-64cd, os: junos-24.4}
    addressing: {links: [ipv4, ipv6], hosts: ipv4, ipv4: 10.64.0.0/12, ipv6: "fd5e:8c1f:2a00::/52"}
    asns: 4201000000-4201999999
    mtu: 9202
    transport: roce-lossless
    roce: {marking: nvidia, ecn: published}
    load_balancing: dlb-flowlet
"""
)
"""Two units of four servers, dual stack, two spines."""
GLOBAL = (
    LOSSLESS.replace("site: lossless", "site: global")
    .replace("juniper-qfx5230-64cd", "juniper-qfx5240-64od")
    .replace("spines: {now: 2, planned: 2}", "spines: {now: 64, planned: 64}")
    .replace("load_balancing: dlb-flowlet", "load_balancing: dlb-global")
)
"""The same on switches with global load balancing, which takes one link per pair."""

UNNUMBERED = (
    BARE.format(site="unnumbered")
    + """\
servers: {train: {model: dgx-h100, slots: 0-3}}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {train: compute}
    topology: {design: rail-optimized, rails_per_leaf: 8, spines: {now: 2, planned: 2}}
    leaf: {model: juniper-qfx5230-64cd, os: junos-24.4}
    spine: {model: juniper-qfx5240-64od, os: junos-24.4}
    addressing: {links: [unnumbered], hosts: ipv6, ipv4: 10.64.0.0/12, ipv6: "fd5e:8c1f:2a00::/52"}
    asns: 4201000000-4201999999
    mtu: 9170
    transport: roce-lossless
    roce: {marking: juniper, ecn: juniper-th5, alpha: "8",
      watchdog: {detect_ms: 210, restore_ms: 405}}
    load_balancing: dlb-per-packet
    bgp: {bfd: true, keepalive_seconds: 10, hold_seconds: 30, password: "${env:BGP_PASSWORD}"}
"""
)
"""Links without addresses, hosts of IPv6, Juniper's own marking, slow timers with BFD, a watchdog's own times."""

SHARED = (
    BARE.format(site="shared")
    + """\
servers: {train: {model: hgx-h200, slots: 0-7}}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {train: compute}
    topology: {design: rail-optimized, rails_per_leaf: 8, spines: {now: 2, planned: 2}}
    leaf: {model: juniper-qfx5240-64od, os: junos-24.4}
    spine: {model: juniper-qfx5240-64od, os: junos-24.4}
    addressing: {links: [ipv4], hosts: ipv4, ipv4: 10.64.0.0/12}
    asns: 4201000000-4201999999
    mtu: 9202
    tenancy: evpn-type5
    evpn: {admin: 65000, vni_base: 20000}
    roce: {marking: broadcom, ecn: azure-generic}
    load_balancing: dlb-flowlet
tenants:
  north: {servers: ["train[0-3]"]}
  east: {nics: ["train[4-5]/0-3"]}
"""
)
"""A lossless backend that two tenants share."""

FRONTEND = (
    MANAGEMENT.format(site="front", ecdsa=ECDSA)
    + """\
servers: {web: {model: cpu-2x100, slots: 0-7}, store: {model: cpu-2x100, slots: 0-3}}
fabrics:
  frontend:
    kind: frontend
    prefix: fe
    connects: {web: frontend, store: frontend}
    topology: {design: leaf-spine, oversubscription: "3:1", border_leaves: 1}
    leaf: {model: juniper-qfx5130-32cd, os: junos-24.4}
    spine: {model: juniper-qfx5230-64cd, os: junos-24.4}
    addressing: {links: [ipv4, ipv6], ipv4: 10.128.0.0/12, ipv6: "fd5e:8c1f:2a00:1000::/52"}
    asns: 4202000000-4202999999
    mtu: 9202
    evpn: {admin: 65000, vni_base: 10000}
    duplicate_mac: {moves: 4, window_minutes: 2, recovery_minutes: 5}
    bgp: {bfd: true, ttl_security: send, password: "${env:BGP_PASSWORD}"}
    server_ports: {multihoming: evpn-esi, lacp_fallback: false, storm_control: null}
tenants:
  storage:
    servers: ["store[0-3]"]
    networks: {data: {vlan: 20, subnets: [172.17.0.0/20, "fd5e:8c1f:2a00:2000::/64"]}}
  research:
    servers: ["web[0-3]"]
    imports: [storage]
    relay_sources: [172.30.0.0/24, "fd5e:8c1f:2a00:2f80::/64"]
    networks:
      hosts: {vlan: 110, subnets: [172.18.0.0/20, "fd5e:8c1f:2a00:2110::/64"],
        dhcp_relay: [172.17.0.10, "fd5e:8c1f:2a00:2000::10"]}
    external:
    - {peer: fw1, border: 0, port: 0, vlan: 900, asn: 64601, addresses: [172.31.0.0/31, "fd5e:8c1f:2a00:2f00::/127"],
       accept: [0.0.0.0/0, "::/0"], max_prefixes: 100, password: "${env:FW1_KEY}"}
  serving:
    servers: ["web[4-7]"]
    networks:
      front: {vlan: 120, subnets: [172.19.0.0/20]}
      back: {vlan: 121, subnets: ["fd5e:8c1f:2a00:2121::/64"]}
"""
)
"""Bonds over two leaves, tagged and not; relays of both families; a session with the outside; imports."""

PLAIN = (
    BARE.format(site="plain")
    + """\
servers: {web: {model: cpu-2x100, slots: 0-7}}
fabrics:
  frontend:
    kind: frontend
    prefix: fe
    connects: {web: frontend}
    topology: {design: leaf-spine, oversubscription: "3:1", border_leaves: 0}
    leaf: {model: juniper-qfx5130-32cd, os: junos-24.4}
    spine: {model: juniper-qfx5130-32cd, os: junos-24.4}
    addressing: {links: [ipv4], ipv4: 10.128.0.0/12}
    asns: 4202000000-4202999999
    mtu: 9202
    duplicate_mac: {recovery_minutes: null}
    server_ports: {multihoming: active-backup, lacp_fallback: false, storm_control: null, bpdu_guard: true,
      uplink_tracking: true}
tenants:
  one: {servers: ["web[0-3]"], networks: {hosts: {vlan: 110, subnets: [172.18.0.0/20]}}}
  two:
    servers: ["web[4-7]"]
    networks:
      a: {vlan: 120, subnets: [172.19.0.0/20]}
      b: {vlan: 121, subnets: [172.20.0.0/20]}
raw:
- {system: junos, role: spine, lines: ["system {", "    commit synchronize;", "}"]}
"""
)
"""Servers with single ports, tagged and not, and free lines."""
