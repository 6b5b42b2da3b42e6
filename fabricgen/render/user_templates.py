"""A user's templates: what is wrong in them is the user's to mend, with file and line; nothing of ours is hidden."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb

from jinja2 import Environment, FileSystemLoader, TemplateError, TemplateNotFound, TemplateSyntaxError, meta, nodes

from fabricgen.errors import FabricError, Problem, Source, did_you_mean
from fabricgen.source.document import decode, read_octets
from fabricgen.source.yaml_events import REFUSED_TEXT, is_plain

SUFFIX = ".j2"
KEPT_FOLDER = "user-templates"
"""Folder of the user's templates among the inputs that a rendered tree keeps."""


class OwnLoader(FileSystemLoader):
    """Reads templates of a user, and no file of another name: what is read is looked at, and is an input of a tree."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """As jinja2 asks for it. Raises TemplateNotFound."""
        if not template.endswith(SUFFIX):
            raise TemplateNotFound(template)
        return super().get_source(environment, template)


def check_templates(folder: Path, ours: Path, environment: Environment) -> None:
    """Raise FabricError for each template of `folder` that cannot be compiled, or that nothing would ever read.

    A file is read when one of ours has its name, or when another of the user's templates includes it by name.
    """
    known = {path.relative_to(ours).as_posix() for path in ours.rglob(f"*{SUFFIX}")}
    names = {path.relative_to(folder).as_posix() for path in folder.rglob(f"*{SUFFIX}")}
    problems: list[Problem] = [_link(path) for path in sorted(folder.rglob("*")) if path.is_symlink() and path.is_dir()]
    included: set[str] = set()
    for name in sorted(names):
        try:
            text = decode(read_octets(folder / name), str(folder / name))
            problems += _invisible(folder / name, text)
            tree = environment.parse(text)
            problems += _escaped(folder / name, text, tree)
            environment.compile(tree, name, str(folder / name))  # a filter or a test that does not exist shows here
        except FabricError as error:
            problems.extend(error.problems)
        except TemplateSyntaxError as error:
            problems.append(_fault(folder / name, error.lineno, error.message or "it is no template"))
        except (SyntaxError, RecursionError) as error:  # of the Python that it becomes: blocks in too many blocks
            problems.append(_fault(folder / name, 1, f"it is nested too deep: {error}"))
        else:
            referenced = {found for found in meta.find_referenced_templates(tree) if found}
            problems += [
                _no_template(folder / name, found) for found in sorted(referenced) if not found.endswith(SUFFIX)
            ]
            included |= referenced
    problems += [_unread(folder, name, known) for name in sorted(names - known - included)]
    if problems:
        raise FabricError(problems)


def template_inputs(folder: Path | None) -> dict[str, bytes]:
    """Octets of the user's templates, for the record of a render, by names that no file beside an intent has."""
    if folder is None:
        return {}
    paths = sorted(folder.rglob(f"*{SUFFIX}"))
    return {f"{KEPT_FOLDER}/{path.relative_to(folder).as_posix()}": read_octets(path) for path in paths}


@contextmanager
def template_faults(folder: Path | None) -> Iterator[None]:
    """Turn what a template of `folder` raises while it is rendered into a problem at its line; the rest passes."""
    try:
        yield
    except (
        TemplateError,
        TypeError,
        ValueError,
        ArithmeticError,
        LookupError,
        AttributeError,
        RecursionError,
    ) as error:
        # The innermost frame of a template is the line that failed: jinja2 gives its frames the template's file.
        frames = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)]
        at = next((frame for frame in reversed(frames) if frame[0].suffix == SUFFIX), None)
        if folder is None or at is None or folder not in at[0].parents:
            raise
        raise FabricError([_fault(*at, str(error) or type(error).__name__)]) from None


def _invisible(file: Path, text: str) -> Iterator[Problem]:
    """The first sign that nobody sees: it would reach switches, and one of them marks secrets (base/secret.py)."""
    found = None if is_plain(text.replace("\n", "")) else re.search(REFUSED_TEXT, text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        yield Problem(
            code="template-fault",
            what=f"the template {file} has an invisible character U+{ord(found[0]):04X}",
            why="such a character could change the configuration unseen",
            fix="delete it",
            at=Source(file=str(file), line=line, column=found.start() - text.rfind("\n", 0, found.start())),
        )


def _escaped(file: Path, text: str, tree: nodes.Template) -> Iterator[Problem]:
    """Texts of expressions that make such a sign by an escape: jinja2 reads these as Python does."""
    for constant in tree.find_all(nodes.Const):
        found = re.search(REFUSED_TEXT, constant.value) if isinstance(constant.value, str) else None
        if found is not None and found[0] not in text:
            why = f"a text in it has an escape for the invisible character U+{ord(found[0]):04X}"
            yield _fault(file, constant.lineno, why)


def _link(path: Path) -> Problem:
    return Problem(
        code="template-fault",
        what=f"{path} is a link to a folder",
        why="templates behind it would be rendered, and neither looked at nor kept among the inputs of a tree",
        fix=f"put the folder itself there: rm {path} && cp -r {path.resolve()} {path}",
        at=Source(file=str(path), line=1, column=1),
    )


def _no_template(file: Path, name: str) -> Problem:
    return _fault(file, 1, f"it includes {name}, whose name does not end in {SUFFIX}: only such files are inputs")


def _fault(file: Path, line: int, why: str) -> Problem:
    return Problem(
        code="template-fault",
        what=f"the template {file} fails",
        why=why,
        fix="mend the template; the one of fabricgen by the same name shows what there is to print",
        at=Source(file=str(file), line=line, column=1),
    )


def _unread(folder: Path, name: str, known: set[str]) -> Problem:
    return Problem(
        code="template-unread",
        what=f"nothing reads the template {folder / name}",
        why="no template of fabricgen has this name, and no other template in the folder includes it",
        fix=did_you_mean(name, known),
        at=Source(file=str(folder / name), line=1, column=1),
    )
