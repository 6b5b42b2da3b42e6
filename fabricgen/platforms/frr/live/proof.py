"""Claims about FRRouting on Linux that can be tested on one switch."""

from fabricgen.platforms.base.live.proof import MARK, NETWORK, PlatformClaim, ProbeLines, ProofTable, Trial
from fabricgen.platforms.linux.live.flaps import READS, flaps

LINE = f"ip prefix-list {MARK} seq 5 permit {NETWORK}"

FRR = ProofTable(
    system="frr",
    probe=ProbeLines(
        adds=(LINE,),
        lines=f"{LINE}\n",
        removes=f'vtysh -c "configure terminal" -c "no {LINE}"',
        wrong=f"ip prefix-list {MARK} seq 5 permit nowhere\n",
        port=lambda name: f"interface {name}\n shutdown\nexit\n",
        session=lambda peer, asn: f"router bgp {asn}\n neighbor {peer} shutdown\nexit\n",
    ),
    flap_reads=READS,
    flaps=flaps,
    access=(
        r"^(?:auto|iface|interface) (?:eth0|mgmt\S*|ma1)\b",
        r"^(?:password|enable password|username|line vty|access-class)\b",
        r"^vrf mgmt\b",
    ),
    management=r"eth0|mgmt\S*|ma1|lo",
    claims=(
        PlatformClaim(
            Trial.READ, "fabricgen/platforms/frr/live/reader.py: outputs of FRR 8.4.4, iproute2 6.1.0 and lldpd 1.0.16"
        ),
        PlatformClaim(
            Trial.SECRETS,
            "FRR user guide, BGP: `neighbor PEER password` is shown as it was typed",
            words="Secrets come back in clear text, and fabricgen shows none of them.",
            shows=frozenset({"clear"}),
        ),
        PlatformClaim(Trial.COMPARE, "napalm_frr/difference.py: worked out from both texts"),
        PlatformClaim(Trial.REFUSE, "napalm_frr/syntax.py: `vtysh -C` reads every line before anything is changed"),
        PlatformClaim(Trial.EMPTY, "napalm_frr/difference.py"),
        PlatformClaim(Trial.UNSAVED, "napalm_frr/device_side.py: the guard alone writes it, when it is kept"),
        PlatformClaim(
            Trial.SECOND,
            "napalm_frr/device_side.py, armed; driver.py, run_marks",
            words="Another session sees name and seconds of a commit that waits; fabricgen commits nothing over it.",
            shows=frozenset({"token", "seconds", "refused"}),
        ),
        PlatformClaim(
            Trial.HITLESS, "fabricgen/platforms/frr/costs.py: a new prefix list, to which nothing refers", seconds=0
        ),
        PlatformClaim(
            Trial.TIMER,
            "napalm_frr/device_side.py, guard; 30 s are three passes of frr-reload.py, measured on FRR 8.4.4",
            seconds=30,
        ),
        PlatformClaim(Trial.REVERT, "napalm_frr/device_side.py, settle"),
        PlatformClaim(Trial.KILL_WAITING, "napalm_frr/device_side.py, guard: it stays when the client goes away"),
        PlatformClaim(Trial.KILL_COMMITTING, "napalm_frr/device_side.py, guard: its deadline is set before any change"),
        PlatformClaim.interruption(Trial.PORT, "frr", 45, unsure=""),
        PlatformClaim.interruption(Trial.SESSION, "frr", 30, unsure=""),
        PlatformClaim(Trial.CONFIRM, "napalm_frr/device_side.py, guard and save"),
        PlatformClaim(Trial.REPLACE, "frr-reload.py of FRR 8.4.4: lines that the file lacks are deleted"),
        PlatformClaim(Trial.VERIFY, "fabricgen/platforms/frr/live/drift.py"),
        PlatformClaim(Trial.DRAIN, "fabricgen/platforms/linux/live/drain.py; RFC 8326"),
        PlatformClaim(Trial.RESTORED, "all of the above"),
    ),
)
