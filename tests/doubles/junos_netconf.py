"""A double of Junos behind NETCONF: what PyEZ sends below its Device, with a candidate, its lock and confirmed commits.

No Junos can be had here. NAPALM's driver, PyEZ and ncclient's own reading of replies are real; what they would have
sent over SSH comes to `Netconf.rpc`. Replies: `command` and its `output`, `configuration-information` and
`get-configuration` as PyEZ reads them (jnpr/junos/device.py, cli; utils/config.py of 2.8.2); the history of commits as
platforms/junos/live/commit.py cites it; namespaces and `junos:` attributes as recorded replies have them. That a timed
commit outlasts its session and reverts by itself is Junos' manual's (commit-configuration, confirmed).
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from xml.sax.saxutils import escape

from lxml import etree  # type: ignore[import-untyped]
from ncclient.devices.junos import JunosDeviceHandler  # type: ignore[import-untyped]
from ncclient.operations.rpc import RPCError, RPCReply  # type: ignore[import-untyped]
from ncclient.transport.errors import AuthenticationError, SessionCloseError  # type: ignore[import-untyped]
from ncclient.xml_ import NCElement, to_ele  # type: ignore[import-untyped]

from tests.doubles.junos_answers import running

Tree = dict[str, Any]
"""Statement or name of a block → what is below it; {} for a statement."""
HEAD = "\n## Last commit: 2026-11-22 05:30:00 UTC by push\nversion 24.4R1.9-EVO;\n"
NAMESPACES = (
    'xmlns="http://xml.juniper.net/junos/24.4R1/junos-double" xmlns:junos="http://xml.juniper.net/junos/*/junos"'
)
ERROR = (
    '<rpc-error xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><error-type>protocol</error-type>'
    "<error-tag>operation-failed</error-tag><error-severity>error</error-severity>"
    "<error-message>{}</error-message></rpc-error>"
)
SOURCE = "192.0.2.7"
"""Address from which sessions come."""
BAD = "frobnicate"
"""A word that no switch knows."""


def grown(text: str) -> Tree:
    """A configuration as the switch keeps it, secrets in a form of its own."""
    top: Tree = {}
    blocks = [top]
    for raw in running(text).splitlines():
        line = raw.strip()
        if line.endswith("{"):
            blocks.append(blocks[-1].setdefault(line[:-1].strip(), {}))
        elif line == "}":
            blocks.pop()
        elif line and not line.startswith(("##", "version ")):
            blocks[-1][line.removesuffix(" ## SECRET-DATA").removesuffix(";")] = {}
    return top


def shown(tree: Tree, depth: int = 0) -> str:
    """The same as the switch shows it."""
    indent = "    " * depth
    rows = []
    for line, below in tree.items():
        mark = " ## SECRET-DATA" if "$9$" in line else ""
        rows.append(
            f"{indent}{line} {{\n{shown(below, depth + 1)}{indent}}}\n" if below else f"{indent}{line};{mark}\n"
        )
    return "".join(rows)


def copied(tree: Tree) -> Tree:
    return {line: copied(below) for line, below in tree.items()}


def edited(tree: Tree, row: str) -> None:
    """One line of `set` or `delete`, for a list that stands or not. Raises LookupError for what is not there."""
    verb, *words = row.split()
    here, rest = _descended(tree, words)
    if verb == "delete":
        del here[next(line for line in here if line.split()[: len(rest)] == rest)]
        return
    *name, value = rest
    old = next((line for line in here if line.split()[: len(name)] == name), None)
    values = [value] if old is None else [*old.removeprefix(" ".join(name)).strip("[] ").split(), value]
    if value in values[:-1]:  # values of a list are unique: RFC 7950, section 7.7
        return
    if old is not None:
        del here[old]
    here[" ".join([*name, *(values if len(values) == 1 else ["[", *values, "]"])])] = {}


def _descended(tree: Tree, words: list[str]) -> tuple[Tree, list[str]]:
    """The innermost block that these words lead to, and the words that are left."""
    for line, below in tree.items():
        head = line.split()
        if below and words[: len(head)] == head and len(words) > len(head):
            return _descended(below, words[len(head) :])
    return tree, words


@dataclass(repr=False)
class Switch:
    """One switch.

    answer  command → XML or words; None for what it refuses
    asked   what came, in order: names of RPCs and what tells them apart
    lost    calls on which the connection ends
    late    what happens before a check of the candidate is done
    warns   of a license that is missing: commits and checks succeed all the same, `show configuration` comes in parts
            (replies: github.com/Juniper/ansible-junos-stdlib issues 58 and 341)
    """

    name: str
    active: Tree
    answer: Callable[[str], str | None] = lambda _: None
    password: str = ""
    candidate: Tree = field(default_factory=dict)
    before: list[Tree] = field(default_factory=list)
    history: list[str] = field(default_factory=list)
    deadline: float | None = None
    holder: object = None
    asked: list[str] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    late: Callable[[], None] = lambda: None
    warns: tuple[str, ...] = ()
    minute: float = 60.0
    lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        """Begin with nothing changed."""
        self.candidate = copied(self.active)

    def tick(self) -> None:
        """Go back where nobody confirmed."""
        if self.deadline is not None and time.monotonic() >= self.deadline:
            self.commit(self.before[0], "", None)

    def commit(self, tree: Tree, log: str, minutes: int | None) -> None:
        """Run a configuration."""
        self.before.insert(0, self.active)
        self.active, self.candidate = copied(tree), copied(tree)
        self.deadline = None if minutes is None else time.monotonic() + minutes * self.minute
        comment = "" if minutes is None else f"<comment>commit confirmed, rollback in {minutes}mins</comment>"
        self.history.insert(0, comment + (f"<log>{escape(log)}</log>" if log else ""))


class Netconf:
    """One connection: what ncclient's Manager is to PyEZ."""

    def __init__(self, switch: Switch) -> None:
        self._switch = switch
        self.timeout = 30
        self.connected = True
        self._device_handler = JunosDeviceHandler({"name": "junos"})
        socket = SimpleNamespace(getsockname=lambda: (SOURCE, 50_000))
        transport = SimpleNamespace(set_keepalive=lambda _: None, is_active=lambda: True, sock=socket)
        self._session = SimpleNamespace(transport=transport, add_listener=lambda _: None)

    def close_session(self) -> None:
        """Let go of the lock, and of what was not committed under it."""
        with self._switch.lock:
            self._release()

    def _release(self) -> None:
        if self._switch.holder is self:
            self._switch.holder, self._switch.candidate = None, copied(self._switch.active)

    def rpc(self, element: Any, *_: object) -> Any:  # noqa: ANN401 - of lxml and ncclient
        """Answer one RPC."""
        switch = self._switch
        with switch.lock:
            switch.tick()
            call = _call(element)
            switch.asked.append(call)
            if call.partition(" ")[0] in switch.lost:
                self._release()
                raise SessionCloseError("unexpected end of the session")
            inner = self._answer(element, call)
        text = f'<rpc-reply xmlns="urn:ietf:params:xml:ns:netconf:base:1.0" message-id="urn:uuid:1">{inner}</rpc-reply>'
        found = RPCReply(text)
        found.parse()
        if found.errors:  # as ncclient has it (operations/rpc.py, _request): warnings, too, and several as one
            raise RPCError(to_ele(text), errs=found.errors) if len(found.errors) > 1 else found.error
        return NCElement(found, self._device_handler.transform_reply())

    def _answer(self, element: Any, call: str) -> str:  # noqa: ANN401
        acts: Mapping[str, Callable[[Any], str]] = {
            "command": self._command,
            "lock-configuration": self._lock,
            "unlock-configuration": self._unlock,
            "load-configuration": self._load,
            "commit-configuration": self._commit,
            "get-configuration": self._configuration,
            "get-commit-information": self._commits,
            "get-interface-information": lambda _: self._shown("counters"),
        }
        return acts[call.partition(" ")[0]](element)

    def _command(self, element: Any) -> str:  # noqa: ANN401
        if element.text == "show configuration":
            text = HEAD + shown(self._switch.active)
            return _outputs(*(text.partition("    bgp {")[::2] if self._switch.warns else (text,)))
        return self._shown(element.text)

    def _shown(self, command: str) -> str:
        found = self._switch.answer(command)
        if found is None:
            raise refusal("error: command is not valid on the qfx5230-64cd")
        if not found.startswith("<"):
            return f"<output>{escape(found)}</output>"
        inner = found.removeprefix('<rpc-reply message-id="urn:uuid:1">').removesuffix("</rpc-reply>")
        head, _, rest = inner.partition(">")
        return f"{head.replace(' style=', ' junos:style=')} {NAMESPACES}>{rest}"

    def _lock(self, _: object) -> str:
        switch = self._switch
        if switch.holder not in (None, self) or switch.candidate != switch.active:
            raise refusal("configuration database locked by: jdoe terminal pts/0")
        switch.holder = self
        return "<ok/>"

    def _unlock(self, _: object) -> str:
        self._release()
        return "<ok/>"

    def _load(self, element: Any) -> str:  # noqa: ANN401
        switch = self._switch
        if (number := element.get("rollback")) is not None:
            switch.candidate = copied(switch.active if number == "0" else switch.before[int(number) - 1])
            return "<ok/>"
        text = element[0].text
        if BAD in text:
            raise refusal(f"syntax error: {BAD}")
        if element.get("action") == "set":
            try:
                for row in filter(None, text.splitlines()):
                    edited(switch.candidate, row)
            except (LookupError, StopIteration):
                raise refusal("statement not found") from None
        else:
            assert element.get("action") == "override", "a configuration in braces replaces all"
            switch.candidate = grown(text)
        return "<load-configuration-results><ok/></load-configuration-results>"

    def _commit(self, element: Any) -> str:  # noqa: ANN401
        switch = self._switch
        if element.find("check") is not None:
            switch.late()
            switch.deadline = None
            return self._committed("commit-check-success")
        minutes = element.findtext("confirm-timeout") if element.find("confirmed") is not None else None
        switch.commit(switch.candidate, element.findtext("log") or "", int(minutes) if minutes else None)
        return self._committed("commit-success")

    def _committed(self, word: str) -> str:
        warnings = "".join(ERROR.format(escape(one)).replace("y>error<", "y>warning<") for one in self._switch.warns)
        engine = f"<routing-engine><name>re0</name><{word}/></routing-engine>"
        return f"<commit-results>{warnings}{engine}</commit-results>"

    def _configuration(self, element: Any) -> str:  # noqa: ANN401
        switch = self._switch
        if element.get("compare") is None:
            return f"<configuration-text>{escape(HEAD + shown(switch.active))}</configuration-text>"
        old, new = shown(switch.active).splitlines(), shown(switch.candidate).splitlines()
        rows = [f"-  {line}" for line in old if line not in new] + [f"+  {line}" for line in new if line not in old]
        differs = switch.candidate != switch.active
        return _outputs("\n".join(["", "[edit]", *rows, ""]) if differs else "\n")

    def _commits(self, _: object) -> str:
        switch = self._switch
        marks = ["<commit-confirmed>rollback pending</commit-confirmed>" if switch.deadline is not None else ""]
        rows = [f"<commit-history>{row}{marks.pop() if marks else ''}</commit-history>" for row in switch.history]
        return f"<commit-information>{''.join(rows)}</commit-information>" if rows else ""


def _outputs(*texts: str) -> str:
    inner = "<configuration-detail/>".join(
        f"<configuration-output>{escape(one)}</configuration-output>" for one in texts
    )
    return f"<configuration-information>{inner}</configuration-information>"


def refusal(words: str) -> Any:  # noqa: ANN401 - of ncclient
    """What ncclient raises for a reply with an error in it."""
    return RPCError(etree.XML(ERROR.format(escape(words))))


def _call(element: Any) -> str:  # noqa: ANN401
    """Name of an RPC and what tells it apart."""
    words = [element.tag, element.text or "" if element.tag == "command" else ""]
    words += [
        f"{key}={value}" for key, value in sorted(element.attrib.items()) if key in ("action", "rollback", "compare")
    ]
    words += [f"{one.tag}={one.text or ''}" for one in element if one.tag in ("check", "confirm-timeout", "log")]
    return " ".join(filter(None, words))


@contextmanager
def network(switches: Mapping[int, Switch]) -> Iterator[None]:
    """Let ncclient find a switch by its port."""

    def connect(**given: Any) -> Netconf:  # noqa: ANN401
        switch = switches.get(given["port"])
        if switch is None:
            raise OSError("connection refused")
        if given["password"] != switch.password:
            raise AuthenticationError("Authentication failed.")
        return Netconf(switch)

    with patch("jnpr.junos.device.netconf_ssh.connect", connect):
        yield
