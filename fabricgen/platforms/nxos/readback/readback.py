"""Reads the one file of an NX-OS switch into rows."""

from fabricgen.platforms.nxos.readback import bgp, interfaces, management, overlay, policy, qos
from fabricgen.platforms.nxos.readback.expected import NOT_SHOWN, adjusted
from fabricgen.platforms.nxos.readback.names import port
from fabricgen.platforms.nxos.readback.runs import KINDS
from fabricgen.readback.forms import Forms, Reader, Said, State, merged, opens
from fabricgen.readback.intended import in_vrf
from fabricgen.readback.platform import Files, Readback
from fabricgen.readback.rows import Reading

MAIN = "running-config"
ROOT = Forms(
    management.ROOT,
    interfaces.ROOT,
    overlay.ROOT,
    policy.ROOT,
    qos.ROOT,
    bgp.ROOT,
    {r"interface (?!breakout)([A-Za-z]\S*)": opens("interface", interfaces.INTERFACE, by=port)},
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
    vrfs = merged(root.states("vrf"))
    own = named.get("mgmt0")
    if own is not None:
        reader.out_of_place(own, interfaces.MANAGEMENT)
    of_ports = qos.SwitchQos(root, reader)
    of_ports.switch()
    interfaces.Interfaces(named, interfaces.shared(root, of_ports), reader).rows()
    _dark(root, reader)
    _intervals(named, reader)
    management.Management(root, own, vrfs.get(management.VRF, State()), reader).rows()
    maps = policy.policies(root, reader)
    bgp.rows(root, maps, reader)
    for name, line in maps.names():
        reader.put("policy", name, "terms", maps.whole(name), line)
    overlay.rows(root, _loopbacks(named), reader)
    for name, state in (("", root), *vrfs.items()):
        if name != management.VRF:
            for (where, hop), line in state.all("route"):
                reader.put("static-route", in_vrf(name, where), "next-hop", hop, line)


def _dark(root: State, reader: Reader) -> None:
    if root.get("dark"):
        reader.needed("ports that nothing is said of are shut", root.line("dark"))


def _intervals(named: dict[str, State], reader: Reader) -> None:
    """The time over which rates are averaged, which every port says."""
    said = [state.one["interval"] for state in named.values() if "interval" in state.one]
    if said:
        reader.put("switch", "", "load-interval", *said[0])
    for value, line in said:
        if value != said[0][0]:
            reader.unread_line(line)


def _loopbacks(named: dict[str, State]) -> dict[int, Said]:
    found: dict[int, Said] = {}
    for name, state in named.items():
        number = name.removeprefix("loopback")
        if number != name and number.isdigit() and "ipv4" in state.one:
            found[int(number)] = state.one["ipv4"]
    return found


READBACK = NXOS = Readback(main=MAIN, read=read, not_shown=NOT_SHOWN, adjusted=adjusted, kinds=KINDS)
