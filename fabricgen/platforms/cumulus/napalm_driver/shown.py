"""Read access to a switch: NVUE's commands that only read, and those of napalm_frr's shell."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from napalm.base.exceptions import CommandErrorException

from fabricgen.platforms.cumulus.live.tree import masked
from napalm_frr.shell import Shell, parsed_json, split_words

CONFIG = frozenset({"show", "diff", "history", "revision", "find"})
"""Words after `nv config` that only read (511 NVUE CLI)."""


@dataclass(frozen=True, slots=True)
class Shows:
    """One switch. plain: shell of the user who logged in; root: shell with the rights that vtysh and lldpcli need."""

    plain: Shell
    root: Shell

    def outputs(self, commands: Sequence[str], *, parsed: bool) -> dict[str, Any]:
        """Outputs by command, in the order of the commands."""
        others = [command for command in commands if not _is_nv(command)]
        outputs: dict[str, Any] = self.root.jsons(others) if parsed else dict(self.root.texts(others))
        for command in commands:
            if _is_nv(command):
                text = self.nv(command)
                outputs[command] = parsed_json(self.plain.host, command, text) if parsed else text
        return {command: outputs[command] for command in commands}

    def nv(self, command: str) -> str:
        """Output of an NVUE command that only reads. Configurations are without secrets."""
        words = _words(self.plain.host, command)
        result = self.plain.run(words)
        if result.status != 0:
            lines = [line.strip() for line in (result.errors + "\n" + result.output).splitlines() if line.strip()]
            reason = "; ".join(lines[:3]) or f"exit status {result.status}"
            raise CommandErrorException(f"{self.plain.host}: {command}: {reason}")
        return masked(result.output) if words[1] == "config" else result.output

    def facts(self) -> dict[str, Any]:
        """NAPALM's facts; model and serial number are from the EEPROM, if it has them."""
        system = parsed_json(self.plain.host, "nv show system", self.nv("nv show system -o json"))
        eeprom = self.root.run(["decode-syseeprom", "-j"])
        hostname = str(system.get("hostname", ""))
        return {
            "uptime": float(_number(system.get("uptime"))),
            "vendor": "NVIDIA",
            "os_version": str(system.get("product-release") or system.get("build") or ""),
            "serial_number": _eeprom_value(eeprom.output, "Serial Number"),
            "model": _eeprom_value(eeprom.output, "Product Name"),
            "hostname": hostname,
            "fqdn": hostname,
            "interface_list": [link["ifname"] for link in self.root.json("ip -j link show") if link],
        }


def _is_nv(command: str) -> bool:
    return command.split(maxsplit=1)[:1] == ["nv"]


def _words(host: str, command: str) -> list[str]:
    """Words of a call. Raises CommandErrorException for one that does more than read."""
    words = split_words(host, command)
    reads = words[1:2] == ["show"] or (words[1:2] == ["config"] and words[2:3] and words[2] in CONFIG)
    if not reads:
        raise CommandErrorException(f"{host}: {command}: only `nv show` and what reads of `nv config` are run")
    return words


def _eeprom_value(text: str, name: str) -> str:
    """Value of the EEPROM (`decode-syseeprom -j`: `tlv`, name, `value`), empty if it has none."""
    try:
        value = json.loads(text)["tlv"][name]["value"]
    except (ValueError, KeyError, TypeError):
        return ""
    return str(value)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else -1.0
