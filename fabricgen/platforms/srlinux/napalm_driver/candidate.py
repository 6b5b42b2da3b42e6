"""A candidate before it is committed: its changes for JSON-RPC, and the secrets in it that must not be shown."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from fabricgen.platforms.srlinux.live.drift import OWNED, REMARK
from fabricgen.platforms.srlinux.live.secrets import HIDDEN, MADE, secrets_in
from fabricgen.platforms.srlinux.live.values import local
from fabricgen.platforms.srlinux.napalm_driver.rpc import REPLACE, UPDATE, Command

REPLACES = "replaces"
"""Member of a candidate that replaces what is under paths, named as in napalm-srlinux."""

_TELLING = 16
"""Length from which a line of a key is unique enough to be masked."""


class Candidate(NamedTuple):
    """What was loaded.

    text      as it was given
    commands  for `validate`, `diff` and `set`
    hidden    secrets in it
    """

    text: str
    commands: tuple[Command, ...]
    hidden: tuple[str, ...]


def replacing(text: str, running: object) -> Candidate:
    """Return a whole configuration, with the running OWNED parts. Raises ValueError unless it is a JSON object."""
    tree = _object(text)
    return _made(text, ({"action": REPLACE, "path": "/", "value": _with_owned(tree, running)},))


def merging(text: str, loaded: Candidate | None) -> Candidate:
    """Return a part of a configuration, appended to what was loaded before. Raises ValueError."""
    tree = _object(text)
    replaces = tree.get(REPLACES)
    if replaces is None:
        commands: tuple[Command, ...] = ({"action": UPDATE, "path": "/", "value": tree},)
    elif isinstance(replaces, list) and all(
        isinstance(change, dict) and {"path", "value"} == set(change) for change in replaces
    ):
        commands = tuple(
            {"action": REPLACE, "path": str(change["path"]), "value": change["value"]} for change in replaces
        )
    else:
        raise ValueError(f"{REPLACES!r} is a list of objects with path and value")
    return _made(text, (*(loaded.commands if loaded else ()), *commands))


def _made(text: str, commands: tuple[Command, ...]) -> Candidate:
    return Candidate(text, commands, tuple(dict.fromkeys(secrets_in([command["value"] for command in commands]))))


def _object(text: str) -> dict[str, Any]:
    try:
        tree = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if isinstance(tree, dict):
        return tree
    raise ValueError("no object of JSON")


def _with_owned(tree: dict[str, Any], running: object) -> dict[str, Any]:
    """Add each container of OWNED that runs and is not in the tree."""
    result = dict(tree)
    for parent_name, name in OWNED:
        running_key, container = _member(running, parent_name)
        owned_member = _member(container, name)
        key, parent = _member(result, parent_name)
        if owned_member[0] and isinstance(parent or {}, Mapping) and not _member(parent, name)[0]:
            result[key or running_key] = {**(parent or {}), owned_member[0]: owned_member[1]}
    return result


def _member(value: object, name: str) -> tuple[str, Any]:
    """Return the full name and the value of a member; "" and None if there is none."""
    if isinstance(value, Mapping):
        for key, member in value.items():
            if local(str(key)) == name:
                return str(key), member
    return "", None


def without_remarks(value: object) -> object:
    """Return the same JSON value without annotations, which are no leaves of the models."""
    if isinstance(value, dict):
        return {name: without_remarks(member) for name, member in value.items() if name != REMARK}
    if isinstance(value, list):
        return [without_remarks(member) for member in value]
    return value


def printed(value: object) -> str:
    """Return a JSON value as text."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def hiding(text: str, secrets: tuple[str, ...]) -> str:
    """Return a text without these secrets and without their encrypted forms, which differ each time."""
    lines = (line.strip() for value in secrets for line in value.splitlines() if "\n" in value)
    texts = {
        *secrets,
        *(json.dumps(value)[1:-1] for value in secrets),
        *(line for line in lines if len(line) >= _TELLING),
    }
    for hidden in sorted(texts, key=len, reverse=True):
        text = text.replace(hidden, HIDDEN) if len(hidden) > 1 else text
    return MADE.sub(HIDDEN, text)
