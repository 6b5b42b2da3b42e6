"""Drivers for switches of the live fabric, and what runs beside FRR on them: lldpd and sshd."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from napalm import get_network_driver

from napalm_frr import FRRDriver
from tests.judges.frr import Loaded

SECONDS = 60
STOP_SECONDS = 5


def zebra(switch: Loaded) -> Path:
    """The process of its zebra, whose namespaces are the switch's."""
    return Path("/proc") / Path(f"/var/run/frr/{switch.namespace}/zebra.pid").read_text().strip()


def arguments(switch: Loaded, state: Path, **more: object) -> dict[str, object]:
    """The driver's optional_args for the local transport."""
    return {
        "transport": "local",
        "namespace": switch.namespace,
        "uts": str(zebra(switch) / "ns" / "uts"),
        "pathspace": switch.namespace,
        "state_dir": str(state),
        **more,
    }


@contextmanager
def opened(switch: Loaded, state: Path, **more: object) -> Iterator[FRRDriver]:
    """A driver, open, over the local transport."""
    driver = get_network_driver("frr")(
        switch.hostname, "", "", timeout=SECONDS, optional_args=arguments(switch, state, **more)
    )
    driver.open()
    try:
        yield driver
    finally:
        driver.close()


def inside(switch: Loaded, *command: str) -> list[str]:
    """A command line that runs in the switch's network and UTS namespaces."""
    return ["nsenter", f"--net=/run/netns/{switch.namespace}", f"--uts={zebra(switch)}/ns/uts", *command]


def kernel(switch: Loaded, *words: str) -> list[dict[str, Any]]:
    """Rows of `ip -j` in the switch."""
    done = subprocess.run(inside(switch, "ip", "-j", *words), capture_output=True, text=True, timeout=120, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout or "[]")
    return found


def tunnel(switch: Loaded, vni: int, source: str) -> None:
    """A VXLAN device in a bridge of its own, from this address."""
    for words in (
        f"link add br{vni} type bridge",
        f"link set br{vni} addrgenmode none up",
        f"link add vni{vni} type vxlan id {vni} local {source} dstport 4789 nolearning",
        f"link set vni{vni} master br{vni} addrgenmode none up",
    ):
        subprocess.run(["ip", "-n", switch.namespace, *words.split()], check=True, capture_output=True, timeout=120)


def devices(switch: Loaded, prefix: str) -> set[str]:
    """Ports over which the kernel forwards to a prefix."""
    rows = kernel(switch, "route", "show", prefix)
    return {hop["dev"] for row in rows for hop in row.get("nexthops", [row]) if "dead" not in hop.get("flags", ())}


@contextmanager
def lldp(switch: Loaded) -> Iterator[str]:
    """An lldpd of this switch alone; its socket. It sends every second."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="frr-lldp-")))
        shutil.chown(folder, "_lldpd")
        folder.chmod(0o755)
        (folder / "lldpd.conf").write_text("configure lldp portidsubtype ifname\nconfigure lldp tx-interval 1\n")
        script = (
            'mkdir -p /run/lldpd && mount -t tmpfs none /run/lldpd && exec lldpd -d -u "$0" -I "swp*" -C lo,swp1 -k \
-S "switch of a test" -O "$1"'
        )
        words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script]
        command = inside(switch, *words, str(folder / "socket"), str(folder / "lldpd.conf"))
        with (folder / "log").open("wb") as log:
            daemon = subprocess.Popen(command, stdout=log, stderr=log)
        stack.callback(stop, daemon)
        await_path(folder / "socket", daemon, folder / "log")
        yield str(folder / "socket")


class Server(NamedTuple):
    """Where this host reaches the sshd of a switch.

    key    of the user root, who alone may log in
    known  file with its host key; `wrong` has another
    authorized  file of the keys that it lets in
    """

    port: int
    key: Path
    known: Path
    wrong: Path
    authorized: Path


@contextmanager
def sshd(switch: Loaded) -> Iterator[Server]:
    """A real sshd in the switch, with keys of its own, at a port of this host's loopback."""
    with sshd_files() as folder:
        command = inside(switch, "/usr/sbin/sshd", "-i", "-e", "-f", str(folder / "config"))
        with serving(command, folder / "log") as port:
            yield _server(folder, f"[127.0.0.1]:{port}", port)


@contextmanager
def managed(switch: Loaded) -> Iterator[Server]:
    """A real sshd in the switch that this host reaches at ADDRESS, from SOURCE, over a cable of its own."""
    near, far = f"fgm{os.getpid()}", f"fgs{os.getpid()}"
    made = (
        f"link add {near} type veth peer name {far} netns {switch.namespace}",
        f"address add {SOURCE}/30 dev {near}",
        f"link set {near} up",
        f"-n {switch.namespace} address add {ADDRESS}/30 dev {far}",
        f"-n {switch.namespace} link set {far} up",
    )
    with sshd_files() as folder, ExitStack() as stack:
        stack.callback(subprocess.run, ["ip", "link", "delete", near], check=False, capture_output=True, timeout=120)
        for words in made:
            subprocess.run(["ip", *words.split()], check=True, capture_output=True, timeout=120)
        options = ["-o", f"ListenAddress={ADDRESS}:22", "-D", "-e", "-f", str(folder / "config")]
        with (folder / "log").open("wb") as log:
            daemon = subprocess.Popen(inside(switch, "/usr/sbin/sshd", *options), stdout=log, stderr=log)
        stack.callback(stop, daemon)
        deadline = time.monotonic() + SECONDS
        while "Server listening" not in (folder / "log").read_text():
            if daemon.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"sshd did not start: {(folder / 'log').read_text()}")
            time.sleep(0.02)
        yield _server(folder, ADDRESS, 22)


SOURCE, ADDRESS = "198.51.100.1", "198.51.100.2"
"""Of this host and of the switch, on the cable between them (RFC 5737)."""


@contextmanager
def sshd_files() -> Iterator[Path]:
    """A folder with keys and the configuration of an sshd; `authorized` lists who may log in."""
    with tempfile.TemporaryDirectory(prefix="frr-sshd-") as name:
        folder = Path(name)
        for key in ("host", "user", "other"):
            keygen = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", key, "-f", str(folder / key)]
            subprocess.run(keygen, check=True, capture_output=True, timeout=120)
        shutil.copy(folder / "user.pub", folder / "authorized")
        (folder / "config").write_text(
            f"HostKey {folder}/host\nAuthorizedKeysFile {folder}/authorized\n"
            "PermitRootLogin yes\nUsePAM no\nStrictModes no\nPidFile none\nPasswordAuthentication yes\n"
            # To bash a shell inside another, which leaves the ~/.bashrc of this host's root alone.
            "SetEnv SHLVL=1\n"
        )
        # The folder that Debian's unit makes for sshd's unprivileged part; it stays, empty, as after any start of it.
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        yield folder


def _server(folder: Path, name: str, port: int) -> Server:
    """Where it is reached: a host as known_hosts names it, and its port."""
    for file, key in (("known", "host"), ("wrong", "other")):
        words = (folder / f"{key}.pub").read_text().split()[:2]
        (folder / file).write_text(f"{name} {' '.join(words)}\n")
    return Server(port, folder / "user", folder / "known", folder / "wrong", folder / "authorized")


@contextmanager
def serving(command: list[str], log: Path) -> Iterator[int]:
    """A port of this host's loopback; for each connection the command runs, as inetd would start it."""
    children: list[subprocess.Popen[bytes]] = []

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection, log.open("ab") as errors:
                at = connection.fileno()
                children.append(subprocess.Popen(command, stdin=at, stdout=at, stderr=errors))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(STOP_SECONDS)
            for child in children:
                stop(child)


def await_path(path: Path, daemon: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a daemon has made its file."""
    deadline = time.monotonic() + SECONDS
    while not path.exists():
        if daemon.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{daemon.args!r} did not start: {log.read_text()}")
        time.sleep(0.02)


def stop(daemon: subprocess.Popen[bytes]) -> None:
    """End one process that a test started."""
    daemon.send_signal(signal.SIGTERM)
    try:
        daemon.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait(SECONDS)
