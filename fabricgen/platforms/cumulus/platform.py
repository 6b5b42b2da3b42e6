"""NVIDIA Cumulus Linux: the one file of a switch, for NVUE, with sections in the order in which NVUE writes them."""

from fabricgen.errors import FabricError
from fabricgen.platforms.base.forms import YAML
from fabricgen.platforms.base.platform import EcnChoice, InBand, Platform, one_file, without
from fabricgen.platforms.base.unpriced import unpriced
from fabricgen.platforms.cumulus.capabilities import CAPABILITIES
from fabricgen.platforms.cumulus.context import template_context
from fabricgen.platforms.cumulus.limits import limits
from fabricgen.platforms.cumulus.lossless import rendered
from fabricgen.platforms.cumulus.names import derived
from fabricgen.platforms.cumulus.releases import DIFFERENCES, RELEASES
from fabricgen.platforms.cumulus.secrets import SECRETS
from fabricgen.platforms.cumulus.telemetry import STREAMS

TITLE = "NVIDIA Cumulus Linux"

SECTIONS = (
    "header.j2",
    "acl.j2",
    "bridge.j2",
    "evpn.j2",
    "interface.j2",
    "interface-bonds.j2",
    "interface-cages.j2",
    "interface-ports.j2",
    "interface-subinterfaces.j2",
    "interface-svis.j2",
    "nve.j2",
    "qos.j2",
    "qos-lossless.j2",
    "router.j2",
    "router-policy.j2",
    "service.j2",
    "service-clients.j2",
    "system-accounts.j2",
    "system.j2",
    "system-services.j2",
    "vrf.j2",
    "vrf-neighbors.j2",
    "vrf-peer-groups.j2",
    "vrf-static.j2",
    "vrf-tenants.j2",
    "raw.j2",
)
"""Sections of all roles, in the order of the file."""
BRIDGING = {"interface-bonds.j2", "interface-svis.j2"}
OVERLAY = {"bridge.j2", "evpn.j2", "nve.j2", "vrf-tenants.j2"}
LEAF = without(SECTIONS, {"interface-subinterfaces.j2"})
BORDER_LEAF = without(SECTIONS, BRIDGING)
SPINE = without(SECTIONS, BRIDGING | OVERLAY | {"interface-subinterfaces.j2"})


def lines_fault(artifact: str, lines: tuple[str, ...]) -> str:
    """Why raw lines cannot follow ours: they must be items of the list, each a `set` or an `unset`."""
    from fabricgen.source.document import load_document  # noqa: PLC0415  # the help of export imports platforms, and is quick

    try:
        value = load_document("\n".join(lines), artifact).value
    except FabricError as error:
        fault = error.problems[0]
        line = f" on line {fault.at.line} of them" if fault.at is not None else ""
        return f"{artifact} is YAML, and these lines are not{line}: {fault.what}; {fault.why}"
    items = value if isinstance(value, list) else [value]
    if isinstance(value, list) and all(isinstance(item, dict) and set(item) <= {"set", "unset"} for item in items):
        return ""
    return f"{artifact} is a list for NVUE: each item begins `- set:` or `- unset:`"


CUMULUS = Platform(
    name="cumulus",
    title=TITLE,
    vendor="NVIDIA",
    releases=RELEASES,
    differences=DIFFERENCES,
    artifacts=one_file("startup.yaml", LEAF, BORDER_LEAF, SPINE, YAML),
    template_context=template_context,
    derived=derived,
    main="startup.yaml",
    comment="#",
    capabilities=CAPABILITIES,
    costs=unpriced(TITLE),
    streams=STREAMS,
    gnmi_auth_scheme="Basic",
    driver="cumulus",
    own_driver="fabricgen.platforms.cumulus.napalm_driver:CumulusDriver",
    secrets=SECRETS,
    accounts="`nv config replace` removes everything that is not in the file, including the factory account "
    "(github.com/CumulusNetworks/docs, cumulus-linux-511 NVUE CLI and User Accounts)",
    limits=limits,
    raw_fault=lines_fault,
    rendered=rendered,
    ecn=(EcnChoice("nvidia"),),
    in_band=InBand(
        ("ssh", "api", "gnmi"),
        why="the default firewall opens their ports to any source: Cumulus Linux 5.11, Firewall Rules",
        own_certificate=True,
    ),
)
