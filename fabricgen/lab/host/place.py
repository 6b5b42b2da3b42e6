"""Location of a lab on this host: its folder, its run folder, and the namespaces of each switch and server.

The lab's folder alone determines all of them: the id is a digest of its path.
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

RUN = Path("/run/fabricgen")
NETNS = Path("/run/netns")
DEFAULT = ".fabricgen-lab"
"""Default folder of a lab, next to the intent."""
MARK = "FABRICGEN_LAB"
"""Environment variable of every process that a lab starts, to find them again."""
CONFIGURATION, LOGS = "etc-frr", "log"
"""Folders of a switch that are mounted where its daemons expect them: /etc/frr and /var/log/frr."""
NETWORK, SETTINGS, PROGRAMS = "network", "sysctl.d", "sbin"
"""Folders for its interfaces, its settings, and programs that apply them: /etc/network, /etc/sysctl.d, /usr/local/sbin.

The host's own files in /usr/local/sbin are not visible in a switch.
"""


class Space(NamedTuple):
    """Namespaces of one switch or server, kept by files: network (an `ip netns` name), host name and mounts."""

    name: str
    netns: str
    net: Path
    uts: Path
    mount: Path

    def enter(self, *command: str) -> list[str]:
        """Command line that runs a command inside."""
        return ["nsenter", f"--net={self.net}", f"--uts={self.uts}", f"--mount={self.mount}", "--", *command]

    def enter_vrf(self, vrf: str, *command: str) -> list[str]:
        """Command line that runs a command in a tenant's network namespace of a switch."""
        return self.enter("nsenter", f"--net={NETNS / vrf}", "--", *command)


class LabPlace(NamedTuple):
    """One lab on this host."""

    folder: Path
    id: str

    @property
    def run(self) -> Path:
        """Run folder of the lab: record, lock and namespace files."""
        return RUN / self.id

    @property
    def record(self) -> Path:
        """Record of what is made, written before it is made."""
        return self.run / "record.json"

    @property
    def lock(self) -> Path:
        """Lock that is held while the lab is built or taken down."""
        return self.run / "lock"

    @property
    def namespace_files(self) -> Path:
        """Folder of the files that keep namespaces; a mount of its own, as the kernel requires."""
        return self.run / "ns"

    @property
    def prefix(self) -> str:
        """Prefix of the names of this lab's network namespaces."""
        return f"fg{self.id}-"

    def space(self, name: str) -> Space:
        """Namespaces of a switch or server."""
        netns = f"{self.prefix}{name}"
        return Space(
            name, netns, NETNS / netns, self.namespace_files / f"{name}.uts", self.namespace_files / f"{name}.mnt"
        )

    def files(self, name: str) -> Path:
        """Folder of a switch's rendered files, or of a server's."""
        return self.folder / "nodes" / name

    def netns(self) -> Iterator[str]:
        """Names of the network namespaces that exist."""
        if NETNS.is_dir():
            yield from sorted(path.name for path in NETNS.iterdir() if path.name.startswith(self.prefix))


def place_of(folder: Path) -> LabPlace:
    """The lab of a folder, whether it exists or not."""
    resolved = folder.resolve()
    return LabPlace(resolved, sha256(os.fsencode(resolved)).hexdigest()[:6])
