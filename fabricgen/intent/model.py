"""Schema of the whole intent: one file, a frozen value."""

from typing import Annotated

from pydantic import Field

from fabricgen.intent.defaults import NEWEST, OLDEST
from fabricgen.intent.fabric import Fabric
from fabricgen.intent.overrides import Overrides
from fabricgen.intent.scalars import FileName, IntentModel, Name
from fabricgen.intent.scenarios import Scenario
from fabricgen.intent.site import Cables, Management, Raw, ServerGroup
from fabricgen.intent.tenants import Tenant
from fabricgen.intent.waivers import Waiver
from fabricgen.source.annotations import WholeNumber


class Intent(IntentModel):
    """A site: its servers, its fabrics and its tenants."""

    fabricgen: Annotated[int, WholeNumber(1, 1), Field(description="the version of this schema")]
    defaults: Annotated[int, WholeNumber(OLDEST, NEWEST)] | None = Field(
        default=None,
        description="version of the defaults; the one in the lock where left out, and the newest for a new site. A "
        "higher one changes the defaults of a site that exists: `diff` lists each with its risk",
    )
    site: Name = Field(description="name of the site: lower case letters, digits, hyphens")
    placement: FileName | None = Field(
        default=None, description="CSV beside the intent: slot,hostname,rack,ru,serial,mac,state"
    )
    cables: Cables = Field(default_factory=Cables.model_construct, description="lengths of cables")
    management: Management = Field(description="out-of-band network and services of all switches")
    servers: dict[Name, ServerGroup] = Field(min_length=1, description="groups of equal servers by name")
    fabrics: dict[Name, Fabric] = Field(min_length=1, description="backends and frontends by name")
    tenants: dict[Name, Tenant] = Field(default_factory=dict, description="tenants by name")
    scenarios: dict[Name, Scenario] = Field(
        default_factory=dict,
        description="complete states of the site by name: tenant → servers that it gets and gives there; this file as "
        "it stands is `base`",
    )
    overrides: Overrides = Field(
        default_factory=dict, description="exceptions by switch, port, server or cable; names may be globs"
    )
    raw: tuple[Raw, ...] = Field(default=(), description="lines of configuration that are added as they are")
    waivers: tuple[Waiver, ...] = Field(
        default=(), description="problems that are known and accepted, each with its reason"
    )
