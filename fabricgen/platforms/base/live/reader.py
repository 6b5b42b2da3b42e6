"""How one platform is read: which commands NAPALM runs, and how their outputs are parsed. No function here connects."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.line_kind import LineKind
from fabricgen.state.counts import CounterSource, PortCounter
from fabricgen.state.state import State

JSON, TEXT, XML = "json", "text", "xml"


class ReadCommand(NamedTuple):
    """One command for NAPALM's `cli`, and the part of State that it serves. encoding: json, text or xml.

    call  commands with the same number and encoding are sent in one call, where that helps the driver; 0 is sent alone
    """

    part: str
    command: str
    encoding: str
    call: int = 0


class Output(NamedTuple):
    """Result of a command: parsed JSON or text; or, with `value` None, the error."""

    value: object
    error: str = ""


Outputs = Mapping[str, Output]
"""Outputs by command."""


class Drift(NamedTuple):
    """One line of configuration and the section that contains it (empty: top level). present: `running` has it."""

    section: tuple[str, ...]
    line: str
    present: bool


class ByHand(NamedTuple):
    """How a person collects outputs of one platform.

    typed  what to type for a command
    value  what NAPALM's driver makes of the same output. Raises ValueError if it is not of that form, and
           by_hand.RefusedError if it is the switch's refusal
    """

    typed: Callable[[ReadCommand], str]
    value: Callable[[ReadCommand, str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How one platform is read.

    system     platform name
    driver     NAPALM driver
    vrf_names  VRF on the switch → VRF of the plan, where the platform needs another name; {} by default
    reads      commands for a switch with these VRFs (the switch's own names, without the default one)
    state      outputs → State; a part whose command failed or whose output is not understood is None and in `unread`
    drift      (wanted artifact, running text) → lines that differ; secrets compare as equal
    lines      which kind of change a line of `drift` is, where a source says so
    unseen     part → why this platform can never show it
    files      names of artifacts that are read back in addition to the main one
    by_hand    None if the commands that a person types print another form
    counts     each counter of ports, with its source, or why the reader has none
    """

    system: str
    driver: str
    vrf_names: Callable[[Device], Mapping[str, str]] = lambda device: {}
    reads: Callable[[Iterable[str]], tuple[ReadCommand, ...]]
    state: Callable[[Outputs, Mapping[str, str]], State]
    drift: Callable[[str, str], tuple[Drift, ...]]
    unseen: Mapping[str, str]
    lines: tuple[LineKind, ...] = ()
    files: tuple[str, ...] = ()
    by_hand: ByHand | None = None
    counts: Mapping[PortCounter, CounterSource] = field(default_factory=dict)
