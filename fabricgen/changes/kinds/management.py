"""Kinds of facts of a switch itself: who it is, and how it is managed."""

from fabricgen.changes.kind import Kind, Reach, Value

_S, _O = Value.SETTING, Value.OWN
_SWITCH, _NOTHING = Reach.SWITCH, Reach.NOTHING

KINDS: tuple[Kind, ...] = (
    Kind("device", "switch", "switches", _O, _SWITCH),
    Kind("device.name", "name of the switch", "names of the switch", _O, _NOTHING),
    Kind("device.site", "name of the site", "names of the site", _S, _NOTHING),
    Kind("device.fabric", "name of the fabric", "names of the fabric", _S, _NOTHING),
    Kind("device.place", "role", "roles", _S, _SWITCH),
    Kind("device.model", "switch model", "switch models", _S, _SWITCH),
    Kind("device.spelling", "wording by model", "wordings by model", _S, _SWITCH),
    Kind("device.system", "operating system", "operating systems", _S, _SWITCH),
    Kind("device.version", "system version", "system versions", _S, _SWITCH),
    Kind("device.state", "state", "states", _S, _SWITCH),
    Kind("device.derived", "number of the platform's own", "numbers of the platform's own", _S, _SWITCH),
    Kind("management.port", "management port", "management ports", _S, _NOTHING),
    Kind("management.vrf", "management VRF", "management VRFs", _S, _NOTHING),
    Kind("management.address", "management address", "management addresses", _O, _NOTHING),
    Kind("management.gateway", "management gateway", "management gateways", _S, _NOTHING),
    Kind("management.domain", "DNS domain", "DNS domains", _S, _NOTHING),
    Kind("management.dns", "DNS server", "DNS servers", _S, _NOTHING),
    Kind("management.ntp", "NTP server", "NTP servers", _S, _NOTHING),
    Kind("management.syslog", "syslog server", "syslog servers", _S, _NOTHING),
    Kind("management.user", "local user", "local users", _S, _NOTHING),
    Kind("management.tacacs", "TACACS+ setting", "TACACS+ settings", _S, _NOTHING),
    Kind("management.snmp", "SNMP setting", "SNMP settings", _S, _NOTHING),
    Kind("management.gnmi", "gNMI setting", "gNMI settings", _S, _NOTHING),
    Kind("management.eapi", "HTTPS API certificate", "HTTPS API certificates", _S, _NOTHING),
    Kind("management.lldp", "LLDP", "LLDP", _S, _NOTHING, ("LLDP turned off", "LLDP turned off")),
    Kind("management.sflow", "sFlow setting", "sFlow settings", _S, _NOTHING),
)
