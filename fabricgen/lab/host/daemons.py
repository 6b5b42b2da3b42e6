"""Start the daemons of switches and servers: FRR with its own files, and lldpd."""

import re
import shlex
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.lab.host.place import CONFIGURATION, LabPlace, Space
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.host.vty import found_vrfs
from fabricgen.lab.model.lab import LabServer
from fabricgen.lab.model.server_routing import DAEMONS

PROGRAMS = Path("/usr/lib/frr")
ALWAYS = ("zebra", "staticd")
ORDER = ("mgmtd", "zebra", "staticd", "bfdd", "bgpd")
"""Start order: the others connect to zebra, and from release 10 on all connect to mgmtd."""
STARTS, ANSWER_SECONDS = 4, 10
"""Most starts of zebra, and the longest time to wait for its list of VRFs."""
END_ZEBRA = 'n=$(cat /run/frr/zebra.pid) && kill "$n" && while kill -0 "$n" 2>/dev/null; do sleep 0.05; done'
COMPLAINT = re.compile(r"^(line \d+: .*|% .*|.*[Uu]nknown command.*)$", re.MULTILINE)
"""vtysh's errors in a line. A missing route map is no error: FRR prints route maps last."""
LLDP_FILE = "/run/lldpd.conf"
LLDP = "lldpd"
LLDP_PID = "/run/fabricgen-lldpd.pid"
"""lldpd in the foreground (-d) writes no pid file."""
LLDP_SECONDS = 2
"""Interval of LLDP in a lab, short so that neighbors are known soon."""


def enabled(daemons: str) -> dict[str, list[str]]:
    """Daemons that a rendered `daemons` file enables, in start order, each with its options."""
    active = {*ALWAYS, *re.findall(r"^(\w+)=yes$", daemons, re.MULTILINE)}
    if (PROGRAMS / "mgmtd").is_file():
        active.add("mgmtd")
    options = dict(re.findall(r'^(\w+)_options="(.*)"$', daemons, re.MULTILINE))
    return {name: options.get(name, "").split() for name in ORDER if name in active}


def expected(device: Device, daemons: str) -> tuple[str, ...]:
    """All daemons that a switch runs in a lab, by its rendered `daemons` file: FRR's, and lldpd."""
    return (*enabled(daemons), *((LLDP,) if device.management.lldp else ()))


def pid_file(daemon: str) -> str:
    """File in a switch with the PID of a daemon."""
    return LLDP_PID if daemon == LLDP else f"/run/frr/{daemon}.pid"


def profile(daemons: str) -> list[str]:
    """Options that select FRR's defaults."""
    match = re.search(r'^frr_profile="(\w+)"$', daemons, re.MULTILINE)
    return ["-F", match.group(1)] if match else []


def write_configuration(place: LabPlace, name: str, frr_conf: str) -> None:
    """Write the configuration where FRR of this switch reads it."""
    folder = place.files(name) / CONFIGURATION
    for file, text in (("frr.conf", frr_conf), ("vtysh.conf", "service integrated-vtysh-config\n")):
        path = folder / file
        path.write_text(text, encoding="utf-8")
        path.chmod(0o640)
        shutil.chown(path, "frr", "frr")


def start_switch(
    shell: LabShell, place: LabPlace, device: Device, files: Mapping[str, str], *, netns_vrfs: bool
) -> tuple[str, ...]:
    """Start a switch's daemons and load its configuration; return FRR's errors in it.

    netns_vrfs  VRFs are network namespaces
    """
    write_configuration(place, device.name, files["frr.conf"])
    space, started = place.space(device.name), _frr(device, files["daemons"], netns_vrfs=netns_vrfs)
    split = list(started).index("zebra") + 1
    lines = list(started.values())
    first, others = lines[:split], lines[split:]
    _start(shell, space, first)
    if netns_vrfs and device.evpn is not None:
        _find_vrfs(shell, space, first[-1])
    lldpd = _lldpd(place, device.name, files["lldpd.conf"]) if device.management.lldp else ""
    _start(shell, space, others, lldpd)
    result = shell.run(space.enter("vtysh", "-b"))
    (place.files(device.name) / "vtysh.log").write_text(result.stdout + result.stderr, encoding="utf-8")
    return complaints(result.stdout + result.stderr)


def _start(shell: LabShell, space: Space, lines: Iterable[str], extra_script: str = "") -> None:
    script = "".join(f"{line} || exit 1\n" for line in lines) + extra_script
    shell.must(space.enter("sh", "-c", script), doing=f"daemons of {space.name}")


def _find_vrfs(shell: LabShell, space: Space, start: str) -> None:
    """Restart zebra until it has found the namespace of every VRF.

    It looks for the namespaces that exist while it starts, before its parent returns, and on a busy host it may miss
    one permanently, without a log message (8.4.4, seen in 1 of some 300 labs).
    """
    for retries in reversed(range(STARTS)):
        names = {line.split()[0] for line in shell.must(space.enter("ip", "netns", "list"), doing="VRFs").splitlines()}
        unfound = names - (found_vrfs(space.mount, ANSWER_SECONDS) or frozenset())
        if not unfound:
            return
        if not retries:
            break
        _start(shell, space, (END_ZEBRA, start))
    raise FabricError.of(
        code="lab-vrfs",
        what=f"zebra of {space.name} does not find the VRF {', '.join(sorted(unfound))}",
        why=f"it was started {STARTS} times; on a busy host it can miss network namespaces",
        fix="run it once more, or with a smaller --subset",
    )


def complaints(output: str) -> tuple[str, ...]:
    """Lines of vtysh's output that report an error in a configuration."""
    return tuple(COMPLAINT.findall(output))


def _frr(device: Device, daemons: str, *, netns_vrfs: bool) -> dict[str, str]:
    """Daemon → shell line that starts it, in start order."""
    is_split = netns_vrfs and device.evpn is not None  # tenants may be added later
    return _commands(daemons, zebra=("-n",) if is_split else ())


def _commands(daemons: str, zebra: tuple[str, ...] = ()) -> dict[str, str]:
    """The same. zebra: more options of zebra."""
    lines = {}
    for name, options in enabled(daemons).items():
        argv = [str(PROGRAMS / name), "-d", *profile(daemons), *options, "--log", f"file:/var/log/frr/{name}.log"]
        argv += zebra if name == "zebra" else ()
        lines[name] = f"{' '.join(argv)} >/var/log/frr/{name}.out 2>&1"
    return lines


def start_host(shell: LabShell, place: LabPlace, server: LabServer) -> None:
    """Start LLDP on a server, where each port announces its name in the plan, and FRR where it has NICs of two leaves.

    Raises FabricError where FRR does not take its configuration: it is ours, and what is missing is in no finding.
    """
    if server.routing:
        _start_routing(shell, place, server)
    lines = [f"configure system hostname {server.name}", "configure lldp portidsubtype ifname"]
    for nic in server.nics:
        if not nic.parent and nic.label != nic.name:
            lines.append(f'configure ports {nic.name} lldp portidsubtype local "{nic.label}"')
    port_names = ",".join(nic.name for nic in server.nics if not nic.parent)
    lines.insert(1, f"configure system interface pattern {port_names}")
    place.files(server.name).mkdir(parents=True, exist_ok=True)
    script = _lldpd(place, server.name, "".join(f"{line}\n" for line in lines))
    shell.must(place.space(server.name).enter("sh", "-c", script), doing=f"lldpd of {server.name}")


def _start_routing(shell: LabShell, place: LabPlace, server: LabServer) -> None:
    write_configuration(place, server.name, server.routing)
    space = place.space(server.name)
    _start(shell, space, _commands(DAEMONS).values())
    result = shell.run(space.enter("vtysh", "-b"))
    faults = complaints(result.stdout + result.stderr)
    if faults:
        raise FabricError.of(
            code="lab-routing",
            what=f"FRR of {server.name} does not take its configuration",
            why=faults[0],
            fix="this is a bug in fabricgen; report it with your intent",
        )


def _lldpd(place: LabPlace, name: str, text: str) -> str:
    """Shell lines that start lldpd with a configuration, in the background.

    The file is in the node's own /run: lldpd's helper reads it without permission to enter every folder of the host.
    """
    content = shlex.quote(f"{text}configure lldp tx-interval {LLDP_SECONDS}\n")
    log = shlex.quote(str(place.files(name) / "lldpd.log"))
    command = shlex.join([LLDP, "-d", "-k", "-S", f"fabricgen lab {name}", "-O", LLDP_FILE])
    # In the background of a non-interactive shell setsid does not fork: $! is lldpd.
    start = f"setsid {command} >{log} 2>&1 </dev/null &\necho $! >{LLDP_PID}\n"
    return f"printf %s {content} >{LLDP_FILE}\n{start}"
