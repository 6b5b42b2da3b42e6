"""The switch itself: names, servers, users, SNMP, gNMI, sFlow, LLDP, segments.

Sources: YANG srl_nokia-system and its modules; configuration basics guide (users, roles, AAA), system management guide
(logging, SNMP). Statements without a value of a plan are rows by their path.
"""

from collections.abc import Iterator

from fabricgen.platforms.srlinux.login import MINUTE
from fabricgen.platforms.srlinux.readback.config import Config
from fabricgen.platforms.srlinux.readback.document import Tree, numbers
from fabricgen.platforms.srlinux.readback.tree import block, flag, flat, number, rows, state, text, texts
from fabricgen.readback.addresses import host
from fabricgen.readback.intended import octets
from fabricgen.readback.rows import Key, reference

CONTAINERS = {"admin-user": "admin", "linuxadmin-user": "linuxadmin"}
"""Users that every switch has: containers of their own (YANG, srl_nokia-aaa)."""
IDLE = {
    "tls": "certificates: they are the switch's own",
    "clock": "in which zone clocks are shown",
}
SNMP_ALGORITHMS = {
    "hmac-sha1-96": "sha",
    "hmac-sha2-256": "sha256",
    "cfb128-aes-128": "aes128",
    "cfb128-aes-256": "aes256",
}
"""Nokia's words for algorithms of SNMP → ours (YANG, srl_nokia-system-snmp)."""
GRPC_PORT = 57400
"""Where a gRPC server listens that says no port (YANG, srl_nokia-grpc)."""
OWN_SERVER = "way in of who manages the switch: it is the switch's own"
LINUX_ROLE = "network-admin"
"""linuxadmin has no role: it may do all in Linux (YANG, linuxadmin-user)."""


def system(config: Config) -> None:
    """Rows of `/system`, `/bfd` is read before."""
    tree = block(config.tree, "system")
    names = block(tree, "name")
    config.put("switch", "", "hostname", *(text(names, "host-name") or ("", 0)))
    config.put("management", "", "domain", *(text(names, "domain-name") or ("", 0)))
    on = state(block(tree, "lldp"))
    config.put("switch", "", "lldp", on[0], on[1] or 1)
    if (seed := number(block(tree, "load-balancing", "hash-options"), "hash-seed")) is not None:
        config.put("switch", "", "hash-seed", *seed)
    _servers(config, tree)
    _login(config, tree)
    _aaa(config, block(tree, "aaa"))
    _logging(config, block(tree, "logging"))
    _snmp(config, block(tree, "snmp"))
    _sflow(config, block(tree, "sflow"))
    _grpc(config, tree)
    _json_rpc(config, block(tree, "json-rpc-server"))
    _segments(config, block(tree, "network-instance", "protocols"))
    information = block(tree, "information")
    for key in ("location", "contact"):
        config.put("management", "", f"snmp-{key}", *(text(information, key) or ("", 0)))
    _roles(config, tree)


def _login(config: Config, tree: Tree) -> None:
    """Text before a login and after it, and when a session without input ends."""
    banner = block(tree, "banner")
    if (shown := text(banner, "login-banner")) is not None:
        config.put("management", "", "login-banner", *shown)
    if (after := text(banner, "motd-banner")) is not None:
        config.idle(after[1], "text for who has logged in")
    if (seconds := number(block(tree, "aaa", "authentication"), "idle-timeout")) is not None:
        config.put("management", "", "login-idle", *minutes(*seconds))


def minutes(seconds: int, line: int) -> tuple[int | str, int]:
    """Whole minutes, else the seconds as text; and the line."""
    return (f"{seconds} s" if seconds % MINUTE else seconds // MINUTE), line


def _roles(config: Config, tree: Tree) -> None:
    for key, why in IDLE.items():
        for at in numbers(tree.pop(key, {})):
            config.idle(at, why)
    for row, _ in rows(tree, "configuration", "role"):
        name = text(row, "name")
        for said, at in flat(row):
            config.need(f"role {name[0] if name else ''}: {said}", at)


def watched(config: Config) -> None:
    """Subinterfaces that run BFD."""
    for row, line in rows(config.tree, "bfd", "subinterface"):
        name, on = text(row, "id"), state(row, default=False)
        if name is None:
            row[None] = line
        else:
            config.watched[name[0]] = on[0], on[1] or name[1]


def _through(config: Config, address: str, instance: str) -> str:
    """A server; one that is not asked through the management instance says so."""
    shown = host(address)
    return shown if instance == config.management else f"{shown} in {instance or 'no instance'}"


def _servers(config: Config, tree: Tree) -> None:
    dns = block(tree, "dns")
    instance = text(dns, "network-instance")
    found = [(_through(config, one, instance[0] if instance else ""), at) for one, at in texts(dns, "server-list")]
    _put(config, "dns", found)
    ntp = block(tree, "ntp")
    instance, on = text(ntp, "network-instance"), state(ntp, default=False)
    found = []
    for row, line in rows(ntp, "server"):
        address = text(row, "address")
        flag(row, "iburst"), flag(row, "prefer")
        if address is None:
            row[None] = line
        elif on[0]:
            found.append((_through(config, address[0], instance[0] if instance else ""), address[1]))
    _put(config, "ntp", found)
    for row, _ in rows(tree, "ssh-server"):
        text(row, "name")
        instance, on = text(row, "network-instance"), state(row, default=False)
        if on[0] and instance is not None:
            config.need(f"ssh-server in {instance[0]}", instance[1])
            _methods(config, row, instance[0])


def _methods(config: Config, server: Tree, instance: str) -> None:
    """What the server of SSH takes: keys and passwords, unless it says otherwise."""
    methods = texts(server, "allowed-authentication-types")
    if [name for name, _ in methods] == ["publickey"] and instance == config.management:
        config.put("management", "", "login-keys", True, methods[0][1])
    else:
        for _, line in methods:
            config.idle(line, "SSH takes passwords, too")


def _put(config: Config, setting: str, found: list[tuple[str, int]]) -> None:
    if found:
        config.put("management", "", setting, frozenset(name for name, _ in found), found[0][1], dict(found[::-1]))


def _aaa(config: Config, tree: Tree) -> None:
    authentication = block(tree, "authentication")
    methods = texts(authentication, "authentication-method")
    if methods:
        config.need(f"authentication by {' '.join(name for name, _ in methods)}", methods[0][1])
    for key, own in CONTAINERS.items():
        if key in authentication:
            _user(config, own, block(authentication, key), 0)
    for row, line in rows(authentication, "user"):
        username = text(row, "username")
        if username is None:
            row[None] = line
        else:
            _user(config, username[0], row, username[1])
    found = [server for group, _ in rows(tree, "server-group") for server in _group(config, group)]
    _put(config, "tacacs", found)
    for part in ("authorization", "accounting"):
        for said, at in flat(block(tree, part)):
            config.need(f"{part} {said}", at)


def _group(config: Config, group: Tree) -> Iterator[tuple[str, int]]:
    """Servers of a group; what else it says has no value of a plan."""
    name = text(group, "name")
    for row, line in rows(group, "server"):
        address, instance = text(row, "address"), text(row, "network-instance")
        key = text(block(row, "tacacs"), "secret-key")
        if address is None:
            row[None] = line
            continue
        yield _through(config, address[0], instance[0] if instance else ""), address[1]
        if key is not None:
            config.put("management", "", "tacacs-key", reference(key[0]), key[1])
    servers = group.pop("server", None)
    for said, at in flat(group):
        config.need(f"server-group {name[0] if name else ''}: {said}", at)
    if servers is not None:
        group["server"] = servers


def _user(config: Config, name: str, row: Tree, line: int) -> None:
    password, roles = text(row, "password"), texts(row, "role")
    superuser = flag(row, "superuser")
    if password is not None:
        config.put("user", name, "password", reference(password[0]), password[1])
    if roles:
        config.put("user", name, "role", " ".join(role for role, _ in roles), roles[0][1])
    elif name == CONTAINERS["linuxadmin-user"]:
        config.put("user", name, "role", LINUX_ROLE, password[1] if password else line)
    keys = [(" ".join(key.split()[:2]), at) for key, at in texts(row, "ssh-key")]
    if keys:
        config.put("user", name, "ssh-keys", frozenset(key for key, _ in keys), keys[0][1], dict(keys))
    if superuser[1]:
        config.need(f"user {name}: superuser {str(superuser[0]).lower()}", superuser[1])


def _logging(config: Config, tree: Tree) -> None:
    instance = text(tree, "network-instance") or ("", 0)
    if (facility := text(tree, "subsystem-facility")) is not None:
        config.need(f"logging subsystem-facility {facility[0]}", facility[1])
    found: list[tuple[str, int]] = []
    for row, line in rows(tree, "remote-server"):
        address, source = text(row, "host"), text(row, "source-address")
        if address is None:
            row[None] = line
            continue
        found.append((_through(config, address[0], instance[0]), address[1]))
        title = f"logging to {host(address[0])}"
        if source is not None:
            config.need(f"{title} from {host(source[0])}", source[1])
        for said, at in flat(row):
            config.need(f"{title}: {said}", at)
    _put(config, "syslog", found)
    for kind in ("buffer", "file"):
        for at in [at for row, _ in rows(tree, kind) for _, at in flat(row)]:
            config.idle(at, "a log of the switch's own")


def _snmp(config: Config, tree: Tree) -> None:
    for row, _ in rows(tree, "network-instance"):
        name, on = text(row, "name"), state(row, default=False)
        if name is not None and on[0]:
            config.need(f"snmp in {name[0]}", name[1])
    for group, _ in rows(tree, "access-group"):
        level = text(group, "security-level") or ("nothing", 0)
        text(group, "name")
        config.need(f"snmp access by {level[0]}", level[1])
        for entry, _ in rows(group, "security-entry"):
            _entry(config, entry, "access")
    _put(config, "snmp-traps", [trap for group, _ in rows(tree, "trap-group") for trap in _traps(config, group)])


def _traps(config: Config, group: Tree) -> Iterator[tuple[str, int]]:
    text(group, "name")
    on, instance = state(group, default=False), text(group, "network-instance") or ("", 0)
    if (source := text(group, "source-address")) is not None:
        config.need(f"snmp traps from {host(source[0])}", source[1])
    for row, line in rows(group, "destination"):
        text(row, "name")
        up, address, level = state(row, default=False), text(row, "address"), text(row, "security-level")
        for entry, _ in rows(row, "security-entry"):
            _entry(config, entry, "traps")
        if address is None:
            row[None] = line
        elif on[0] and up[0] and level is not None and level[0] == "auth-priv":
            yield _through(config, address[0], instance[0]), address[1]


def _entry(config: Config, entry: Tree, use: str) -> None:
    """A user with its keys. Traps have them again: other ones stand beside the first."""
    user = text(entry, "user")
    text(entry, "name")
    if user is not None:
        config.put("management", "", "snmp-user", *user)
        config.need(f"snmp {use} by {user[0]}", user[1])
    for key, setting in (("authentication", "snmp-auth"), ("privacy", "snmp-privacy")):
        secrets = block(entry, key)
        protocol, password = text(secrets, "protocol"), text(secrets, "password")
        if protocol is not None:
            _put_joined(config, f"{setting}-algorithm", SNMP_ALGORITHMS.get(protocol[0], protocol[0]), protocol[1])
        if password is None:
            config.need(f"snmp {use}: no key of {key}", user[1] if user is not None else 1)
            continue
        _put_joined(config, setting, reference(password[0]), password[1])


def _put_joined(config: Config, setting: str, own: str, line: int) -> None:
    """A value that may be there twice: another one stands beside the first."""
    row = config.reading.rows.get(Key("management", "", setting))
    other = row is not None and row.value != own
    config.put("management", "", setting, f"{row.value}, {own}" if row and other else own, line)


def _sflow(config: Config, tree: Tree) -> None:
    on, sample = state(tree, default=False), number(tree, "sample-rate")
    if sample is not None:
        config.put("management", "", "sflow-sample", *sample)
    found: list[tuple[str, int]] = []
    for row, line in rows(tree, "collector"):
        number(row, "collector-id")
        address, instance, source = (
            text(row, key) for key in ("collector-address", "network-instance", "source-address")
        )
        if address is None:
            row[None] = line
            continue
        if source is not None:
            config.need(f"sflow to {host(address[0])} from {host(source[0])}", source[1])
        if on[0]:
            found.append((_through(config, address[0], instance[0] if instance else ""), address[1]))
    _put(config, "sflow", found)


def _grpc(config: Config, tree: Tree) -> None:
    for row, _ in rows(tree, "grpc-server"):
        text(row, "name")
        on, port, profile = state(row, default=False), number(row, "port"), text(row, "tls-profile")
        instance = text(row, "network-instance")
        services = texts(row, "services")
        runs = on[0] and "gnmi" in dict(services)
        if runs or port is not None:
            found, at = port or (GRPC_PORT, on[1])
            config.put("management", "", "gnmi-port", found if runs else 0, at if on[0] else on[1] or at)
        for service, at in services if on[0] else ():
            if service != "gnmi":
                config.need(f"grpc-server has {service}", at)
        if profile is not None:
            config.put("management", "", "gnmi-certificate", *profile)
        if instance is not None:
            config.need(f"grpc-server in {instance[0]}", instance[1])


def _json_rpc(config: Config, tree: Tree) -> None:
    """A push comes in by JSON-RPC of the management instance; in another one nobody planned it (srl_nokia-json-rpc)."""
    lines = {*numbers(tree)}
    on = state(tree, default=False)
    for row, line in rows(tree, "network-instance"):
        name = text(row, "name") or ("", line)
        opened = [state(block(row, kind), default=False)[0] for kind in ("http", "https")]
        if on[0] and any(opened) and name[0] != config.management:
            config.need(f"json-rpc-server in {name[0]}", name[1])
            lines.discard(name[1])
    tree.clear()
    for at in sorted(lines):
        config.idle(at, OWN_SERVER)


def _segments(config: Config, tree: Tree) -> None:
    for row, _ in rows(tree, "bgp-vpn", "bgp-instance"):
        if (own := number(row, "id")) is not None:
            config.need(f"bgp-vpn of segments: instance {own[0]}", own[1])
    for instance, _ in rows(tree, "evpn", "ethernet-segments", "bgp-instance"):
        number(instance, "id")
        for row, line in rows(instance, "ethernet-segment"):
            _segment(config, row, line)


def _segment(config: Config, row: Tree, line: int) -> None:
    text(row, "name")
    on, esi, mode = state(row, default=False), text(row, "esi"), text(row, "multi-homing-mode")
    named = [*_lags(row)]
    algorithm = block(row, "df-election", "algorithm")
    kind, preference = text(algorithm, "type"), number(block(algorithm, "preference-alg"), "preference-value")
    if len(named) != 1 or esi is None:
        row[None] = line
        return
    name = named[0]
    config.put("lag", name, "esi", octets(esi[0]) if on[0] else "", esi[1])
    if mode is not None:
        config.need(f"lag{name}: {mode[0]}", mode[1])
    if preference is not None:
        prefers = kind is not None and kind[0] == "preference"
        config.put("lag", name, "df-preference", preference[0] if prefers else 0, preference[1])


def _lags(row: Tree) -> Iterator[str]:
    for one, _ in rows(row, "interface"):
        if (name := text(one, "ethernet-interface")) is not None:
            yield name[0].removeprefix("lag")
