"""Claims about Nokia SR Linux that can be tried on one switch. None has been seen on a switch yet."""

import json

from fabricgen.platforms.base.live.proof import MARK, NETWORK, PlatformClaim, ProbeLines, ProofTable, Trial

POLICY, INTERFACE = "srl_nokia-routing-policy:routing-policy", "srl_nokia-interfaces:interface"
SET = {"prefix-set": [{"name": MARK, "prefix": [{"ip-prefix": NETWORK, "mask-length-range": "exact"}]}]}


def _port(name: str) -> str:
    return json.dumps({INTERFACE: [{"name": name, "admin-state": "disable"}]})


SRLINUX = ProofTable(
    system="srlinux",
    probe=ProbeLines(
        adds=(f"set / routing-policy prefix-set {MARK} prefix {NETWORK} mask-length-range exact",),
        lines=json.dumps({POLICY: SET}),
        removes=f"enter candidate; delete / routing-policy prefix-set {MARK}; commit now",
        wrong=json.dumps({POLICY: {"no-such-set": [{"name": MARK}]}}),
        port=_port,
    ),
    access=(
        r"\bmgmt0?\b",
        r"\b(?:json-rpc-server|grpc-server|ssh-server|tls|aaa)\b",
    ),
    management=r"mgmt\d+|lo\d+|system\d+|irb\d+",
    claims=(
        PlatformClaim(
            Trial.READ, "fabricgen/platforms/srlinux/live/reader.py: Nokia's YANG of 25.3.1, and learn-srlinux"
        ),
        PlatformClaim(
            Trial.SECRETS,
            "Nokia's YANG of 25.3.1, srl_nokia-common: routing-password and user-password are kept encrypted or hashed",
            words="Secrets come back as hashes or enciphered, and fabricgen shows none of them.",
            shows=frozenset({"hashed"}),
        ),
        PlatformClaim(Trial.COMPARE, "fabricgen/platforms/srlinux/napalm_driver: method `diff` of JSON-RPC"),
        PlatformClaim(Trial.REFUSE, "fabricgen/platforms/srlinux/napalm_driver: method `validate` of JSON-RPC"),
        PlatformClaim(
            Trial.EMPTY,
            "fabricgen/platforms/srlinux/live/commit_profile.py, limits",
            unsure="whether a commit that waits blocks `diff` is not said",
        ),
        PlatformClaim(
            Trial.SECOND,
            "fabricgen/platforms/srlinux/live/commits.py: the checkpoint in front of the commit",
            words="Another session sees the name of a commit that waits, so that fabricgen commits nothing over it.",
            shows=frozenset({"token", "refused"}),
        ),
        PlatformClaim(
            Trial.HITLESS,
            "a new prefix set, to which nothing refers; no table of costs for SR Linux",
            seconds=0,
            unsure="measured nowhere",
        ),
        PlatformClaim(
            Trial.TIMER,
            "srl_nokia-configuration of 25.3.1, commit with confirm-timeout; 30 s are allowed to go back",
            seconds=30,
            unsure="how long the switch takes to go back is in no source",
        ),
        PlatformClaim(
            Trial.REVERT, "fabricgen/platforms/srlinux/live/commit.py: /system/configuration/confirmed-reject"
        ),
        PlatformClaim(Trial.KILL_WAITING, "learn-srlinux and the tests of napalm-srlinux, on switches in containers"),
        PlatformClaim(
            Trial.KILL_COMMITTING,
            "srl-labs/learn-srlinux, json-rpc/basics.md: each request has a private candidate",
            unsure="what a request does whose connection goes away is in no source",
        ),
        PlatformClaim.interruption(Trial.PORT, "srlinux", 90),
        PlatformClaim(
            Trial.CONFIRM,
            "fabricgen/platforms/srlinux/live/commit.py: confirmed-accept, then save",
            words="A commit that is confirmed stays.",
        ),
        PlatformClaim(Trial.REPLACE, "fabricgen/platforms/srlinux/napalm_driver: action `replace` of the path /"),
        PlatformClaim(Trial.VERIFY, "fabricgen/platforms/srlinux/live/drift.py"),
        PlatformClaim(Trial.DRAIN, "fabricgen/platforms/srlinux/live/drain.py; RFC 8326"),
        PlatformClaim(Trial.RESTORED, "all of the above", words="In the end it runs what it did before."),
    ),
)
