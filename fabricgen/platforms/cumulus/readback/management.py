"""The switch itself and its management.

Sources: NVUE reference, System, Service; 5.11 user guide, DNS, NTP, Syslog, TACACS, User Accounts (roles system-admin,
nvue-monitor), sFlow, Equal Cost Multipath Load Sharing (hash-seed, adaptive routing), NVUE Snippets.
"""

from fabricgen.platforms.cumulus.names import SELF_SIGNED
from fabricgen.platforms.cumulus.readback.nvue import Nvue
from fabricgen.platforms.cumulus.readback.tree import Tree
from fabricgen.platforms.linux.readback.frr_conf import add_lines
from fabricgen.platforms.linux.readback.words import host, number, rare, rare_row
from fabricgen.readback.rows import Key, Row, TextLine, Value, reference

ROLES = {"system-admin": "network-admin", "nvue-monitor": "network-operator"}
VRF = "mgmt"


def put_management(nvue: Nvue, *, adaptive: bool) -> None:
    """Rows of `system` and `service`."""
    system, service = nvue.root.take("system"), nvue.root.take("service")
    name = system.take("hostname")
    nvue.put("switch", "", "hostname", name.value, name.line)
    seed = system.take("forwarding", "hash-seed")
    at_random = "at random"  # what is not said (Equal Cost Multipath Load Sharing)
    nvue.put("switch", "", "hash-seed", nvue.number(seed) if seed else at_random, seed.line or nvue.root.line)
    mode = nvue.on(nvue.root, "router", "adaptive-routing")
    nvue.put("switch", "", "load-balancing", "dlb-per-packet" if adaptive else "ecmp", mode.line or nvue.root.line)
    monitor = nvue.on(system, "telemetry")
    nvue.put("switch", "", "queue-monitor", monitor.is_on, monitor.line)
    interval = system.take("counter", "rates", "load-interval")
    nvue.put("switch", "", "load-interval", nvue.number(interval), interval.line)
    _services(nvue, system if nvue.is_renamed else service)
    _syslog(nvue, service.take("syslog", VRF, "server") or system.take("syslog", "server"))
    _gnmi(nvue, system.take("gnmi-server"))
    _api(nvue, system.take("api", "certificate"))
    _aaa(nvue, system.take("aaa"))
    _sflow(nvue, system.take("sflow"))
    _snippets(nvue, system.take("config", "snippet"))
    _defaults(nvue)


def _services(nvue: Nvue, parent: Tree) -> None:
    """LLDP, DNS and NTP: below `service` and their VRF until 5.14, below `system` from 5.15."""
    state = parent.take("lldp", "state")
    nvue.put("switch", "", "lldp", state.is_on or not state, state.line)
    dns, ntp = ((parent.take(key) if nvue.is_renamed else parent.take(key, VRF)) for key in ("dns", "ntp"))
    for setting, service in (("dns", dns), ("ntp", ntp)):
        servers = service.take("server")
        found = {host(text) or text: row.line for text, row in servers.each()}
        nvue.put_members("management", "", setting, found, servers.line)
    for text, row in dns.take("server").each():
        if nvue.is_renamed:
            nvue.leaf(row, f"DNS server {host(text) or text}", "vrf")
    for text, row in dns.take("search").each():
        nvue.put("management", "", "domain", text, row.line)
    for _, row in ntp.take("server").each():
        row.take("iburst")
    if nvue.is_renamed:
        nvue.leaf(ntp, "ntp", "vrf")
    else:
        nvue.leaf(parent.take("ntp"), "ntp", VRF, "listen")


def _syslog(nvue: Nvue, servers: Tree) -> None:
    """Servers: below `service` and their VRF until 5.12, below `system` from 5.13, each with its VRF."""
    found = {host(text) or text: row.line for text, row in servers.each()}
    nvue.put_members("management", "", "syslog", found, servers.line)
    for text, row in servers.each():
        nvue.leaf(row, f"syslog server {host(text) or text}", "vrf")


def _gnmi(nvue: Nvue, gnmi: Tree) -> None:
    """The gNMI server, which is there from 5.13 on (NVUE reference, gNMI)."""
    on, port, certificate = gnmi.take("state"), gnmi.take("port"), gnmi.take("certificate")
    nvue.put("management", "", "gnmi-port", nvue.number(port, 9339) if on.is_on else 0, port.line or on.line)
    nvue.put("management", "", "gnmi-certificate", certificate.value if on.is_on else "", certificate.line)
    for text, row in gnmi.take("listening-address").each():
        nvue.say(f"gNMI listens on {host(text) or text}", row.line)


def _api(nvue: Nvue, certificate: Tree) -> None:
    """The certificate of NVUE's API, and none where it shows that of the switch itself."""
    own = certificate.value == SELF_SIGNED
    nvue.put("management", "", "eapi-certificate", "" if own else certificate.value, certificate.line or nvue.root.line)


def _aaa(nvue: Nvue, aaa: Tree) -> None:
    for place, row in aaa.take("authentication-order").each():
        nvue.say(f"authentication {place}: {row.value}", row.line)
    tacacs = aaa.take("tacacs")
    enable = tacacs.take("enable")  # 5.11 alone
    found: dict[str, int] = {}
    keys: list[tuple[Value, int]] = []
    for key, row in tacacs.take("server").each():
        said, rank, secret = row.take("host"), row.take("priority"), row.take("secret")
        # Known by its priority in 5.11, by its address from 5.12 on (512 What's New).
        address, place, at = (said.value, key, said.line) if said else (key, rank.value, rank.line)
        found[host(address) or address] = at
        row.take("prefer-ip-version")
        keys.append((reference(secret.value), secret.line))
        rank_word = "number" if said else "priority"
        nvue.say(f"TACACS+ server {host(address) or address}: {rank_word} {place}", at or row.line)
    if enable.is_on:
        nvue.say("tacacs enable", enable.line)
    if found and (enable.is_on or not enable):
        nvue.put_members("management", "", "tacacs", found, tacacs.line)
        odd = rare(keys)
        nvue.put("management", "", "tacacs-key", odd[0] if odd else "", odd[1] if odd else tacacs.line)
    nvue.leaf(tacacs, "tacacs", "vrf")
    _roles(nvue, aaa)
    for name, row in aaa.take("user").each():
        role, password = row.take("role"), row.take("hashed-password")
        nvue.put("user", name, "role", ROLES.get(role.value, role.value), role.line or row.line)
        _keys(nvue, name, row.take("ssh").take("authorized-key"))
        text = password.value
        nvue.put("user", name, "password", reference(text) if text not in ("", "*") else "", password.line or row.line)


def _keys(nvue: Nvue, name: str, tree: Tree) -> None:
    """Public keys; their names say nothing (User Accounts, SSH authorized keys)."""
    found: dict[str, int] = {}
    for _, row in tree.each():
        key, kind = row.take("key"), row.take("type")
        found[f"{kind.value} {key.value}"] = key.line or row.line
    if found:
        nvue.put_members("user", name, "ssh-keys", found, tree.line)


def _roles(nvue: Nvue, aaa: Tree) -> None:
    """Roles, and classes of commands that they allow (User Accounts)."""
    for name, row in aaa.take("class").each():
        action = row.take("action")
        paths = list(row.take("command-path").each())
        if not paths:
            nvue.say(f"class {name}: {action.value} no path", action.line or row.line)
        for path, command in paths:
            permission = command.take("permission")
            nvue.say(f"class {name}: {action.value} {path} {permission.value}", permission.line or command.line)
    for name, row in aaa.take("role").each():
        classes = list(row.take("class").each())
        if not classes:
            nvue.say(f"role {name}: no class", row.line)
        for member, part in classes:
            nvue.say(f"role {name}: class {member}", part.line)


def _sflow(nvue: Nvue, sflow: Tree) -> None:
    collectors = sflow.take("collector")
    on = sflow.take("state").is_on
    found = {host(text) or text: row.line for text, row in collectors.each()}
    polling, rates = sflow.take("poll-interval"), sflow.take("sampling-rate")
    sampled: list[tuple[Value, int]] = [(number(row.value) or 0, row.line) for _, row in rates.each()]
    sampling = rare_row(sampled, nvue.file) or Row(0, nvue.file, sflow.line)
    if on:
        nvue.put_members("management", "", "sflow", found, collectors.line)
        nvue.put("management", "", "sflow-polling", nvue.number(polling), polling.line)
        nvue.reading.add(Key("management", "", "sflow-sample"), sampling)
        for speed, row in rates.each():
            nvue.say(f"sFlow of {speed}", row.line)
        nvue.leaf(sflow, "sFlow", "agent", "interface")
        for text, row in collectors.each():
            nvue.say(f"sFlow collector {host(text) or text} by {row.text('interface')}", row.line)


def _snippets(nvue: Nvue, snippets: Tree) -> None:
    """Lines of FRR behind those that NVUE makes; they begin on the line below their key (NVUE Snippets)."""
    text = snippets.take("frr.conf")
    if text:
        add_lines(nvue.conf, text.value, nvue.reading, text.line + 1)
        for said, line in nvue.conf.needed.items():
            nvue.say(said, line)


UNTOLD: tuple[tuple[str, ...], ...] = (
    ("system", "acl"),
    ("system", "reboot"),
    ("system", "timezone"),
    ("system", "wjh"),
)
"""What a switch has by itself or for people (NVUE CLI, Default Startup File)."""
SWITCHED = (("system", "api"), ("system", "ssh-server"), ("system", "config", "auto-save"))
"""What is on when a switch comes, the API on all its addresses (NVUE reference, API): that alone is said by
`state: enabled`. What else is said of them, such as another address or port, opens or closes what no plan names."""


def _login(nvue: Nvue) -> None:
    banner = nvue.root.take("system", "message", "pre-login")
    if banner:
        nvue.put("management", "", "login-banner", banner.value, banner.line)
    idle = nvue.root.take("system", "ssh-server", "inactive-timeout")
    if idle:
        nvue.put("management", "", "login-idle", nvue.number(idle), idle.line)


def _defaults(nvue: Nvue) -> None:
    for path in UNTOLD:
        for field in nvue.root.take(*path).fields:
            field.use_all()
            nvue.reading.idle.append(
                TextLine(nvue.file, field.number, " ".join(path), "a service of the switch itself")
            )
    _login(nvue)
    for path in SWITCHED:
        state = nvue.root.take(*path, "state")
        if state:
            nvue.say(f"{' '.join(path)} {state.value}", state.line)
    for name, row in nvue.root.take("system", "control-plane", "acl").each():
        directions = list(row.each())
        if not directions:
            nvue.say(f"control-plane acl {name}: no direction", row.line)
        for direction, part in directions:
            nvue.say(f"control-plane acl {name} {direction}", part.line)
