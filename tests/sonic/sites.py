"""Small sites on SONiC: what each says that the others do not, and the Devices and files of each release."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.sonic.platform import SONIC
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate

RELEASES = SONIC.versions
TABLES = "master"
"""A release whose BGP is in tables."""
GATEWAYS = "master"
"""The first release with gateways, which leaves with tenants need."""

HEAD = "fabricgen: 1\nsite: lab\n"
PLAIN = "management: {vrf: MGMT, oob: 10.0.0.0/20, gateway: 10.0.0.1}\n"
MANAGED = """\
management:
  vrf: MGMT
  oob: 10.0.0.0/20
  gateway: 10.0.0.1
SEARCH  dns: [10.0.0.2, 10.0.0.3]
  ntp: [10.0.0.5, 10.0.0.6]
  syslog: [10.0.0.8, 10.0.0.7]
  aaa: {tacacs: [10.0.0.10, 10.0.0.11], key: "${env:TACACS_KEY}"}
  snmp: {user: monitor, auth: "${env:SNMP_AUTH}", privacy: "${env:SNMP_PRIVACY}",
    location: 'row 7, "hall" 2', contact: noc}
  gnmi: {port: 6030, certificate: fabric}
  login: {banner: "Authorised access only.", idle_timeout: 10}
  sflow: {collectors: [10.0.0.9, 10.0.0.12], sample: 32768, polling_seconds: 30}
"""
ACCESS = "  access: {sources: [10.0.0.0/28, 192.0.2.7/32], gnmi: [192.0.2.16/28], snmp: [0.0.0.0/0]}\n"
"""Sources of management, in a block of management."""
WATCHED = PLAIN.replace("}\n", ", access: {sources: [10.0.0.0/28]}}\n")
"""Sources where BFD runs."""
BACKEND = """\
servers: {train: {model: dgx-h100, slots: 0-SLOTS}}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {train: compute}
    topology: {design: rail-optimized, rails_per_leaf: 8, TOPOLOGY}
    leaf: {model: MODEL, os: OS}
    spine: {model: MODEL, os: OS}
SUPERSPINE    addressing: {links: LINKS, hosts: ipv4, ipv4: 10.64.0.0/12, ipv6: "fd5e:8c1f:2a00::/52"}
    asns: 4201000000-4201999999
    transport: TRANSPORT
MORE"""
FRONTEND = """\
servers: {train: {model: dgx-h100, slots: 0-7}}
fabrics:
  frontend:
    kind: frontend
    prefix: fe
    connects: {train: frontend}
    topology: {design: leaf-spine, oversubscription: "3:1", spines: {now: 2, planned: 2}, border_leaves: 1}
    leaf: {model: arista-7060dx5-32, os: eos-4.34}
    spine: {model: dell-z9664f-on, os: OS}
    addressing: {links: [ipv4, ipv6], ipv4: 10.128.0.0/12, ipv6: "fd5e:8c1f:2a00:1000::/52"}
    asns: 4202000000-4202999999
    bgp: {ttl_security: check}
tenants:
  research: {servers: ["train[0-7]"], networks: {hosts: {vlan: 110, subnets: [172.18.0.0/20]}}}
"""
FRONTEND_LEAVES = """\
servers: {train: {model: dgx-h100, slots: 0-7}, store: {model: storage-2x200, slots: 0-3}}
fabrics:
  frontend:
    kind: frontend
    prefix: fe
    connects: {train: frontend, store: data}
    topology: {design: leaf-spine, oversubscription: "3:1", spines: {now: 2, planned: 2}, border_leaves: 1}
    leaf: {model: nvidia-sn4700, os: OS}
    spine: {model: nvidia-sn4700, os: OS}
    addressing: {links: [ipv4, ipv6], ipv4: 10.128.0.0/12, ipv6: "fd5e:8c1f:2a00:1000::/52"}
    asns: 4202000000-4202999999
    duplicate_mac: {moves: 4, window_minutes: 2, recovery_minutes: 5}
    server_ports: {multihoming: active-backup, lacp_fallback: false, bpdu_guard: false, uplink_tracking: false,
      storm_control: {broadcast_percent: null, multicast_percent: null, unknown_unicast_percent: 1}}
tenants:
  storage:
    servers: ["store[0-3]"]
    networks: {data: {vlan: 20, subnets: [172.17.0.0/20, "fd5e:8c1f:2a00:2000::/64"]}}
  research:
    servers: ["train[0-7]"]
    imports: [storage]
    networks: {hosts: {vlan: 110, subnets: [172.18.0.0/20]}}
    external:
    - {peer: fw1, border: 0, port: 0, vlan: 900, asn: 64601, addresses: [172.31.0.0/31], accept: [0.0.0.0/0],
       password: "${env:FW1_KEY}"}
"""
COMMON = {
    "SUPERSPINE": "", "SLOTS": "3", "TOPOLOGY": "spines: {now: 2, planned: 2}", "MODEL": "nvidia-sn4700",
    "LINKS": "[ipv4, ipv6]", "TRANSPORT": "roce-lossless", "MORE": "",
}  # fmt: skip
TIERS = {
    "TOPOLOGY": "units_per_pod: 1, spines: {now: 2, planned: 2}, superspines: {now: 1, planned: 1}",
    "SUPERSPINE": "    superspine: {model: MODEL, os: OS}\n",
}
DELL = """\
    roce: {marking: dell, alpha: "1/4", watchdog: {detect_ms: 60, restore_ms: 5000, action: notify}}
    bgp: {bfd: true}
"""
SITES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "managed": (MANAGED + ACCESS + BACKEND, {}),
    "bare": (WATCHED + BACKEND, {"LINKS": "[unnumbered]", "MODEL": "nvidia-sn5600", "MORE": "    bgp: {bfd: true}\n"}),
    "tiers": (PLAIN.replace("}", ", lldp: false}") + BACKEND, TIERS),
    "broadcom": (PLAIN + BACKEND, {"MODEL": "dell-z9664f-on", "SLOTS": "7", "MORE": DELL}),
    "drained": (PLAIN + BACKEND, {"MODEL": "dell-z9664f-on", "SLOTS": "7", "LINKS": "[ipv4]"}),
    "best-effort": (
        PLAIN + BACKEND,
        {"TRANSPORT": "best-effort", "LINKS": "[unnumbered]", "MORE": "    bgp: {ttl_security: send}\n"},
    ),
    "frontend": (PLAIN + FRONTEND, {}),
    "tenants": (WATCHED + FRONTEND_LEAVES, {}),
}
NAMES = tuple(SITES)
CASES = tuple((name, release) for name in NAMES for release in RELEASES if name != "tenants" or release == GATEWAYS)
"""Sites and releases that render."""
EXCEPTIONS = {
    "drained": Exceptions(devices={"be-spine-00": "drained"}, ports={PortKey("be-leaf-000", "Ethernet128"): "drained"}),
    "bare": Exceptions(devices={"be-leaf-001": "drained"}),
}
SECRETS = {
    "${env:FW1_KEY}": "fw1secret",
    "${env:TACACS_KEY}": "k3yOfTacacs",
    "${env:SNMP_AUTH}": "authauth",
    "${env:SNMP_PRIVACY}": "privpriv",
}
"""What push fills in, so that a judge of whole files sees what a switch would."""


def text_of(name: str, release: str, **words: str) -> str:
    """The intent of a site, as it is written."""
    text, own = SITES[name]
    search = "  domain: dc1.example.net\n" if is_at_least(release, "202511") else ""
    for key, value in {**COMMON, **own, "SEARCH": search, **words, "OS": f"sonic-{release}"}.items():
        text = text.replace(key, value)
    return HEAD + text


def plan_of(text: str, exceptions: Exceptions | None = None) -> Plan:
    """Plan of an intent with an empty lock. `sonic` is among the platforms while it is made."""
    intent = validate(Intent, load_document(text, "intent.yaml"))
    catalog = load_catalog(None)
    return make_plan(intent, catalog, make_shapes(intent, catalog), Lock(), exceptions or Exceptions())


@cache
def planned(name: str, release: str) -> Plan:
    """Plan of a site."""
    return plan_of(text_of(name, release), EXCEPTIONS.get(name))


@cache
def fleet(name: str, release: str) -> tuple[Device, ...]:
    """Every SONiC switch of a site: of each role the first two, which are enough to differ."""
    return sonic_of(planned(name, release))


@cache
def guarded(release: str, more: str = "") -> tuple[Device, ...]:
    """Switches whose sessions check the TTL and have a password. more: keys beside these, each with a comma before."""
    guards = f'bgp: {{ttl_security: check, password: "${{env:BGP_PASSWORD}}"{more}}}'
    return sonic_of(plan_of(text_of("managed", release, MORE=f"    {guards}\n")))


def sonic_of(plan: Plan) -> tuple[Device, ...]:
    """SONiC switches of a plan: of each role the first two."""
    found: dict[str, list[Device]] = {}
    for device in devices(plan):
        if device.system == SONIC.name and len(found.setdefault(device.role, [])) < 2:
            found[device.role].append(device)
    return tuple(device for each in found.values() for device in each)


@cache
def files(name: str, release: str, index: int) -> Mapping[str, str]:
    """Files of one switch of `fleet`, by name."""
    return rendered(fleet(name, release)[index])


def rendered(device: Device) -> dict[str, str]:
    """Files of a switch by name."""
    return {Path(file.path).name: file.text for file in Renderer().render(device)}


def tables(name: str, release: str, index: int) -> dict[str, Any]:
    """config_db.json of one switch, its secrets filled in."""
    found: dict[str, Any] = json.loads(filled(files(name, release, index)["config_db.json"]))
    return found


def filled(text: str) -> str:
    """A file with the secrets in place of their references."""
    for reference, secret in SECRETS.items():
        text = text.replace(reference, secret)
    return text


def samples() -> Iterator[tuple[str, str, int]]:
    """Site, release and index of every switch that is looked at."""
    for name, release in CASES:
        yield from ((name, release, index) for index in range(len(fleet(name, release))))


def ports_of(plan: Plan) -> Iterator[dict[str, Any]]:
    """PORT of every SONiC switch of a plan."""
    for device in devices(plan):
        if device.system == SONIC.name:
            yield json.loads(rendered(device)["config_db.json"])["PORT"]
