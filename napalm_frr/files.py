"""Files besides frr.conf that a candidate may include: their paths, their syntax, and their changes."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping

from napalm_frr.paths import masked

INTERFACES = "/etc/network/interfaces"
SETTINGS = "/etc/sysctl.d/90-fabric.conf"
KINDS = {SETTINGS: "sysctl", INTERFACES: "interfaces"}
"""Path on the switch → name in its state folder, in the order in which they are applied."""

# sysctl.d(5): a line is a name, `=` and a value; with a hyphen before it a missing setting is ignored.
SETTING = re.compile(r"\s*-?\s*([A-Za-z0-9_*-]+(?:[./][A-Za-z0-9_.*@:-]+)+)\s*=\s*\S.*")
REMARK = re.compile(r"\s*([#;].*)?")
# sysctl's message for a setting that the kernel does not have.
UNKNOWN = re.compile(r"sysctl: cannot stat /proc/sys/(\S+): No such file or directory")
# ifupdown2 prints this for every device that does not exist yet.
NOT_YET = re.compile(r"warning: \S+: interface not recognized")
# Messages that are no errors: the file may set the MTU of a bridge, brctl is needed only for bridges without VLAN
# filtering, and the syntax check does not know `none` of the bridge addon (addons/bridge.py of ifupdown2 3.0.0).
# The netlink thread (nlmanager/nllistener.py) logs a dump that the kernel aborts, which does not depend on the file;
# ifquery checks whether the result matches the file.
NO_FAULT = re.compile(
    r"warning: (\S+: bridge inherits mtu from its ports\.|\S*brctl: missing - bridge operation may not work"
    r"|\S+: bridge-ports: invalid value \"none\")"
    r"|error: (recv|select)\(\) error: .*"
)


def refused(path: str, text: str) -> Iterator[str]:
    """Reasons to refuse a file, found without asking a switch."""
    if path not in KINDS:
        yield f"{path}: only {' and '.join(sorted(KINDS))} are taken beside frr.conf"
    elif "\0" in text:
        yield f"{path}: it has a NUL character"
    elif path == INTERFACES and not text.strip():
        yield f"{path}: it is empty, which would take every interface down"
    elif path == SETTINGS:
        for number, line in enumerate(text.splitlines(), start=1):
            if not REMARK.fullmatch(line) and (".." in line or not SETTING.fullmatch(line)):
                yield f"{path}: line {number}: {masked(line.strip())!r}: no setting of sysctl.d(5)"


def difference(path: str, have: str, want: str) -> str:
    """Changed lines of a file as a unified diff under its path; secrets masked, "" for none."""
    rows = list(difflib.unified_diff(have.splitlines(), want.splitlines(), lineterm=""))[2:]
    return masked("\n".join((f" {path}", *rows))) if rows else ""


def syntax(output: str) -> tuple[str, ...]:
    """ifupdown2's messages about a new file that it does not print for the old one, from device_files.CHECKED."""
    old = {_plain(line) for line in _of("old", output)}
    messages = (line for line in _of("new", output) if not NOT_YET.match(line) and not NO_FAULT.match(line))
    return tuple(dict.fromkeys(masked(line) for line in messages if _plain(line) not in old))


def faults(output: str, old: Mapping[str, str]) -> tuple[str, ...]:
    """Errors of applied files, from the output of the script's verb `files`.

    old  path → previous text: errors that it has too are ignored
    """
    settings = [line for line in _of("sysctl", output) if not _lacked(line, old.get(SETTINGS, ""))]
    lines = [line for program in ("ifreload", "ifquery") for line in _of(program, output) if not NO_FAULT.match(line)]
    old_remarks = {_plain(line) for line in _of("remark", output)}
    new_mismatches = frozenset(_of("fails", output)) - frozenset(_of("failed", output))
    messages = [
        *settings,
        *(masked(line) for line in lines if _plain(line) not in old_remarks),
        *(masked(f"not as the file says: {attribute}") for attribute in sorted(new_mismatches)),
    ]
    return tuple(dict.fromkeys(messages)) or tuple(_wordless(output))


def _wordless(output: str) -> Iterator[str]:
    """An error for a program that failed without a message; one that printed only ignored remarks fails too."""
    for program in ("sysctl", "ifreload"):
        for status in _of(f"{program}-status", output):
            if not any(_of(program, output)):
                yield f"{program} ended with {status} and said nothing"


def _lacked(line: str, old: str) -> bool:
    """Whether sysctl reports a missing setting that the old file has too."""
    unknown = UNKNOWN.match(line)
    names = {_path(match[1]) for text in old.splitlines() if (match := SETTING.fullmatch(text))}
    return unknown is not None and unknown[1] in names


def _path(name: str) -> str:
    """Path of a setting below /proc/sys, by sysctl.d(5)."""
    separators = re.findall(r"[./]", name)
    return name.translate(str.maketrans("./", "/.")) if separators[:1] == ["."] else name


def _plain(line: str) -> str:
    """A remark without its line number, which differs between files."""
    return re.sub(r"\bline ?\d+\b", "line", line)


def _of(word: str, output: str) -> Iterable[str]:
    lead = f"{word}: "
    return [
        line.removeprefix(lead).strip()
        for line in output.splitlines()
        if line.startswith(lead) and line[len(lead) :].strip()
    ]
