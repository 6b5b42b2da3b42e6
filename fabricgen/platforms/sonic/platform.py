"""Community SONiC: config_db.json, and FRR's own file for releases whose daemon cannot make it."""

from fabricgen.platforms.base.forms import json_text
from fabricgen.platforms.base.platform import Artifact, EcnChoice, FactoryAccount, InBand, Platform
from fabricgen.platforms.base.raw_values import json_fault
from fabricgen.platforms.base.unpriced import unpriced
from fabricgen.platforms.sonic.capabilities import CAPABILITIES
from fabricgen.platforms.sonic.context import derived, template_context
from fabricgen.platforms.sonic.document import document, merged
from fabricgen.platforms.sonic.limits import LOSSLESS, NEEDED, OPTIONAL, limits
from fabricgen.platforms.sonic.lossless import rendered
from fabricgen.platforms.sonic.releases import DIFFERENCES, RELEASES
from fabricgen.platforms.sonic.secrets import secrets
from fabricgen.platforms.sonic.telemetry import STREAMS

CONFIG_DB = (
    "header.j2",
    "metadata.j2",
    "features.j2",
    "management.j2",
    "services.j2",
    "login.j2",
    "aaa.j2",
    "snmp.j2",
    "gnmi.j2",
    "access.j2",
    "sflow.j2",
    "sflow-sessions.j2",
    "counters.j2",
    "ports.j2",
    "storm-control.j2",
    "vxlan.j2",
    "vlans.j2",
    "interfaces.j2",
    "subinterfaces.j2",
    "loopbacks.j2",
    "static-routes.j2",
    "prefix-sets.j2",
    "community-sets.j2",
    "route-maps.j2",
    "bgp-globals.j2",
    "bgp-peer-groups.j2",
    "bgp-neighbors.j2",
    "bgp-neighbor-maps.j2",
    "qos-maps.j2",
    "schedulers.j2",
    "wred-profiles.j2",
    "port-qos.j2",
    "pfc-watchdog.j2",
    "buffer-pools.j2",
    "buffer-ports.j2",
    "raw.j2",
)
FRR_CONF = ("frr-conf.j2", "frr-raw.j2")
SNMP_SIGNS = ("[@:]", "SONiC's model takes neither `@` nor `:` there (sonic-snmp.yang)")
FORM = json_text(
    {
        "passkey": ("[#,]", "SONiC's model takes neither `#` nor `,` there (sonic-system-tacacs.yang)"),
        "SNMP_USER_AUTH_PASSWORD": SNMP_SIGNS,
        "SNMP_USER_ENCRYPTION_PASSWORD": SNMP_SIGNS,
    }
)
"""How secrets are written; patterns from the models of 202505 to master, which are the same."""
FILES = (Artifact("config_db.json", CONFIG_DB, FORM, document), Artifact("frr.conf", FRR_CONF))


def raw_fault(artifact: str, lines: tuple[str, ...]) -> str:
    """Return what is wrong with raw lines: those of config_db.json are whole objects, FRR's file takes any."""
    return json_fault(artifact, lines, merged) if artifact == FILES[0].name else ""


SONIC = Platform(
    name="sonic",
    title="community SONiC",
    releases=RELEASES,
    differences=DIFFERENCES,
    artifacts=dict.fromkeys(("leaf", "border-leaf", "spine", "superspine"), FILES),
    template_context=template_context,
    derived=derived,
    main="config_db.json",
    comment="//",
    capabilities=CAPABILITIES,
    costs=unpriced("SONiC"),
    streams=STREAMS,
    driver="sonic",
    own_driver="fabricgen.platforms.sonic.napalm_driver:SonicDriver",
    secrets=secrets,
    limits=limits,
    lossless_keys=LOSSLESS,
    hardware_keys=(*NEEDED, *OPTIONAL),
    raw_fault=raw_fault,
    rendered=rendered,
    ecn=(EcnChoice("azure-generic"),),
    factory=(
        FactoryAccount(
            "admin",
            is_configurable=False,
            why="the image makes it with a password that its sources publish, and no file of ours names accounts "
            "(sonic-buildimage 086b03b, rules/config: DEFAULT_USERNAME, DEFAULT_PASSWORD; build_debian.sh)",
        ),
    ),
    in_band=InBand(
        ("ssh", "gnmi", "snmp"),
        why="without rules of the control plane the input is open: sonic-host-services c2a4cdf, caclmgrd",
    ),
)
