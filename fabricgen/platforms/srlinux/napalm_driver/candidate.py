"""A candidate as it is held before it is committed: changes for JSON-RPC, and what of them may not be shown."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from fabricgen.platforms.srlinux.live.drift import OWNED, REMARK
from fabricgen.platforms.srlinux.live.secrets import HIDDEN, MADE, secrets_in
from fabricgen.platforms.srlinux.live.values import local
from fabricgen.platforms.srlinux.napalm_driver.rpc import REPLACE, UPDATE, Command

REPLACES = "replaces"
"""Member of a candidate that replaces what stands under paths, as napalm-srlinux names it."""

_TELLING = 16
"""Characters from which a line of a key stands nowhere else."""


class Candidate(NamedTuple):
    """What was loaded. text: as it was given; commands: of `validate`, `diff` and `set`; hidden: secrets in it."""

    text: str
    commands: tuple[Command, ...]
    hidden: tuple[str, ...]


def replacing(text: str, running: object) -> Candidate:
    """A whole configuration, with what the box owns as it runs. Raises ValueError for what is no object of JSON."""
    tree = _object(text)
    return _made(text, ({"action": REPLACE, "path": "/", "value": _with_owned(tree, running)},))


def merging(text: str, before: Candidate | None) -> Candidate:
    """A part of a configuration, behind what was loaded before. Raises ValueError."""
    tree = _object(text)
    replaces = tree.get(REPLACES)
    if replaces is None:
        commands: tuple[Command, ...] = ({"action": UPDATE, "path": "/", "value": tree},)
    elif isinstance(replaces, list) and all(
        isinstance(one, dict) and {"path", "value"} == set(one) for one in replaces
    ):
        commands = tuple({"action": REPLACE, "path": str(one["path"]), "value": one["value"]} for one in replaces)
    else:
        raise ValueError(f"{REPLACES!r} is a list of objects with path and value")
    return _made(text, (*(before.commands if before else ()), *commands))


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
    """Add each container of OWNED that runs and is not said."""
    found = dict(tree)
    for above, name in OWNED:
        runs, container = _member(running, above)
        kept = _member(container, name)
        key, held = _member(found, above)
        if kept[0] and isinstance(held or {}, Mapping) and not _member(held, name)[0]:
            found[key or runs] = {**(held or {}), kept[0]: kept[1]}
    return found


def _member(value: object, name: str) -> tuple[str, Any]:
    """Name, as it stands there, and value of a member; "" and None without."""
    if isinstance(value, Mapping):
        for key, held in value.items():
            if local(str(key)) == name:
                return str(key), held
    return "", None


def without_remarks(value: object) -> object:
    """The same value of JSON without remarks, which are no leaves of the models."""
    if isinstance(value, dict):
        return {name: without_remarks(held) for name, held in value.items() if name != REMARK}
    if isinstance(value, list):
        return [without_remarks(held) for held in value]
    return value


def printed(value: object) -> str:
    """A value of JSON as text."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def hiding(text: str, secrets: tuple[str, ...]) -> str:
    """A text that repeats neither these secrets nor what the switch has made of one: it encrypts again each time."""
    lines = (line.strip() for one in secrets for line in one.splitlines() if "\n" in one)
    known = {*secrets, *(json.dumps(one)[1:-1] for one in secrets), *(line for line in lines if len(line) >= _TELLING)}
    for secret in sorted(known, key=len, reverse=True):
        text = text.replace(secret, HIDDEN) if len(secret) > 1 else text
    return MADE.sub(HIDDEN, text)
