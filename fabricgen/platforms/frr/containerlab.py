"""FRR in containerlab: kind `linux` with binds up to 0.79, kind `frr` from 0.80. A script of `ip` makes the interfaces.

Sources, read on 2026-11-21; nothing here was deployed:
C  containerlab, nodes/frr (0.80, 0.81) and docs/manual/kinds/frr.md, release notes 0.80 and 0.81, pull request 3382:
   the kind mounts a folder of its own over /etc/frr, writes `daemons` and `vtysh.conf` itself, takes frr.conf as the
   startup configuration and the daemons from `extras.frr.daemons` (0.80) or `daemons` (0.81). Its manual names ports
   ethN; its code takes any name (nodes/default_node.go looks for doubles only).
I  FRRouting/frr, docker/alpine and alpine/APKBUILD.in: the image has iproute2, python3 and bash, neither ifupdown2 nor
   lldpd. Only the images made for containerlab (from FRR 10.7.1) have an SSH server.
S  FRRouting/frr docker/containerlab/README.md, containerlab docs/manual/kinds/frr.md: in those images `root` has a
   shell and accepts keys only; kind `frr` installs the public keys of the host for it. `admin` (password `admin`, set
   by containerlab) has vtysh as its login shell. Our driver runs programs in a shell, so it logs in as root. Kind
   `linux` installs no keys (39ff2b7, nodes/linux), and the images have no password.
M  FRR 8.4.4, measured: `frr defaults datacenter` in a frr.conf that vtysh loads is in force without `-F`, which the
   kind's own `daemons` file lacks. 35 to 40 MiB per switch (docs/lab.md; netlab discussion 3844 has 35 MB).
The script does what ifupdown2 does with the rendered `interfaces` (ip-link(8), bridge(8)).
"""

import re
import shlex
from collections.abc import Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.base.container_trims import always
from fabricgen.platforms.base.containerlab import Access, Bind, Container, Estimate, NodeKind, Nodes, Omission
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.linux.frr_releases import WITHDRAWALS_IN_ORDER
from fabricgen.platforms.linux.interfaces import (
    VrfDevice,
    addresses,
    bonds,
    bridge,
    management_vrf,
    ports,
    svis,
    tunnels,
    vrf_devices,
)

CONF, DAEMONS, VTYSH, SCRIPT = "frr.conf", "daemons", "vtysh.conf", "interfaces.sh"
FOLDER = "frr"
"""Mounted as a whole: FRR saves by renaming, which a single mounted file does not allow (nodes/frr/frr.go)."""
VXLAN_PORT = 4789
FIRST_TABLE = 1001
"""Routing table of the first VRF, as ifupdown2 counts them for `vrf-table auto`."""
OF_THE_HOST = re.compile(r"\.gc_thresh\d$")
"""Settings that a network namespace does not have (arp(7)): the host's values apply."""
IMAGE = "frrouting/frr:v8.4.1"
IMAGE_RELEASE = "8.4"
"""Release of the lines; images of later ones take them, too."""
PLAIN = re.compile(r"(?:^|/)frrouting/frr(?::(?!containerlab-)[\w.-]+)?$")
"""Names of FRR's own images, which have no SSH server; of an image named by its digest only, this is not known."""


def _fit(device: Device) -> Device:
    """The Device without LLDP, as the image has no lldpd, with the lines of the image's release."""
    return device._replace(version=IMAGE_RELEASE, management=device.management._replace(lldp=False))


def _make_linux(device: Device, files: Mapping[str, str]) -> Container:
    etc_frr = {CONF: files[CONF], DAEMONS: files[DAEMONS], VTYSH: "service integrated-vtysh-config\n"}
    return Container(
        ports=_ports(device),
        files={**{f"{FOLDER}/{name}": text for name, text in etc_frr.items()}, SCRIPT: script(device)},
        binds=(Bind(FOLDER, "/etc/frr"), _script_bind()),
        execs=_EXECS,
        keys={"sysctls": settings(files["sysctl.conf"]), "restart-policy": "no"},
    )


def _make_extras(device: Device, files: Mapping[str, str]) -> Container:
    return _make_frr(device, files, {"extras": {"frr": {"daemons": enabled(files[DAEMONS])}}})


def _make_daemons(device: Device, files: Mapping[str, str]) -> Container:
    return _make_frr(device, files, {"daemons": enabled(files[DAEMONS])})


def _make_frr(device: Device, files: Mapping[str, str], keys: Mapping[str, object]) -> Container:
    return Container(
        ports=_ports(device),
        files={CONF: files[CONF], SCRIPT: script(device)},
        startup=CONF,
        binds=(_script_bind(),),
        execs=_EXECS,
        keys={**keys, "sysctls": settings(files["sysctl.conf"])},
    )


_EXECS = (f"sh /etc/fabricgen/{SCRIPT}",)


def _script_bind() -> Bind:
    return Bind(SCRIPT, f"/etc/fabricgen/{SCRIPT}", read_only=True)


def _ports(device: Device) -> dict[str, str]:
    return {row.name: row.name for row in device.interfaces.ethernet}


def enabled(daemons: str) -> list[str]:
    """Daemons that a `daemons` file enables."""
    return re.findall(r"^(\w+d)=yes$", daemons, re.MULTILINE)


def settings(sysctl: str) -> dict[str, str]:
    """Those settings of a sysctl.conf that a network namespace has."""
    lines = (line.partition("#")[0].partition("=") for line in sysctl.splitlines())
    values = {key.strip(): value.strip() for key, sign, value in lines if sign}
    return {key: value for key, value in values.items() if not OF_THE_HOST.search(key)}


def script(device: Device) -> str:
    """Script that creates a switch's interfaces on existing ports; it stops at the first command that fails."""
    head = f"#!/bin/sh\n# {device.name}: what ifupdown2 makes of the switch's interfaces file, as commands\nset -e\n"
    return head + "".join(f"{line}\n" for line in commands(device))


def commands(device: Device) -> Iterator[str]:
    """Commands in the order in which they must run."""
    vrfs = vrf_devices(device)
    for row in device.interfaces.loopbacks:
        if not row.vrf:
            yield from (f"ip address add {address_of_lo} dev lo" for address_of_lo in addresses(row.ipv4, row.ipv6))
    yield from _management(device)
    for table, vrf in enumerate(vrfs, start=FIRST_TABLE + 1):
        yield f"ip link add name {vrf.name} type vrf table {table}"
        yield f"ip link set dev {vrf.name} up"
    for port in ports(device):
        yield f"ip link set dev {port.name} alias {shlex.quote(port.alias)}"
        yield f"ip link set dev {port.name} mtu {port.mtu}"
        yield from (f"ip address add {address} dev {port.name}" for address in port.addresses)
        yield f"ip link set dev {port.name} {'down' if port.down else 'up'}"
    yield from _bonds(device)
    yield from _bridge(device, vrfs)
    for svi in svis(device, vrfs):
        name = f"vlan{svi.vlan_id}"
        yield f"ip link add link bridge name {name} address {svi.mac} mtu {svi.mtu} type vlan id {svi.vlan_id}"
        yield f"ip link set dev {name} alias {shlex.quote(svi.alias)}"
        yield f"ip link set dev {name} master {svi.vrf}"
        yield from (f"ip address add {address} dev {name}" for address in svi.addresses)
        yield f"ip link set dev {name} up"


def _management(device: Device) -> Iterator[str]:
    """Put the management port into its VRF; docker set its address, and the default route moves with it."""
    vrf, port = management_vrf(device), device.management.port
    yield f"ip link add name {vrf} type vrf table {FIRST_TABLE}"
    yield f"ip link set dev {vrf} up"
    yield from (f"ip address add {loopback} dev {vrf}" for loopback in ("127.0.0.1/8", "::1/128"))
    yield f"ip link set dev {port} master {vrf}"
    yield f"ip route replace default via {device.management.gateway} dev {port} table {FIRST_TABLE}"


def _bonds(device: Device) -> Iterator[str]:
    for bond in bonds(device):
        yield (
            f"ip link add name {bond.name} mtu {bond.row.mtu} type bond mode 802.3ad miimon 100 lacp_rate fast "
            f"xmit_hash_policy layer3+4 min_links 1 ad_actor_system {mac(bond.row.system_id)}"
        )
        for member in bond.row.members:
            yield f"ip link set dev {member} down"
            yield f"ip link set dev {member} master {bond.name}"
            yield f"ip link set dev {member} up"
        yield f"ip link set dev {bond.name} up"


def mac(text: str) -> str:
    """MAC address with colons, from any notation."""
    digits = re.sub(r"[^0-9a-fA-F]", "", text).lower()
    return ":".join(digits[start : start + 2] for start in range(0, len(digits), 2))


def _bridge(device: Device, vrfs: tuple[VrfDevice, ...]) -> Iterator[str]:
    br = bridge(device, vrfs)
    if br is None or device.evpn is None:
        return
    yield f"ip link add name bridge mtu {br.mtu} type bridge vlan_filtering 1 vlan_default_pvid 0 mcast_snooping 0"
    for tunnel in tunnels(device, vrfs):
        name = f"vni{tunnel.vni}"
        yield (
            f"ip link add name {name} mtu {device.evpn.mtu} type vxlan id {tunnel.vni} local {device.evpn.vtep} "
            f"dstport {VXLAN_PORT} nolearning"
        )
        yield from _member(name, (tunnel.vlan_id,), untagged=True)
        suppress = "on" if tunnel.suppress else "off"
        yield f"ip link set dev {name} type bridge_slave learning off neigh_suppress {suppress}"
    for name, vlans, untagged in _switched(device):
        yield from _member(name, vlans, untagged=untagged)
    yield "ip link set dev bridge up"
    yield from (f"bridge vlan add dev bridge vid {vlan} self" for vlan in br.vlan_ids)


def _switched(device: Device) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Ports and bonds of the bridge: (name, VLANs, whether untagged)."""
    rows = [(port.name, port.switching) for port in ports(device) if port.switching]
    for name, switching in (*rows, *((bond.name, bond.row.switching) for bond in bonds(device))):
        access_vlan = switching.access_vlan
        yield name, (access_vlan,) if access_vlan else switching.trunk_vlans, bool(access_vlan)


def _member(name: str, vlans: tuple[int, ...], *, untagged: bool) -> Iterator[str]:
    yield f"ip link set dev {name} addrgenmode none"
    yield f"ip link set dev {name} master bridge"
    yield f"ip link set dev {name} up"
    flags = " pvid untagged" if untagged else ""
    yield from (f"bridge vlan add dev {name} vid {vlan}{flags}" for vlan in vlans)


def _no_key(image: str) -> Access:
    """Access to kind `linux` (S): only an image with a login of its own can be entered."""
    if PLAIN.search(image):
        return Access("plain images of FRR have no SSH server, so NAPALM cannot enter", by_key=True)
    if ":containerlab-" in image:
        return Access("containerlab gives a node of kind linux no key, and the image has no password", by_key=True)
    return Access(by_key=True, note="the image must run an SSH server that takes a key of yours for root")


def _key(image: str) -> Access:
    """Access to kind `frr` (S)."""
    if PLAIN.search(image):
        return Access(
            "plain images of FRR have no SSH server, so NAPALM cannot enter; those that FRR makes for containerlab do "
            "(tag containerlab-10.7.1 and later; name one with --image)",
            by_key=True,
        )
    return Access(
        by_key=True,
        note="root logs in by key; containerlab gives it the public keys of your host, and the image must run an SSH "
        "server. The image's admin is of no use here: its shell is vtysh",
    )


OMISSIONS = (
    Omission(
        "lines of a later release of FRR",
        lambda device: is_at_least(device.version, WITHDRAWALS_IN_ORDER),
        f"the image runs FRR {IMAGE_RELEASE}, and has its lines",
    ),
    Omission("LLDP", lambda device: device.management.lldp, "FRR's image has no lldpd: cables are not verified"),
    Omission(
        "files of ifupdown2, lldpd, chrony, rsyslog, the DHCP relay and the resolver",
        always,
        f"the image has none of them; {SCRIPT} makes the interfaces",
    ),
    Omission("lossless queues", lambda device: device.qos is not None, "links are veth pairs"),
    Omission("limits of the neighbor table (gc_thresh)", always, "they are the host's"),
)
MEMORY = Estimate(40, "measured, FRR 8.4.4 in a large fabric")


def _kind(name: str, since: tuple[int, int], until: tuple[int, int] | None) -> NodeKind:
    makers = {(0, 79): _make_linux, (0, 80): _make_extras, (0, 81): _make_daemons}
    return NodeKind(
        name=name,
        since=since,
        until=until,
        image=IMAGE,
        memory=MEMORY,
        fit=_fit,
        make=makers[since],
        omissions=OMISSIONS,
        user="root",
        options={"ssh_strict": False},  # the host key of a container is new
        access=_no_key if name == "linux" else _key,
    )


KINDS = (
    _kind("linux", (0, 79), (0, 80)),
    _kind("frr", (0, 80), (0, 81)),
    _kind("frr", (0, 81), None),
)

FRR = Nodes(KINDS)
