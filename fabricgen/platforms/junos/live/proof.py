"""Claims about Juniper Junos that can be tried on one switch. None has been seen on a switch yet."""

from fabricgen.platforms.base.live.proof import MARK, NETWORK, PlatformClaim, ProbeLines, ProofTable, Trial

LINE = f"policy-options prefix-list {MARK} {NETWORK}"


def _port(name: str) -> str:
    return f"set interfaces {name} disable\n"


JUNOS = ProofTable(
    system="junos",
    probe=ProbeLines(
        adds=(f"set {LINE}",),
        lines=f"set {LINE}\n",
        removes=f"configure; delete policy-options prefix-list {MARK}; commit and-quit",
        wrong=f"set policy-options no-such-statement {MARK}\n",
        port=_port,
    ),
    access=(
        r"\bsystem (?:login|services|root-authentication|authentication-order)\b",
        r"^(?:login|services|root-authentication|authentication-order)\b",
        r"^(?:em0|fxp0|me0|vme|re0:mgmt-\S+)\b",
        r"\bmgmt_junos\b",
    ),
    management=r"em\d+|fxp\d+|me\d+|vme|re\d+:mgmt-\S+|lo\d+|irb\S*",
    claims=(
        PlatformClaim(
            Trial.READ, "fabricgen/platforms/junos/live/reader.py: Juniper's RPC models of QFX, 24.4R1, and recordings"
        ),
        PlatformClaim(
            Trial.SECRETS,
            "Juniper's models of 24.4R1, type `unreadable`; recorded configurations mark them `## SECRET-DATA`",
            words="Secrets come back as hashes or enciphered, and fabricgen shows none of them.",
            shows=frozenset({"hashed"}),
        ),
        PlatformClaim(Trial.COMPARE, "napalm/junos/junos.py of 5.2.0, compare_config and discard_config"),
        PlatformClaim(Trial.REFUSE, "PyEZ 2.8.2, Config.load: ConfigLoadError"),
        PlatformClaim(
            Trial.EMPTY, "napalm-junos, pull request 127: the lock is free while a commit waits", unsure="not seen here"
        ),
        PlatformClaim(
            Trial.SECOND,
            "fabricgen/platforms/junos/live/commit.py: `show system commit`, recorded of one release",
            words="Another session sees name and seconds of a commit that waits; fabricgen commits nothing over it.",
            shows=frozenset({"token", "seconds", "refused"}),
        ),
        PlatformClaim(
            Trial.HITLESS,
            "a new prefix list, to which nothing refers; no table of costs for Junos",
            seconds=0,
            unsure="measured nowhere",
        ),
        PlatformClaim(
            Trial.TIMER,
            "Junos manual, `commit confirmed`: whole minutes; 30 s are allowed to go back",
            seconds=30,
            unsure="how long the switch takes to go back is in no source",
        ),
        PlatformClaim(
            Trial.REVERT, "fabricgen/platforms/junos/live/commit.py: rollback to the configuration before, and commit"
        ),
        PlatformClaim(
            Trial.KILL_WAITING,
            "github.com/ncclient/ncclient pull request 239; github.com/Juniper/ansible-junos-stdlib pull request 57",
            unsure="reported of the RPC that PyEZ sends, not seen here",
        ),
        PlatformClaim(
            Trial.KILL_COMMITTING,
            "Junos manual, commit model: a commit is taken as a whole",
            unsure="what a commit does whose session goes away is in no source that was found",
        ),
        PlatformClaim.interruption(Trial.PORT, "junos", 90),
        PlatformClaim(
            Trial.CONFIRM,
            "fabricgen/platforms/junos/live/commit.py: `commit check` confirms",
            words="A commit that is confirmed stays.",
        ),
        PlatformClaim(Trial.REPLACE, "PyEZ 2.8.2, Config.load with overwrite"),
        PlatformClaim(Trial.VERIFY, "fabricgen/platforms/junos/live/drift.py"),
        PlatformClaim(Trial.DRAIN, "fabricgen/platforms/junos/live/drain.py; RFC 8326"),
        PlatformClaim(Trial.RESTORED, "all of the above", words="In the end it runs what it did before."),
    ),
)
