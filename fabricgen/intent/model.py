"""Schema of the whole intent: one file, a frozen value."""

from typing import Annotated

from pydantic import Field

from fabricgen.intent.defaults import NEWEST, OLDEST
from fabricgen.intent.fabric import Fabric
from fabricgen.intent.overrides import Overrides
from fabricgen.intent.scalars import FileName, IntentModel, Name
from fabricgen.intent.scenarios import Scenario
from fabricgen.intent.security import SecurityProfile
from fabricgen.intent.site import Cables, Management, Raw, ServerGroup
from fabricgen.intent.tenants import Tenant
from fabricgen.intent.waivers import Waiver
from fabricgen.source.annotations import Pattern, WholeNumber


class Intent(IntentModel):
    """A site: its servers, its fabrics and its tenants."""

    fabricgen: Annotated[int, WholeNumber(1, 1), Field(description="version of this schema")]
    defaults: Annotated[int, WholeNumber(OLDEST, NEWEST)] | None = Field(
        default=None,
        description="version of the defaults; default: the one in the lock, for a new site the newest. A higher "
        "version changes the defaults of an existing site: `diff` lists each change with its risk",
    )
    security: SecurityProfile | None = Field(
        default=None,
        description="security profile: `standard` closes switches in band; `strict` also refuses an intent that does "
        "not name accounts, sources and certificates; `lab` sets nothing. `plan` lists what deviates from the profile. "
        "Default: none, which sets and lists nothing",
    )
    site: Name = Field(examples=["dc1"], description="name of the site: lower case letters, digits, hyphens")
    pools: Annotated[str, Pattern(r"^[^\x00-\x1f\x7f]+$", 200)] | None = Field(
        default=None,
        examples=["../pools.yaml"],
        description="file with the pools that the sites of a repository share, from the folder of the intent; "
        "pool:NAME then is this site's part of one",
    )
    placement: FileName | None = Field(
        default=None,
        examples=["placement.csv"],
        description="CSV beside the intent: slot,hostname,rack,ru,serial,mac,state",
    )
    cables: Cables = Field(default_factory=Cables.model_construct, description="lengths of cables")
    management: Management = Field(description="out-of-band network and services of all switches")
    servers: dict[Name, ServerGroup] = Field(
        examples=[{"train": {"model": "dgx-h100", "slots": "0-31"}}],
        min_length=1,
        description="groups of equal servers by name",
    )
    fabrics: dict[Name, Fabric] = Field(min_length=1, description="backends and frontends by name")
    tenants: dict[Name, Tenant] = Field(default_factory=dict, description="tenants by name")
    scenarios: dict[Name, Scenario] = Field(
        default_factory=dict,
        description="scenarios by name, each a complete state of the site: tenant → servers that it gets and gives; "
        "the intent without a scenario is `base`",
    )
    overrides: Overrides = Field(
        examples=[{"be-leaf-000": {"state": "drained"}}],
        default_factory=dict,
        description="exceptions by switch, port, server or cable; names may be globs",
    )
    raw: tuple[Raw, ...] = Field(default=(), description="configuration lines that are added unchanged")
    waivers: tuple[Waiver, ...] = Field(default=(), description="known and accepted problems, each with its reason")
