"""Commands of one switch: words quoted for its shell, vtysh and the programs beside it, failures raised as NAPALM's."""

import json
import re
import secrets
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from napalm.base.exceptions import CommandErrorException, CommandTimeoutException

from napalm_frr import daemons
from napalm_frr.programs import PROGRAMS, STARTUP, refused
from napalm_frr.transport import Result, Transport

DAEMONS = "show daemons"
PATIENCE = 4
"""Seconds after which vtysh is not waited for any longer before it is known that no daemon hangs."""
FEWEST = 2
"""Commands that are worth a call together: vtysh takes some 20 ms to start, and a program's shell some 5."""

TELL = 'printf \'\\n%s %s\\n%s\\n%s\\n\' "$mark" $? "$said" "$mark"\n'
"""Line of sh behind a program: its status and its errors, between marks."""


class CommandResult(NamedTuple):
    """What one of several commands gave; where it failed, the error that it drew."""

    value: Any
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """One switch's commands.

    seconds      time that a command has
    pathspace    name given to FRR's daemons by -N, or ""
    lldp_socket  socket of lldpd, or "" for its own default
    sudo         whether commands need `sudo -n`
    any_command  whether `text` passes more to vtysh than `show`
    """

    transport: Transport
    host: str
    seconds: float
    pathspace: str = ""
    lldp_socket: str = ""
    sudo: bool = False
    any_command: bool = False

    def run(self, words: Iterable[str], given: str = "", seconds: float = 0) -> Result:
        """Run one program; no word is ever read as shell."""
        limit = seconds or self.seconds
        # What runs as root can be ended by root alone, not by the transport's own limit.
        ending = ["sudo", "-n", "timeout", "-k", "2", f"{limit:g}"] if self.sudo else []
        return self.transport.run(shlex.join([*ending, *words]), given, limit)

    def must(self, words: Iterable[str], given: str = "", seconds: float = 0) -> str:
        """Output of a program that has to succeed. Raises CommandErrorException, which names it."""
        known = tuple(words)
        found = self.run(known, given, seconds)
        if found.status != 0:
            raise CommandErrorException(f"{self.host}: {known[0]}: {_said(found)}")
        return found.output

    @property
    def startup(self) -> str:
        """Path of the file that FRR starts with."""
        return f"/etc/frr/{self.pathspace}/frr.conf" if self.pathspace else STARTUP

    def vtysh_words(self, *arguments: str) -> list[str]:
        """Words of a call of vtysh."""
        return ["vtysh", *(("-N", self.pathspace) if self.pathspace else ()), *arguments]

    def vtysh(self, command: str) -> str:
        """Output of one vtysh command. A line break would start a second command, so it is refused."""
        if "\n" in command or "\r" in command:
            raise CommandErrorException(f"{self.host}: a command is one line: {command!r}")
        found = self.run(self.vtysh_words("-c", command))
        if found.status != 0:
            raise CommandErrorException(self._failed(command, found))
        return found.output

    def text(self, command: str) -> str:
        """Output of a command as a user types it: a program that is known to only read, or vtysh's `show`."""
        if _first(command) in PROGRAMS:
            return self._program(command)
        if _first(command) != "show" and not self.any_command:
            why = "only `show …` is run, in full: cli reads, unless optional_args have cli_any"
            raise CommandErrorException(f"{self.host}: {command}: {why}")
        return self.vtysh(command)

    def texts(self, commands: Sequence[str]) -> dict[str, str]:
        """Outputs of such commands, by command: all that vtysh shows in one call of it, all programs in one of a shell.

        Where one of them does not succeed each is run by itself, so that the error is its own.
        """
        found = self._together(commands)
        fine = {command: answer.value for command, answer in found.items() if not answer.error}
        return {command: fine[command] if command in fine else self.text(command) for command in commands}

    def answers(self, asked: Mapping[str, str]) -> dict[str, CommandResult]:
        """What came of commands that were asked together, each by itself; those not among them are still to be asked.

        asked  command → "text" or "json"
        """
        found = self._together(tuple(asked))
        return {command: self._read(command, answer, asked[command]) for command, answer in found.items()}

    def _read(self, command: str, answer: CommandResult, encoding: str) -> CommandResult:
        if answer.error or encoding != "json":
            return answer
        try:
            return CommandResult(self._parsed(command, answer.value))
        except CommandErrorException as error:
            return CommandResult(None, str(error))

    def _together(self, commands: Sequence[str]) -> dict[str, CommandResult]:
        programs = tuple(command for command in commands if _first(command) in PROGRAMS)
        shows = tuple(command for command in commands if _first(command) == "show" and command != DAEMONS)
        found = {**self._shown(shows), **self._programs(programs)}
        return {command: found[command] for command in commands if command in found}

    def _shown(self, commands: Sequence[str]) -> dict[str, CommandResult]:
        """What vtysh shows, a line between them that no other prints: its own of the daemons it has found.

        It ends at the first that fails. Only of the last it is then certain which that was.
        """
        if len(commands) < FEWEST or any("\n" in command or "\r" in command for command in commands):
            return {}
        words = self.vtysh_words(
            *(word for command in commands for word in ("-c", DAEMONS, "-c", command)), "-c", DAEMONS
        )
        try:
            found = self.run(words, seconds=min(PATIENCE, self.seconds))
        except CommandTimeoutException:
            space = shlex.join(["-N", self.pathspace]) if self.pathspace else ""
            ask = daemons.ASK.replace("PATHSPACE", space)
            statuses = daemons.statuses(self.run(["sh", "-c", ask, "sh", *daemons.NAMES]).output)
            if daemons.hanging(statuses):
                return self._alone(commands, statuses)
            found = self.run(words)
        between = found.output.partition("\n")[0] + "\n"
        lead, *parts = found.output.split(between)
        if lead or not between.strip():
            return {}
        answers = [CommandResult(part) for part in parts[: len(commands)]]
        if found.status and len(parts) == len(commands):
            answers[-1] = CommandResult(None, self._failed(commands[-1], found._replace(output=parts[-1])))
        elif found.status or parts[len(commands) :] != [""]:
            return {}
        return {**dict(zip(commands, answers, strict=True)), DAEMONS: CommandResult(between)}

    def _alone(self, commands: Sequence[str], statuses: Mapping[str, int]) -> dict[str, CommandResult]:
        """Answers of the daemons that do not hang, and for all other commands which do."""
        alive, told = daemons.answering(statuses), daemons.told(statuses)
        found = {command: CommandResult(None, f"{self.host}: {command}: {told}") for command in (*commands, DAEMONS)}
        for command in commands:
            if name := daemons.asked_alone(command, alive):
                with suppress(CommandTimeoutException):
                    said = self.run(self.vtysh_words("-d", name, "-c", command))
                    found[command] = (
                        CommandResult(said.output)
                        if said.status == 0
                        else CommandResult(None, self._failed(command, said))
                    )
        return found

    def _programs(self, commands: Sequence[str]) -> dict[str, CommandResult]:
        """What programs print in one shell, each with its status and what it said to it."""
        if len(commands) < FEWEST:
            return {}
        mark = f"--{secrets.token_hex(8)}--"
        lines = (f"said=$({shlex.join(self._words(command))} 2>&1 >&3 3>&-); {TELL}" for command in commands)
        try:
            found = self.run(["sh", "-c", f"mark={mark}; exec 3>&1\n{''.join(lines)}"])
        except CommandTimeoutException:
            return {}
        parts = re.findall(rf"(.*?)\n{mark} (\d+)\n(.*?)\n{mark}\n", found.output, re.DOTALL)
        if found.status or len(parts) != len(commands):
            return {}
        rows = (Result(int(status), output, errors) for output, status, errors in parts)
        return {command: self._answer(command, row) for command, row in zip(commands, rows, strict=True)}

    def _answer(self, command: str, found: Result) -> CommandResult:
        return (
            CommandResult(found.output)
            if _is_answer(command, found)
            else CommandResult(None, self._failed(command, found))
        )

    def _failed(self, command: str, found: Result) -> str:
        return f"{self.host}: {command}: {_said(found)}"

    def json(self, command: str) -> Any:  # noqa: ANN401  # a command's own shape
        """Parsed output of such a command: nothing at all is an empty value, several values are a list of them."""
        return self._parsed(command, self.text(command))

    def jsons(self, commands: Sequence[str]) -> dict[str, Any]:
        """Parsed outputs of such commands, by command."""
        return {command: self._parsed(command, output) for command, output in self.texts(commands).items()}

    def _parsed(self, command: str, output: str) -> Any:  # noqa: ANN401  # a command's own shape
        if not output.strip():
            return [] if _first(command) in PROGRAMS else {}
        try:
            found = list(_values(output))
        except ValueError:
            first = output.strip().partition("\n")[0]
            raise CommandErrorException(f"{self.host}: {command}: no JSON: {first[:200]}") from None
        return found[0] if len(found) == 1 else found

    def values(self, commands: Iterable[str]) -> list[Any]:
        """JSON values that vtysh commands print, up to the first that fails."""
        words = [word for command in commands for word in ("-c", command)]
        found = self.run(self.vtysh_words(*words))
        try:
            return list(_values(found.output))
        except ValueError:
            raise CommandErrorException(f"{self.host}: {words[1]}: {_said(found)}") from None

    def rows(self, words: Iterable[str]) -> Any:  # noqa: ANN401  # a command's own shape
        """Parsed output of a program that prints JSON, from words that may hold a user's text."""
        return json.loads(self.must(words) or "[]")

    def _program(self, command: str) -> str:
        found = self.run(self._words(command))
        if not _is_answer(command, found):
            raise CommandErrorException(self._failed(command, found))
        return found.output

    def _words(self, command: str) -> list[str]:
        """Words of a program's call. Raises CommandErrorException for one that does more than read."""
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise CommandErrorException(f"{self.host}: {command}: {error}") from None
        if why := refused(words):
            raise CommandErrorException(f"{self.host}: {command}: {why}")
        if words[0] == "lldpcli" and self.lldp_socket:
            words[1:1] = ["-u", self.lldp_socket]
        if words == ["cat", STARTUP]:
            words[1] = self.startup
        return words


def _is_answer(command: str, found: Result) -> bool:
    """Whether a program did what it was asked. ping exits 1 when nothing came back, which is an answer."""
    return found.status == 0 or (_first(command) == "ping" and found.status == 1)


def _first(command: str) -> str:
    return command.split(maxsplit=1)[0] if command.strip() else ""


def _values(output: str) -> Iterator[Any]:
    """JSON values one after another: FRR prints one for each VRF or daemon. Raises ValueError."""
    decoder, at = json.JSONDecoder(), 0
    while rest := output[at:].lstrip():
        value, end = decoder.raw_decode(rest)
        yield value
        at = len(output) - len(rest) + end


def _said(found: Result) -> str:
    """What a failed command had to say, on one line."""
    lines = [line.strip() for line in (*found.errors.splitlines(), *found.output.splitlines()) if line.strip()]
    return "; ".join(lines[:3]) or f"exit status {found.status}"
