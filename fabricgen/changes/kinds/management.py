"""Kinds of changes of a switch itself: its identity, and how it is managed."""

from fabricgen.changes.kind import BlastRadius, ChangeType, ValueType

_S, _O = ValueType.SETTING, ValueType.OWN
_SWITCH, _NOTHING = BlastRadius.SWITCH, BlastRadius.NOTHING

KINDS: tuple[ChangeType, ...] = (
    ChangeType("device", "switch", "switches", _O, _SWITCH),
    ChangeType("device.name", "name of the switch", "names of the switch", _O, _NOTHING),
    ChangeType("device.site", "name of the site", "names of the site", _S, _NOTHING),
    ChangeType("device.fabric", "name of the fabric", "names of the fabric", _S, _NOTHING),
    ChangeType("device.place", "role", "roles", _S, _SWITCH),
    ChangeType("device.model", "switch model", "switch models", _S, _SWITCH),
    ChangeType("device.spelling", "command syntax of the model", "command syntaxes of the model", _S, _SWITCH),
    ChangeType("device.system", "operating system", "operating systems", _S, _SWITCH),
    ChangeType("device.version", "system version", "system versions", _S, _SWITCH),
    ChangeType("device.state", "state", "states", _S, _SWITCH),
    ChangeType("device.derived", "platform-specific value", "platform-specific values", _S, _SWITCH),
    ChangeType("management.port", "management port", "management ports", _S, _NOTHING),
    ChangeType("management.vrf", "management VRF", "management VRFs", _S, _NOTHING),
    ChangeType("management.address", "management address", "management addresses", _O, _NOTHING),
    ChangeType("management.gateway", "management gateway", "management gateways", _S, _NOTHING),
    ChangeType("management.domain", "DNS domain", "DNS domains", _S, _NOTHING),
    ChangeType("management.dns", "DNS server", "DNS servers", _S, _NOTHING),
    ChangeType("management.ntp", "NTP server", "NTP servers", _S, _NOTHING),
    ChangeType("management.syslog", "syslog server", "syslog servers", _S, _NOTHING),
    ChangeType("management.user", "local user", "local users", _S, _NOTHING),
    ChangeType("management.tacacs", "TACACS+ setting", "TACACS+ settings", _S, _NOTHING),
    ChangeType("management.snmp", "SNMP setting", "SNMP settings", _S, _NOTHING),
    ChangeType("management.gnmi", "gNMI setting", "gNMI settings", _S, _NOTHING),
    ChangeType("management.eapi", "HTTPS API certificate", "HTTPS API certificates", _S, _NOTHING),
    ChangeType("management.access", "management source", "management sources", _S, _NOTHING),
    ChangeType("management.login", "login setting", "login settings", _S, _NOTHING),
    ChangeType("management.lldp", "LLDP", "LLDP", _S, _NOTHING, ("LLDP turned off", "LLDP turned off")),
    ChangeType("management.sflow", "sFlow setting", "sFlow settings", _S, _NOTHING),
)
