"""Commands of one switch: quoted for its shell, run by vtysh and other programs; failures become NAPALM exceptions."""

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
"""Seconds to wait for vtysh before checking whether a daemon hangs."""
FEWEST = 2
"""Least number of commands worth a shared call: vtysh takes some 20 ms to start, and a program's shell some 5."""

PRINT_RESULT = 'printf \'\\n%s %s\\n%s\\n%s\\n\' "$mark" $? "$errors" "$mark"\n'
"""Shell line after a program: prints its status and its errors, between marks."""


class CommandResult(NamedTuple):
    """Result of one of several commands; if it failed, its error."""

    value: Any
    error: str = ""


def split_words(host: str, command: str) -> list[str]:
    """Words of a command. Raises CommandErrorException for an open quotation mark."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise CommandErrorException(f"{host}: {command}: {error}") from None


def parsed_json(host: str, command: str, text: str) -> Any:  # noqa: ANN401  # a command's own shape
    """Parsed output; an empty output is an empty object. Raises CommandErrorException for another one than JSON."""
    try:
        return json.loads(text) if text.strip() else {}
    except ValueError:
        first = text.strip().partition("\n")[0]
        raise CommandErrorException(f"{host}: {command}: no JSON: {first[:200]}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRunner:
    """Programs of one switch.

    seconds      timeout of a program
    sudo         whether programs need `sudo -n`
    any_command  whether a user's commands may do more than read
    """

    transport: Transport
    host: str
    seconds: float
    sudo: bool = False
    any_command: bool = False

    def run(self, argv: Iterable[str], given: str = "", seconds: float = 0) -> Result:
        """Run one program; its words are quoted, so the shell interprets none of them."""
        limit = seconds or self.seconds
        # Only root can end a process of root; the transport's own timeout cannot.
        ending = ["sudo", "-n", "timeout", "-k", "2", f"{limit:g}"] if self.sudo else []
        return self.transport.run(shlex.join([*ending, *argv]), given, limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell(ProgramRunner):
    """Commands of one switch.

    pathspace    name given to FRR's daemons by -N, or ""
    lldp_socket  socket of lldpd, or "" for lldpd's default
    """

    pathspace: str = ""
    lldp_socket: str = ""

    def must(self, argv: Iterable[str], given: str = "", seconds: float = 0) -> str:
        """Output of a program that must succeed. Raises CommandErrorException, which names it."""
        words = tuple(argv)
        result = self.run(words, given, seconds)
        if result.status != 0:
            raise CommandErrorException(f"{self.host}: {words[0]}: {result.failure}")
        return result.output

    @property
    def startup(self) -> str:
        """Path of FRR's startup file."""
        return f"/etc/frr/{self.pathspace}/frr.conf" if self.pathspace else STARTUP

    def vtysh_words(self, *arguments: str) -> list[str]:
        """Command line of vtysh."""
        return ["vtysh", *(("-N", self.pathspace) if self.pathspace else ()), *arguments]

    def vtysh(self, command: str) -> str:
        """Output of one vtysh command. A line break would start a second command, so it is refused."""
        if "\n" in command or "\r" in command:
            raise CommandErrorException(f"{self.host}: a command is one line: {command!r}")
        result = self.run(self.vtysh_words("-c", command))
        if result.status != 0:
            raise CommandErrorException(self._failed(command, result))
        return result.output

    def text(self, command: str) -> str:
        """Output of a command as a user types it: a program that only reads, or vtysh's `show`."""
        if _first(command) in PROGRAMS:
            result = self.run(self._words(command))
            if not _is_answer(command, result):
                raise CommandErrorException(self._failed(command, result))
            return result.output
        if _first(command) != "show" and not self.any_command:
            reason = "only `show …` is run, in full: cli reads, unless optional_args have cli_any"
            raise CommandErrorException(f"{self.host}: {command}: {reason}")
        return self.vtysh(command)

    def texts(self, commands: Sequence[str]) -> dict[str, str]:
        """Outputs by command, with one call for all vtysh commands and one shell for all programs.

        If any of them fails, it is run again by itself, so that the error is its own.
        """
        results = self._together(commands)
        outputs = {command: answer.value for command, answer in results.items() if not answer.error}
        return {command: outputs[command] if command in outputs else self.text(command) for command in commands}

    def answers(self, asked: Mapping[str, str]) -> dict[str, CommandResult]:
        """Results of commands that could be run together; commands that are missing must be run one by one.

        asked  command → "text" or "json"
        """
        results = self._together(tuple(asked))
        return {command: self._read(command, answer, asked[command]) for command, answer in results.items()}

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
        results = {**self._shown(shows), **self._programs(programs)}
        return {command: results[command] for command in commands if command in results}

    def _shown(self, commands: Sequence[str]) -> dict[str, CommandResult]:
        """Results of vtysh commands in one call, separated by a line that no other command prints: the list of daemons.

        vtysh ends at the first command that fails. Only for the last one is it certain which one failed.
        """
        if len(commands) < FEWEST or any("\n" in command or "\r" in command for command in commands):
            return {}
        argv = self.vtysh_words(
            *(word for command in commands for word in ("-c", DAEMONS, "-c", command)), "-c", DAEMONS
        )
        try:
            result = self.run(argv, seconds=min(PATIENCE, self.seconds))
        except CommandTimeoutException:
            space = shlex.join(["-N", self.pathspace]) if self.pathspace else ""
            ask = daemons.ASK.replace("PATHSPACE", space)
            statuses = daemons.statuses(self.run(["sh", "-c", ask, "sh", *daemons.NAMES]).output)
            if daemons.hanging(statuses):
                return self._alone(commands, statuses)
            result = self.run(argv)
        separator = result.output.partition("\n")[0] + "\n"
        lead, *parts = result.output.split(separator)
        # The output must begin with the separator: otherwise it cannot be split.
        if lead or not separator.strip():
            return {}
        answers = [CommandResult(part) for part in parts[: len(commands)]]
        if result.status and len(parts) == len(commands):
            answers[-1] = CommandResult(None, self._failed(commands[-1], result._replace(output=parts[-1])))
        elif result.status or parts[len(commands) :] != [""]:
            return {}
        return {**dict(zip(commands, answers, strict=True)), DAEMONS: CommandResult(separator)}

    def _alone(self, commands: Sequence[str], statuses: Mapping[str, int]) -> dict[str, CommandResult]:
        """Answers of the daemons that do not hang; an error for all other commands."""
        answering, error = daemons.answering(statuses), daemons.liveness_text(statuses)
        results = {command: CommandResult(None, f"{self.host}: {command}: {error}") for command in (*commands, DAEMONS)}
        for command in commands:
            if name := daemons.asked_alone(command, answering):
                with suppress(CommandTimeoutException):
                    result = self.run(self.vtysh_words("-d", name, "-c", command))
                    results[command] = self._answer(command, result)
        return results

    def _programs(self, commands: Sequence[str]) -> dict[str, CommandResult]:
        """Results of programs that run in one shell, each with its status and its errors."""
        if len(commands) < FEWEST:
            return {}
        mark = f"--{secrets.token_hex(8)}--"
        lines = (f"errors=$({shlex.join(self._words(command))} 2>&1 >&3 3>&-); {PRINT_RESULT}" for command in commands)
        try:
            result = self.run(["sh", "-c", f"mark={mark}; exec 3>&1\n{''.join(lines)}"])
        except CommandTimeoutException:
            return {}
        parts = re.findall(rf"(.*?)\n{mark} (\d+)\n(.*?)\n{mark}\n", result.output, re.DOTALL)
        if result.status or len(parts) != len(commands):
            return {}
        rows = (Result(int(status), output, errors) for output, status, errors in parts)
        return {command: self._answer(command, row) for command, row in zip(commands, rows, strict=True)}

    def _answer(self, command: str, result: Result) -> CommandResult:
        return (
            CommandResult(result.output)
            if _is_answer(command, result)
            else CommandResult(None, self._failed(command, result))
        )

    def _failed(self, command: str, result: Result) -> str:
        return f"{self.host}: {command}: {result.failure}"

    def json(self, command: str) -> Any:  # noqa: ANN401  # its type depends on the command
        """Parsed output of a command: no output is an empty value, several values are a list."""
        return self._parsed(command, self.text(command))

    def jsons(self, commands: Sequence[str]) -> dict[str, Any]:
        """Parsed outputs by command."""
        return {command: self._parsed(command, output) for command, output in self.texts(commands).items()}

    def _parsed(self, command: str, output: str) -> Any:  # noqa: ANN401  # its type depends on the command
        if not output.strip():
            return [] if _first(command) in PROGRAMS else {}
        try:
            parsed = list(_values(output))
        except ValueError:
            first_line = output.strip().partition("\n")[0]
            raise CommandErrorException(f"{self.host}: {command}: no JSON: {first_line[:200]}") from None
        return parsed[0] if len(parsed) == 1 else parsed

    def values(self, commands: Iterable[str]) -> list[Any]:
        """JSON values that vtysh commands print, up to the first command that fails."""
        argv = [word for command in commands for word in ("-c", command)]
        result = self.run(self.vtysh_words(*argv))
        try:
            return list(_values(result.output))
        except ValueError:
            raise CommandErrorException(f"{self.host}: {argv[1]}: {result.failure}") from None

    def rows(self, argv: Iterable[str]) -> Any:  # noqa: ANN401  # its type depends on the command
        """Parsed output of a program that prints JSON; its arguments may contain a user's text."""
        return json.loads(self.must(argv) or "[]")

    def _words(self, command: str) -> list[str]:
        """Command line of a program. Raises CommandErrorException for one that does more than read."""
        argv = split_words(self.host, command)
        if reason := refused(argv):
            raise CommandErrorException(f"{self.host}: {command}: {reason}")
        if argv[0] == "lldpcli" and self.lldp_socket:
            argv[1:1] = ["-u", self.lldp_socket]
        if argv == ["cat", STARTUP]:
            argv[1] = self.startup
        return argv


def _is_answer(command: str, result: Result) -> bool:
    """Whether a program succeeded. ping exits with 1 when nothing came back, which is an answer."""
    return result.status == 0 or (_first(command) == "ping" and result.status == 1)


def _first(command: str) -> str:
    return command.split(maxsplit=1)[0] if command.strip() else ""


def _values(output: str) -> Iterator[Any]:
    """JSON values one after another: FRR prints one per VRF or daemon. Raises ValueError."""
    decoder, position = json.JSONDecoder(), 0
    while remaining := output[position:].lstrip():
        value, end = decoder.raw_decode(remaining)
        yield value
        position = len(output) - len(remaining) + end
