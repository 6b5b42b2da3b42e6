"""Claims about Arista EOS that can be tested on one switch. None was seen on a switch yet."""

from fabricgen.platforms.base.live.proof import MARK, NETWORK, Flaps, PlatformClaim, ProbeLines, ProofTable, Trial
from fabricgen.platforms.base.live.reader import JSON, Outputs, ReadCommand

INTERFACES = "show interfaces"


def flaps(outputs: Outputs) -> Flaps:
    """Time of each port's last state change, in whole seconds (napalm/eos/eos.py of 5.2.0, get_interfaces)."""
    output = outputs.get(INTERFACES)
    rows = output.value.get("interfaces") if output is not None and isinstance(output.value, dict) else None
    changes = {}
    for name, row in (rows if isinstance(rows, dict) else {}).items():
        since = row.get("lastStatusChangeTimestamp") if isinstance(row, dict) else None
        if isinstance(since, int | float):
            changes[f"carrier {name}"] = int(since)
    return changes


EOS = ProofTable(
    system="eos",
    probe=ProbeLines(
        adds=(f"ip prefix-list {MARK}", f"   seq 5 permit {NETWORK}"),
        lines=f"ip prefix-list {MARK}\n   seq 5 permit {NETWORK}\n",
        removes=f"configure; no ip prefix-list {MARK}; end",
        wrong=f"ip prefix-list {MARK}\n   seq 5 permit nowhere\n",
        port=lambda name: f"interface {name}\n   shutdown\n",
        session=lambda peer, asn: f"router bgp {asn}\n   neighbor {peer} shutdown\n",
    ),
    flap_reads=(ReadCommand("interfaces", INTERFACES, JSON),),
    flaps=flaps,
    access=(
        r"^interface Management\d",
        r"^(?:no )?(?:username|aaa|enable|management (?:api|ssh|security|accounts)|ip ssh)\b",
        r"^(?:no )?vrf instance (?i:mgmt)\b",
        r"^(?:no )?ip route (?:vrf \S+ )?0\.0\.0\.0/0\b",
    ),
    management=r"Management\S*|Loopback\S*|Vlan\S*",
    claims=(
        PlatformClaim(
            Trial.READ, "fabricgen/platforms/eos/live/reader.py: recorded on EOS 4.23 and 4.36 (batfish/lab-validation)"
        ),
        PlatformClaim(
            Trial.SECRETS,
            "recorded running configurations: `secret sha512 $6$…`, `password 7 …` (batfish/lab-validation)",
            words="Passwords of users come back as hashes, and fabricgen shows none of them.",
            shows=frozenset({"hashed"}),
        ),
        PlatformClaim(Trial.COMPARE, "napalm/eos/eos.py of 5.2.0: `show session-config … diffs`, then `abort`"),
        PlatformClaim(Trial.REFUSE, "napalm/eos/eos.py of 5.2.0, _load_config: the session is aborted"),
        PlatformClaim(
            Trial.EMPTY,
            "fabricgen/platforms/eos/live/commit_profile.py, limits",
            unsure="EOS refuses another commit while a timer runs, and nothing is said of a session",
        ),
        PlatformClaim(Trial.UNSAVED, "napalm/eos/eos.py of 5.2.0: `write memory` comes behind the confirmation"),
        PlatformClaim(
            Trial.SECOND,
            "github.com/napalm-automation/napalm, issue 2166, with the outputs of two releases",
            words="Another session sees name and seconds of a commit that waits; fabricgen commits nothing over it.",
            shows=frozenset({"token", "seconds", "refused"}),
            unsure="whether the time is of the calendar or the uptime: both are understood",
        ),
        PlatformClaim(
            Trial.HITLESS, "fabricgen/platforms/eos/costs.py: a new prefix list, to which nothing refers", seconds=0
        ),
        PlatformClaim(
            Trial.TIMER,
            "EOS user manual, `commit timer`; github.com/SUNET/cnaas-nms, issue 395, with the switch's log",
            seconds=30,
            unsure="how long the switch takes to go back is in no source: 30 s are allowed",
        ),
        PlatformClaim(Trial.REVERT, "github.com/SUNET/cnaas-nms, issue 395: `configure session … abort`"),
        PlatformClaim(Trial.KILL_WAITING, "EOS user manual, `commit timer`: it is the switch's"),
        PlatformClaim(
            Trial.KILL_COMMITTING,
            "EOS user manual, Configure Session: a session is committed as a whole",
            unsure="what a commit does whose connection goes away is in no source",
        ),
        PlatformClaim.interruption(Trial.PORT, "eos", 180),
        PlatformClaim.interruption(Trial.SESSION, "eos", 45),
        PlatformClaim(Trial.CONFIRM, "napalm/eos/eos.py of 5.2.0, confirm_commit: `commit`, then `write memory`"),
        PlatformClaim(Trial.REPLACE, "napalm/eos/eos.py of 5.2.0, _load_config: `rollback clean-config` first"),
        PlatformClaim(Trial.VERIFY, "fabricgen/platforms/eos/live/drift.py"),
        PlatformClaim(Trial.DRAIN, "fabricgen/platforms/eos/live/drain.py; RFC 8326"),
        PlatformClaim(Trial.RESTORED, "all of the above"),
    ),
)
