"""Text of an intent from answers and choices, with a comment where a reader would ask why."""

from collections.abc import Iterator
from hashlib import sha256
from textwrap import wrap
from typing import NamedTuple

from fabricgen.cli.init.model import DerivedChoices, InitAnswers, SwitchChoices

GROUP = "train"
TENANT = "research"
ADMIN = "admin"
LARGE = 1 << 17
"""Host addresses from which a backend gets a /10 instead of a /12."""
WIDTH = 110
"""Characters per line of a comment."""
PORT_OPTIONS = {
    "lacp-fallback": ("lacp_fallback", "true", "false"),
    "storm-control": ("storm_control", "{}", "null"),
    "bpdu-guard": ("bpdu_guard", "true", "false"),
    "uplink-tracking": ("uplink_tracking", "true", "false"),
}
"""Feature → key of `server_ports`, its value with support of the operating system, and without."""


class Written(NamedTuple):
    """Facts about the server in the text."""

    gpus: int
    rails: int


def intent_text(answers: InitAnswers, chosen: DerivedChoices, facts: Written) -> str:
    """Text of the file."""
    planned = max(
        answers.servers, *(switches.room.servers for switches in (chosen.backend, chosen.frontend) if switches)
    )
    parts = (
        _head(answers, facts, planned),
        _security(chosen),
        _site(chosen),
        _servers(answers, planned),
        _fabrics(answers, chosen, planned * facts.rails),
    )
    lines = [line for part in parts for line in part]
    if chosen.frontend is not None:
        lines += _tenants(answers, planned)
    return "\n".join(lines) + "\n"


def _head(answers: InitAnswers, facts: Written, planned: int) -> Iterator[str]:
    gpus = f" ({answers.servers * facts.gpus} GPUs)" if facts.gpus else ""
    yield "# yaml-language-server: $schema=intent.schema.json"
    yield "#"
    yield f"# {answers.site}: {answers.servers} {answers.model}{gpus}, planned for {planned}."
    yield "# The first line lets an editor check and complete keys, after: fabricgen schema > intent.schema.json"
    yield "# Next: fabricgen validate, fabricgen plan, fabricgen render, each with the name of this file. `render`"
    yield "# writes fabricgen.lock beside it: commit both. The lock keeps addresses and all numbers stable."
    yield "fabricgen: 1"
    yield f"site: {answers.site}"


def _security(chosen: DerivedChoices) -> Iterator[str]:
    if "access-ssh" in chosen.able:
        yield ""
        yield "# `standard`: no management service answers in band, and `plan` lists what else stays open. `strict`"
        yield "# also demands accounts, named sources and certificates."
        yield "security: standard"


def _site(chosen: DerivedChoices) -> Iterator[str]:
    yield ""
    yield "# Lengths in metres. They decide cables and optics and, in a lossless fabric, the headroom of each port."
    yield "cables: {default: {server_leaf: 5, leaf_spine: 40}}"
    yield ""
    yield "# The network of the management ports: one address per switch. The first 16 stay free for the gateway and"
    yield "# servers, such as the two that are commented out here."
    yield "management:"
    yield "  oob: 10.0.0.0/16"
    yield "  gateway: 10.0.0.1"
    yield "  # ntp: [10.0.0.5]"
    yield "  # syslog: [10.0.0.8]"
    if "access-ssh" in chosen.able:
        yield "  # Who may use SSH and the APIs of switches: jump hosts, and the machine that pushes. Without it any"
        yield "  # source may, by the management port. Name every address that a push comes from."
        yield "  # access: {sources: [10.0.0.0/28]}"
    if "login-idle" in chosen.able:
        yield "  # Sessions without input end after these minutes. A banner would be shown before a login."
        yield "  login: {idle_timeout: 10}    # banner: Authorised access only."
    if "users" in chosen.able:
        yield "  # Who can log in once a file is loaded. `password` is a reference to a hash, in the form in which this"
        yield '  # operating system stores it: "${env:NAME}" is a variable of the environment, "${file:PATH}" a file in'
        yield "  # the folder of this one. Rendered files hold the reference; `push` and `render --with-secrets` fill"
        yield "  # in the hash; `fabricgen secret hash` makes it."
        yield from _users(chosen.factory)
    else:
        yield "  # Accounts are made on the switch itself: on this operating system they are in no rendered file."


def _users(factory: tuple[str, ...]) -> Iterator[str]:
    """`admin`, and accounts of the system that would keep their factory password."""
    others = [name for name in factory if name != ADMIN]
    if not others:
        yield f"  users: {{{_user(ADMIN)}}}"
        return
    yield "  # An account of the system itself that is left out here keeps the password that its maker publishes."
    yield "  users:"
    yield from (f"    {_user(name)}" for name in (ADMIN, *others))


def _user(name: str) -> str:
    return f'{name}: {{role: network-admin, password: "${{env:{name.upper()}_HASH}}"}}'


def _servers(answers: InitAnswers, planned: int) -> Iterator[str]:
    yield ""
    yield "# `slots` are the servers that exist, counted from 0. `planned` is how many there may be: names, addresses"
    yield "# and ports are reserved for them. Where the spines have no ports for more, `validate` says what to write."
    yield "servers:"
    yield f"  {GROUP}: {{model: {answers.model}, slots: 0-{answers.servers - 1}, planned: {planned}}}"


def _fabrics(answers: InitAnswers, chosen: DerivedChoices, hosts: int) -> Iterator[str]:
    yield ""
    yield "fabrics:"
    if chosen.backend is not None:
        yield from _backend(answers, chosen.backend, chosen, hosts)
    if chosen.frontend is not None:
        yield from _frontend(answers, chosen.frontend, chosen)


def _backend(answers: InitAnswers, switches: SwitchChoices, chosen: DerivedChoices, hosts: int) -> Iterator[str]:
    length = 10 if hosts > LARGE else 12
    lossless = bool(switches.marking)
    yield "  # Traffic between GPUs. This fabric is connected to nothing else."
    yield "  backend:"
    yield "    kind: backend"
    yield "    prefix: be                     # start of every switch's name"
    yield f"    connects: {{{GROUP}: {chosen.backend_nics}}}    # server group: NIC group of its model"
    yield from _tight(switches)
    planes = f", planes: {answers.planes}" if answers.planes else ""
    planes += f", rails_per_plane: {answers.rails_per_plane}" if answers.rails_per_plane else ""
    yield f"    topology: {{design: {answers.design}{planes}{_spines(switches)}}}"
    yield from _switches(answers, switches)
    yield "    # Private prefixes, chosen once: the position of a switch decides which address of these it has."
    yield f'    addressing: {{ipv4: 10.64.0.0/{length}, ipv6: "{_ula(answers.site)}::/52"}}'
    yield "    asns: 4201000000-4201999999"
    yield from _sessions(chosen)
    if lossless:
        yield "    # `roce` configures switches and NICs: priority flow control, ECN, DSCP marking, PFC watchdog."
        yield "    transport: roce-lossless"
        yield f"    roce: {{marking: {switches.marking}}}"
    else:
        yield from (
            f"    # {line}"
            for line in _wrapped(f"Not lossless, because roce-lossless is not possible: {switches.lossy}.")
        )
        yield "    transport: best-effort"
    yield from (f"    # {line}" for line in _wrapped(f"{switches.unbalanced_words}." if switches.unbalanced else ""))
    yield f"    load_balancing: {switches.load_balancing}"


def _sessions(chosen: DerivedChoices) -> Iterator[str]:
    """TTL security, which a fabric has from its first day or gets in steps: a session with one end set is down."""
    if "ttl-check" in chosen.able:
        yield "    # BGP refuses packets that come from farther away than the neighbor (RFC 5082). Both ends of a"
        yield "    # session must check: on a fabric that runs, `plan --steps` says how to turn it on or off."
        yield "    bgp: {ttl_security: check}"


def _spines(switches: SwitchChoices) -> str:
    """The chosen counts, which remain while `planned` of the servers grows."""
    pods = f", units_per_pod: {switches.units_per_pod}" if switches.core else ""
    room = switches.room
    spines = f", spines: {{now: {room.spines}, planned: {room.spines_planned}}}" if room.spines else ""
    return pods + spines


def _tight(switches: SwitchChoices) -> Iterator[str]:
    """A comment on what is not reserved."""
    if switches.tight:
        yield from (f"    # {line}" for line in _wrapped(f"Room for more is not reserved: {switches.tight}."))


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _switches(answers: InitAnswers, switches: SwitchChoices) -> Iterator[str]:
    yield f"    leaf: {{model: {switches.leaf}, os: {answers.system}}}"
    if switches.spine:
        yield f"    spine: {{model: {switches.spine}, os: {answers.system}}}"
    if switches.core:
        yield f"    superspine: {{model: {switches.core}, os: {answers.system}}}"
    if switches.mtu:
        yield f"    mtu: {switches.mtu}                      # octets: the largest that all of these switches take"


def _frontend(answers: InitAnswers, switches: SwitchChoices, chosen: DerivedChoices) -> Iterator[str]:
    multihoming = "evpn-esi" if "esi-multihoming" in chosen.able else "active-backup"
    options = [f"multihoming: {multihoming}"]
    for feature, (key, able, unable) in PORT_OPTIONS.items():
        can = feature in chosen.able and (feature != "lacp-fallback" or multihoming == "evpn-esi")
        options.append(f"{key}: {able if can else unable}")
    yield "  # Storage, users, inference: each tenant is a VRF over EVPN-VXLAN. A link out needs `border_leaves: 2` in"
    yield "  # `topology` and `external:` at a tenant."
    yield "  frontend:"
    yield "    kind: frontend"
    yield "    prefix: fe"
    yield f"    connects: {{{GROUP}: {chosen.frontend_nics}}}"
    yield from _tight(switches)
    yield f'    topology: {{design: leaf-spine, oversubscription: "3:1"{_spines(switches)}}}'
    yield from _switches(answers, switches)
    yield f'    addressing: {{ipv4: 10.128.0.0/12, ipv6: "{_ula(answers.site)}:1000::/52"}}'
    yield "    asns: 4202000000-4202999999"
    yield from _sessions(chosen)
    yield f"    server_ports: {{{', '.join(options)}}}"


def _tenants(answers: InitAnswers, planned: int) -> Iterator[str]:
    bits = max(8, min(16, (planned + 2).bit_length()))
    yield ""
    yield "# Which tenant owns which servers. To move servers, change the ranges; a scenario switches between variants"
    yield "# (docs/scenarios.md)."
    yield "tenants:"
    yield f"  {TENANT}:"
    yield f'    servers: ["{GROUP}[0-{answers.servers - 1}]"]'
    subnets = f'172.18.0.0/{32 - bits}, "{_ula(answers.site)}:2110::/64"'
    yield f"    networks: {{hosts: {{vlan: 110, subnets: [{subnets}]}}}}"


def _ula(site: str) -> str:
    """First 48 bits of a unique local prefix (RFC 4193), from the site's name, so that those of two sites differ."""
    digits = sha256(site.encode()).hexdigest()[:10]
    return f"fd{digits[:2]}:{digits[2:6]}:{digits[6:10]}"
