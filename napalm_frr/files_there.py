"""Files beside frr.conf on a switch: asked whether ifupdown2 there can read a text, and read."""

from napalm.base.exceptions import CommandErrorException

from napalm_frr import files
from napalm_frr.device_files import CHECKED
from napalm_frr.shell import Shell

# FOLDER NAME PATH: a file of the timed commit that waits, or else the one at its path, or nothing.
READ = """
if cd "$1" 2>/dev/null && [ -e pending ] && [ -e "$2" ] && ! flock -s -n lock true; then exec cat "$2"; fi
[ ! -e "$3" ] || exec cat "$3"
"""


def complaints(shell: Shell, text: str) -> tuple[str, ...]:
    """What ifupdown2 on a switch has against a text for its interfaces file. Nothing is left there."""
    words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", CHECKED]
    found = shell.run(words, text, 2 * shell.seconds)
    told = files.syntax(found.output)
    if found.status and not told:
        told = ((found.output + found.errors).strip().partition("\n")[0] or f"exit status {found.status}",)
    return tuple(f"{files.INTERFACES}: {line}" for line in told)


def read(shell: Shell, state: str, path: str) -> str:
    """Text of a file that is in effect: of the timed commit while it waits; "" for no file."""
    if path not in files.KINDS:
        raise CommandErrorException(f"{shell.host}: {'; '.join(files.refused(path, ''))}")
    words = ["sh", "-c", READ, "sh", state, f"new.{files.KINDS[path]}", path]
    return shell.must(words)
