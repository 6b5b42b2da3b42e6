"""Whether the site keeps to its security profile: what deviates is a warning, what `strict` must have is a problem."""

from collections.abc import Iterator

from fabricgen.checks.settings.access import USERS
from fabricgen.errors import Problem
from fabricgen.intent.scalars import Ipv4Prefix
from fabricgen.intent.site import Management
from fabricgen.plan.plan import Plan
from fabricgen.resolve.security import Deviation, deviations, kinds_of_settings

SERVERS = 28
"""Length of the prefix of the 16 addresses that are reserved for gateways and servers."""
NAMED = 3
"""Number of switches that a message names."""


def deviating(plan: Plan) -> Iterator[Problem]:
    """Switches keep to the demands of the security profile of the site; without a profile there are none.

    In band, no management service answers; server ports limit broadcast, multicast and MAC addresses; there are two NTP
    servers and a log server. With `strict` BGP checks the TTL, idle sessions end, and SNMP uses SHA-2. A warning, and a
    line of `plan`: a waiver with its reason silences one. Source:
    `security` of the intent; `in_band` of each platform, with the vendor's page.
    """
    for deviation in deviations(plan):
        finding = deviation.finding
        yield Problem(
            code=deviation.code,
            what=f"{deviation.line} ({_names(deviation)})",
            where=finding.where,
            why=finding.why,
            fix=finding.fix,
            about=deviation.switches if len(deviation.switches) == 1 else (),
        )


def _names(deviation: Deviation) -> str:
    names = ", ".join(deviation.switches[:NAMED])
    more = len(deviation.switches) - NAMED
    return f"{names} and {more} more" if more > 0 else names


def _reserved(management: Management) -> Ipv4Prefix:
    """Return the start of the out-of-band prefix, where addresses of servers are, as an example."""
    oob = management.oob
    return next(oob.subnets(new_prefix=max(oob.prefixlen, SERVERS)))


def strict_demands(plan: Plan) -> Iterator[Problem]:
    """With `security: strict` the intent names accounts, the sources of managers, and the certificate of an HTTP API.

    Accounts are asked for where the system has them in its file, and a certificate where the API of a switch answers
    with one that nobody named. Source: `security` of the intent.
    """
    if plan.intent.security != "strict":
        return
    management, why = plan.intent.management, "`security: strict` demands it"
    if management.access is None:
        yield Problem(
            code="strict-sources",
            what="the intent does not say who may use the management services of switches",
            where=("management",),
            why=why,
            fix=f"write access: {{sources: [{_reserved(management)}]}} in management, with the sources of pushes",
        )
    kinds = [switch for switch, _ in kinds_of_settings(plan)]
    rows = [switch.platform.can("users") for switch in kinds]
    if not management.users and any(row is not None and not row.refusal for row in rows):
        yield Problem(
            code="strict-accounts",
            what="the intent has no accounts",
            where=("management",),
            why=why,
            fix=f"write {USERS} in management",
        )
    if management.eapi is None and any(switch.platform.in_band.own_certificate for switch in kinds):
        yield Problem(
            code="strict-certificate",
            what="the HTTP API of switches has no certificate that the intent names",
            where=("management",),
            why=f"{why}; without a name switches answer with a certificate that each has made for itself",
            fix="write eapi: {certificate: NAME} in management",
        )
