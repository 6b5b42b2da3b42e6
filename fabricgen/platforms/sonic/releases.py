"""Releases of community SONiC that are known, and what is configured in other words from one of them on."""

from collections.abc import Mapping

from fabricgen.platforms.base.release import Difference, Release, is_at_least
from fabricgen.platforms.linux.frr_releases import OLDEST

BUILD = "github.com/sonic-net/sonic-buildimage"
FRR: Mapping[str, str] = {"202505": "10.3", "202511": "10.4.1", "202605": "10.5.4", "master": "10.5.4"}
"""Release → its release of FRR (sonic-buildimage, rules/frr.mk of each branch)."""
RELEASES = (
    Release(
        "202505",
        f"{BUILD}, branch 202505 at ff3c0c9f; FRR {FRR['202505']}",
        "SONiC's YANG models of 202505; FRR 10.3 of Debian 13, for frr.conf",
    ),
    Release("202511", f"{BUILD}, branch 202511 at fde92d26; FRR {FRR['202511']}", "SONiC's YANG models of 202511"),
    Release("202605", f"{BUILD}, branch 202605 at 10ae4708; FRR {FRR['202605']}", "SONiC's YANG models of 202605"),
    Release("master", f"{BUILD} 086b03bd; FRR {FRR['master']}", "SONiC's YANG models of master"),
)
TABLES = "202605"
"""First release whose BGP is in tables: its frrcfgd and the templates of it are those of master, octet by octet."""
USER_AUTH = "202511"
"""First release whose gNMI server wants a row in GNMI_CLIENT_CERT for each client, unless `user_auth` is none."""
GNMI_VRF = "master"
"""First release whose gNMI server can be bound to a VRF."""
DIFFERENCES = (
    Difference(
        USER_AUTH,
        "a gNMI client needs its certificate, and no row in GNMI_CLIENT_CERT",
        "",
        "GNMI gnmi user_auth: none",
        f"{BUILD}, dockers/docker-sonic-gnmi/gnmi-native.sh and sonic-gnmi.yang of branches 202505 and 202511",
    ),
    Difference(
        TABLES,
        "routing of switches without VXLAN",
        "frr.conf",
        "tables of config_db.json: BGP_GLOBALS, BGP_GLOBALS_AF, BGP_GLOBALS_AF_NETWORK, BGP_NEIGHBOR, BGP_NEIGHBOR_AF, "
        "BGP_PEER_GROUP, BGP_PEER_GROUP_AF, COMMUNITY_SET, PREFIX, PREFIX_SET, ROUTE_MAP, ROUTE_MAP_SET, STATIC_ROUTE",
        f"{BUILD}, frrcfgd.py and the YANG model of PREFIX of each branch (templates/sonic/NOTES.md has why)",
    ),
    Difference(
        TABLES,
        "who makes frr.conf, on switches without VXLAN",
        "DEVICE_METADATA localhost docker_routing_config_mode: split-unified",
        "DEVICE_METADATA localhost docker_routing_config_mode: unified",
        f"{BUILD}, dockers/docker-fpm-frr/docker_init.sh",
    ),
    Difference(
        TABLES,
        "frrcfgd applies all tables when it starts, on switches without VXLAN",
        "",
        "DEVICE_METADATA localhost use_template_render_for_restore: false",
        f"{BUILD}, frrcfgd.py and sonic-device_metadata.yang of branches 202511 and 202605",
    ),
    Difference(
        GNMI_VRF,
        "the gNMI server answers in the management VRF only",
        "",
        "GNMI gnmi vrf: mgmt",
        f"{BUILD}, dockers/docker-sonic-gnmi/gnmi-native.sh and sonic-gnmi.yang of branch 202605 and of master",
    ),
)


def has_tables(version: str) -> bool:
    """Whether a switch without VXLAN has its BGP in tables of config_db.json; otherwise it is in frr.conf."""
    return is_at_least(version, TABLES)


def frr_release(version: str) -> str:
    """The release of FRR for which frr.conf is written: of the newest known release that is not later."""
    return next((FRR[row.name] for row in reversed(RELEASES) if is_at_least(version, row.name)), OLDEST)
