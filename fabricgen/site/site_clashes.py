"""What a site has → where it is another site's: by a part of a pool, or as both have the same."""

from collections.abc import Iterator
from itertools import product

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.pool_offers import OwnedPool, new_part, owned_pools
from fabricgen.intent.pools import (
    KINDS,
    NOUNS,
    AdminPool,
    PoolFile,
    Value,
    a_noun,
    bounds,
    is_within,
    overlap,
    quoted,
    text_of,
)
from fabricgen.site.claims import HOSTNAMES, SUBNETS, Claim, RouteTarget, SiteClaims

WHY = {
    "ipv4": "an address is of one switch or server of all sites",
    "ipv6": "an address is of one switch or server of all sites",
    "asns": "a switch drops routes with its own AS number in their path (RFC 4271 section 9.1.2)",
    HOSTNAMES: "two devices would have the same name and domain",
    SUBNETS: "both lead outside, and one of them would get the packets of the other",
}
TAKEN_AT = frozenset({"ipv4", "ipv6", "oob", "asns", "vni_base", "admin"})
"""Keys of an intent that take parts of pools."""
REUSE = "or, if the two are never joined, a pool with reused: true"


def outside_parts(own: SiteClaims, file: PoolFile, name: str) -> Iterator[Problem]:
    """Yield what a site has of a pool that is not its own part. name: of the pool file, for messages."""
    for claim in own.claims:
        for owned in owned_pools(own.site, file, claim.kind):
            if overlap(claim.value, owned.pool.range) and not owned.holds(claim.value):
                yield _foreign(own, owned, name, claim)
    for owned in owned_pools(own.site, file, "vnis"):
        yield from _foreign_vnis(own, owned, name)


def _foreign(own: SiteClaims, owned: OwnedPool, name: str, claim: Claim) -> Problem:
    owner = next((key for key, part in owned.pool.parts.items() if overlap(part, claim.value)), None)
    return Problem(
        code="pool-part-other",
        what=f"{text_of(claim.value)} ({claim.title}) is in the pool {owned.name}, and is no part of {own.site}",
        why=f"{name} has {text_of(owned.pool.range)} for {owned.name}, and "
        + (f"{text_of(owned.pool.parts[owner])} of it for {owner}" if owner else "this part of it for no site"),
        fix=claim.fix
        or _instead(own, owned, name, claim, is_free=owner is None and is_within(claim.value, owned.pool.range)),
        where=claim.where,
    )


def _instead(own: SiteClaims, owned: OwnedPool, name: str, claim: Claim, *, is_free: bool) -> str:
    """Return what a site writes in place of a value of a pool that is no part of it. is_free: nobody has the value."""
    outside = f"{a_noun(claim.kind)} outside of {text_of(owned.pool.range)}"
    if claim.where[-1] == "vni" and owned.parts:
        return (
            f"write a VNI of {' or '.join(map(text_of, owned.parts.values()))}, or one {outside.partition(' VNIs ')[2]}"
        )
    if claim.where[-1] in TAKEN_AT:
        parts = owned.written(_others(own, claim))
        if parts:
            return f"write {parts}, or {outside}"
    if is_free:
        part = new_part(owned, claim.where) if owned.parts else own.site
        return f"add {part}: {quoted(claim.value)} to {claim.kind}.{owned.name}.parts of {name}"
    if claim.where[-1] in TAKEN_AT and owned.parts:
        added = owned.added(name, claim.where, _others(own, claim))
        if added:
            return f"{added}, or write {outside}"
    if owned.parts or claim.where[-1] not in TAKEN_AT:
        return f"write {outside}"
    return f"write {outside}, or give {own.site} a part of {owned.name} and write pool:{owned.name}"


def _others(own: SiteClaims, claim: Claim) -> tuple[Value, ...]:
    """Return what a site has beside a claim that must not overlap it; nothing of VNIs, administrators."""
    if claim.kind in ("vnis", "admins"):
        return ()
    return tuple(other.value for other in own.claims if other.kind == claim.kind and other.where != claim.where)


def _foreign_vnis(own: SiteClaims, owned: OwnedPool, name: str) -> Iterator[Problem]:
    """Yield the first VNI that is not in a part of the site: numbers that follow a base may leave it."""
    for target in own.targets:
        base = next((part for part in owned.parts.values() if overlap(part, target.base)), None)
        is_counted = target.where[0] == "fabrics" and base is not None
        if owned.holds(target.vni) or not (is_counted or overlap(target.vni, owned.pool.range)):
            continue
        if is_counted and base is not None:
            why = f"VNIs are vni_base {target.base} and the id of the lock, and the part is {text_of(base)}"
            fix = f"enlarge the part {text_of(base)} in vnis.{owned.name} of {name}, or write vni: for {target.title}"
            yield Problem("pool-part-other", f"VNI {target.vni} of {target.title} is beyond the part of {own.site}",
                          why, fix, target.where)  # fmt: skip
        else:
            yield _foreign(own, owned, name, Claim("vnis", target.vni, target.title, target.where))
        return


def clashes(
    own: SiteClaims, others: tuple[SiteClaims, ...], file: PoolFile, reported: frozenset[IntentPath]
) -> Iterator[Problem]:
    """Yield what a site has that another one has, too, and no pool calls reused. reported: places left out."""
    for other in others:
        for mine, theirs in product(own.claims, other.claims):
            if mine.kind != theirs.kind or mine.owner != theirs.owner or mine.kind == "admins":
                continue
            if overlap(mine.value, theirs.value) and mine.where not in reported and not _is_reused(file, mine, theirs):
                yield _clash(mine, other, theirs, tuple(owned_pools(own.site, file, mine.kind)))
        yield from _same_target(own, other, file)


def _is_reused(file: PoolFile, mine: Claim, theirs: Claim) -> bool:
    """Whether all that two claims have in common is in a pool that all sites may use."""
    kind = f"ipv{mine.owner[1]}" if mine.kind == SUBNETS else mine.kind
    first = max(bounds(mine.value)[0], bounds(theirs.value)[0])
    last = min(bounds(mine.value)[1], bounds(theirs.value)[1])
    pools = file.of_kind(kind).values() if kind in KINDS else ()
    shared = (bounds(pool.range) for pool in pools if not isinstance(pool, AdminPool) and pool.reused)
    return any(low <= first and last <= high for low, high in shared)


def _clash(mine: Claim, other: SiteClaims, theirs: Claim, pools: tuple[OwnedPool, ...]) -> Problem:
    spot = other.spot(theirs.where)
    if mine.kind == HOSTNAMES:
        domain = mine.owner[1]
        what = f"devices of {other.site} begin with {mine.title}, too"
        fix = "write another prefix: for the fabric" + (
            ", or another management.domain" if domain else ", or a management.domain in both sites"
        )
        return Problem("site-overlap", what, f"{spot}: {WHY[HOSTNAMES]}", fix, mine.where)
    noun = NOUNS[f"ipv{mine.owner[1]}" if mine.kind == SUBNETS else mine.kind]
    what = f"{text_of(mine.value)} ({mine.title}) overlaps {text_of(theirs.value)} of {other.site} ({theirs.title})"
    holding = next((owned for owned in pools if owned.holds(mine.value)), None)
    if mine.fix:
        fix = mine.fix
    elif holding is not None:
        fix = f"write another {noun} there: {text_of(mine.value)} is this site's part of the pool {holding.name}"
    else:
        own = ", ".join(filter(None, (owned.written() for owned in pools)))
        fix = f"write {own or f'another {noun}'}, {REUSE} that has {text_of(theirs.value)}"
    return Problem("site-overlap", what, f"{spot}: {WHY[mine.kind]}", fix, mine.where)


def _same_target(own: SiteClaims, other: SiteClaims, file: PoolFile) -> Iterator[Problem]:
    """Yield the first route target that two sites have."""
    numbers: dict[tuple[int, int], RouteTarget] = {(each.admin, each.vni): each for each in other.targets}
    for target in own.targets:
        theirs = numbers.get((target.admin, target.vni))
        if theirs is None or _is_reused(file, *(_of_vni(each) for each in (target, theirs))):
            continue
        where: IntentPath = target.where
        fabric = target.title.rpartition(" on ")[2]
        yield Problem(
            code="site-overlap",
            what=f"the route target {target.admin}:{target.vni} of {target.title} is one of {other.site}, too",
            why=f"{other.spot(theirs.where)}: it is that of {theirs.title}, and a VRF takes all routes with its target",
            fix=f"write another admin: in fabrics.{fabric}.evpn, or another vni_base, {REUSE} that has the VNIs",
            where=where,
        )
        return


def _of_vni(target: RouteTarget) -> Claim:
    return Claim("vnis", target.vni, target.title, target.where)
