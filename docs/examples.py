"""Worked examples of messages, for `explain CODE`: an edit of the demo's intent, and what `validate` says of it.

`python -m docs.generate` writes them to `fabricgen/explain/examples.json`, so they are messages as they are printed.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from fabricgen.checks.catalogue import run_checks
from fabricgen.errors import Problem
from fabricgen.site.workspace import WorkspaceError, open_workspace

DEMO = Path(__file__).parent.parent / "inventories/demo"
LEAF = "leaf: {model: arista-7060x6-64pe, os: eos-4.34}"
SPINE = "spine: {model: arista-7060x6-64pe, os: eos-4.34}"
SERVING = "asn: 64601, addresses: [172.31.0.6/31], accept: [0.0.0.0/0]}"
Edits = tuple[tuple[str, str], ...]


def override(line: str) -> Edits:
    """Return the edit that adds an override."""
    return (("tenants:\n", f"overrides:\n  {line}\ntenants:\n"),)


def edit(old: str, new: str) -> Edits:
    """Return one edit."""
    return ((old, new),)


EDITS: Mapping[str, Edits] = {
    "accept-family": edit(SERVING, SERVING.replace("0.0.0.0/0", '0.0.0.0/0, "::/0"')),
    "accept-own": edit(SERVING, SERVING.replace("0.0.0.0/0", "172.19.0.0/24")),
    "asns-exhausted": edit("asns: 4202000000-4202999999", "asns: 4202000000-4202000005"),
    "asns-moved": edit("asns: 4201000000-4201999999", "asns: 4203000000-4203999999"),
    "asns-overlap": edit("asns: 4202000000-4202999999", "asns: 4201000000-4201999999"),
    "bad-choice": edit("transport: roce-lossless", "transport: roce"),
    "bad-name": override('"be-leaf-000 Ethernet1/1": {state: dead}'),
    "bad-pattern": edit('servers: ["store[0-7]"]', "servers: [store0]"),
    "bad-value": edit("ipv4: 10.64.0.0/12", "ipv4: 10.64.0.1/12"),
    "balancing-mode": edit("load_balancing: dlb-flowlet", "load_balancing: dlb-per-packet"),
    "border-missing": edit("border_leaves: 2", "border_leaves: 1"),
    "ecn-thresholds": edit(
        "ecn: published", "ecn: {minimum_octets: 512000, maximum_octets: 256000, probability_percent: 5}"
    ),
    "external-twice": edit("addresses: [172.31.0.6/31]", "addresses: [172.31.0.4/31]"),
    "group-not-on-frontend": edit("connects: {train: frontend, store: data}", "connects: {train: frontend}"),
    "headroom-pool": edit("server_leaf: 5", "server_leaf: 300"),
    "hold-time": edit("transport: roce-lossless", "bgp: {keepalive_seconds: 10, hold_seconds: 15}"),
    "host-mtu": edit("transport: roce-lossless", "mtu: 4000"),
    "illegal-spine-count": edit("now: 4, planned: 16", "now: 3, planned: 16"),
    "import-nothing": edit(
        'networks: {data: {vlan: 20, subnets: [172.17.0.0/20, "fd5e:8c1f:2a00:2000::/64"]}}', "networks: {}"
    ),
    "leaf-cut-off": override('"be-spine-*": {state: absent}'),
    "links-missing": override("be-spine-01: {state: dead}"),
    "lock-misfit": edit("rails_per_leaf: 2", "rails_per_leaf: 4"),
    "missing-key": edit("    connects: {train: compute}\n", ""),
    "management-gateway": edit("gateway: 10.0.0.1", "gateway: 10.1.0.1"),
    "mtu-differs": override("be-leaf-000: {mtu: 9000}"),
    "nic-port-twice": (
        ("connects: {train: compute}", "connects: {train: frontend}"),
        ("rails_per_leaf: 2", "rails_per_leaf: 1"),
    ),
    "no-account": edit("role: network-admin", "role: network-operator"),
    "no-medium": edit("border_external: 30", "border_external: 3000"),
    "no-port-names": edit(LEAF, LEAF.replace("eos-4.34", "sonic-202505")),
    "no-spare-port": override("be-leaf-000/Ethernet1/1: {state: dead}"),
    "odd-rails": edit("rails_per_leaf: 2", "rails_per_leaf: 3"),
    "oob-exhausted": edit("oob: 10.0.0.0/20", "oob: 10.0.0.0/26"),
    "oob-gateway": edit("gateway: 10.0.0.1", "gateway: 10.0.0.20"),
    "out-of-range": edit("vlan: 110", "vlan: 5000"),
    "outside-lost": override('"fe-border-*": {state: dead}'),
    "outside-pool": edit("ipv4: 10.128.0.0/12", "ipv4: 10.160.0.0/12"),
    "override-refused": override("be-leaf-000: {leaf: {os: eos-4.34}}"),
    "override-scope": override("be-leaf-000: {length_m: 30}"),
    "planned-too-small": edit("slots: 0-31, planned: 192", "slots: 0-31, planned: 16"),
    "platform-cannot": edit(SPINE, SPINE.replace("eos-4.34", "frr-8.4")),
    "pool-exhausted": edit("ipv4: 10.64.0.0/12", "ipv4: 10.64.0.0/24"),
    "prefixes-overlap": edit("ipv4: 10.128.0.0/12", "ipv4: 10.64.0.0/12"),
    "public-addresses": edit("ipv4: 10.64.0.0/12", "ipv4: 8.0.0.0/12"),
    "rail-lost": override("be-leaf-000: {state: dead}"),
    "rail-planes": edit("rails_per_leaf: 2", "rails_per_leaf: 2, rails_per_plane: 3"),
    "relay-source": edit("dhcp_relay: [172.17.0.10]", 'dhcp_relay: [172.17.0.10, "fd5e::10"]'),
    "self-import": edit("imports: [storage]", "imports: [research]"),
    "spines-drained": override('"be-spine-*": {state: drained}'),
    "subnet-short": edit("subnets: [172.18.0.0/20", "subnets: [172.18.0.0/29"),
    "switch-mtu": edit("transport: roce-lossless", "mtu: 9600"),
    "tenant-empty": edit(
        '    networks: {hosts: {vlan: 120, subnets: [172.19.0.0/20, "fd5e:8c1f:2a00:2120::/64"]}}\n', ""
    ),
    "tenant-overlap": edit("subnets: [172.19.0.0/20", "subnets: [172.17.0.0/24"),
    "too-many-leaves": edit("slots: 0-31, planned: 192", "slots: 0-31, planned: 1920"),
    "unknown-key": edit("sample: 65536", "samples: 65536"),
    "unknown-name": edit("arista-7060x6-64pe, os", "arista-7060x6-65pe, os"),
    "unknown-port": override("be-leaf-000/Ethernet99/1: {state: dead}"),
    "unknown-profile": edit("ecn: published", "ecn: cisco"),
    "unsupported-version": edit(LEAF, LEAF.replace("4.34", "4.99")),
    "vlan-clash": edit("vlan: 120", "vlan: 110"),
    "vni-range": edit("vni_base: 10000", "vni_base: 16777210"),
    "waiver-refused": edit("tenants:\n", 'waivers: [{code: leaf-cut-off, reason: "agreed with NAME"}]\ntenants:\n'),
    "wrong-type": edit("tenants:\n", "overrides: [be-leaf-000]\ntenants:\n"),
}
"""Code → edits of the demo's intent that lead to it."""
NEW = frozenset({"pool-exhausted"})
"""Codes of a site that was never rendered: with the lock of the demo the edit leads to another problem."""


def examples_page() -> str:
    """Return the examples as JSON, by code."""
    return json.dumps({code: _example(code, edits) for code, edits in sorted(EDITS.items())}, indent=1) + "\n"


def _example(code: str, edits: Edits) -> dict[str, str]:
    text = (DEMO / "intent.yaml").read_text(encoding="utf-8")
    for old, new in edits:
        if old not in text:
            raise LookupError(f"{code}: the demo has no {old}")
        text = text.replace(old, new, 1)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "intent.yaml"
        path.write_text(text, encoding="utf-8")
        if code not in NEW:
            (path.parent / "fabricgen.lock").write_bytes((DEMO / "fabricgen.lock").read_bytes())
        problem, line = _problem(code, path)
    return {"written": line, "what": problem.what, "why": problem.why, "fix": problem.fix}


def _problem(code: str, path: Path) -> tuple[Problem, str]:
    """Return the first problem of a code, and the line of the intent that it is about."""
    try:
        workspace = open_workspace(path)
    except WorkspaceError as error:
        problem = _first(code, error.problems)
        at = problem.at or error.documents[0].place(problem.where)
    else:
        problem = _first(code, run_checks(workspace.plan))
        at = problem.at or workspace.document.place(problem.where)
    return problem, path.read_text(encoding="utf-8").splitlines()[at.line - 1].strip()


def _first(code: str, problems: tuple[Problem, ...]) -> Problem:
    found = [problem for problem in problems if problem.code == code]
    if not found:
        raise LookupError(f"{code}: the edit leads to {sorted({problem.code for problem in problems})}")
    return found[0]
