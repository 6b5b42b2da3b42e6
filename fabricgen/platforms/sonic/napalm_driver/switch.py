"""Commands of one switch: each is passed to its shell as words, and failures are raised as NAPALM's exceptions."""

import json
import secrets
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from napalm.base.exceptions import CommandErrorException

from fabricgen.platforms.linux.live.decode import Misread
from fabricgen.platforms.sonic.live.asked import CONTAINERS, RUNNING, VERSION
from fabricgen.platforms.sonic.live.counters import MARKED, PFC, QUEUES
from fabricgen.platforms.sonic.live.links import ERRORS, FEC, FLAPS, STORMS
from fabricgen.platforms.sonic.live.needed import FILES
from fabricgen.platforms.sonic.live.values import FRR_RUNNING, Whole, masked, tables_in, tables_of
from fabricgen.platforms.sonic.napalm_driver.device_side import CHECKPOINT, CHECKPOINTS, STARTUP
from napalm_frr import paths
from napalm_frr.programs import refused
from napalm_frr.shell import ProgramRunner, parsed_json, split_words
from napalm_frr.transport import Result

CONFIG = ("sonic-cfggen", "-d", "--print-data")
EXACT = frozenset({VERSION, RUNNING, CONTAINERS, PFC, QUEUES, MARKED, ERRORS, FEC, FLAPS, STORMS, FILES.command})
"""Commands that are run exactly as written here."""
SECRETIVE = frozenset({CONFIG[0], "show", "cat"})
"""First words of commands whose output is not shown if they fail: it may end in the middle of a secret."""
KERNEL = ("ip", "bridge")
LLDP = ("docker", "exec", "lldp", "lldpcli", "-f", "json0", "show")


@dataclass(frozen=True, slots=True, kw_only=True)
class SonicShell(ProgramRunner):
    """Commands of one switch. root: folder used as /."""

    sudo: bool = True
    root: str = ""

    def script(self, text: str, *words: str, given: str = "", seconds: float = 0) -> Result:
        """Run a script of device_side.py; `words` follow the folder used as /."""
        return self.run(["sh", "-c", text, "napalm-sonic", self.root, *words], given, seconds)

    def must(self, words: Iterable[str], given: str = "") -> str:
        """Return the output of a program that must succeed. Raises CommandErrorException, which names the program."""
        arguments = tuple(words)
        result = self.run(arguments, given)
        if result.status != 0:
            shown = result._replace(output="") if arguments[0] in SECRETIVE else result
            raise CommandErrorException(f"{self.host}: {shlex.join(arguments[:3])}: {paths.masked(shown.failure)}")
        return result.output

    def config(self) -> Whole:
        """Return the running CONFIG_DB, secrets included."""
        return self._tables(CONFIG)

    def checkpoint(self) -> Whole:
        """Return the CONFIG_DB from before the commit, secrets included."""
        return self._tables(("cat", f"{self.root}{CHECKPOINTS}/{CHECKPOINT}.cp.json"))

    def startup(self) -> Whole:
        """Return the CONFIG_DB of the next start, secrets included."""
        return self._tables(("cat", self.root + STARTUP))

    def _tables(self, words: Sequence[str]) -> Whole:
        try:
            return tables_of(self.must(words))
        except Misread as error:
            raise CommandErrorException(f"{self.host}: {words[0]}: {error}") from None

    def texts(self, commands: Sequence[str]) -> dict[str, str]:
        """Return outputs of read-only commands, all from one call. If one fails, each is run by itself."""
        calls = {command: self._words(command) for command in commands}
        # A random separator, which no output can contain.
        mark = f"--{secrets.token_hex(8)}--"
        script = "".join(f"{shlex.join(words)}; printf '\\n{mark} %s\\n' $?\n" for words in calls.values())
        result = self.run(["sh", "-c", script])
        parts = result.output.split(f"\n{mark} 0\n")
        if result.status == 0 and len(parts) == len(calls) + 1 and not parts[-1]:
            return {command: _discreet(command, text) for command, text in zip(calls, parts[:-1], strict=True)}
        return {command: _discreet(command, self.must(words)) for command, words in calls.items()}

    def jsons(self, commands: Sequence[str]) -> dict[str, Any]:
        """Return parsed outputs of such commands; {} for an empty output."""
        return {command: parsed_json(self.host, command, text) for command, text in self.texts(commands).items()}

    def _words(self, command: str) -> list[str]:
        """Return the words of a command. Raises CommandErrorException if it may do more than read."""
        words = split_words(self.host, command)
        if not words:
            raise CommandErrorException(f"{self.host}: an empty command")
        reason = "" if self.any_command else _refused(command, words)
        if reason:
            raise CommandErrorException(f"{self.host}: {command}: {reason}")
        return words


def _refused(command: str, words: Sequence[str]) -> str:
    """Return why a command is not run; "" if it only reads."""
    if command in EXACT:
        return ""
    if words[0] in KERNEL:
        return refused(words)
    if words[:2] == ["vtysh", "-c"] and len(words) == 3 and words[2].startswith("show ") and "\n" not in words[2]:
        return ""
    if tuple(words[: len(LLDP)]) == LLDP:
        return ""
    return "only commands that are known to read are run, unless optional_args have cli_any"


def _discreet(command: str, text: str) -> str:
    """Return an output without the secrets of CONFIG_DB and FRR."""
    if command != RUNNING:
        return paths.masked(text) if command.startswith("vtysh ") and not text.startswith(("{", "[")) else text
    try:
        value = json.loads(text)
        shown_tables: dict[str, object] = {**masked(tables_in(value))}
    except (ValueError, RecursionError):  # of json and Misread
        return "{}"
    if isinstance(value.get(FRR_RUNNING), str):
        shown_tables[FRR_RUNNING] = paths.masked(value[FRR_RUNNING])
    return json.dumps(shown_tables, indent=4)
