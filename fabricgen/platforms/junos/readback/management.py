"""The switch itself: names, servers, users, SNMP, gNMI, sFlow, LLDP, and what the forwarding table does.

Sources: User Access and Authentication Guide (login classes super-user and operator, root-authentication, tacplus),
Network Management Guide (SNMPv3: usm, vacm, notify), JVD sFlow (sflow, management instance), JVD AI backend (extension
services, dynamic load balancing, LLDP).
"""

from collections.abc import Iterator

from fabricgen.platforms.junos.login import ALGORITHMS
from fabricgen.platforms.junos.readback.config import MANAGEMENT, Config
from fabricgen.platforms.junos.readback.interfaces import Ports
from fabricgen.platforms.junos.readback.overlay import Instances
from fabricgen.platforms.junos.readback.policy import Policies
from fabricgen.platforms.junos.readback.static import default_gateway, static_routes
from fabricgen.platforms.junos.readback.text import Tree, numbers
from fabricgen.platforms.junos.readback.tree import (
    Word,
    block,
    blocks,
    digit,
    flag,
    flat,
    leaves,
    line_of,
    number,
    only,
    value,
    values,
)
from fabricgen.readback.addresses import host
from fabricgen.readback.rows import Key, reference

ROLES = {"super-user": "network-admin", "operator": "network-operator"}
LOCKED = "*"
"""No hash: no password of root is right (manual, root-authentication)."""
ELSEWHERE = "{} in the default instance"
"""A server that is not asked through the management instance."""
IDLE = {
    "commit": "how changes are committed",
    "time-zone": "in which zone clocks are shown",
    "processes": "how programs of the system run, unless one is disabled",
    "arp": "how long neighbors are remembered",
    "ports": "the console",
    "license": "what is licensed",
    "auto-snapshot": "copies of the system",
}
"""Statements of `system` that change no packet and nothing that a plan knows (manual, system)."""
SAMPLED_PORT = 6343
SERVICES = {
    (protocol, port): service
    for service, protocol, ports in (
        ("ssh", "tcp", ("ssh", "22")),
        ("netconf", "tcp", ("830",)),
        ("snmp", "udp", ("snmp", "161")),
    )
    for port in ports
}
"""Protocol and port of a filter's term → the service that listens there."""


def system(config: Config, found: Instances) -> None:
    """Rows of `system`, and the way out of its instance."""
    tree = block(config.tree, "system")
    for name, setting in (("host-name", "hostname"), ("domain-name", "domain")):
        if (word := value(tree, name)) is not None:
            config.put("switch" if name == "host-name" else "management", "", setting, word.text, word.line)
    _idle(config, tree)
    _login(config, tree)
    _accounts(config, tree)
    if line := flag(tree, "management-instance"):
        config.put("management", "", "vrf", MANAGEMENT, line)
    _services(config, block(tree, "services"))
    _servers(config, tree, "name-server", "dns")
    _servers(config, block(tree, "ntp"), "server", "ntp")
    _logs(config, block(tree, "syslog"))
    _tacacs(config, tree)
    if MANAGEMENT in found:
        options = block(found[MANAGEMENT][0], "routing-options")
        default_gateway(config, options)
        for _, rib, _ in blocks(options, "rib"):
            default_gateway(config, rib)


def filters(config: Config, policies: Policies) -> None:
    """Terms of filters, with their places: the first that matches decides (routing policy guide).

    The sources of a service are those of the lists of terms for its port; whether such a term decides is seen of the
    terms themselves.
    """
    sources: dict[str, dict[str, int]] = {}
    for family in ("inet", "inet6"):
        for name, below, _ in blocks(config.tree, "firewall", "family", family, "filter"):
            for place, (term, rest, line) in enumerate(blocks(below, "term"), 1):
                _sources(config, policies, rest, line, sources)
                matches, then = (_statements(rest, word) for word in ("from", "then"))
                config.need(f"filter {family} {name} {place} {term}: {matches or 'all'}: {then or 'accept'}", line)

    for service, prefixes in sources.items():
        config.several(Key("management", "", f"access-{service}"), prefixes)


def _sources(config: Config, policies: Policies, term: Tree, line: int, sources: dict[str, dict[str, int]]) -> None:
    """Add what a term says of the sources of a service. A list without a prefix is not understood."""
    found = term.get("from")
    if type(found) is not dict or "source-prefix-list" not in found:
        return
    ports = _words(found, "protocol"), _words(found, "destination-port")
    gnmi = config.reading.rows.get(Key("management", "", "gnmi-port"))
    services = SERVICES | ({("tcp", str(gnmi.value)): "gnmi"} if gnmi is not None else {})
    for name in flat(found["source-prefix-list"]):
        prefixes = policies.prefixes(name)
        if not prefixes:
            config.unread(line)
        if ports in services and prefixes:
            sources.setdefault(services[ports], {}).update(prefixes)


def _words(tree: Tree, name: str) -> str:
    """The values of a statement, which stays."""
    return " ".join(flat(tree.get(name, 0)))


def _statements(tree: Tree, word: str) -> str:
    """All that a block says, or the one word behind it."""
    below = tree.pop(word, None)
    if type(below) is not dict:
        return ""
    return ", ".join(sorted(" ".join((name, *sorted(flat(rest)))) for name, rest in below.items() if name is not None))


def _idle(config: Config, tree: Tree) -> None:
    for name, why in IDLE.items():
        if name in tree and "disable" not in flat(tree[name]):
            for line in {*numbers({name: tree.pop(name)})}:
                config.idle(line, why)


def _login(config: Config, tree: Tree) -> None:
    login = block(tree, "login")
    if (word := value(login, "message")) is not None:
        config.put("management", "", "login-banner", word.text, word.line)
    if (minutes := number(login, "idle-timeout")) is not None:
        config.put("management", "", "login-idle", *minutes)


def _ssh(config: Config, ssh: Tree) -> None:
    if line := flag(ssh, "no-passwords"):
        config.put("management", "", "login-keys", True, line)
    if (word := value(ssh, "root-login")) is not None:
        config.need("root is refused by SSH" if word.text == "deny" else f"root-login {word.text}", word.line)
    words = {f"{name} {word.text}": word.line for name in ALGORITHMS for word in values(ssh, name)}
    if words:
        config.several(Key("management", "", "ssh-ciphers"), words)


def _accounts(config: Config, tree: Tree) -> None:
    if (word := value(block(tree, "root-authentication"), "encrypted-password")) is not None:
        config.need("root has no password" if word.text == LOCKED else "root has a password", word.line)
    for name, below, line in blocks(tree, "login", "user"):
        role, password = value(below, "class"), value(block(below, "authentication"), "encrypted-password")
        if role is not None:
            config.put("user", name, "role", ROLES.get(role.text, role.text), role.line)
        if password is not None:
            config.put("user", name, "password", reference(password.text), password.line)
        _keys(config, name, block(below, "authentication"))
        if (word := value(below, "uid")) is not None:
            config.idle(word.line, "number of a user")
        if role is None and password is None:
            below[None] = line


def _keys(config: Config, name: str, tree: Tree) -> None:
    """Public keys: each is the name of a list's entry, with its type again in front."""
    found: dict[str, int] = {}
    for word in ("ssh-ed25519", "ssh-ecdsa", "ssh-rsa"):
        for text, below, line in blocks(tree, word):
            kind, _, rest = text.partition(" ")
            found[f"{kind} {rest.partition(' ')[0]}"] = line
            if below:  # a key with a pattern of hosts: who may use it is narrower than a key says
                below[None] = line
    if found:
        config.several(Key("user", name, "ssh-keys"), found)


def _services(config: Config, tree: Tree) -> None:
    config.need("services ssh", flag(tree, "ssh") or _opened(tree, "ssh"))
    _ssh(config, block(tree, "ssh"))
    netconf = block(tree, "netconf")
    config.need("services netconf ssh", flag(netconf, "ssh") or _opened(netconf, "ssh"))
    grpc = block(tree, "extension-service", "request-response", "grpc")
    ssl = block(grpc, "ssl")
    if (port := number(ssl, "port")) is not None:
        config.put("management", "", "gnmi-port", *port)
    if (name := value(ssl, "local-certificate")) is not None:
        config.put("management", "", "gnmi-certificate", name.text, name.line)
    config.need("grpc use-pki", flag(ssl, "use-pki"))
    if (instance := value(grpc, "routing-instance")) is not None:
        config.need(f"grpc in {instance.text}", instance.line)


def _opened(tree: Tree, name: str) -> int:
    """The line of a block, whose statements are read elsewhere or not at all."""
    line = line_of(tree.get(name))
    if line:
        block(tree, name)
    return line


def _servers(config: Config, tree: Tree, name: str, setting: str) -> None:
    asked: dict[str, int] = {}
    for server, below, line in blocks(tree, name):
        instance = value(below, "routing-instance")
        flag(below, "prefer")
        asked[_through(server, instance)] = line
    if asked:
        config.several(Key("management", "", setting), asked)


def _through(server: str, instance: Word | None) -> str:
    address = host(server)
    return address if instance is not None and instance.text == MANAGEMENT else ELSEWHERE.format(address)


def _logs(config: Config, tree: Tree) -> None:
    hosts: dict[str, int] = {}
    for server, below, line in blocks(tree, "host"):
        instance = value(below, "routing-instance")
        if only(below, "any", "any", "notice", "info", "warning") is not None:
            hosts[_through(server, instance)] = line
        else:
            below[None] = line
    if hosts:
        config.several(Key("management", "", "syslog"), hosts)
    for kind in ("file", "user", "console"):
        for _, below, line in blocks(tree, kind):
            for one in {line, *(word.line for name in [*below] if name for word in values(below, name))}:
                config.idle(one, "a log of the switch's own")


def _tacacs(config: Config, tree: Tree) -> None:
    order = values(tree, "authentication-order")
    if order:
        config.need(f"authentication-order {' '.join(word.text for word in order)}", order[0].line)
    asked: dict[str, int] = {}
    for server, below, line in blocks(tree, "tacplus-server"):
        instance, key, source = (value(below, name) for name in ("routing-instance", "secret", "source-address"))
        asked[_through(server, instance)] = line
        if key is not None:
            config.put("management", "", "tacacs-key", reference(key.text), key.line)
        if source is not None:
            config.need(f"tacplus-server {host(server)} from {host(source.text)}", source.line)
    if asked:
        config.several(Key("management", "", "tacacs"), asked)
    accounting = block(tree, "accounting")
    for event in values(accounting, "events"):
        config.need(f"accounting of {event.text}", event.line)
    config.need("accounting by tacplus", flag(block(accounting, "destination"), "tacplus"))


SNMP_ALGORITHMS = (
    ("snmp-auth", "authentication", "sha"),
    ("snmp-auth", "authentication", "sha256"),
    ("snmp-privacy", "privacy", "aes128"),
    ("snmp-privacy", "privacy", "aes256"),
)
"""Setting, kind of key, and algorithm, which is in the name of the block (Juniper's YANG, snmp v3 usm)."""


def snmp(config: Config) -> None:
    """Rows of `snmp`: what a user may do is worked out over groups, views and targets."""
    tree = block(config.tree, "snmp")
    for name in ("location", "contact"):
        if (word := value(tree, name)) is not None:
            config.put("management", "", f"snmp-{name}", word.text, word.line)
    config.need("snmp routing-instance-access", flag(tree, "routing-instance-access"))
    views = {name: line for name, below, line in blocks(tree, "view") if flag(block(below, "oid", ".1"), "include")}
    version = block(tree, "v3")
    _user(config, block(version, "usm", "local-engine", "user"))
    _rights(config, version, views)
    _traps(config, version)


def _user(config: Config, tree: Tree) -> None:
    for name, below, line in blocks({"user": tree}, "user"):
        config.put("management", "", "snmp-user", name, line)
        for setting, kind, algorithm in SNMP_ALGORITHMS:
            word = value(block(below, f"{kind}-{algorithm}"), f"{kind}-password")
            if word is not None:
                config.put("management", "", setting, reference(word.text), word.line)
                config.put("management", "", f"{setting}-algorithm", algorithm, word.line)


def _rights(config: Config, version: Tree, views: dict[str, int]) -> None:
    group_of = {}
    for name, below, _ in blocks(version, "vacm", "security-to-group", "security-model", "usm", "security-name"):
        if (word := value(below, "group")) is not None:
            group_of[word.text] = name
    for group, below, _ in blocks(version, "vacm", "access", "group"):
        level = block(below, "default-context-prefix", "security-model", "usm", "security-level", "privacy")
        for right in ("read-view", "notify-view"):
            word = value(level, right)
            if word is not None and word.text in views and group in group_of:
                config.need(f"snmp {right} of {group_of[group]}: all", word.line)


def _traps(config: Config, version: Tree) -> None:
    tags = set[str]()
    for _, below, _ in blocks(version, "notify"):
        if only(below, "type", "trap") is not None and (tag := value(below, "tag")) is not None:
            tags.add(tag.text)
    senders = dict(_senders(version))
    hosts: dict[str, int] = {}
    for _, below, _ in blocks(version, "target-address"):
        where, instance = value(below, "address"), value(below, "routing-instance")
        tagged, sender = values(below, "tag-list"), value(below, "target-parameters")
        works = not tags.isdisjoint(word.text for word in tagged)
        if works and where is not None and sender is not None and sender.text in senders:
            hosts[_through(where.text, instance)] = where.line
            config.need(f"snmp traps by {senders[sender.text].text}", senders[sender.text].line)
    if hosts:
        config.several(Key("management", "", "snmp-traps"), hosts)


def _senders(version: Tree) -> Iterator[tuple[str, Word]]:
    """Parameters of version 3 with privacy, and the user of each."""
    for name, below, _ in blocks(version, "target-parameters"):
        rest = block(below, "parameters")
        security = [value(rest, word) for word in ("message-processing-model", "security-model", "security-level")]
        who = value(rest, "security-name")
        if who is not None and [word.text for word in security if word is not None] == ["v3", "usm", "privacy"]:
            yield name, who


def chassis(config: Config) -> tuple[int, int]:
    """Rows of `chassis`. Returns how many aggregates there are, with the line that says so."""
    tree = block(config.tree, "chassis")
    paths = number(tree, "maximum-ecmp")
    config.put("bgp", "", "maximum-paths", *(paths or (DEFAULT_PATHS, 1)))
    for card, below, at in blocks(tree, "fpc"):
        if card != CARD:
            below[None] = at
        elif line := flag(block(below, "traffic-manager"), "buffer-monitor-enable"):
            config.put("switch", "", "queue-monitor", True, line)
    return number(block(tree, "aggregated-devices", "ethernet"), "device-count") or (0, 0)


CARD = "0"
"""The one card, which ports are named by: et-0/0/0 (manual, interface naming of QFX)."""
DEFAULT_PATHS = 16
"""Equal paths without `maximum-ecmp` (manual, maximum-ecmp)."""


def ports_of(config: Config, aggregates: tuple[int, int]) -> Ports:
    """What `protocols` says of ports."""
    protocols = block(config.tree, "protocols")
    rstp, edges = block(protocols, "rstp"), {}
    blocked = flag(rstp, "bpdu-block-on-edge")
    for name, below, line in blocks(rstp, "interface"):
        edge = flag(below, "edge")
        if edge and blocked:
            edges[name.removesuffix(".0")] = edge
        elif not edge:
            below[None] = line
    advertised, advertises = {}, line_of(protocols.get("router-advertisement"))
    for name, below, line in blocks(protocols, "router-advertisement", "interface"):
        for setting in ("max-advertisement-interval", "min-advertisement-interval"):
            if (every := number(below, setting)) is not None:
                config.idle(every[1], "how often a router is advertised")
        advertised[name] = line
        if managed := flag(below, "managed-configuration"):
            vlan = config.gateway_of.get(name, name)
            config.need(f"VLAN {vlan}: managed-configuration", managed)
    sampled = _sampling(config, block(protocols, "sflow"))
    return Ports(edges, sampled, advertised, advertises, dict(_isolation(config, protocols)), aggregates)


def _isolation(config: Config, protocols: Tree) -> Iterator[tuple[str, int]]:
    """Groups that shut ports with the overlay (manual, evpn-core-isolation-interface-shutdown)."""
    for name, below, line in blocks(protocols, "network-isolation", "group"):
        found = block(below, "detection")
        if (wait := number(block(found, "hold-time"), "up")) is not None:
            config.need(f"network-isolation: ports come back after {wait[0]} ms", wait[1])
        tracked = flag(block(found, "service-tracking"), "core-isolation")
        if flag(block(below, "service-tracking-action"), "link-down") and tracked:
            yield name, line


def _sampling(config: Config, tree: Tree) -> dict[str, int]:
    if (every := number(tree, "polling-interval")) is not None:
        config.put("management", "", "sflow-polling", *every)
    if (sample := number(block(tree, "sample-rate"), "ingress")) is not None:
        config.put("management", "", "sflow-sample", *sample)
    if (source := value(tree, "source-ip")) is not None:
        config.need(f"sflow from {host(source.text)}", source.line)
    asked: dict[str, int] = {}
    for server, below, line in blocks(tree, "collector"):
        instance, port = value(below, "routing-instance"), number(below, "udp-port")
        name = _through(server, instance)
        asked[name if port is None or port[0] == SAMPLED_PORT else f"{name} port {port[0]}"] = line
    if asked:
        config.several(Key("management", "", "sflow"), asked)
    return {unit_of(name): line for name, _, line in blocks(tree, "interfaces")}


def lldp(config: Config) -> None:
    """LLDP on every port, and the names by which neighbors know ports."""
    tree = block(config.tree, "protocols", "lldp")
    for name in ("port-id-subtype", "port-description-type", "neighbour-port-info-display"):
        if (word := value(tree, name)) is not None:
            config.need(f"lldp {name} {word.text}", word.line)
    every = block(tree, "interface")
    for word in leaves({**every}):
        if word.text == "all":
            del every["all"]
            config.put("switch", "", "lldp", True, word.line)


def forwarding(config: Config, policies: Policies, routing: Tree) -> None:
    """How packets are spread: by an export of the forwarding table over all paths, and by the load of links."""
    begins = line_of(routing.get("forwarding-table"))
    table = block(routing, "forwarding-table")
    config.need("forwarding-table ecmp-fast-reroute", flag(table, "ecmp-fast-reroute"))
    nested = block(table, "chained-composite-next-hop", "ingress")
    config.need("forwarding-table chained-composite-next-hop ingress evpn", flag(nested, "evpn"))
    exported = values(table, "export")
    tree = block(config.tree, "forwarding-options")
    for family, below, _ in blocks(tree, "hash-key", "family"):
        for word in leaves(below):
            config.need(f"hash-key family {family} {word.text}", word.line)
    mode, line = _balancing(config, block(tree, "enhanced-hash-key", "ecmp-dlb"))
    shared = block(config.tree, "protocols", "bgp")
    if "global-load-balancing" in shared:
        mode = "dlb-global" if mode == "dlb-flowlet" else f"{mode} and global"
        for word in leaves(block(shared, "global-load-balancing")):
            config.need(f"bgp global-load-balancing {word.text}", word.line)
    for other in exported[1:]:  # whether they decide depends on what the first one leaves open
        config.unread(other.line)
    if not any([policies.balances(word.text) for word in exported[:1]]):
        mode, line = "one path", exported[0].line if exported else begins or 1
    config.put("switch", "", "load-balancing", mode, line or exported[0].line)


def _balancing(config: Config, dynamic: Tree) -> tuple[str, int]:
    """The mode of dynamic load balancing, and its line; 0 where there is none."""
    for word in leaves(block(dynamic, "ether-type")):
        config.need(f"ecmp-dlb ether-type {word.text}", word.line)
    if (rate := number(dynamic, "sampling-rate")) is not None:
        config.need(f"ecmp-dlb sampling-rate {rate[0]}", rate[1])
    if line := flag(dynamic, "per-packet"):
        return "dlb-per-packet", line
    if "flowlet" not in dynamic:
        return "ecmp", 0
    line = line_of(dynamic["flowlet"])
    flowlets = block(dynamic, "flowlet")
    if (gap := number(flowlets, "inactivity-interval")) is not None:
        config.put("switch", "", "flowlet-gap", *gap)
    moved = block(flowlets, "reassignment")
    for name, source in (("flowset-table-size", flowlets), ("prob-threshold", moved), ("quality-delta", moved)):
        if (size := number(source, name)) is not None:
            config.need(f"flowlet {name} {size[0]}", size[1])
    return "dlb-flowlet", line


def tables(config: Config, routing: Tree) -> tuple[int, tuple[int, int]]:
    """Rows of `routing-options`. Returns the AS number; how often a path may have it, and the line that says so."""
    if (router := value(routing, "router-id")) is not None:
        config.put("bgp", "", "router-id", host(router.text), router.line)
    asn, own_as = number(routing, "autonomous-system"), (0, 0)
    for name, below, line in blocks(routing, "autonomous-system") if asn is None else ():
        asn = digit(name), line
        loops = number(below, "loops")
        own_as = (loops[0] - 1, loops[1]) if loops is not None else own_as
    if asn is not None:
        config.put("bgp", "", "asn", *asn)
    static_routes(config, "", routing)
    for name, below, line in blocks(routing, "rib"):
        if name == "inet6.0":
            static_routes(config, "", below)
        else:
            below[None] = line
    return asn[0] if asn is not None else 0, own_as


def unit_of(name: str) -> str:
    """A unit as it is named: without a number unit 0."""
    return name if "." in name else f"{name}.0"
