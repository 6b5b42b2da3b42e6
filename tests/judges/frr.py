"""Judge the text of frr.conf with FRR itself: text to complaints, and to what real daemons made of it.

Two judges. `dry_run` parses every line against the command trees of all daemons. `load` starts real daemons in a
network namespace without links, gives them the text as a switch's own start does, and reads the configuration back:
the only way to see a peer group that is missing or a line that a daemon dropped.

Both are of the host's FRR; `load` and `wire` take newer daemons, too, which are unpacked beside the system.

`paths` and `differences` compare the text with what was read back. What they pass over, and why, is in OMITTED.
"""

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

DAEMONS = ("zebra", "staticd", "bfdd", "bgpd")  # zebra first: the others connect to it
PROGRAMS = Path("/usr/lib/frr")
UNPACKED = Path(os.environ.get("FABRICGEN_FRR", "/var/lib/fabricgen/frr-10.3"))
"""Where .ci/lab-deps.sh has put newer daemons."""
PROFILE = "datacenter"
START_SECONDS = 90
COMMAND_SECONDS = 120
STOP_SECONDS = 5

# What is printed beside complaints: vtysh's verdict on the whole file and its talk with the daemons, and staticd's
# remark on a route of a VRF that is not in the kernel, as here none is.
TALK = re.compile(
    r"^(Configuration file\[|Waiting for children|\[\d+\|\w+\] (sending|done)"
    r"|Static Route to \S+ not installed currently because dependent config not fully available)"
)
# FRR prints `router bgp` before the route-maps it names, so a file in FRR's own order draws this for each.
FORWARD = re.compile(r"^The route-map '(\S+)' does not exist\.$")

# Lines that are no configuration of the daemons, so they are not compared. Each is (pattern, reason).
OMITTED = (
    (r"!.*|end", "separators and comments"),
    (r"exit.*", "leaves a block; the indentation tells as much"),
    (r"Building configuration\.\.\.|Current configuration:", "header of `show running-config`"),
    (r"frr version .*", "the release that reads it, not the one it was written for"),
    (r"hostname .*", "vtysh adds a line of its own for the host it runs on"),
    (r"service integrated-vtysh-config|no service integrated-vtysh-config", "a setting of vtysh, in vtysh.conf"),
)
_OMITTED = re.compile("|".join(f"(?:{pattern})" for pattern, _ in OMITTED))
_HOSTNAME = re.compile(r"^hostname (\S+)$", re.MULTILINE)


class Daemons(NamedTuple):
    """Daemons of one release: the folder that they are in, and their vtysh."""

    release: str
    folder: Path
    vtysh: str


HOST = Daemons("8.4", PROGRAMS, "vtysh")
NEWER = Daemons("10.3", UNPACKED / "bin", str(UNPACKED / "bin" / "vtysh"))
RELEASES = (HOST, NEWER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A text in running daemons, valid inside the `with load(...)` that made it.

    complaints  what vtysh and the daemons said to the text, in their order; () when it was accepted
    running     `show running-config` after the load
    """

    namespace: str
    hostname: str
    complaints: tuple[str, ...]
    running: str
    daemons: Daemons = HOST

    def show(self, command: str) -> str:
        """What vtysh prints for one command, such as `show bgp summary json`."""
        return _vtysh(self.daemons, self.namespace, self.hostname, "-c", command)

    def configure(self, lines: Iterable[str]) -> str:
        """What vtysh says to lines typed one by one."""
        return _vtysh(self.daemons, self.namespace, self.hostname, *(word for line in lines for word in ("-c", line)))


def available(daemons: Daemons = HOST) -> str | None:
    """Why this judge cannot work here, or None when it can."""
    if os.geteuid() != 0:
        return "FRR's daemons in a network namespace need root"
    absent = [name for name in DAEMONS if not (daemons.folder / name).is_file()]
    absent += [name for name in ("vtysh", "ip", "nsenter", "unshare", "hostname") if shutil.which(name) is None]
    if absent:
        return f"FRR {daemons.release} is not installed: {', '.join(absent)}: run make lab-deps"
    return None


def needed(daemons: Daemons) -> pytest.MarkDecorator:
    """Mark of a test that is skipped without these daemons."""
    reason = available(daemons)
    return pytest.mark.skipif(reason is not None, reason=f"judge: {reason}")


def dry_run(text: str) -> tuple[str, ...]:
    """Complaints of `vtysh -C` as `line N: % ...`; () when every line is known to some daemon.

    The output is judged: FRR 8.4 exits 0 although it refused lines.
    """
    with tempfile.TemporaryDirectory(prefix="frr-judge-") as folder:
        path = Path(folder) / "frr.conf"
        path.write_text(text)
        return _complaints(_run(["vtysh", "-C", "-f", str(path)]), text)


@contextmanager
def load(text: str, vrfs: tuple[str, ...] = (), daemons: Daemons = HOST) -> Iterator[Loaded]:
    """Start the daemons on a text, and stop them and remove all traces on leaving.

    Interfaces named in the text need not exist. Forwarding is on, as on a switch. Raises RuntimeError when the daemons
    themselves do not start.

    vrfs  VRFs that are to be there. Each is an empty network namespace (zebra -n), as not every kernel has VRF devices
    """
    with ExitStack() as stack:
        yield _load(stack, _new_namespace(stack), text, vrfs, daemons)


class Link(NamedTuple):
    """A cable between two switches: each end a switch's name and its port."""

    near: tuple[str, str]
    far: tuple[str, str]


@contextmanager
def wire(
    texts: Mapping[str, str],
    addresses: Mapping[str, Mapping[str, Iterable[str]]],
    links: Iterable[Link],
    daemons: Daemons = HOST,
) -> Iterator[Mapping[str, Loaded]]:
    """Start several switches with cables between them, and remove all on leaving.

    texts      switch → frr.conf
    addresses  switch → interface → addresses with length; interfaces without a cable are passed over, but lo
    """
    with ExitStack() as stack:
        namespaces = {name: _new_namespace(stack) for name in texts}
        for link in links:
            _cable(*((namespaces[name], port) for name, port in (link.near, link.far)))
        for name, namespace in namespaces.items():
            _number(namespace, addresses[name])
        yield {name: _load(stack, namespaces[name], text, (), daemons) for name, text in texts.items()}


def _cable(near: tuple[str, str], far: tuple[str, str]) -> None:
    (one, port), (other, peer) = near, far
    _must("ip", "link", "add", "name", port, "netns", one, "type", "veth", "peer", "name", peer, "netns", other)
    for namespace, end in (near, far):
        _must("ip", "-n", namespace, "link", "set", end, "up")


def _number(namespace: str, addresses: Mapping[str, Iterable[str]]) -> None:
    present = {link["ifname"] for link in json.loads(_run(["ip", "-n", namespace, "-j", "link"]))}
    for port, found in addresses.items():
        for address in found if port in present else ():
            _must("ip", "-n", namespace, "addr", "add", address, "dev", port)


def _must(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=COMMAND_SECONDS)


def _load(stack: ExitStack, namespace: str, text: str, vrfs: tuple[str, ...], daemons: Daemons) -> Loaded:
    named = _HOSTNAME.search(text)
    hostname = named.group(1) if named else "judge"
    _make_folders(stack, namespace, text)
    _start_daemons(stack, namespace, hostname, vrfs, daemons)
    complaints = _complaints(_vtysh(daemons, namespace, hostname, "-b"), text)
    running = _vtysh(daemons, namespace, hostname, "-c", "show running-config")
    return Loaded(namespace=namespace, hostname=hostname, complaints=complaints, running=running, daemons=daemons)


def paths(text: str) -> frozenset[tuple[str, ...]]:
    """Every line with the blocks it stands in, outermost first, by FRR's own indentation of one space a level."""
    found: set[tuple[str, ...]] = set()
    blocks: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or _OMITTED.fullmatch(line):
            continue
        depth = len(raw) - len(raw.lstrip())
        blocks = [block for block in blocks if block[0] < depth]
        found.add((*(block[1] for block in blocks), line))
        blocks.append((depth, line))
    return frozenset(found)


def differences(text: str, running: str) -> tuple[str, ...]:
    """What a text and the configuration read back do not share: `- lost` and `+ added`, sorted; () when they agree."""
    wanted, present = paths(text), paths(running)
    lost = [f"- {' / '.join(path)}" for path in sorted(wanted - present)]
    added = [f"+ {' / '.join(path)}" for path in sorted(present - wanted)]
    return (*lost, *added)


def _complaints(output: str, text: str) -> tuple[str, ...]:
    """Lines of vtysh's output that speak against the text."""
    defined = set(re.findall(r"^route-map (\S+) ", text, re.MULTILINE))
    kept = []
    for raw in output.splitlines():
        line = raw.strip()
        forward = FORWARD.match(line)
        if not line or TALK.match(line) or (forward and forward.group(1) in defined):
            continue
        kept.append(line)
    return tuple(kept)


def _run(command: list[str]) -> str:
    """Output of a command, standard error last; the exit status is not looked at."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False)
    return done.stdout + done.stderr


def _as_switch(namespace: str, hostname: str, *command: str) -> list[str]:
    """A command line that runs in the namespace, under the switch's own host name."""
    script = 'hostname "$0" && exec "$@"'
    return ["nsenter", f"--net=/run/netns/{namespace}", "unshare", "--uts", "sh", "-c", script, hostname, *command]


def _vtysh(daemons: Daemons, namespace: str, hostname: str, *arguments: str) -> str:
    return _run(_as_switch(namespace, hostname, daemons.vtysh, "-N", namespace, *arguments))


def _new_namespace(stack: ExitStack) -> str:
    namespace = f"frrjudge{os.getpid()}x{secrets.token_hex(3)}"
    subprocess.run(["ip", "netns", "add", namespace], check=True, capture_output=True, timeout=COMMAND_SECONDS)
    stack.callback(_run, ["ip", "netns", "delete", namespace])
    # zebra prints `no ip forwarding` where the kernel does not forward.
    on = ("net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding", "net.ipv4.fib_multipath_hash_policy")
    off = ("net.ipv6.conf.all.accept_dad", "net.ipv6.conf.default.accept_dad", "net.ipv4.conf.default.rp_filter")
    writes = [
        f"echo {value} >/proc/sys/{name.replace('.', '/')}" for value, names in ((1, on), (0, off)) for name in names
    ]
    script = " && ".join(["ip link set lo up", *writes])
    subprocess.run(
        ["ip", "netns", "exec", namespace, "sh", "-c", script],
        check=True,
        capture_output=True,
        timeout=COMMAND_SECONDS,
    )
    return namespace


def _make_folders(stack: ExitStack, namespace: str, text: str) -> None:
    """FRR's configuration and run folders of this namespace, owned by its user."""
    for parent in ("/etc/frr", "/var/run/frr"):
        folder = Path(parent) / namespace
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.chown(folder, "frr", "frr")
    for name, content in (("frr.conf", text), ("vtysh.conf", "service integrated-vtysh-config\n")):
        path = Path("/etc/frr") / namespace / name
        path.write_text(content)
        shutil.chown(path, "frr", "frr")


def _hold_vrfs(stack: ExitStack, namespace: str, hostname: str, vrfs: tuple[str, ...]) -> list[str]:
    """Start a process whose /run/netns holds the VRFs and nothing else; the command words that enter it."""
    makes = " && ".join(["mount -t tmpfs none /run/netns", *(f"ip netns add {vrf}" for vrf in vrfs)])
    script = f'hostname "$0" && {makes} && echo ready && exec sleep 3600'
    words = ["nsenter", f"--net=/run/netns/{namespace}", "unshare", "--mount", "--uts", "--propagation", "private"]
    holder = subprocess.Popen([*words, "sh", "-c", script, hostname], stdout=subprocess.PIPE)
    stack.callback(_stop, holder)
    if holder.stdout is None or holder.stdout.readline() != b"ready\n":
        raise RuntimeError(f"no namespaces for {', '.join(vrfs)}")
    stack.callback(holder.stdout.close)
    return ["nsenter", "--target", str(holder.pid), "--mount", "--uts", "--net"]


def _start_daemons(stack: ExitStack, namespace: str, hostname: str, vrfs: tuple[str, ...], daemons: Daemons) -> None:
    """Start each daemon and wait for its command socket. FRR 10 has one more, which must be first."""
    first = ("mgmtd",) if (daemons.folder / "mgmtd").is_file() else ()
    folder = Path("/var/run/frr") / namespace
    inside = _hold_vrfs(stack, namespace, hostname, vrfs) if vrfs else []
    for name in (*first, *DAEMONS):
        program = [str(daemons.folder / name), "-F", PROFILE, "-N", namespace, "-A", "127.0.0.1"]
        with (folder / f"{name}.out").open("wb") as log:
            if inside:
                command = [*inside, *program, *(("-n",) if name == "zebra" else ())]
            else:
                command = _as_switch(namespace, hostname, *program)
            daemon = subprocess.Popen(command, stdout=log, stderr=log)
        stack.callback(_stop, daemon)
        _await_socket(folder, name, daemon)


def _await_socket(folder: Path, name: str, daemon: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not (folder / f"{name}.vty").exists():
        if daemon.poll() is not None or time.monotonic() > deadline:
            said = (folder / f"{name}.out").read_text()
            raise RuntimeError(f"{name} did not start: exit status {daemon.returncode}: {said}")
        time.sleep(0.01)


def _stop(daemon: subprocess.Popen[bytes]) -> None:
    """End one process that this module started, by force if it does not listen."""
    daemon.send_signal(signal.SIGTERM)
    try:
        daemon.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait(START_SECONDS)
