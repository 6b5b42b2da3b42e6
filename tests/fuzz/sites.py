"""Small sound sites that every input belongs to: the texts that are made worse."""

import json
from pathlib import Path

TINY = """\
fabricgen: 1
site: dc1
cables: {default: {server_leaf: 3, leaf_spine: 20}}
management: {vrf: mgmt, oob: 10.0.0.0/24, gateway: 10.0.0.1, domain: dc1.example.net, ntp: [10.0.0.5]}
servers:
  train: {model: dgx-h100, slots: 0-3}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {train: compute}
    topology: {design: rail-optimized, rails_per_leaf: 8}
    leaf: {model: arista-7060x6-64pe, os: frr-8.4}
    addressing: {links: [ipv4], hosts: ipv4, ipv4: 10.64.0.0/16}
    asns: 4201000000-4201999999
    transport: best-effort
"""
"""One leaf: the smallest site that passes."""

CHIP = "name: mychip\n"
BOX = "model: mybox\n"
HOST = "model: myhost\n"
OURS = Path(__file__).parents[2] / "fabricgen/hardware"
CABLES = """\
device,port,length_m,kind
gpu-001,OSFP4P2,2.5,
gpu-002,OSFP4P2,3,optic
"be-leaf-000",swp10s0,1.5,"optic"
"""
PLACEMENT = """\
slot,hostname,rack,serial,state
train[0],gpu-001,A1,S1,
train[1],gpu-002,"A1",S2,drained
train[2],gpu-003,A2,,absent
"""
OVERLAY = """\
overlay: 1
floor: 1/2
overrides:
  "train[0]": {state: absent}
  be-leaf-000: {state: drained}
  "be-leaf-*/swp1s0": {state: absent}
"""
EXPECT = """\
expect: 1
changes:
- devices: ["be-*"]
  kinds: ["bgp.neighbor added", "interface.*"]
  sessions: ["be-spine-*"]
  risk: hitless
text: ["be-leaf-*"]
moved: false
recabled: []
"""
HOSTS = """\
be-leaf-000: {hostname: 10.0.0.16, port: 22, groups: [leaves], data: {x: [1, 2]}}
be-leaf-001:
  hostname: 10.0.0.17
  username: operator
  connection_options: {napalm: {extras: {optional_args: {timeout: 5}}}}
  groups: [leaves]
"""
GROUPS = "leaves: {platform: frr, groups: [all], data: {role: leaf}}\nall: {username: verify}\n"
DEFAULTS = 'username: verify\npassword: "${env:SWITCH_PASSWORD}"\ndata: {a: 1}\nconnection_options: {}\n'
DRAINED = 'overrides: {"train[3]": {state: drained}}\n'

RAW = {
    "sonic": (
        "nvidia-sn5600",
        "sonic-master",
        '{"BANNER_MESSAGE": {"global": {"login": "see ${env:TOKEN}", "n": 1.5}}}\n',
    ),
    "srlinux": ("nokia-7220-ixr-h5-64o", "srlinux-25.3", '{"system":\n {"banner": {"login-banner": "a \\u00e9 b"}}}\n'),
    "cumulus": ("nvidia-sn5600", "cumulus-5.11", '- set:\n    system:\n      message: {pre-login: "a \\u00e9 b"}\n'),
    "junos": (
        "juniper-qfx5240-64od",
        "junos-24.4",
        'system {\n    login {\n        message "see ${env:TOKEN}";\n    }\n}\n',
    ),
    "eos": ("arista-7060x6-64pe", "eos-4.34", "banner login\nsee ${env:TOKEN}\nEOF\n"),
}
"""System → a model, its release, and raw lines of a form of their own."""
LONGEST = 390
"""Characters of a raw line; the schema takes 400."""


def with_raw(system: str, lines: str) -> str:
    """The small site on a system, with raw lines; long ones are cut."""
    model, release, _ = RAW[system]
    site = TINY.replace("arista-7060x6-64pe", model).replace("frr-8.4", release)
    if system != "sonic":  # its accounts are in no file
        site = site.replace("management: {", 'management: {users: {admin: {password: "${env:ADMIN_HASH}"}}, ')
    pieces = [line[at : at + LONGEST] for line in lines.split("\n") for at in range(0, len(line), LONGEST)]
    return f"{site}    mtu: 9100\nraw:\n- {json.dumps({'system': system, 'lines': pieces})}\n"


def own_hardware(name: str) -> str:
    """One of our hardware files under the name of a user's: the larger it is, the more can be wrong with it."""
    kind, file, known, own = {
        "asic": ("asics", "tomahawk5", "name: tomahawk5\n", CHIP),
        "switch": ("switches", "arista-7060x6-64pe", "model: arista-7060x6-64pe\n", BOX),
        "sonic": ("switches", "nvidia-sn5600", "model: nvidia-sn5600\n", BOX),
        "server": ("servers", "dgx-h100", "model: dgx-h100\n", HOST),
    }[name]
    text = (OURS / kind / f"{file}.yaml").read_text()
    assert known in text
    return text.replace(known, own)


def with_own_hardware() -> str:
    """The small site on hardware of its own."""
    return TINY.replace("dgx-h100", "myhost").replace("arista-7060x6-64pe", "mybox")
