"""Answers and what was chosen for them to the text of an intent, with a remark where a reader would ask why."""

from collections.abc import Iterator
from hashlib import sha256
from textwrap import wrap
from typing import NamedTuple

from fabricgen.cli.init_model import Answers, Chosen, Switches

GROUP = "train"
TENANT = "research"
LARGE = 1 << 17
"""Addresses of hosts from which a backend gets a /10 in place of a /12."""
WIDTH = 110
"""Characters of a remark's line."""
PORT_OPTIONS = {
    "lacp-fallback": ("lacp_fallback", "true", "false"),
    "storm-control": ("storm_control", "{}", "null"),
    "bpdu-guard": ("bpdu_guard", "true", "false"),
    "uplink-tracking": ("uplink_tracking", "true", "false"),
}
"""Feature → key of `server_ports`, its value where the operating system has it, and where it has not."""


class Written(NamedTuple):
    """Facts of the server that a text tells."""

    gpus: int
    rails: int


def intent_text(answers: Answers, chosen: Chosen, facts: Written) -> str:
    """The whole file."""
    planned = max(answers.servers, *(found.room.servers for found in (chosen.backend, chosen.frontend) if found))
    parts = (
        _head(answers, facts, planned),
        _site(chosen),
        _servers(answers, planned),
        _fabrics(answers, chosen, planned * facts.rails),
    )
    lines = [line for part in parts for line in part]
    if chosen.frontend is not None:
        lines += _tenants(answers, planned)
    return "\n".join(lines) + "\n"


def _head(answers: Answers, facts: Written, planned: int) -> Iterator[str]:
    gpus = f" ({answers.servers * facts.gpus} GPUs)" if facts.gpus else ""
    yield "# yaml-language-server: $schema=intent.schema.json"
    yield "#"
    yield f"# {answers.site}: {answers.servers} {answers.model}{gpus}, planned for {planned}."
    yield "# The line above lets an editor complete keys: fabricgen schema > intent.schema.json"
    yield "# Then: fabricgen validate, fabricgen plan, fabricgen render. Commit fabricgen.lock, which render writes"
    yield "# beside this file: it is what keeps every number where it is."
    yield "fabricgen: 1"
    yield f"site: {answers.site}"


def _site(chosen: Chosen) -> Iterator[str]:
    yield ""
    yield "# Metres. Lengths decide cables and optics, and where the fabric is lossless the headroom of each port."
    yield "cables: {default: {server_leaf: 5, leaf_spine: 40}}"
    yield ""
    yield "# The network of the switches' management ports; one address a switch, the first sixteen stay free."
    yield "management:"
    yield "  oob: 10.0.0.0/16"
    yield "  gateway: 10.0.0.1"
    yield "  # ntp: [10.0.0.5]"
    yield "  # syslog: [10.0.0.8]"
    if "users" in chosen.able:
        yield "  # Who can log in once a file is loaded. Secrets are references, which push reads from the environment"
        yield "  # or from a file; a password is its hash, as the system stores it."
        yield '  users: {admin: {role: network-admin, password: "${env:ADMIN_HASH}"}}'
    else:
        yield "  # This operating system keeps its accounts on the switch, outside of the files that are rendered."


def _servers(answers: Answers, planned: int) -> Iterator[str]:
    yield ""
    yield "# `slots` are the servers of today. `planned` reserves numbers and ports: raise it before you need it."
    yield "servers:"
    yield f"  {GROUP}: {{model: {answers.model}, slots: 0-{answers.servers - 1}, planned: {planned}}}"


def _fabrics(answers: Answers, chosen: Chosen, hosts: int) -> Iterator[str]:
    yield ""
    yield "fabrics:"
    if chosen.backend is not None:
        yield from _backend(answers, chosen.backend, chosen.backend_nics, hosts)
    if chosen.frontend is not None:
        yield from _frontend(answers, chosen.frontend, chosen)


def _backend(answers: Answers, switches: Switches, nics: str, hosts: int) -> Iterator[str]:
    length = 10 if hosts > LARGE else 12
    lossless = bool(switches.marking)
    yield "  # GPU to GPU. Connected to nothing else."
    yield "  backend:"
    yield "    kind: backend"
    yield "    prefix: be                     # start of every switch's name"
    yield f"    connects: {{{GROUP}: {nics}}}    # server group: NIC group of its model"
    yield from _tight(switches)
    yield f"    topology: {{design: {answers.design}{_spines(switches)}}}"
    yield from _switches(answers, switches)
    yield "    # Private, and planned once: every address of the fabric is cut from these by place, and stays."
    yield f'    addressing: {{ipv4: 10.64.0.0/{length}, ipv6: "{_ula(answers.site)}::/52"}}'
    yield "    asns: 4201000000-4201999999"
    if lossless:
        yield "    # One object for switches and NICs: priority flow control, ECN, marking, watchdog."
        yield "    transport: roce-lossless"
        yield f"    roce: {{marking: {switches.marking}}}"
    else:
        yield "    # Not lossless: this operating system, or this chip, can not be told what that needs."
        yield "    transport: best-effort"
    yield from (f"    # {line}" for line in _wrapped(f"Not {switches.unbalanced}." if switches.unbalanced else ""))
    yield f"    load_balancing: {switches.load_balancing}"


def _spines(switches: Switches) -> str:
    """The counts that were chosen: what is written stays while `planned` of the servers grows."""
    pods = f", units_per_pod: {switches.units_per_pod}" if switches.core else ""
    room = switches.room
    spines = f", spines: {{now: {room.spines}, planned: {room.spines_planned}}}" if room.spines else ""
    return pods + spines


def _tight(switches: Switches) -> Iterator[str]:
    """A remark on what is not reserved."""
    if switches.tight:
        yield from (f"    # {line}" for line in _wrapped(f"Not more is reserved: {switches.tight}."))


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _switches(answers: Answers, switches: Switches) -> Iterator[str]:
    yield f"    leaf: {{model: {switches.leaf}, os: {answers.system}}}"
    if switches.spine:
        yield f"    spine: {{model: {switches.spine}, os: {answers.system}}}"
    if switches.core:
        yield f"    superspine: {{model: {switches.core}, os: {answers.system}}}"
    if switches.mtu:
        yield f"    mtu: {switches.mtu}                      # no larger packet passes these switches"


def _frontend(answers: Answers, switches: Switches, chosen: Chosen) -> Iterator[str]:
    multihoming = "evpn-esi" if "esi-multihoming" in chosen.able else "active-backup"
    options = [f"multihoming: {multihoming}"]
    for feature, (key, able, unable) in PORT_OPTIONS.items():
        can = feature in chosen.able and (feature != "lacp-fallback" or multihoming == "evpn-esi")
        options.append(f"{key}: {able if can else unable}")
    yield "  # Storage, users, inference: tenants of EVPN-VXLAN, oversubscribed. border_leaves: 2 leads out."
    yield "  frontend:"
    yield "    kind: frontend"
    yield "    prefix: fe"
    yield f"    connects: {{{GROUP}: {chosen.frontend_nics}}}"
    yield from _tight(switches)
    yield f'    topology: {{design: leaf-spine, oversubscription: "3:1"{_spines(switches)}}}'
    yield from _switches(answers, switches)
    yield f'    addressing: {{ipv4: 10.128.0.0/12, ipv6: "{_ula(answers.site)}:1000::/52"}}'
    yield "    asns: 4202000000-4202999999"
    yield f"    server_ports: {{{', '.join(options)}}}"


def _tenants(answers: Answers, planned: int) -> Iterator[str]:
    bits = max(8, min(16, (planned + 2).bit_length()))
    yield ""
    yield "# Whose the servers are. Moving one is an edit here; a posture moves many by name: docs/postures.md"
    yield "tenants:"
    yield f"  {TENANT}:"
    yield f'    servers: ["{GROUP}[0-{answers.servers - 1}]"]'
    subnets = f'172.18.0.0/{32 - bits}, "{_ula(answers.site)}:2110::/64"'
    yield f"    networks: {{hosts: {{vlan: 110, subnets: [{subnets}]}}}}"


def _ula(site: str) -> str:
    """First 48 bits of a unique local prefix (RFC 4193), by the site's name: two sites that meet do not collide."""
    found = sha256(site.encode()).hexdigest()[:10]
    return f"fd{found[:2]}:{found[2:6]}:{found[6:10]}"
