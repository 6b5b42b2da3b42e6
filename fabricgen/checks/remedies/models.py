"""Other switch models for a fabric, and tiers that it does not have."""

from collections.abc import Iterator

from fabricgen.checks.remedies.counts import with_counts
from fabricgen.checks.remedies.trial import Offer, RemedyTrial, working_offers
from fabricgen.hardware.catalog import Catalog
from fabricgen.intent.fabric import RailOnly, RailOptimized, Switch

MODELS = 24
"""Number of models that are tried for one role."""
ROLES = ("leaf", "spine", "superspine", "border")
UNITS_PER_POD = (64, 32, 16, 8, 4, 2, 1)
"""Pod sizes that are tried for a third tier, the largest first."""


def models(trial: RemedyTrial, role: str) -> Iterator[Offer]:
    """Yield other models for the switches of a role."""
    switch = getattr(trial.fabric, role, None)
    if switch is not None:
        for model in models_of(trial.catalog, switch):
            yield Offer(f"{role}.model: {model}", trial.on_fabric(**{role: switch.model_copy(update={"model": model})}))


def models_of(catalog: Catalog, switch: Switch) -> tuple[str, ...]:
    """Return other models that run the system of a switch, by the capacity of their chips."""
    system = switch.os.partition("-")[0]
    known = (name for name, model in catalog.switches.items() if system in model.port_names and name != switch.model)
    return tuple(sorted(known, key=lambda name: (catalog.asics[catalog.switches[name].asic].terabits, name)))[:MODELS]


def other_models(trial: RemedyTrial, role: str) -> Iterator[Offer]:
    """Yield other models for a role, each with the counts of spines that it needs."""
    for offer in models(trial, role):
        yield from working_offers(with_counts(offer.trial, offer.text), 1)


def group_models(trial: RemedyTrial, group: str) -> Iterator[Offer]:
    """Yield other models for the leaves of a server group, each with the counts of spines that it needs."""
    fabric = trial.fabric
    for model in (fabric.leaf.model, *models_of(trial.catalog, fabric.leaf)):
        changed = trial.on_fabric(leaf_models={**fabric.leaf_models, group: model})
        yield from working_offers(with_counts(changed, f"leaf_models.{group}: {model}"), 1)


def switches(trial: RemedyTrial) -> dict[str, Switch]:
    """Return the switches of a fabric by role."""
    by_role = {role: getattr(trial.fabric, role, None) for role in ROLES}
    return {role: switch for role, switch in by_role.items() if switch is not None}


def one_model(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield one other model for all switches of a fabric; the caller tests whether it works."""
    by_role = switches(trial)
    for model in models_of(trial.catalog, trial.fabric.leaf):
        changed = {role: switch for role, switch in by_role.items() if switch.model != model}
        text = " and ".join(f"{role}.model: {model}" for role in changed)
        yield Offer(
            text,
            trial.on_fabric(**{role: member.model_copy(update={"model": model}) for role, member in changed.items()}),
        )


def superspines(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield superspines of the spine's model above pods, the largest pods first."""
    fabric = trial.fabric
    if fabric.spine is None or fabric.superspine is not None:
        return
    for units in UNITS_PER_POD:
        changed = trial.on_fabric(superspine=fabric.spine).on_topology(units_per_pod=units)
        text = f"superspine: {{model: {fabric.spine.model}, os: {fabric.spine.os}}} and topology.units_per_pod: {units}"
        yield from working_offers(with_counts(changed, text), 1)


def _joined_rails(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield the design whose spines join the rails, for one that keeps rails apart."""
    topology = trial.fabric.topology
    if isinstance(topology, RailOnly):
        kept_keys = {key: getattr(topology, key) for key in topology.model_fields_set if key != "design"}
        other = RailOptimized(design="rail-optimized").model_copy(update=kept_keys)
        yield Offer(f"topology.design: {other.design}", trial.on_fabric(topology=other))


def own_spines(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield spines for a fabric that has none, of the leaf's model first; the same design first."""
    leaf = trial.fabric.leaf
    for design, base in (("", trial), *((f"{offer.text} and ", offer.trial) for offer in _joined_rails(trial))):
        for model in (leaf.model, *models_of(trial.catalog, leaf)):
            changed = base.on_fabric(spine=leaf.model_copy(update={"model": model}))
            yield from working_offers(with_counts(changed, f"{design}spine: {{model: {model}, os: {leaf.os}}}"), 1)


def pod_sizes(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield pod sizes for a fabric without one: the largest that make several pods, then any."""
    sizes = [(units, trial.on_topology(units_per_pod=units)) for units in UNITS_PER_POD]
    for is_several in (True, False):
        for units, changed in sizes:
            if (changed.pods > 1) is is_several:
                yield from working_offers(with_counts(changed, f"topology.units_per_pod: {units}"), 1)
