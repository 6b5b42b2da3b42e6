"""Words → every meaning that they have on a site."""

from collections.abc import Callable, Iterator

from fabricgen.checks.catalogue import PLAN_CHECKS
from fabricgen.errors import FabricError, Problem
from fabricgen.explain.address import address_answers
from fabricgen.explain.answer import Answer
from fabricgen.explain.code import code_answers, problem_code_answers
from fabricgen.explain.device import device_answers
from fabricgen.explain.fabric import fabric_answers, plane_answers
from fabricgen.explain.known import KnownSite
from fabricgen.explain.numbers import (
    asn_answers,
    distinguisher_answers,
    free_asn_answers,
    target_answers,
    vlan_answers,
    vni_answers,
)
from fabricgen.explain.parse import Question
from fabricgen.explain.peer import peer_answers
from fabricgen.explain.port import port_answers
from fabricgen.explain.prefix import prefix_answers
from fabricgen.explain.server import group_answers, nic_answers, server_answers
from fabricgen.explain.tenant import network_answers, tenant_answers
from fabricgen.explain.unknown import unknown
from fabricgen.plan.plan import Plan

READINGS: tuple[Callable[[KnownSite, Question], Iterator[Answer]], ...] = (
    device_answers,
    port_answers,
    server_answers,
    nic_answers,
    group_answers,
    fabric_answers,
    plane_answers,
    tenant_answers,
    network_answers,
    peer_answers,
    asn_answers,
    free_asn_answers,
    vni_answers,
    vlan_answers,
    distinguisher_answers,
    target_answers,
    address_answers,
    prefix_answers,
)
"""Every meaning that words can have; each yields nothing for words of another kind."""

GROUNDS = (
    "platforms",
    "recorded-fit",
    "rows-disjoint",
    "names-unique",
    "prefixes-disjoint",
    "pool-sizes",
    "addresses-unique",
    "asns-unique",
    "nic-planes",
    "even-links",
    "spine-rows",
    "rails",
    "outside-ports",
)
"""Checks without which a number has no meaning, or two; checks that visit every cable are not among them."""


def explain(known: KnownSite, asked: Question) -> tuple[Answer, ...]:
    """Every meaning of the question, codes and checks included. Raises FabricError if there is none."""
    answers = [*code_answers(asked), *(answer for read in READINGS for answer in read(known, asked))]
    answers = answers or list(problem_code_answers(asked))
    if not answers:
        raise FabricError([unknown(known, asked)])
    # Both ends of a link may give the same line.
    return tuple(answer._replace(facts=tuple(dict.fromkeys(answer.facts))) for answer in answers)


def ungrounded(plan: Plan) -> tuple[Problem, ...]:
    """Problems that would make answers wrong; other problems of the intent do not matter here."""
    return tuple(problem for check in PLAN_CHECKS if check.name in GROUNDS for problem in check.run(plan))
