"""Releases of SR Linux that are known, and what is configured in other words from one of them on.

Which features of the models a chassis has is published nowhere, and before 25.3 some of them decide on words. So the
words of 24.10 are those that stand in the models without a feature, or in Nokia's own configurations.
"""

from fabricgen.platforms.base.release import Difference, Release, is_at_least

MODELS = "github.com/nokia/srlinux-yang-models"
EDA = "github.com/nokia-eda/docs b278abf (2024-12-15), getting-started/leaf1-config-post-fabric-create.cfg"
NETLAB = "github.com/ipspace/netlab 771eeee, bgp/srlinux.macro.j2, which asks for 25.3"
NEWER = "25.3"

RELEASES = (
    Release("24.10", f"{MODELS} d494866 (v24.10.3)", "Nokia's YANG of 24.10.3"),
    Release("25.3", f"{MODELS} 97b373e (v25.3.1)", "Nokia's YANG of 25.3.1"),
)
DIFFERENCES = (
    Difference(
        NEWER,
        "equal paths of a family; [unsure] a chassis of 24.10 with weighted ECMP may want the words of 25.3",
        "afi-safi multipath maximum-paths N",
        "afi-safi multipath ebgp maximum-paths N",
        f"{MODELS} v24.10.3 and v25.3.1, srl_nokia-bgp and mappings/openconfig/oc-srl-bgp.json; {EDA}",
    ),
    Difference(
        NEWER,
        "kinds of communities that a session sends: before, all kinds by default; the line of 24.10 depends on a "
        "feature of the chassis",
        "",
        "group afi-safi send-community-type [ K ]",
        f"{MODELS} v24.10.3, srl_nokia-bgp; {NETLAB}",
    ),
    Difference(
        NEWER,
        "prefixes that a statement matches",
        "statement match prefix-set P",
        "statement match prefix prefix-set P",
        f"{MODELS} v24.10.3 and v25.3.1, srl_nokia-routing-policy; {EDA}; {NETLAB}",
    ),
    Difference(
        NEWER,
        "priority of a PFC queue's pauses",
        "unicast-mapping pfc-queue pfc-pause-frame-priority [ N ]",
        "unicast-mapping pfc-queue pfc-pause-frame-priority N",
        f"{MODELS} v24.10.3 and v25.3.1, srl_nokia-qos",
    ),
    Difference(
        NEWER,
        "priority that pauses a queue",
        "received-pfc-pause-frames queue pfc-pause-frame-priority [ N ]",
        "received-pfc-pause-frames queue pfc-pause-frame-priority N",
        f"{MODELS} v24.10.3 and v25.3.1, srl_nokia-qos",
    ),
    Difference(
        NEWER,
        "FEC of a port; before, Reed-Solomon of 25G is rs-108",
        "interface transceiver forward-error-correction F",
        "interface ethernet forward-error-correction fec-option F",
        f"{MODELS} v24.10.3 and v25.3.1, srl_nokia-interfaces",
    ),
    Difference(
        NEWER,
        "rate of a policer of the control plane",
        "acl policers system-cpu-policer peak-packet-rate N",
        "acl policers system-cpu-policer peak-rate-pps N",
        f"{MODELS} v24.10.3 and v25.3.1, srl_nokia-acl",
    ),
    Difference(
        NEWER,
        "burst of a policer of the control plane",
        "acl policers system-cpu-policer max-packet-burst N",
        "acl policers system-cpu-policer maximum-burst-packet N",
        f"{MODELS} v24.10.3 and v25.3.1, srl_nokia-acl",
    ),
)


def is_newer(version: str) -> bool:
    """Whether a release has the words that came with 25.3."""
    return is_at_least(version, NEWER)
