"""Claims about Cisco NX-OS that can be tried on one switch. None has been seen on a switch yet.

No commit of NX-OS reverts by itself (see commit_profile.py), so nothing is committed there: the switch is read, and the
test lines are compared.
"""

from fabricgen.platforms.base.live.proof import MARK, NETWORK, PlatformClaim, ProbeLines, ProofTable, Trial

LINE = f"ip prefix-list {MARK} seq 5 permit {NETWORK}"

NXOS = ProofTable(
    system="nxos",
    probe=ProbeLines(
        adds=(LINE,), lines=f"{LINE}\n", removes=f"configure terminal ; no ip prefix-list {MARK}", wrong=""
    ),
    access=(r"^interface mgmt0", r"^(?:username|aaa|feature (?:nxapi|ssh)|nxapi|ssh)\b", r"^vrf context management"),
    management=r"mgmt\d+|loopback\d+|vlan\d+",
    claims=(
        PlatformClaim(Trial.READ, "fabricgen/platforms/nxos/live/reader.py: recorded on NX-OS 9.2 and 10.3"),
        PlatformClaim(
            Trial.SECRETS,
            "recorded running configurations: `password 5 $5$…`, `key 7 …`",
            words="Passwords of users come back as hashes, and fabricgen shows none of them.",
            shows=frozenset({"hashed"}),
        ),
        PlatformClaim(Trial.COMPARE, "napalm/nxos/nxos.py of 5.2.0, compare_config: netutils, diff_network_config"),
        PlatformClaim(Trial.RESTORED, "all of the above"),
    ),
)
