"""Files beside frr.conf on a switch: asked whether ifupdown2 there can read a text, and read."""

import secrets
from collections.abc import Iterable

from napalm.base.exceptions import CommandErrorException

from napalm_frr import files
from napalm_frr.device_files import CHECKED
from napalm_frr.shell import Shell

# FOLDER MARK (NAME PATH)...: behind a mark each, files of the timed commit that waits, or else those at their paths.
READ = """
if cd "$1" 2>/dev/null && [ -e pending ] && ! flock -s -n lock true; then waits=1; else waits=; fi
mark=$2
shift 2
while [ $# -gt 1 ]; do
    printf '%s' "$mark"
    if [ -n "$waits" ] && [ -e "$1" ]; then cat "$1"; elif [ -e "$2" ]; then cat "$2"; fi || exit 1
    shift 2
done
"""


def complaints(shell: Shell, text: str) -> tuple[str, ...]:
    """What ifupdown2 on a switch has against a text for its interfaces file. Nothing is left there."""
    words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", CHECKED]
    found = shell.run(words, text, 2 * shell.seconds)
    told = files.syntax(found.output)
    if found.status and not told:
        told = ((found.output + found.errors).strip().partition("\n")[0] or f"exit status {found.status}",)
    return tuple(f"{files.INTERFACES}: {line}" for line in told)


def read(shell: Shell, state: str, paths: Iterable[str]) -> dict[str, str]:
    """Texts of files that are in effect: of the timed commit while it waits; "" for no file."""
    wanted = tuple(dict.fromkeys(paths))
    for path in wanted:
        if path not in files.KINDS:
            raise CommandErrorException(f"{shell.host}: {'; '.join(files.refused(path, ''))}")
    if not wanted:
        return {}
    mark = f"--{secrets.token_hex(8)}--"
    pairs = [word for path in wanted for word in (f"new.{files.KINDS[path]}", path)]
    found = shell.must(["sh", "-c", READ, "sh", state, mark, *pairs])
    return dict(zip(wanted, found.split(mark)[1:], strict=True))
