"""Management: the port, services, accounts of TACACS+ and SNMP, gNMI, sFlow, counters.

Sources: src/sonic-yang-models, doc/Configuration.md: MGMT_INTERFACE, MGMT_VRF_CONFIG, NTP, SYSLOG_SERVER, TACPLUS,
SNMP_USER, GNMI, SFLOW, FEATURE, FLEX_COUNTER_TABLE, DEVICE_METADATA; files/build_templates/switch.json.j2: the type of
a switch says the seed of its hash; files/build_templates/init_cfg.json.j2: which containers run where nothing is said;
dockers/docker-sonic-gnmi/gnmi-native.sh: the port of gNMI. The service of a container that is disabled is stopped and
masked (sonic-host-services, scripts/featured).
"""

from collections.abc import Callable, Mapping

from fabricgen.platforms.linux.readback.words import host, interface, rare_row
from fabricgen.platforms.sonic.readback.database import Database, count, is_on, plain, refuse, text_at
from fabricgen.readback.fields import Field
from fabricgen.readback.rows import Key, TextLine, Value, reference

SEEDS = {"ToRRouter": 0, "LeafRouter": 10, "SpineRouter": 25}
"""Hash seed by the type of a switch."""
MANAGEMENT = "mgmt"
OFF = ("disabled", "always_disabled")
STATES = ("enabled", "always_enabled", *OFF, "")
GNMI_PORT = 8080
WORKERS = {"bgp": "", "database": "", "pmon": "", "snmp": "SNMP_USER", "swss": "", "syncd": "", "teamd": "PORTCHANNEL"}
"""Containers that run by themselves and do the work of a switch → table that they work for, if it is not for all."""
SNMP_ALGORITHMS = (
    ("AUTH_TYPE", "snmp-auth-algorithm", {"SHA": "sha"}),
    ("ENCRYPTION_TYPE", "snmp-privacy-algorithm", {"AES": "aes128"}),
)
"""Field of an SNMP user, its setting, and SONiC's words for algorithms → ours."""
OWN = ("eventd", "mgmt-framework", *WORKERS)
"""Containers that run by themselves."""


def put_management(db: Database) -> None:
    """Rows of all tables of management."""
    _metadata(db)
    _port(db)
    _servers(db)
    _login(db)
    _tacacs(db)
    _snmp(db)
    _gnmi(db)
    _sflow(db)
    _features(db)
    _counters(db)


def _metadata(db: Database) -> None:
    row = db.row("DEVICE_METADATA", "localhost")
    name, line = text_at(row, "hostname")
    db.put("switch", "", "hostname", name, line)
    kind, line = text_at(row, "type")
    db.put("switch", "", "hash-seed", SEEDS.get(kind, kind), line)
    db.put("switch", "", "load-balancing", "ecmp", row)  # by itself, and nothing else
    for field in row.each():
        if field.key in METADATA:
            db.say(f"{field.key} {plain(field)}", field)
        elif field.key not in ("hostname", "type", *HARDWARE) or plain(field) in ACTS:
            field.used = False


METADATA = (
    "bgp_asn",
    "buffer_model",
    "docker_routing_config_mode",
    "frr_mgmt_framework_config",
    "hwsku",
    "platform",
    "use_template_render_for_restore",
)
"""Fields of DEVICE_METADATA that say how the switch works."""
HARDWARE = ("mac", "timezone", "default_bgp_status", "default_pfcwd_status", "region", "cloudtype", "deployment_id")
"""Fields without a meaning for a fabric."""
ACTS = ("down",)
"""What has one after all: sessions are shut by themselves (`default_bgp_status`)."""


def _port(db: Database) -> None:
    for name, row in db.rows("MGMT_PORT").items():
        row.take("description")
        row.take("alias")
        db.say(f"{name}: {text_at(row, 'admin_status')[0] or 'up'}", row)
    for key, row in db.rows("MGMT_INTERFACE").items():
        name, _, text = key.partition("|")
        address = interface(text)
        gateway, line = text_at(row, "gwaddr")
        if not address:
            row.used = not text
            continue
        db.put("management", "", "port", name, row)
        db.put("management", "", "address", address, row)
        db.put("management", "", "gateway", gateway, line)
    row = db.row("MGMT_VRF_CONFIG", "vrf_global")
    apart = is_on(row, "mgmtVrfEnabled")
    db.put("management", "", "vrf", MANAGEMENT if apart else "", row)


def _set(db: Database, setting: str, table: str, of: Callable[[str], str] = host) -> None:
    """A table whose keys are servers."""
    rows = db.rows(table)
    if rows:
        db.put_members("management", "", setting, {of(key) or key: row.number for key, row in rows.items()}, 0)


def _servers(db: Database) -> None:
    _set(db, "dns", "DNS_NAMESERVER")
    _set(db, "ntp", "NTP_SERVER")
    _set(db, "syslog", "SYSLOG_SERVER")
    for key, row in db.rows("SYSLOG_SERVER").items():
        db.say(f"SYSLOG_SERVER {host(key) or key}: VRF {text_at(row, 'vrf')[0]}", row)
    for row in db.rows("NTP_SERVER").values():
        for word in ("iburst", "association_type", "resolve_as"):  # how it is asked
            row.take(word)
    domain, line = text_at(db.row("DNS_OPTIONS", "GLOBAL"), "search")
    db.put("management", "", "domain", domain, line)
    for key in db.rows("NTP"):
        db.say_row("NTP", key)


def _login(db: Database) -> None:
    """Banner before a login, if banners are on, and idle times: the console must have that of SSH."""
    banner = db.row("BANNER_MESSAGE", "global")
    for word in ("motd", "logout"):
        banner.take(word)
    shown, line = text_at(banner, "login")
    if is_on(banner, "state") and shown:
        db.put("management", "", "login-banner", shown, line)
    minutes, line = text_at(db.row("SSH_SERVER", "POLICIES"), "inactivity_timeout")
    console, _ = text_at(db.row("SERIAL_CONSOLE", "POLICIES"), "inactivity_timeout")
    if minutes:
        text = f"{minutes} by SSH, {console or 'none'} on the console"
        db.put(
            "management", "", "login-idle", int(minutes) if minutes == console and minutes.isdecimal() else text, line
        )


def _tacacs(db: Database) -> None:
    for key in db.rows("AAA"):
        db.say_row("AAA", key)
    key, line = text_at(db.row("TACPLUS", "global"), "passkey")
    if key:
        db.put("management", "", "tacacs-key", reference(key), line)
    _set(db, "tacacs", "TACPLUS_SERVER")
    for name, row in db.rows("TACPLUS_SERVER").items():
        priority, vrf = text_at(row, "priority")[0], text_at(row, "vrf")[0]
        db.say(f"TACPLUS_SERVER {host(name) or name}: priority {priority}, VRF {vrf}", row)


def _snmp(db: Database) -> None:
    for key, row in db.rows("SNMP_AGENT_ADDRESS_CONFIG").items():
        db.say(f"SNMP_AGENT_ADDRESS_CONFIG {key}", row)
    for name, row in db.rows("SNMP_USER").items():
        db.put("management", "", "snmp-user", name, row)
        for word, setting in (("AUTH", "snmp-auth"), ("ENCRYPTION", "snmp-privacy")):
            text, line = text_at(row, f"SNMP_USER_{word}_PASSWORD")
            db.put("management", "", setting, reference(text) if text else "", line)
        for word, setting, algorithms in SNMP_ALGORITHMS:
            text, line = text_at(row, f"SNMP_USER_{word}")
            db.put("management", "", setting, algorithms.get(text, text), line)
        for word in ("TYPE", "PERMISSION"):
            text, line = text_at(row, f"SNMP_USER_{word}")
            db.say(f"SNMP_USER {name}: {word} {text}", line)
    for key, setting in (("LOCATION", "snmp-location"), ("CONTACT", "snmp-contact")):
        for field in db.row("SNMP", key).each():
            db.put("management", "", setting, plain(field), field)


def _gnmi(db: Database) -> None:
    state, at = text_at(db.row("FEATURE", "gnmi"), "state")
    on = state not in OFF
    row, certificates = db.row("GNMI", "gnmi"), db.row("GNMI", "certs")
    port, line = count(row, "port", 0 if row.number else GNMI_PORT)
    if port and on:
        db.put("management", "", "gnmi-port", port, line or at)
        path, at = text_at(certificates, "server_crt")
        name = path.rpartition("/")[2].removesuffix(".cer")
        db.put("management", "", "gnmi-certificate", name, at)
        db.say_row("GNMI", "gnmi", "port")
        db.say_row("GNMI", "certs")


def _sflow(db: Database) -> None:
    row = db.row("SFLOW", "global")
    on = is_on(row, "admin_state")
    polling, line = count(row, "polling_interval", 20)
    if on:
        db.put("management", "", "sflow-polling", polling, line)
        db.say(f"sFlow agent {text_at(row, 'agent_id')[0]}", row)
    collectors = db.rows("SFLOW_COLLECTOR")
    addresses = {}
    for one in collectors.values():
        (address, line), vrf = text_at(one, "collector_ip"), text_at(one, "collector_vrf")[0]
        addresses[host(address)] = line
        db.say(f"sFlow collector {host(address)}: {text_at(one, 'collector_port')[0] or '6343'}, {vrf}", line)
    if on and collectors:
        db.put_members("management", "", "sflow", addresses, 0)
    rates: list[tuple[Value, int]] = []
    for name, session in db.rows("SFLOW_SESSION").items():
        sampled = is_on(session, "admin_state")
        rate, line = count(session, "sample_rate")
        if name == "all":
            db.say(f"sFlow of all ports: {'up' if sampled else 'down'}", session)
            continue
        db.put("port", name, "sflow", sampled and on, session)
        if sampled:
            rates.append((rate, line))
    sampling = rare_row(rates, db.file)
    if sampling is not None:
        db.reading.add(Key("management", "", "sflow-sample"), sampling)


def _features(db: Database) -> None:
    """Containers that run; LLDP does by itself (init_cfg.json)."""
    lldp = db.row("FEATURE", "lldp")
    state, line = text_at(lldp, "state")
    db.put("switch", "", "lldp", state not in OFF, line)
    for name, row in db.rows("FEATURE").items():
        state, _ = text_at(row, "state")
        if state not in STATES:
            refuse(row, "state")
        for word in CONTAINER:
            row.take(word)
        if name in ("radv", "sflow") or _is_unplanned(db, name, state):
            db.say(f"FEATURE {name}: {state}", row)
        elif name not in ("lldp", "gnmi"):
            row.use_all()
            db.reading.idle.append(_idle(db, f"FEATURE {name}", row, "a container of SONiC itself"))


def _is_unplanned(db: Database, name: str, state: str) -> bool:
    """Whether a container that the switch needs is off, or one is on that no plan asks for."""
    if state in OFF:
        return name in WORKERS and (not WORKERS[name] or bool(db.rows(WORKERS[name])))
    return state in STATES and state != "" and name not in ("gnmi", "lldp", *OWN)


CONTAINER = ("auto_restart", "delayed", "has_global_scope", "has_per_asic_scope", "high_mem_alert", "set_owner")
"""How a container runs (sonic-feature)."""


def _counters(db: Database) -> None:
    def counted(name: str) -> Field:
        return db.row("FLEX_COUNTER_TABLE", name)

    ecn = counted("WRED_ECN_QUEUE")
    db.put("switch", "", "ecn-counters", is_on(ecn, "FLEX_COUNTER_STATUS"), ecn)
    rows = [counted(name) for name in ("QUEUE", "QUEUE_WATERMARK", "PG_WATERMARK")]
    on = [is_on(row, "FLEX_COUNTER_STATUS") for row in rows]
    off = next((row for row, state in zip(rows, on, strict=True) if not state), rows[0])
    db.put("switch", "", "queue-monitor", all(on), off)
    for name, row in db.rows("FLEX_COUNTER_TABLE").items():
        if name not in ("WRED_ECN_QUEUE", "QUEUE", "QUEUE_WATERMARK", "PG_WATERMARK"):
            row.use_all()
            if name == "PFCWD" and not is_on(row, "FLEX_COUNTER_STATUS") and db.rows("PFC_WD"):
                # The watchdog looks at queues by these counters (sonic-swss, orchagent/flexcounterorch.cpp).
                refuse(row, "FLEX_COUNTER_STATUS")
            why = "a counter that nothing here reads"
            db.reading.idle.append(_idle(db, f"FLEX_COUNTER_TABLE {name}", row, why))
        row.take("POLL_INTERVAL")
        row.take("FLEX_COUNTER_DELAY_STATUS")


def _idle(db: Database, text: str, row: Field, why: str) -> TextLine:
    return TextLine(db.file, row.number, text, why)


IDLE: Mapping[str, str] = {
    "ACL_TABLE_TYPE": "kinds of packet filters",
    "AUTO_TECHSUPPORT": "what is collected after a fault",
    "AUTO_TECHSUPPORT_FEATURE": "what is collected after a fault",
    "CONSOLE_SWITCH": "the console",
    "CRM": "alarms of used resources",
    "DEVICE_NEIGHBOR": "who is on the other end, for people",
    "DEVICE_NEIGHBOR_METADATA": "who is on the other end, for people",
    "KDUMP": "what is kept after a fault",
    "LOGGER": "what SONiC logs",
    "PASSW_HARDENING": "rules for passwords",
    "SYSLOG_CONFIG": "how often SONiC logs",
    "SYSLOG_CONFIG_FEATURE": "how often SONiC logs",
    "SYSTEM_DEFAULTS": "which parts are on by themselves",
    "VERSIONS": "the version of the tables",
}
"""Tables without a meaning for a fabric (Configuration.md)."""


def put_idle(db: Database) -> None:
    """Tables that are known to have no meaning."""
    for table in db.root.below:
        why = IDLE.get(table.key)
        if why:
            table.use_all()
            db.reading.idle.append(_idle(db, table.key, table, why))
    for row in db.rows("BGP_DEVICE_GLOBAL").values():
        for field in row.each():
            # Another value takes the traffic away, or hands on another bandwidth (Configuration.md, BGP Device Global).
            field.used = plain(field) in LETS_THROUGH


LETS_THROUGH = ("false", "disabled", "unisolated")
