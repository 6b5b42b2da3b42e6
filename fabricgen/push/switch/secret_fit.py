"""Whether the values of secrets are what the fields want that they are filled into, by the tables of the platforms.

A hash in the place of a key, or a password in that of a hash, loads well and locks people out. So values are held
against every switch that gets them before anything is written or sent. A problem has the rule, never the value: not
even how long it is.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.base.secret import secret
from fabricgen.device.device import Device
from fabricgen.device.references import USER_PASSWORD, held
from fabricgen.errors import Problem
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.secret_shape import SecretForm, SecretShape
from fabricgen.push.switch.secrets import Places, placed


class SecretDemand(NamedTuple):
    """What a switch wants of the value of a reference.

    field   that it is in, one of `device/references.py`
    system  title and release of what runs there
    """

    name: str
    field: str
    system: str
    shape: SecretShape


def demands(device: Device) -> Iterator[SecretDemand]:
    """What a switch wants of the values that its files get; raw lines want nothing that is known."""
    platform = PLATFORMS[device.system]
    shapes = platform.secrets(device.version)
    for field, found in held(device):
        if field in shapes:
            yield SecretDemand(found.written, field, f"{platform.title} {device.version}", shapes[field])


def forms(found: Iterable[SecretDemand]) -> Mapping[str, str]:
    """Variable of the environment → what its value must be, in words."""
    told: dict[str, dict[str, None]] = {}
    for demand in found:
        kind, variable = secret(demand.name)
        if kind == "env":
            words = f"{demand.field}: {demand.shape.told}, as `{demand.shape.values[0].make}` prints one"
            told.setdefault(variable, {})[words] = None
    return {variable: "; ".join(words) for variable, words in told.items()}


def misfits(found: Iterable[SecretDemand], secrets: Mapping[str, str], written: Places) -> tuple[Problem, ...]:
    """A problem of each reference and field whose value does not fit. What was not read is left out."""
    wanted = [demand for demand in dict.fromkeys(found) if demand.name in secrets]
    refused = [demand for demand in wanted if not demand.shape.takes(secrets[demand.name])]
    return tuple(
        _misfit(
            [demand for demand in refused if (demand.name, demand.field) == (name, field)],
            [demand for demand in wanted if demand.name == name],
            written,
        )
        for name, field in sorted({(demand.name, demand.field) for demand in refused})
    )


def _misfit(refused: list[SecretDemand], wanted: list[SecretDemand], written: Places) -> Problem:
    """A problem of one reference in one field. wanted: all that is wanted of its value, anywhere."""
    name, field = refused[0].name, refused[0].field
    shapes = _by_shape(refused)
    problem = Problem(
        code="secret-shape",
        what=f"the secret {name} is not a valid `{field}` on {', '.join(demand.system for demand in refused)}",
        why="; ".join(f"{', '.join(systems)}: {_rule(shape)}" for shape, systems in shapes.items())
        if len(shapes) > 1
        else f"it takes {_rule(refused[0].shape)}",
        fix=_fix(name, field, wanted),
    )
    return placed(problem, name, written, field)


def _by_shape(found: Iterable[SecretDemand]) -> Mapping[SecretShape, tuple[str, ...]]:
    """Shape → systems that want it."""
    shapes: dict[SecretShape, tuple[str, ...]] = {}
    for demand in found:
        shapes[demand.shape] = tuple(dict.fromkeys((*shapes.get(demand.shape, ()), demand.system)))
    return shapes


def _rule(shape: SecretShape) -> str:
    return f"{shape.told}: {shape.rule} ({shape.source})"


def common(shapes: Iterable[SecretShape]) -> SecretForm | None:
    """A form that all of them take, the first of the first that has one; None where there is none."""
    every = tuple(shapes)
    return next((form for form in every[0].values if all(shape.takes(form.example) for shape in every)), None)


def _fix(name: str, field: str, wanted: list[SecretDemand]) -> str:
    """What to type. Where fields or systems want several forms: one that all of them take, or how to part them."""
    shapes = _by_shape(wanted)
    if len({demand.field == USER_PASSWORD for demand in wanted}) > 1:
        return _parted("the hash of a password is no key", wanted)
    form = common(shapes)
    if form is None:
        return _parted(f"no form is taken by all that have {name}", wanted)
    more = [f"which all that have it take: {', '.join(_where(wanted))}"] if len(shapes) > 1 else []
    more += ["and the same at the other end"] if field != USER_PASSWORD else []
    command, place = _typed(name, form)
    if not more and not place:
        return command
    return ", ".join((f"`{command}`{place}", *more))


def _typed(name: str, form: SecretForm) -> tuple[str, str]:
    """The command that leaves a value of a form where a reference leads, and where it is typed."""
    found = secret(name)
    if found.kind == "env":
        return f'export {found.name}="$({form.make})"', ""
    return f"{form.make} > {found.name}", " in the folder of the intent"


def _where(wanted: Iterable[SecretDemand]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"`{demand.field}` on {demand.system}" for demand in wanted))


def _parted(why: str, wanted: list[SecretDemand]) -> str:
    """Several references instead of one."""
    each = (f"{', '.join(systems)}: {shape.values[0].make}" for shape, systems in _by_shape(wanted).items())
    by = ", by `overrides:` of its fabric or its switches" if len({demand.field for demand in wanted}) == 1 else ""
    return f"{why}: {', '.join(_where(wanted))}. Give each a reference of its own{by} ({'; '.join(each)})"
