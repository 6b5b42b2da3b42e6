"""Files besides frr.conf on a switch: check a text with ifupdown2 there, and read the files."""

import secrets
from collections.abc import Iterable

from napalm.base.exceptions import CommandErrorException

from napalm_frr import files
from napalm_frr.device_files import CHECKED
from napalm_frr.shell import Shell

# FOLDER MARK (NAME PATH)...: print each file after a mark; from the pending timed commit, or else from its path.
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
    """Errors that ifupdown2 on a switch reports for a text as its interfaces file. It leaves nothing there."""
    argv = ["unshare", "--mount", "--propagation", "private", "sh", "-c", CHECKED]
    result = shell.run(argv, text, 2 * shell.seconds)
    messages = files.syntax(result.output)
    if result.status and not messages:
        messages = ((result.output + result.errors).strip().partition("\n")[0] or f"exit status {result.status}",)
    return tuple(f"{files.INTERFACES}: {line}" for line in messages)


def read(shell: Shell, state: str, paths: Iterable[str]) -> dict[str, str]:
    """Texts of the files in effect, of a timed commit while it is pending; "" for a missing file."""
    unique_paths = tuple(dict.fromkeys(paths))
    for path in unique_paths:
        if path not in files.KINDS:
            raise CommandErrorException(f"{shell.host}: {'; '.join(files.refused(path, ''))}")
    if not unique_paths:
        return {}
    mark = f"--{secrets.token_hex(8)}--"
    pairs = [word for path in unique_paths for word in (f"new.{files.KINDS[path]}", path)]
    output = shell.must(["sh", "-c", READ, "sh", state, mark, *pairs])
    return dict(zip(unique_paths, output.split(mark)[1:], strict=True))
