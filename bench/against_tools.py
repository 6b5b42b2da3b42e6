"""How bench/against.py runs each tool: its environment, its input, one process measured, and what it wrote counted."""

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from bench.against_fabric import Fabric
from bench.avd_inputs import write_inputs
from bench.netlab_topology import topology_text

FABRICGEN, AVD, NETLAB = "fabricgen", "avd", "netlab"
PACKAGES = {AVD: ("pyavd", "6.4.0"), NETLAB: ("networklab", "26.10")}
"""Tool → package and version that its environment is made of."""
AVD_RUN = Path(__file__).with_name("avd_run.py")
CHILD = Path(__file__).with_name("against_child.py")
SEPARATORS = ("", "!")
"""Lines that configure nothing."""
NEIGHBOR = re.compile(r"^\s*neighbor (interface \S+|[0-9a-f.]+[:.][0-9a-f:.]+) (?:peer.group|remote-as)", re.MULTILINE)
PER_LEAF = {
    "interfaces described": re.compile(r"^\s+description ", re.MULTILINE),
    "ports with the RoCE profile": re.compile(r"^\s*service-profile ", re.MULTILINE),
    "lossless priorities": re.compile(r"priority-flow-control priority \d no-drop"),
    "ports that sFlow samples": re.compile(r"^\s*sflow enable", re.MULTILINE),
    "ports with speed and FEC": re.compile(r"^\s*error-correction encoding", re.MULTILINE),
    "route maps": re.compile(r"^route-map ", re.MULTILINE),
    "management services": re.compile(r"^(?:ntp server|logging .*host|snmp-server host|tacacs-server)", re.MULTILINE),
    "names of other switches": re.compile(r"^ip(?:v6)? host ", re.MULTILINE),
}
"""What a leaf's configuration has of each: so that it is seen which work is alike."""


class Cost(NamedTuple):
    """What a process and the children it waited for took. megabytes: the most that the largest of them held."""

    seconds: float
    megabytes: float


class Written(NamedTuple):
    """What a tool wrote: devices, lines of configuration, and for one leaf how many there are of what."""

    devices: int
    lines: int
    leaf: Mapping[str, int]


class Tool(NamedTuple):
    """A tool as it is run. version: what its environment says it has."""

    name: str
    version: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    out: Path


def make_environment(folder: Path, name: str) -> None:
    """A virtual environment with the tool in it, by pip as this machine has it configured; one that has it stays."""
    home, (package, wanted) = folder / name, PACKAGES[name]
    python = str(home / "bin/python")
    if not (home / "bin/python").exists():
        venv.create(home, with_pip=True)
    if not _version(python, package):
        words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{package}=={wanted}"]
        subprocess.run([python, *words], check=True)


def write_all_inputs(fabric: Fabric, links: str, folder: Path) -> None:
    """The same fabric for the two others, beside our intent.yaml."""
    (folder / AVD).mkdir()
    (folder / NETLAB).mkdir()
    write_inputs(fabric, links, folder / AVD)
    (folder / NETLAB / "topology.yml").write_text(topology_text(fabric, links))


def make_tool(name: str, folder: Path, environments: Path | None) -> Tool:
    """The tool for the fabric whose inputs are in the folder. environments: where AVD's and netlab's are."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")} | {"HOME": str(folder)}
    out = folder / f"{name}-out"
    if name == FABRICGEN:
        words = ("-m", "fabricgen", "render", str(folder / "intent.yaml"), "-o", str(out))
        # As it is after its first run: modules compiled, where nothing but this run finds them.
        ours = {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), "PYTHONPATH": str(AVD_RUN.parents[1])}
        return Tool(name, _version(sys.executable, name), (sys.executable, *words), plain | ours, out)
    if environments is None:
        raise ValueError(f"{name} has no environment")
    python = str(environments / name / "bin/python")
    version = _version(python, PACKAGES[name][0])
    if name == AVD:
        return Tool(name, version, (python, str(AVD_RUN), str(folder / AVD), str(out)), plain, out)
    return Tool(name, version, (str(environments / name / "bin/netlab"), "create", "-q"), plain, out)


def _version(python: str, package: str) -> str:
    """Empty where the environment has no such package."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def run(tool: Tool) -> Cost:
    """One process, from an empty folder for what it writes. Raises SystemExit with its last words where it fails."""
    shutil.rmtree(tool.out, ignore_errors=True)
    where = tool.out
    if tool.name == FABRICGEN:
        where = tool.out.parent
    else:
        tool.out.mkdir()
    if tool.name == NETLAB:
        shutil.copy(tool.out.parent / NETLAB / "topology.yml", tool.out)
    log = tool.out.parent / f"{tool.name}.log"
    found = tool.out.parent / f"{tool.name}.cost"
    command = (sys.executable, "-I", "-S", str(CHILD), str(found), *tool.command)
    with log.open("w") as told:
        subprocess.run(command, cwd=where, env=tool.environment, stdout=told, stderr=told, check=True)
    seconds, megabytes, code = found.read_text().split()
    if int(code):
        raise SystemExit(f"{tool.name} ended with {code}:\n{log.read_text()[-2000:]}")
    return Cost(float(seconds), float(megabytes))


def count(tool: Tool) -> Written:
    """Devices and lines of configuration of what the tool wrote last: no empty lines, no separators."""
    lines, devices, leaf = 0, set[str](), ""
    for name, text in TEXTS[tool.name](tool.out):
        devices.add(name)
        lines += sum(1 for line in text.splitlines() if line.strip() not in SEPARATORS)
        leaf += text if name.endswith("leaf-000") else ""
    counts = {"BGP sessions": len(set(NEIGHBOR.findall(leaf)))}
    counts |= {what: len(pattern.findall(leaf)) for what, pattern in PER_LEAF.items()}
    return Written(len(devices), lines, counts)


def texts_of_fabricgen(out: Path) -> Iterator[tuple[str, str]]:
    """Name of a switch, its configuration."""
    for path in sorted(out.glob("*/startup-config")):
        yield path.parent.name, path.read_text()


def texts_of_avd(out: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(out.glob("*.cfg")):
        yield path.stem, path.read_text()


def texts_of_netlab(out: Path) -> Iterator[tuple[str, str]]:
    """A node has several: what it starts from, addresses, and a file for each module."""
    for path in sorted((out / "node_files").glob("*/*")):
        yield path.parent.name, path.read_text()


TEXTS: dict[str, Callable[[Path], Iterator[tuple[str, str]]]] = {
    FABRICGEN: texts_of_fabricgen,
    AVD: texts_of_avd,
    NETLAB: texts_of_netlab,
}
