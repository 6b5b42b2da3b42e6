"""Commands of one switch: each given to its shell as words, and failures raised as NAPALM's."""

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
from fabricgen.platforms.sonic.live.values import FRR_RUNNING, Whole, masked, tables_in, tables_of
from fabricgen.platforms.sonic.napalm_driver.device_side import CHECKPOINT, CHECKPOINTS, STARTUP
from napalm_frr import paths
from napalm_frr.programs import refused
from napalm_frr.transport import Result, Transport

CONFIG = ("sonic-cfggen", "-d", "--print-data")
EXACT = frozenset({VERSION, RUNNING, CONTAINERS, PFC, QUEUES, MARKED, ERRORS, FEC, FLAPS, STORMS})
"""Commands that are run as they are."""
SECRETIVE = frozenset({CONFIG[0], "show", "cat"})
"""First words of commands whose output is not shown where they fail: it may have broken off at a secret."""
KERNEL = ("ip", "bridge")
LLDP = ("docker", "exec", "lldp", "lldpcli", "-f", "json0", "show")


@dataclass(frozen=True, slots=True, kw_only=True)
class SonicShell:
    """One switch's commands.

    seconds      time that a command has
    sudo         whether commands need `sudo -n`
    any_command  whether `cli` runs more than what only reads
    root         folder that stands for /
    """

    transport: Transport
    host: str
    seconds: float
    sudo: bool = True
    any_command: bool = False
    root: str = ""

    def run(self, words: Iterable[str], given: str = "", seconds: float = 0) -> Result:
        """Run one program; no word is ever read as shell."""
        limit = seconds or self.seconds
        # What runs as root can be ended by root alone, not by the transport's own limit.
        ending = ["sudo", "-n", "timeout", "-k", "2", f"{limit:g}"] if self.sudo else []
        return self.transport.run(shlex.join([*ending, *words]), given, limit)

    def script(self, text: str, *words: str, given: str = "", seconds: float = 0) -> Result:
        """Run a script of device_side.py; `words` come after the folder that stands for /."""
        return self.run(["sh", "-c", text, "napalm-sonic", self.root, *words], given, seconds)

    def must(self, words: Iterable[str], given: str = "") -> str:
        """Output of a program that has to succeed. Raises CommandErrorException, which names it."""
        known = tuple(words)
        found = self.run(known, given)
        if found.status != 0:
            shown = found._replace(output="") if known[0] in SECRETIVE else found
            raise CommandErrorException(f"{self.host}: {shlex.join(known[:3])}: {paths.masked(said(shown))}")
        return found.output

    def config(self) -> Whole:
        """CONFIG_DB as it runs, secrets in it."""
        return self._tables(CONFIG)

    def checkpoint(self) -> Whole:
        """CONFIG_DB as a commit found it, secrets in it."""
        return self._tables(("cat", f"{self.root}{CHECKPOINTS}/{CHECKPOINT}.cp.json"))

    def startup(self) -> Whole:
        """CONFIG_DB as the next start has it, secrets in it."""
        return self._tables(("cat", self.root + STARTUP))

    def _tables(self, words: Sequence[str]) -> Whole:
        try:
            return tables_of(self.must(words))
        except Misread as error:
            raise CommandErrorException(f"{self.host}: {words[0]}: {error}") from None

    def texts(self, commands: Sequence[str]) -> dict[str, str]:
        """Outputs of commands that only read, all in one call. Where one fails each is run by itself."""
        calls = {command: self._words(command) for command in commands}
        mark = f"--{secrets.token_hex(8)}--"
        script = "".join(f"{shlex.join(words)}; printf '\\n{mark} %s\\n' $?\n" for words in calls.values())
        found = self.run(["sh", "-c", script])
        parts = found.output.split(f"\n{mark} 0\n")
        if found.status == 0 and len(parts) == len(calls) + 1 and not parts[-1]:
            return {command: _discreet(command, text) for command, text in zip(calls, parts[:-1], strict=True)}
        return {command: _discreet(command, self.must(words)) for command, words in calls.items()}

    def jsons(self, commands: Sequence[str]) -> dict[str, Any]:
        """Parsed outputs of such commands; nothing at all is an empty value."""
        found: dict[str, Any] = {}
        for command, text in self.texts(commands).items():
            try:
                found[command] = json.loads(text) if text.strip() else {}
            except ValueError:
                first = text.strip().partition("\n")[0]
                raise CommandErrorException(f"{self.host}: {command}: no JSON: {first[:200]}") from None
        return found

    def _words(self, command: str) -> list[str]:
        """Words of a command. Raises CommandErrorException for one that may do more than read."""
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise CommandErrorException(f"{self.host}: {command}: {error}") from None
        if not words:
            raise CommandErrorException(f"{self.host}: an empty command")
        why = "" if self.any_command else _refused(command, words)
        if why:
            raise CommandErrorException(f"{self.host}: {command}: {why}")
        return words


def _refused(command: str, words: Sequence[str]) -> str:
    """Why a command is not run; "" when it only reads."""
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
    """An output without the secrets of CONFIG_DB and FRR."""
    if command != RUNNING:
        return paths.masked(text) if command.startswith("vtysh ") and not text.startswith(("{", "[")) else text
    try:
        value = json.loads(text)
        found: dict[str, object] = {**masked(tables_in(value))}
    except (ValueError, RecursionError):  # of json and Misread
        return "{}"
    if isinstance(value.get(FRR_RUNNING), str):
        found[FRR_RUNNING] = paths.masked(value[FRR_RUNNING])
    return json.dumps(found, indent=4)


def said(found: Result) -> str:
    """What a failed command had to say, on one line."""
    lines = [line.strip() for line in (*found.errors.splitlines(), *found.output.splitlines()) if line.strip()]
    return "; ".join(lines[:3]) or f"exit status {found.status}"
