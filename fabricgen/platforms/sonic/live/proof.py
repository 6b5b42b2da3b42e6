"""Claims about community SONiC that can be tried on one switch. None has been seen on a switch yet."""

import json

from fabricgen.platforms.base.live.proof import MARK, Flaps, PlatformClaim, ProbeLines, ProofTable, Trial
from fabricgen.platforms.base.live.reader import JSON, Outputs, ReadCommand
from fabricgen.platforms.linux.live import flaps as of_linux
from fabricgen.platforms.linux.live.daemons import NEIGHBORS as FRR_NEIGHBORS
from fabricgen.platforms.sonic.live.asked import NEIGHBORS


def flaps(outputs: Outputs) -> Flaps:
    """Return how often each BGP session fell, as FRR counts it. Counters of ports are the chip's and are not read."""
    neighbors = outputs.get(NEIGHBORS)
    return of_linux.flaps({FRR_NEIGHBORS: neighbors}) if neighbors is not None else {}


def _port(name: str) -> str:
    return json.dumps({"PORT": {name: {"admin_status": "down"}}})


SONIC = ProofTable(
    system="sonic",
    probe=ProbeLines(
        adds=(f"PREFIX_SET / {MARK}  mode: IPv4",),
        lines=json.dumps({"PREFIX_SET": {MARK: {"mode": "IPv4"}}}),
        removes=f"""sudo sonic-db-cli CONFIG_DB DEL 'PREFIX_SET|{MARK}'; sudo config save -y""",
        wrong="",
        port=_port,
    ),
    flap_reads=(ReadCommand("bgp", NEIGHBORS, JSON),),
    flaps=flaps,
    access=(r"^(?:MGMT_\w+|TACPLUS\w*|RADIUS\w*|LDAP\w*|AAA|SSH_SERVER) /", r"\beth0\b"),
    management=r"eth0|Loopback\d+|Vlan\d+",
    claims=(
        PlatformClaim(Trial.READ, "fabricgen/platforms/sonic/live/reader.py, asked.py: forms with their sources"),
        PlatformClaim(
            Trial.SECRETS,
            "sonic-system-tacacs, sonic-bgp-common: CONFIG_DB keeps what was written",
            words="Secrets come back in clear text, and fabricgen shows none of them.",
            shows=frozenset({"clear"}),
        ),
        PlatformClaim(Trial.COMPARE, "fabricgen/platforms/sonic/live/target.py: worked out from both databases"),
        PlatformClaim(Trial.EMPTY, "fabricgen/platforms/sonic/live/target.py"),
        PlatformClaim(
            Trial.UNSAVED, "fabricgen/platforms/sonic/napalm_driver/device_side.py: saved when it is confirmed"
        ),
        PlatformClaim(
            Trial.SECOND,
            "fabricgen/platforms/sonic/napalm_driver/lease_scripts.py",
            words="Another session sees name and seconds of a commit that waits; fabricgen commits nothing over it.",
            shows=frozenset({"token", "seconds", "refused"}),
        ),
        PlatformClaim(
            Trial.HITLESS,
            "sonic-routing-policy-sets.yang: a set to which nothing refers; no table of costs for SONiC",
            seconds=0,
            unsure="measured nowhere",
        ),
        PlatformClaim(
            Trial.TIMER,
            "platforms/sonic/napalm_driver/device_side.py: a transient timer of systemd; 60 s are allowed to go back",
            seconds=60,
            unsure="how long `config rollback` takes is in no source",
        ),
        PlatformClaim(
            Trial.REVERT, "fabricgen/platforms/sonic/napalm_driver/lifecycle.py: `config rollback` to the checkpoint"
        ),
        PlatformClaim(Trial.KILL_WAITING, "systemd-run(1): the timer is systemd's"),
        PlatformClaim(
            Trial.KILL_COMMITTING,
            "fabricgen/platforms/sonic/napalm_driver/device_side.py: the timer is armed before the updater begins",
            unsure="the updater changes CONFIG_DB part by part; that its rollback mends a half change was not seen",
        ),
        PlatformClaim.interruption(Trial.PORT, "sonic", 150),
        PlatformClaim(Trial.CONFIRM, "fabricgen/platforms/sonic/napalm_driver/device_side.py: `config save`"),
        PlatformClaim(Trial.REPLACE, "sonic-utilities 691b1bbc, config/main.py, replace"),
        PlatformClaim(Trial.VERIFY, "fabricgen/platforms/sonic/live/drift.py"),
        PlatformClaim(Trial.DRAIN, "fabricgen/platforms/sonic/live/drain.py; RFC 8326"),
        PlatformClaim(Trial.RESTORED, "all of the above"),
    ),
)
