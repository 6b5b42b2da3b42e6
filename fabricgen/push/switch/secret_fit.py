"""Whether the values of secrets fit the fields that they are filled into, according to the platforms' tables.

A hash in a key's field, or a password in the field of a hash, loads without an error and locks people out. So values
are checked against every switch that gets them before anything is written or sent. A problem has the rule, never the
value, not even its length.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.base.secret import secret
from fabricgen.device.device import Device
from fabricgen.device.references import USER_PASSWORD, secret_fields
from fabricgen.errors import Problem
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.secret_shape import SecretForm, SecretShape
from fabricgen.push.switch.secrets import Places, placed


class SecretDemand(NamedTuple):
    """What a switch requires of the value of a reference.

    field   where it is used, one of `device/references.py`
    system  title and release of the network OS
    """

    name: str
    field: str
    system: str
    shape: SecretShape


def demands(device: Device) -> Iterator[SecretDemand]:
    """What a switch requires of the values that its files get; nothing is known of raw lines."""
    platform = PLATFORMS[device.system]
    shapes = platform.secrets(device.version)
    for field, reference in secret_fields(device):
        if field in shapes:
            yield SecretDemand(reference.written, field, f"{platform.title} {device.version}", shapes[field])


def forms(secret_demands: Iterable[SecretDemand]) -> Mapping[str, str]:
    """Environment variable → what its value must be, in words."""
    texts: dict[str, dict[str, None]] = {}
    for demand in secret_demands:
        kind, variable = secret(demand.name)
        if kind == "env":
            text = f"{demand.field}: {demand.shape.title}, as `{demand.shape.values[0].make}` prints one"
            texts.setdefault(variable, {})[text] = None
    return {variable: "; ".join(text) for variable, text in texts.items()}


def misfits(secret_demands: Iterable[SecretDemand], secrets: Mapping[str, str], written: Places) -> tuple[Problem, ...]:
    """A problem for each reference and field whose value does not fit. References that were not read are skipped."""
    read = [demand for demand in dict.fromkeys(secret_demands) if demand.name in secrets]
    refused = [demand for demand in read if not demand.shape.takes(secrets[demand.name])]
    return tuple(
        _misfit(
            [demand for demand in refused if (demand.name, demand.field) == (name, field)],
            [demand for demand in read if demand.name == name],
            written,
        )
        for name, field in sorted({(demand.name, demand.field) for demand in refused})
    )


def _misfit(refused: list[SecretDemand], secret_demands: list[SecretDemand], written: Places) -> Problem:
    """A problem of one reference in one field. secret_demands: all demands on its value, anywhere."""
    name, field = refused[0].name, refused[0].field
    shapes = _by_shape(refused)
    problem = Problem(
        code="secret-shape",
        what=f"the secret {name} is not a valid `{field}` on {', '.join(demand.system for demand in refused)}",
        why="; ".join(f"{', '.join(systems)}: {_rule(shape)}" for shape, systems in shapes.items())
        if len(shapes) > 1
        else f"it must be {_rule(refused[0].shape)}",
        fix=_fix(name, field, secret_demands),
    )
    return placed(problem, name, written, field)


def _by_shape(secret_demands: Iterable[SecretDemand]) -> Mapping[SecretShape, tuple[str, ...]]:
    """Shape → systems that require it."""
    shapes: dict[SecretShape, tuple[str, ...]] = {}
    for demand in secret_demands:
        shapes[demand.shape] = tuple(dict.fromkeys((*shapes.get(demand.shape, ()), demand.system)))
    return shapes


def _rule(shape: SecretShape) -> str:
    return f"{shape.title}: {shape.rule} ({shape.source})"


def common(shapes: Iterable[SecretShape]) -> SecretForm | None:
    """The first value form that all shapes accept; None without one."""
    all_shapes = tuple(shapes)
    return next((form for form in all_shapes[0].values if all(shape.takes(form.example) for shape in all_shapes)), None)


def _fix(name: str, field: str, secret_demands: list[SecretDemand]) -> str:
    """What to type. Where fields or systems need different forms: one that all accept, or several references."""
    shapes = _by_shape(secret_demands)
    if len({demand.field == USER_PASSWORD for demand in secret_demands}) > 1:
        return _parted("the hash of a password is not a key", secret_demands)
    form = common(shapes)
    if form is None:
        return _parted(f"no form is valid for all that use {name}", secret_demands)
    additions = [f"which all that use it accept: {', '.join(_where(secret_demands))}"] if len(shapes) > 1 else []
    additions += ["and set it on the server or manager, too"] if field != USER_PASSWORD else []
    command, place = _typed(name, form)
    if not additions and not place:
        return command
    return ", ".join((f"`{command}`{place}", *additions))


def _typed(name: str, form: SecretForm) -> tuple[str, str]:
    """The command that prints a value of this form into what a reference names, and where to type it."""
    target = secret(name)
    if target.kind == "env":
        return f'export {target.name}="$({form.make})"', ""
    return f"{form.make} > {target.name}", " in the folder of the intent"


def _where(secret_demands: Iterable[SecretDemand]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"`{demand.field}` on {demand.system}" for demand in secret_demands))


def _parted(reason: str, demanded: list[SecretDemand]) -> str:
    """The fix that replaces one reference by several."""
    commands = (f"{', '.join(systems)}: {shape.values[0].make}" for shape, systems in _by_shape(demanded).items())
    overrides = (
        ", by `overrides:` of its fabric or its switches" if len({demand.field for demand in demanded}) == 1 else ""
    )
    return (
        f"{reason}: {', '.join(_where(demanded))}. Give each a reference of its own{overrides} ({'; '.join(commands)})"
    )
