"""An intent and a version of the defaults → the intent with every default filled in. Pure and repeatable."""

from typing import TypeVar

from pydantic import BaseModel

from fabricgen.intent.defaults import NEWEST, Path, Values
from fabricgen.intent.fabric import Backend, Frontend, is_lossless
from fabricgen.intent.model import Intent
from fabricgen.intent.security import profile_values

M = TypeVar("M", bound=BaseModel)
F = TypeVar("F", bound=Backend | Frontend)

EVERY = "*"
IPV6_ONLY: Values = {("addressing", "links"): ("ipv6",), ("addressing", "hosts"): "ipv6"}
"""Defaults of a fabric without an IPv4 prefix."""


def chosen_version(intent: Intent, recorded: int | None) -> int:
    """Return the version in force: the intent's own, else the lock's (None: no lock), else the newest."""
    if intent.defaults is not None:
        return intent.defaults
    return NEWEST if recorded is None else recorded


def completed(intent: Intent, version: int, values: Values) -> Intent:
    """Return the intent with these values where it has none, those of its security profile, and the version in force.

    `model_fields_set` keeps the keys that were written, so the result can be completed again with other values.
    """
    filled = _replaced(intent, "defaults", version)
    for path, value in {**values, **profile_values(intent.security)}.items():
        filled = _filled(filled, path, value)
    alone = {name: _ipv6_only(fabric) for name, fabric in filled.fabrics.items() if fabric.addressing.ipv4 is None}
    return _replaced(filled, "fabrics", {**filled.fabrics, **alone}) if alone else filled


def _ipv6_only(fabric: F) -> F:
    """Return a fabric without IPv4 with the families of its links and NICs."""
    for path, value in IPV6_ONLY.items():
        fabric = _filled(fabric, path, value)
    return fabric


def open_places(model: BaseModel, path: Path) -> tuple[Path, ...]:
    """Return the places of a key, `*` resolved, that exist in an intent and are left to the default."""
    name, rest = path[0], path[1:]
    if not _has(model, name):
        return ()
    here = getattr(model, name)
    if rest[:1] == (EVERY,):
        return tuple((name, key, *place) for key, child in here.items() for place in open_places(child, rest[1:]))
    if rest:
        return tuple((name, *place) for place in open_places(here, rest)) if isinstance(here, BaseModel) else ()
    return () if name in model.model_fields_set else ((name,),)


def _has(model: BaseModel, name: str) -> bool:
    """Whether a key of a model has a meaning: a best-effort frontend has no settings of a lossless class."""
    is_idle = name == "roce" and isinstance(model, Frontend) and not is_lossless(model)
    return name in type(model).model_fields and not is_idle


def _filled(model: M, path: Path, value: object) -> M:
    """Return the model with the value at a path, in each place that exists and has no value of its own."""
    name, rest = path[0], path[1:]
    if not _has(model, name):
        return model
    here = getattr(model, name)
    if rest[:1] == (EVERY,):
        return _replaced(model, name, {key: _filled(child, rest[1:], value) for key, child in here.items()})
    if rest:
        return _replaced(model, name, _filled(here, rest, value)) if isinstance(here, BaseModel) else model
    return model if name in model.model_fields_set else _replaced(model, name, value)


def _replaced(model: M, name: str, value: object) -> M:
    """Return the model with another value of a key, and the same `model_fields_set`."""
    # Not `model_copy`: it would mark the key as written.
    return type(model).model_construct(model.model_fields_set, **(dict(model) | {name: value}))
