"""Does a change of the code change a byte? `make same-bytes`, or BASE=<commit> to compare with another than the last.

Renders every inventory, every golden case, and small sites of every pair of platforms: a backend, a frontend, and of
each platform alone one with bonds and one with imports. Once with the code of this folder, once with that of BASE in a
worktree of its own. Compares each file: configurations, cabling, the lock, and what `export` writes.
An intent that is refused has the refusal compared: its exit code and the codes of its problems.

    --words   compares also what is printed: pages of `plan`, messages of `validate`

Exit code 1 where something differs.
"""

# ruff: noqa: T201  # a command, and this is its output
import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
EXPORTS = ("hosts", "containerlab", "ansible", "nornir", "gnmic")
PAIRED = ("backend", "frontend")
KINDS = (*PAIRED, "bonds", "imports")
MOST_SHOWN = 10
SKIP = shutil.ignore_patterns("expected", ".fabricgen")
_CODE = re.compile(r"(?:error|warning)\[([a-z0-9-]+)\]")

Digests = Mapping[str, Mapping[str, str]]
"""Site → file, or what was printed → SHA-256."""


def main() -> int:
    """Compare, print, and tell by the exit code."""
    parser = argparse.ArgumentParser(description="Does a change of the code change a byte of what is rendered?")
    parser.add_argument("--base", default="HEAD", help="commit to compare with")
    parser.add_argument("--words", action="store_true", help="compare also what is printed")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    words = parser.parse_args()
    if words.child is not None:
        print(json.dumps(_digests(words.child, words=words.words)))
        return 0
    with tempfile.TemporaryDirectory(prefix="fabricgen-bytes-") as name:
        folder = Path(name)
        _write_sites(folder / "sites")
        base = folder / "base"
        _git("worktree", "add", "--detach", str(base), words.base)
        try:
            with ThreadPoolExecutor(2) as pool:
                runs = [pool.submit(_run, tree, folder, words=words.words) for tree in (base, ROOT)]
                old, new = (run.result() for run in runs)
        finally:
            _git("worktree", "remove", "--force", str(base))
    return _told(old, new)


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True)


def _told(old: Digests, new: Digests) -> int:
    differing = [
        f"{site}: {path}"
        for site in sorted(old.keys() | new.keys())
        for path in sorted(old.get(site, {}).keys() | new.get(site, {}).keys())
        if old.get(site, {}).get(path) != new.get(site, {}).get(path)
    ]
    for line in differing[:MOST_SHOWN]:
        print(f"differs: {line}")
    count = sum(len(found) for found in new.values())
    print(f"{len(new)} sites, {count} files: {f'{len(differing)} differ' if differing else 'every byte the same'}")
    return 1 if differing else 0


def _run(tree: Path, folder: Path, *, words: bool) -> Digests:
    """Render all sites with the code of a tree, in a process of its own."""
    sites = folder / f"sites-of-{'new' if tree == ROOT else 'base'}"
    shutil.copytree(folder / "sites", sites)
    command = [sys.executable, __file__, "--child", str(sites), *(["--words"] if words else [])]
    environment = os.environ | {"PYTHONPATH": str(tree), "COLUMNS": "120", "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: Digests = json.loads(done.stdout)
    return found


def _write_sites(folder: Path) -> None:
    """Every intent, in a folder of its own with what stands beside it."""
    import yaml  # noqa: PLC0415 - the child has no part in this

    from tests.pairs import sites  # noqa: PLC0415

    for path in (*ROOT.glob("inventories/*/intent.yaml"), *ROOT.glob("tests/golden/*/*/intent.yaml")):
        name = "-".join(path.parent.relative_to(ROOT).parts[-2:])  # two folders may have one last name
        shutil.copytree(path.parent, folder / name, ignore=SKIP, ignore_dangling_symlinks=True)
    for kind in KINDS:
        for leaf, spine in sites.PAIRS if kind in PAIRED else [(box, box) for box in sites.SITES]:
            place = folder / f"{kind}-{leaf}-{spine}"
            place.mkdir()
            found = sites.mapping(leaf, spine, kind, **({"transport": "best-effort"} if kind == "backend" else {}))
            (place / "intent.yaml").write_text(yaml.safe_dump(found, sort_keys=False))


# --- in the child ---------------------------------------------------------------------------------------------------


def _digests(folder: Path, *, words: bool) -> Digests:
    return {place.name: dict(_of(place, words=words)) for place in sorted(folder.iterdir())}


def _of(place: Path, *, words: bool) -> Iterator[tuple[str, str]]:
    """Digest of each file that the verbs write of a site, and of what they say."""
    with chdir(place):
        status, said = _called("render", "intent.yaml", "-o", "out", "--jobs", "1")
        yield "render", _digest(said if words else f"{status} {sorted(_CODE.findall(said))}")
        if status:
            return
        for export in EXPORTS if place.name.partition("-")[0] not in PAIRED else ():
            status, said = _called("export", export, "intent.yaml", "-o", f"out-{export}")
            yield f"export {export}", _digest(said if words else str(status))
        if words:
            for verb in ("plan", "validate"):
                yield verb, _digest(_called(verb, "intent.yaml")[1])
        for path in sorted(place.rglob("*")):
            if path.is_file() and ".fabricgen" not in path.parts:
                yield path.relative_to(place).as_posix(), _digest(path.read_bytes())


def _called(*words: str) -> tuple[int, str]:
    from click.testing import CliRunner  # noqa: PLC0415 - of the child alone

    from fabricgen.cli import main as verb  # noqa: PLC0415

    done: Any = CliRunner().invoke(verb, words)
    return done.exit_code, done.output


def _digest(found: str | bytes) -> str:
    return hashlib.sha256(found.encode() if isinstance(found, str) else found).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
