"""Reads the one file of an EOS switch into rows."""

from fabricgen.platforms.eos.readback import bgp, interfaces, management, overlay, policy, qos
from fabricgen.platforms.eos.readback.expected import NOT_SHOWN, adjusted
from fabricgen.platforms.eos.readback.names import port
from fabricgen.platforms.eos.readback.runs import KINDS
from fabricgen.readback.forms import Forms, Reader, State, merged, opens
from fabricgen.readback.intended import octets
from fabricgen.readback.platform import Files, Readback
from fabricgen.readback.rows import Reading

MAIN = "startup-config"
ROOT = Forms(
    management.ROOT,
    overlay.ROOT,
    policy.ROOT,
    qos.ROOT,
    bgp.ROOT,
    {
        "interface defaults": opens("defaults", interfaces.DEFAULTS),
        "interface Vxlan1": opens("vxlan", overlay.VXLAN),
        r"interface ([A-Za-z]\S*)": opens("interface", interfaces.INTERFACE, by=port),
    },
)


def read(files: Files) -> Reading:
    """The rows of a switch. Other files beside the configuration are not understood."""
    reading = Reading()
    for file, text in files.items():
        reader = Reader(reading, file, text.split("\n"))
        reading.lines += sum(1 for line in reader.lines if line and not line.isspace())
        _read(reader)
    return reading


def _read(reader: Reader) -> None:
    root = reader.read(ROOT)
    named = merged(root.states("interface"))
    vxlan = merged([State(None, row.number, row.one, row.many) for row in root.states("vxlan")]).get(None, State())
    own = _management_port(named, reader)
    of_ports = qos.SwitchQos(root, reader.file)
    of_ports.switch(root, reader)
    _interfaces(root, named, of_ports, reader)
    management.Management(root, own, reader).rows()
    policies = policy.policies(root, reader)
    speaker = bgp.rows(root, policies, reader)
    for name, line in policies.names():
        reader.put("policy", name, "terms", policies.whole(name), line)
    overlay.rows(root, speaker, vxlan, _loopbacks(named), reader)


def _management_port(named: dict[str, State], reader: Reader) -> tuple[str, State] | None:
    """The port of management: the first one. Another one is a port like any other once it has an address."""
    ports = [(name, state) for name, state in named.items() if name.startswith("Management")]
    for name, state in ports:
        reader.out_of_place(state, interfaces.MANAGEMENT)
        if name != ports[0][0] and "ipv4" in state.one:
            reader.put("port", name, "enabled", state.get("enabled", True), state.line("enabled"))
            reader.put("port", name, "ipv4", frozenset({state.get("ipv4")}), state.line("ipv4"))
    return ports[0] if ports else None


def _interfaces(root: State, named: dict[str, State], of_ports: qos.SwitchQos, reader: Reader) -> None:
    dark = [part for state in root.states("defaults") for part in state.states("ethernet") if part.get("dark")]
    if dark:
        reader.needed("ports that nothing is said of are shut", dark[0].line("dark"))
    shared = interfaces.Shared(
        dark=bool(dark),
        qos=of_ports,
        samples_all=bool(root.get("sflow-run")) and not root.get("sflow-quiet"),
        mac=_gateway_mac(root),
    )
    interfaces.Interfaces(named, shared, reader).rows()


def _gateway_mac(root: State) -> tuple[str, int]:
    text, line = root.one.get("gateway-mac", ("", 0))
    return octets(text), line


def _loopbacks(named: dict[str, State]) -> dict[int, tuple[str, int]]:
    found: dict[int, tuple[str, int]] = {}
    for name, state in named.items():
        number = name.removeprefix("Loopback")
        if number != name and number.isdigit() and "ipv4" in state.one:
            found[int(number)] = state.one["ipv4"]
    return found


READBACK = EOS = Readback(main=MAIN, read=read, not_shown=NOT_SHOWN, adjusted=adjusted, kinds=KINDS)
