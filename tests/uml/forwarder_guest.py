"""Inside the second kernel: two leaves of real FRR, a server on a bond over both, and who forwards its broadcast.

guest arguments: a folder, where `lines.json` has what the platform `frr` renders for the segment: healthy, drained
written there: seen.json: step → leaf → "df", "non-df", or "" while its mate hears of no segment from it

No spine: both leaves speak EVPN over one cable. It is bonding and an Ethernet segment that need this kernel.
"""

import json
import subprocess
import sys
from pathlib import Path

from tests.frr.waiting import becomes
from tests.uml.guest import tell

LEAVES = {"leaf0": "10.0.0.1", "leaf1": "10.0.0.2"}
PROGRAMS = Path("/usr/lib/frr")
MAC = "02:00:00:00:00:aa"


def do(*words: str) -> str:
    """Run a command; its output. One that fails ends the job."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def inside(name: str, line: str) -> str:
    """The same in a namespace."""
    return do("ip", "netns", "exec", name, *line.split())


def wire() -> None:
    """Namespaces, the cable between the leaves, and a server with a link to each."""
    for name in (*LEAVES, "server"):
        do("ip", "netns", "add", name)
        inside(name, "ip link set lo up")
    do(*["ip", "link", "add", "swp9", "netns", "leaf0", "type", "veth", "peer", "name", "swp9", "netns", "leaf1"])
    inside("server", f"ip link add bond0 address {MAC} type bond mode 802.3ad miimon 100 lacp_rate fast")
    for at, (name, vtep) in enumerate(LEAVES.items()):
        do(*f"ip link add swp1 netns {name} type veth peer name port{at} netns server".split())
        inside("server", f"ip link set port{at} down master bond0")
        for line in (
            f"ip address add {vtep}/32 dev lo",
            f"ip address add 192.0.2.{at}/31 dev swp9",
            "ip link set swp9 up",
            f"ip route add {LEAVES['leaf1' if at == 0 else 'leaf0']}/32 via 192.0.2.{1 - at}",
            "ip link add bridge type bridge vlan_filtering 1 vlan_default_pvid 0",
            "ip link set bridge up",
            "ip link add bond1 type bond mode 802.3ad miimon 100 lacp_rate fast ad_actor_system 44:38:39:ff:00:01",
            "ip link set swp1 down master bond1",
            "ip link set swp1 up",
            "ip link set bond1 up master bridge",
            "bridge vlan add dev bond1 vid 20 pvid untagged",
            f"ip link add vni20 type vxlan id 20 dstport 4789 local {vtep} nolearning",
            "ip link set vni20 up master bridge",
            "bridge vlan add dev vni20 vid 20 pvid untagged",
            "bridge vlan add dev bridge vid 20 self",
            "ip link add link bridge name vlan20 type vlan id 20",
            "ip link set vlan20 up",
        ):
            inside(name, line)
    for port in ("port0", "port1", "bond0"):
        inside("server", f"ip link set {port} up")


def start(lines: str) -> None:
    """Zebra and bgpd of both leaves."""
    for at, (name, vtep) in enumerate(LEAVES.items()):
        for folder in (Path("/etc/frr") / name, Path("/run/frr") / name):
            folder.mkdir(parents=True, exist_ok=True)
            do("chown", "frr:frr", str(folder))
        for program, text in (
            ("zebra", lines),
            (
                "bgpd",
                f"router bgp {65001 + at}\n bgp router-id {vtep}\n no bgp default ipv4-unicast\n"
                f" no bgp ebgp-requires-policy\n neighbor 192.0.2.{1 - at} remote-as {65002 - at}\n"
                f" neighbor 192.0.2.{1 - at} timers 3 9\n address-family l2vpn evpn\n"
                f"  neighbor 192.0.2.{1 - at} activate\n  advertise-all-vni\n exit-address-family\nexit\n",
            ),
        ):
            file = Path("/etc/frr") / name / f"{program}.conf"
            file.write_text(text)
            do("chown", "frr:frr", str(file))
            inside(name, f"{PROGRAMS / program} -d -N {name} -f {file}")


def vty(name: str, *commands: str) -> str:
    """Vtysh of a leaf."""
    words = [word for command in commands for word in ("-c", command)]
    return do("ip", "netns", "exec", name, "vtysh", "-N", name, *words)


def forwarders() -> dict[str, str]:
    """Leaf → its part in the election; empty where its mate hears of no segment from it."""
    rows = {name: json.loads(vty(name, "show evpn es detail json") or "[]") for name in LEAVES}
    own = {name: next((row for row in found if "local" in row["flags"]), None) for name, found in rows.items()}
    found = {}
    for (name, vtep), mate in zip(LEAVES.items(), reversed(LEAVES), strict=True):
        mine, its = own[name], own[mate]
        is_heard = its is not None and vtep in {row["vtep"] for row in its.get("vteps", [])}
        found[name] = "" if mine is None or not is_heard else "non-df" if "nonDF" in mine["flags"] else "df"
    return found


def say(name: str, lines: str) -> None:
    """Give a leaf these lines, as a reload of its file does; a preference that is not in them goes."""
    more = [line.strip() for line in lines.splitlines() if line.strip() and not line.startswith(("!", "exit"))]
    if "es-df-pref" not in lines:
        more.append("no evpn mh es-df-pref")
    vty(name, "configure terminal", *more)


def main() -> None:
    """Drain the forwarder and bring it back, step by step."""
    folder = Path(sys.argv[1])
    lines = json.loads((folder / "lines.json").read_text())
    tell("wiring")
    wire()
    start(lines["healthy"])
    seen: dict[str, dict[str, str]] = {}

    def step(name: str, wanted: dict[str, str]) -> None:
        tell(f"{name}: {forwarders()}")
        try:
            becomes(wanted, forwarders)
        finally:
            seen[name] = forwarders()
            (folder / "seen.json").write_text(json.dumps(seen, indent=1))

    step("healthy", {"leaf0": "df", "leaf1": "non-df"})
    say("leaf0", lines["drained"])
    step("lowered", {"leaf0": "non-df", "leaf1": "df"})
    inside("leaf0", "ip link set swp1 down")
    step("ports down", {"leaf0": "", "leaf1": "df"})
    inside("leaf0", "ip link set swp1 up")
    step("ports up", {"leaf0": "non-df", "leaf1": "df"})
    say("leaf0", lines["healthy"])
    step("returned", {"leaf0": "df", "leaf1": "non-df"})


if __name__ == "__main__":
    main()
