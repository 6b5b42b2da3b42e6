"""Releases of community SONiC that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release

RELEASES = (
    Release(
        "202505", "github.com/sonic-net/sonic-buildimage, branch 202505 at ff3c0c9f", "SONiC's YANG models of 202505"
    ),
    Release("master", "github.com/sonic-net/sonic-buildimage 086b03bd", "SONiC's YANG models of master"),
)
DIFFERENCES = (
    Difference(
        "master",
        "routing of switches without VXLAN",
        "frr.conf",
        "tables of config_db.json for BGP and its policies",
        "github.com/sonic-net/sonic-buildimage 086b03bd and branch 202505, frrcfgd.py and the YANG model of PREFIX",
    ),
)
