"""Files beside frr.conf that a candidate may carry: which, what may stand in them, and what would change in them."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping

from napalm_frr.paths import masked

INTERFACES = "/etc/network/interfaces"
SETTINGS = "/etc/sysctl.d/90-fabric.conf"
KINDS = {SETTINGS: "sysctl", INTERFACES: "interfaces"}
"""Path on the switch → name in its state folder, in the order in which they are applied."""

# sysctl.d(5): a line is a name, `=` and a value; a hyphen before it passes over what is not there.
SETTING = re.compile(r"\s*-?\s*([A-Za-z0-9_*-]+(?:[./][A-Za-z0-9_.*@:-]+)+)\s*=\s*\S.*")
REMARK = re.compile(r"\s*([#;].*)?")
# What sysctl says of a setting that the kernel does not have.
UNKNOWN = re.compile(r"sysctl: cannot stat /proc/sys/(\S+): No such file or directory")
# ifupdown2 says it of every device that is still to be made.
NOT_YET = re.compile(r"warning: \S+: interface not recognized")
# Why a bridge has an MTU of its own is the file's business, brctl only makes bridges without VLAN filtering, and `none`
# is a word of the bridge addon that the syntax check does not know (addons/bridge.py of ifupdown2 3.0.0). A kernel that
# breaks off a dump is noted by the thread that reads it (nlmanager/nllistener.py), whatever the file says; whether all
# came out as the file says is ifquery's word.
NO_FAULT = re.compile(
    r"warning: (\S+: bridge inherits mtu from its ports\.|\S*brctl: missing - bridge operation may not work"
    r"|\S+: bridge-ports: invalid value \"none\")"
    r"|error: (recv|select)\(\) error: .*"
)


def refused(path: str, text: str) -> Iterator[str]:
    """Why a file is not taken, before a switch is asked."""
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
    """Lines of a file that would change, under its path, as a unified diff has them; secrets masked, "" for none."""
    rows = list(difflib.unified_diff(have.splitlines(), want.splitlines(), lineterm=""))[2:]
    return masked("\n".join((f" {path}", *rows))) if rows else ""


def syntax(said: str) -> tuple[str, ...]:
    """What ifupdown2 has against a new file and not against the old one; device_files.CHECKED printed it."""
    old = {_plain(line) for line in _of("old", said)}
    told = (line for line in _of("new", said) if not NOT_YET.match(line) and not NO_FAULT.match(line))
    return tuple(dict.fromkeys(masked(line) for line in told if _plain(line) not in old))


def faults(said: str, old: Mapping[str, str]) -> tuple[str, ...]:
    """What speaks against files that were applied; the script's verb `files` printed it.

    old  path → text that stood: what its settings lack and its interfaces draw is nothing new
    """
    settings = [line for line in _of("sysctl", said) if not _lacked(line, old.get(SETTINGS, ""))]
    lines = [line for word in ("ifreload", "ifquery") for line in _of(word, said) if not NO_FAULT.match(line)]
    known = {_plain(line) for line in _of("remark", said)}
    wrong = frozenset(_of("fails", said)) - frozenset(_of("failed", said))
    told = [
        *settings,
        *(masked(line) for line in lines if _plain(line) not in known),
        *(masked(f"not as the file says: {attribute}") for attribute in sorted(wrong)),
    ]
    return tuple(dict.fromkeys(told)) or tuple(_wordless(said))


def _wordless(said: str) -> Iterator[str]:
    """Both end with 1 after a remark as well, so the status speaks where nothing else was said."""
    for word in ("sysctl", "ifreload"):
        for status in _of(f"{word}-status", said):
            if not any(_of(word, said)):
                yield f"{word} ended with {status} and said nothing"


def _lacked(line: str, old: str) -> bool:
    """Whether sysctl misses a setting that the old file has too."""
    unknown = UNKNOWN.match(line)
    names = {_path(found[1]) for text in old.splitlines() if (found := SETTING.fullmatch(text))}
    return unknown is not None and unknown[1] in names


def _path(name: str) -> str:
    """Path under /proc/sys of a setting: sysctl.d(5)."""
    separators = re.findall(r"[./]", name)
    return name.translate(str.maketrans("./", "/.")) if separators[:1] == ["."] else name


def _plain(line: str) -> str:
    """A remark without the number of its line, which is another in another file."""
    return re.sub(r"\bline ?\d+\b", "line", line)


def _of(word: str, said: str) -> Iterable[str]:
    lead = f"{word}: "
    return [
        line.removeprefix(lead).strip()
        for line in said.splitlines()
        if line.startswith(lead) and line[len(lead) :].strip()
    ]
