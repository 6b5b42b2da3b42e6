"""Make namespaces of switches and servers, and the cables between them."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from zlib import crc32

from fabricgen.lab.host.place import CONFIGURATION, LOGS, NETNS, NETWORK, PROGRAMS, SETTINGS, LabPlace, Space
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.model.lab import PLAIN, Lab, LabLink, LabNic, tagged_name

# Each node has its own /run and /sys. A switch also has its own folders of FRR, interfaces, kernel settings and
# programs (box.py). Messages to the host's log are discarded. Mounts of other labs are unmounted, so that those labs
# can be removed. The first step that fails ends the script. MARKED, the last file written to /run, shows that this /run
# is not the host's.
MARKED = "/run/fabricgen-space"
_BEGIN = """
set -e
if [ "$(readlink /proc/self/ns/mnt)" = "$2" ]; then echo "these are the host's own mounts" >&2; exit 1; fi
hostname "$1"
"""
_OWN = """
if [ -e /dev/log ]; then mount --bind /dev/null /dev/log; fi
umount -l /run/netns /run/fabricgen/*/ns 2>/dev/null || :
mount -t tmpfs -o mode=755 tmpfs /run
if [ "$(stat -c %d /run)" = "$3" ]; then echo "/run is the host's own" >&2; exit 1; fi
mkdir -p /run/netns /run/lldpd /run/lock /run/network
mount -t sysfs sysfs /sys
ip link set dev lo up
"""
_BOX_FOLDERS = """
mount --bind "$4" /etc/frr
mount --bind "$5" /var/log/frr
if [ -d /etc/network ]; then mount --bind "$6" /etc/network; fi
if [ -d /etc/sysctl.d ]; then mount --bind "$7" /etc/sysctl.d; fi
if [ -d /usr/local/sbin ]; then mount --bind "$8" /usr/local/sbin; fi
"""
_FRR_RUN = """
mkdir -p /run/frr
chown frr:frr /run/frr
"""
_SEED = """
if [ -e /proc/sys/net/ipv4/fib_multipath_hash_seed ]; then echo "$9" >/proc/sys/net/ipv4/fib_multipath_hash_seed; fi
"""
"""Each switch gets its own hash seed, as real switches have one. With the seed that all namespaces of a kernel share,
the second switch on a path would send all packets over one of its equal-cost links (Linux 6.11, ip-sysctl)."""
_END = f"""
echo "$1" >{MARKED}
"""
SERVER = _BEGIN + _OWN + _END
SWITCH = _BEGIN + _BOX_FOLDERS + _OWN + _FRR_RUN + _SEED + _END
VRF = f"""
if [ "$(stat -c %d /run)" = "$2" ] || [ "$(cat {MARKED} 2>/dev/null)" != "$1" ]; then
  echo "this is not inside $1" >&2; exit 1
fi
exec ip netns "$3" "$4"
"""
"""Shell lines that add or delete a tenant's network namespace in the switch's own /run/netns, never in the host's."""


def hold(shell: LabShell, place: LabPlace) -> None:
    """Make the folder that keeps namespaces. The kernel binds a mount namespace only below a private mount."""
    NETNS.mkdir(parents=True, exist_ok=True)
    place.namespace_files.mkdir(exist_ok=True)
    for argv in (
        ["mount", "--bind", str(place.namespace_files), str(place.namespace_files)],
        ["mount", "--make-private", str(place.namespace_files)],
    ):
        shell.must(argv, doing="run folder")


def make_space(shell: LabShell, place: LabPlace, name: str, *, has_frr: bool) -> None:
    """Make the namespaces of a switch or server, with its own folders inside. has_frr: it also has those of FRR."""
    space = place.space(name)
    for path in (space.net, space.uts, space.mount):
        path.touch()
    namespace_options = [f"--net={space.net}", f"--uts={space.uts}", f"--mount={space.mount}"]
    argv = ["unshare", *namespace_options, "--propagation", "private"]
    script, folders = SERVER, []
    if has_frr:
        # A seed of 0 would select the random one that all namespaces share (ip-sysctl).
        script, folders = SWITCH, [*_box_folders(place, name), str(crc32(name.encode()) or 1)]
    shell.must(
        [*argv, "sh", "-c", script, "sh", name, str(Path("/proc/self/ns/mnt").readlink()), host_run(), *folders],
        doing=f"namespaces of {name}",
    )


def host_run() -> str:
    """Device of the host's /run, as stat(1) prints it; each switch and server has another one."""
    return str(Path("/run").stat().st_dev)


def make_vrf(shell: LabShell, space: Space, vrf: str, outside: str = "") -> None:
    """Make a tenant's network namespace inside a switch. Raises FabricError where it would be made anywhere else.

    outside  result of `host_run` outside of every switch; by default this process is outside
    """
    shell.must(_vrf(space, "add", vrf, outside), doing=f"VRF {vrf} of {space.name}")


def remove_vrf(shell: LabShell, space: Space, vrf: str, outside: str = "") -> None:
    """Delete such a namespace, if it exists."""
    shell.run(_vrf(space, "delete", vrf, outside))


def _vrf(space: Space, verb: str, vrf: str, outside: str) -> list[str]:
    return space.enter("sh", "-c", VRF, "sh", space.name, outside or host_run(), verb, vrf)


def _box_folders(place: LabPlace, name: str) -> Iterator[str]:
    for folder in (CONFIGURATION, LOGS):
        path = place.files(name) / folder
        path.mkdir(parents=True, exist_ok=True)
        shutil.chown(path, "frr", "frr")
        yield str(path)
    for folder in (NETWORK, SETTINGS, PROGRAMS):
        path = place.files(name) / folder
        path.mkdir(parents=True, exist_ok=True)
        yield str(path)


def apply_settings(shell: LabShell, enter: list[str], settings: Mapping[str, str], *, doing: str) -> tuple[str, ...]:
    """Write kernel settings in a namespace; return those that its kernel does not have.

    enter  command line that enters it
    """
    text = "".join(f"{key.replace('.', '/')} {value}\n" for key, value in settings.items())
    script = 'while read -r key value; do echo "$value" 2>/dev/null >"/proc/sys/$key" || echo "$key"; done 2>/dev/null'
    missing = shell.must([*enter, "sh", "-c", script], text, doing=doing)
    return tuple(key.replace("/", ".") for key in missing.split())


def parse_settings(text: str) -> dict[str, str]:
    """Settings of a sysctl.conf: key → value."""
    lines = [line.partition("#")[0].partition("=") for line in text.splitlines()]
    return {key.strip(): value.strip() for key, sign, value in lines if sign}


def make_cables(shell: LabShell, place: LabPlace, lab: Lab, kind: str) -> None:
    """Connect every pair of ports directly between the two namespaces: no end ever appears among the host's interfaces.

    kind  of the kernel; where it cannot tag, a tagged VLAN has its own cable
    """
    mtus = {(device.name, row.name): row.profile.mtu for device in lab.devices for row in device.interfaces.ethernet}
    lines = [_cable(place, link, mtus[link.far]) for link in lab.links]
    if kind == PLAIN:
        lines += [tagged_cable(place, nic, server.name) for server in lab.servers for nic in server.nics if nic.parent]
    shell.must(["ip", "-batch", "-"], "".join(f"{line}\n" for line in lines), doing="cables")


def _cable(place: LabPlace, link: LabLink, mtu: int) -> str:
    near, far = (f"name {end.interface} mtu {mtu} netns {place.space(end.owner).netns}" for end in link)
    return f"link add {near} type veth peer {far}"


def tagged_port(nic: LabNic) -> str:
    """Leaf port that replaces one tagged VLAN of a server port."""
    return tagged_name(nic.port, nic.vlan_id)


def tagged_cable(place: LabPlace, nic: LabNic, server: str) -> str:
    """A cable for one tagged VLAN."""
    near = f"name {nic.name} mtu {nic.mtu} netns {place.space(server).netns}"
    far = f"name {tagged_port(nic)} mtu {nic.mtu} netns {place.space(nic.switch).netns}"
    return f"link add {near} type veth peer {far}"
