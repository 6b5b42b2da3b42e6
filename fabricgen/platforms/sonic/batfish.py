"""Community SONiC for Batfish: both files in a folder of their own, with frr.conf in words of Batfish.

Sources, github.com/batfish/batfish cba1873 (2026-08-21), below projects/batfish/src/main/java/org/batfish:
F  vendor/sonic/grammar/SonicControlPlaneExtractor.java, getSonicFileMap: a folder has config_db.json and frr.conf, and
   nothing that it does not know; the routing is read from frr.conf.
T  vendor/sonic/representation/ConfigDb.java: its tables, which are those of ports, VLANs, addresses and management.
"""

from fabricgen.platforms.base.batfish import (
    EVERYWHERE,
    RENDERED,
    UNDERLAY,
    BatfishReading,
    SnapshotFormat,
    Unmodelled,
    has_tenants,
)
from fabricgen.platforms.linux.batfish import numbered_communities
from fabricgen.platforms.sonic.releases import has_tables

FILES = ("config_db.json", "frr.conf")


def _texts(_: str, files: RENDERED) -> tuple[str, ...]:
    return files["config_db.json"], numbered_communities(files["frr.conf"])


IN_TABLES = Unmodelled(
    "BGP in tables of config_db.json",
    lambda device: has_tables(device.version),
    "Batfish reads routing from frr.conf only, and ignores BGP_NEIGHBOR and the like (vendor/sonic/representation/"
    "ConfigDb.java)",
)
TENANTS = Unmodelled(
    "an overlay for tenants",
    has_tenants,
    "Batfish knows no VRF and no VXLAN of config_db.json (vendor/sonic/representation/ConfigDb.java): tenants would "
    "meet",
)

SONIC = BatfishReading(
    SnapshotFormat(
        name="SONIC",
        paths=tuple(f"sonic_configs/{{name}}/{file}" for file in FILES),
        texts=_texts,
        barriers=(IN_TABLES, TENANTS, *UNDERLAY),
        unmodelled=EVERYWHERE,
    )
)
