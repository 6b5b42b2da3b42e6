"""Claims about NVIDIA Cumulus Linux that can be tested on one switch. None was seen on a switch yet."""

from fabricgen.platforms.base.live.proof import MARK, NETWORK, PlatformClaim, ProbeLines, ProofTable, Trial
from fabricgen.platforms.linux.live import flaps

LINES = f"""- set:
    router:
      policy:
        prefix-list:
          {MARK}:
            rule:
              '5':
                action: permit
                match:
                  {NETWORK}: {{}}
            type: ipv4
"""


def _port(name: str) -> str:
    return f"- set:\n    interface:\n      {name}:\n        link:\n          state:\n            down: {{}}\n"


def _session(peer: str, asn: int) -> str:
    del asn
    above = "- set:\n    vrf:\n      default:\n        router:\n          bgp:\n            neighbor:\n"
    return f"{above}              '{peer}':\n                shutdown: on\n"


CUMULUS = ProofTable(
    system="cumulus",
    probe=ProbeLines(
        adds=(f"nv set router policy prefix-list {MARK} rule 5 match {NETWORK}",),
        lines=LINES,
        removes=f"nv unset router policy prefix-list {MARK} && nv config apply -y && nv config save",
        wrong=f"- set:\n    router:\n      policy:\n        no-such-list:\n          {MARK}: {{}}\n",
        port=_port,
        session=_session,
    ),
    flap_reads=flaps.READS,
    flaps=flaps.flaps,
    access=(r"\beth0\b", r"\bmgmt\b", r"\b(?:aaa|ssh-server|hashed-password|nginx|api)\b"),
    management=r"eth0|lo|vlan\d+",
    claims=(
        PlatformClaim(Trial.READ, "fabricgen/platforms/cumulus/live/reader.py: forms with their sources"),
        PlatformClaim(
            Trial.SECRETS,
            "NVIDIA, System Security: what NVUE enciphers begins with `$nvsec$`; passwords of users are hashes",
            words="Secrets come back as hashes or enciphered, and fabricgen shows none of them.",
            shows=frozenset({"hashed"}),
        ),
        PlatformClaim(Trial.COMPARE, "511 NVUE CLI: `nv config patch`, `diff` and `detach`"),
        PlatformClaim(
            Trial.REFUSE,
            "511 NVUE Snippets: `Invalid config [rev_id: 8]`",
            unsure="whether a patch with an unknown key is refused at once, or at the apply alone, is not said",
        ),
        PlatformClaim(
            Trial.EMPTY,
            "fabricgen/platforms/cumulus/live/commit_profile.py, limits",
            unsure="which configuration `diff` takes for applied while a commit waits is not said (511 NVUE CLI)",
        ),
        PlatformClaim(
            Trial.UNSAVED,
            "511 NVUE CLI: a commit that waits is no saved one",
            unsure="auto-save may save what was not confirmed",
        ),
        PlatformClaim(
            Trial.SECOND,
            "fabricgen/platforms/cumulus/live/commit.py: `nv config revision`",
            words="Another session sees the name of a commit that waits, so that fabricgen commits nothing over it.",
            shows=frozenset({"token", "refused"}),
        ),
        PlatformClaim(
            Trial.HITLESS,
            "a new prefix list, to which nothing refers; no table of costs for Cumulus",
            seconds=0,
            unsure="measured nowhere",
        ),
        PlatformClaim(
            Trial.TIMER,
            "511 NVUE CLI: `nv config apply --confirm`, whole minutes; 60 s are allowed to go back",
            seconds=60,
            unsure="how long the switch takes to go back is in no source",
        ),
        PlatformClaim(
            Trial.REVERT,
            "github.com/david-pili/napalm-cumulus 4a22064e: `--confirm-no`, which NVIDIA's manual does not name",
            unsure="not seen on a switch",
        ),
        PlatformClaim(Trial.KILL_WAITING, "511 NVUE CLI: nvued ends the revision, whoever applied it"),
        PlatformClaim(
            Trial.KILL_COMMITTING,
            "511 NVUE CLI: a revision is nvued's",
            unsure="what an apply does whose client goes away is in no source",
        ),
        PlatformClaim.interruption(Trial.PORT, "cumulus", 90),
        PlatformClaim.interruption(Trial.SESSION, "cumulus", 60),
        PlatformClaim(
            Trial.CONFIRM, "fabricgen/platforms/cumulus/live/commit.py: `--confirm-yes`, then `nv config save`"
        ),
        PlatformClaim(Trial.REPLACE, "511 NVUE CLI: `nv config replace`"),
        PlatformClaim(Trial.VERIFY, "fabricgen/platforms/cumulus/live/drift.py"),
        PlatformClaim(Trial.DRAIN, "fabricgen/platforms/cumulus/live/drain.py; RFC 8326"),
        PlatformClaim(Trial.RESTORED, "all of the above"),
    ),
)
