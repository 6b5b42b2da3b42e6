"""Small sites of SR Linux: what the demo has, unnumbered links, three tiers, active-backup servers, drained things."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from fabricgen.device.device import Device
from fabricgen.device.interfaces import PortProfile
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from tests.resolve import tiers

SYSTEM, OLDER = "srlinux-25.3", "24.10"
MODEL = "nokia-7220-ixr-h5-64d"

HEAD = """\
fabricgen: 1
site: {site}
cables: {{default: {{server_leaf: 5, leaf_spine: 40, border_external: 30}}}}
management:
  vrf: mgmt
  oob: 10.0.0.0/20
  gateway: 10.0.0.1
{management}
servers:
  train: {{model: dgx-h100, slots: 0-3}}
  store: {{model: storage-2x200, slots: 0-3}}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {{train: compute}}
    topology: {{design: rail-optimized, rails_per_leaf: 2, spines: {{now: 2, planned: 2}}}}
    leaf: {{model: {model}, os: srlinux-25.3}}
    spine: {{model: {model}, os: srlinux-25.3}}
    addressing: {{links: [{links}], hosts: ipv4, ipv4: 10.64.0.0/12, ipv6: "fd5e:8c1f:2a00::/52"}}
    asns: 4201000000-4201999999
    transport: roce-lossless
    roce: {roce}
    bgp: {{bfd: {bfd}}}
  frontend:
    kind: frontend
    prefix: fe
    connects: {{train: frontend, store: data}}
    topology: {{design: leaf-spine, oversubscription: "3:1", border_leaves: 2}}
    leaf: {{model: nokia-7220-ixr-d5, os: srlinux-25.3}}
    spine: {{model: nokia-7220-ixr-d5, os: srlinux-25.3}}
    addressing: {{links: [{links}], ipv4: 10.128.0.0/12, ipv6: "fd5e:8c1f:2a00:1000::/52"}}
    asns: 4202000000-4202999999
    evpn: {{admin: 65000, vni_base: 10000}}
    bgp: {{bfd: {bfd}}}
    duplicate_mac: {duplicates}
    server_ports: {{{ports}}}
tenants:
  storage:
    servers: ["store[0-3]"]
    networks: {{data: {{vlan: 20, subnets: [172.17.0.0/20, "fd5e:8c1f:2a00:2000::/64"]}}}}
  research:
    servers: ["train[0-1]"]
    imports: [storage]
    networks: {{hosts: {{vlan: 110, subnets: [172.18.0.0/20, "fd5e:8c1f:2a00:2110::/64"]}}}}
    external:
    - {{peer: fw1, border: 0, port: 0, vlan: 900, asn: 64601, addresses: [172.31.0.0/31, "fd5e:8c1f:2a00:2f00::/127"],
       accept: [0.0.0.0/0, "::/0"], max_prefixes: 100, password: "${{env:FW1_KEY}}"}}
    - {{peer: fw2, border: 1, port: 0, vlan: 900, asn: 64601, addresses: [172.31.0.2/31], accept: [0.0.0.0/0]}}
  serving:
    servers: ["train[2-3]"]
    imports: [storage]
    networks:
      hosts: {{vlan: 120, subnets: [172.19.0.0/20, "fd5e:8c1f:2a00:2120::/64"]}}
      public: {{vlan: 121, subnets: [172.19.16.0/20]}}
raw:
- system: srlinux
  fabric: backend
  role: spine
  lines: ['{{"srl_nokia-system:system": {{"srl_nokia-system-banner:banner": {{"motd-banner": "keep out"}}}}}}']
"""
ALL_MANAGEMENT = """\
  domain: dc1.example.net
  dns: [10.0.0.2]
  ntp: [10.0.0.5, 10.0.0.6]
  syslog: [10.0.0.8]
  users:
    admin: {role: network-admin, password: "${env:ADMIN_HASH}", ssh_keys: [
      ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICFYjRUoIOcLywJcrtzaomnQt/u+IrOCpJDZzzQDuQ4A]}
    reader: {role: network-operator, password: "${file:reader.hash}", ssh_keys: [
      ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGYR9S1ccv0INcgZMrGg3PjgrqcwDWmaoJSfRYGd9Cx5 robot@ci,
      ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICFYjRUoIOcLywJcrtzaomnQt/u+IrOCpJDZzzQDuQ4A]}
  aaa: {tacacs: [10.0.0.7], key: "${env:TACACS_KEY}"}
  snmp: {user: monitor, auth: "${env:SNMP_AUTH}", privacy: "${env:SNMP_PRIVACY}", location: 'row "7"', contact: noc,
         traps: [10.0.0.9]}
  gnmi: {port: 57400, certificate: fabric}
  eapi: {certificate: fabric}
  sflow: {collectors: [10.0.0.10, 10.0.0.11], sample: 65536}
"""
LOGIN = '  login: {banner: "Authorised access only.", idle_timeout: 10, password_login: false}\n'
ACCESS = "  access: {sources: [10.0.0.0/28, 192.0.2.7/32], gnmi: [192.0.2.16/28], snmp: [0.0.0.0/0]}\n"
BONDS = (
    "multihoming: evpn-esi, lacp_fallback: true, bpdu_guard: false, uplink_tracking: false, "
    "storm_control: {unknown_unicast_percent: 2}"
)
ALONE = (
    "multihoming: active-backup, lacp_fallback: false, storm_control: null, bpdu_guard: false, uplink_tracking: false"
)
USUAL = {
    "management": ALL_MANAGEMENT,
    "model": MODEL,
    "links": "ipv4, ipv6",
    "roce": "{marking: nvidia, ecn: formula}",
    "bfd": "false",
    "ports": BONDS,
    "duplicates": "{moves: 4, window_minutes: 2, recovery_minutes: 5}",
}
GUARDS = 'ttl_security: send, password: "${env:BGP_PASSWORD}"'
SITES: Mapping[str, Mapping[str, str]] = {
    "demo": {},
    "drained": {},
    "bare": {"links": "unnumbered", "bfd": f"true, {GUARDS}", "management": ALL_MANAGEMENT + LOGIN + ACCESS},
    "pairs": {
        "ports": ALONE,
        "duplicates": "{recovery_minutes: null}",
        "management": "  lldp: false\n",
        "links": "ipv6",
        "bfd": "true",
        "model": "nokia-7220-ixr-h4",
        "roce": "{marking: juniper, ecn: formula, watchdog: {detect_ms: 5, restore_ms: 9, action: notify}}".replace(
            "detect_ms: 5, restore_ms: 9", "detect_ms: 2000, restore_ms: 2000"
        ),
    },
}
DRAINED = Exceptions(
    devices=dict.fromkeys(("be-spine-00", "be-leaf-000", "fe-border-00"), "drained"),
    ports={PortKey("be-leaf-001", "ethernet-1/33/1"): "drained", PortKey("fe-spine-00", "ethernet-1/2"): "drained"},
)
EXCEPTIONS = {"drained": DRAINED, "bare": DRAINED}


def intent(name: str) -> Intent:
    """The intent of a site."""
    return read(words(name))


def words(name: str) -> str:
    """The text of an intent."""
    return HEAD.format(site=name, **{**USUAL, **SITES[name]})


def read(text: str) -> Intent:
    """The intent that a text is."""
    return validate(Intent, load_document(text, "intent.yaml"))


def plan_of(found: Intent, exceptions: Exceptions = Exceptions()) -> Plan:  # noqa: B008  # a frozen value
    """The plan of an intent, with no lock behind it."""
    catalog = load_catalog(None)
    return make_plan(found, catalog, make_shapes(found, catalog), Lock(), exceptions)


def three_tiers() -> Plan:
    """Two pods of two leaves and two spines below superspines, lossless; drawn for another model, so named here."""
    model, tiers.MODEL = tiers.MODEL, MODEL
    try:
        return tiers.three_tiers(SYSTEM, transport="roce-lossless")
    finally:
        tiers.MODEL = model


@cache
def fleet(name: str) -> tuple[Device, ...]:
    """Every device of a site."""
    plan = three_tiers() if name == "tiers" else plan_of(intent(name), EXCEPTIONS.get(name, Exceptions()))
    return tuple(devices(plan))


@cache
def samples() -> Mapping[str, Device]:
    """Site, fabric and role → the first device of it, and the last leaf of each frontend."""
    found: dict[str, Device] = {}
    for name in (*SITES, "tiers"):
        for device in fleet(name):
            found.setdefault(f"{name} {device.fabric} {device.role}", device)
            if device.fabric == "frontend" and device.role == "leaf":
                found[f"{name} frontend last-leaf"] = device
    found["made frontend leaf"] = _made(found["demo frontend leaf"])
    return found


def _made(device: Device) -> Device:
    """A leaf with ports as overrides may have them: other lanes, FEC that is said, halves of 100G on single lanes."""
    rows = device.interfaces.ethernet
    cage = rows[0].name.rpartition("/")[0]
    halves = rows[0].profile._replace(speed_gbps=100, lanes=1)
    whole = [row.name for row in rows if row.profile.parts == 1]
    few: Mapping[str, Mapping[str, Any]] = {
        whole[0]: {"lanes": 4},
        whole[1]: {"speed_gbps": 100, "lanes": 4, "fec": "none"},
    }
    ethernet = tuple(
        row._replace(profile=halves if row.name.rpartition("/")[0] == cage else _other(row.profile, few.get(row.name)))
        for row in rows
    )
    return device._replace(interfaces=device.interfaces._replace(ethernet=ethernet))


def _other(profile: PortProfile, words: Mapping[str, Any] | None) -> PortProfile:
    return profile._replace(**words) if words else profile


def render(device: Device) -> str:
    """The one file of a switch."""
    (rendered,) = Renderer().render(device)
    return rendered.text


def sample(name: str) -> Device:
    """A sample; one whose name ends in 24.10 runs that release."""
    own = name.removesuffix(f" {OLDER}")
    return samples()[own]._replace(version=OLDER) if name != own else samples()[own]


@cache
def text_of(name: str) -> str:
    """The configuration of a sample."""
    return render(sample(name))
