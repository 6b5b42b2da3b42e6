"""Checks of a user's templates: errors are reported with file and line; errors of our own templates pass."""

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
    """Loads a user's templates, and no file with another suffix: what is read is checked, and is an input of a tree."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return the source as jinja2 expects it. Raises TemplateNotFound."""
        if not template.endswith(SUFFIX):
            raise TemplateNotFound(template)
        return super().get_source(environment, template)


def check_templates(folder: Path, ours: Path, environment: Environment) -> None:
    """Raise FabricError for each template of `folder` that cannot be compiled, or that is never read.

    A template is read when one of ours has its name, or when another of the user's templates includes it by name.
    """
    our_names = {path.relative_to(ours).as_posix() for path in ours.rglob(f"*{SUFFIX}")}
    names = {path.relative_to(folder).as_posix() for path in folder.rglob(f"*{SUFFIX}")}
    problems: list[Problem] = [_link(path) for path in sorted(folder.rglob("*")) if path.is_symlink() and path.is_dir()]
    included: set[str] = set()
    for name in sorted(names):
        try:
            text = decode(read_octets(folder / name), str(folder / name))
            problems += _invisible(folder / name, text)
            tree = environment.parse(text)
            problems += _escaped(folder / name, text, tree)
            environment.compile(tree, name, str(folder / name))  # raises for a filter or a test that does not exist
        except FabricError as error:
            problems.extend(error.problems)
        except TemplateSyntaxError as error:
            problems.append(_fault(folder / name, error.lineno, error.message or "it is not a template"))
        except (SyntaxError, RecursionError) as error:  # of the generated Python: blocks are nested too deep
            problems.append(_fault(folder / name, 1, f"its nesting is too deep: {error}"))
        else:
            referenced = {target for target in meta.find_referenced_templates(tree) if target}
            problems += [
                _no_template(folder / name, target) for target in sorted(referenced) if not target.endswith(SUFFIX)
            ]
            included |= referenced
    problems += [_unread(folder, name, our_names) for name in sorted(names - our_names - included)]
    if problems:
        raise FabricError(problems)


def template_inputs(folder: Path | None) -> dict[str, bytes]:
    """Contents of the user's templates, for the record of a render, by names that no file next to an intent has."""
    if folder is None:
        return {}
    paths = sorted(folder.rglob(f"*{SUFFIX}"))
    return {f"{KEPT_FOLDER}/{path.relative_to(folder).as_posix()}": read_octets(path) for path in paths}


@contextmanager
def template_faults(folder: Path | None) -> Iterator[None]:
    """Turn an error of a template of `folder` while it is rendered into a problem at its line; pass others on."""
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
        template_frame = next((frame for frame in reversed(frames) if frame[0].suffix == SUFFIX), None)
        if folder is None or template_frame is None or folder not in template_frame[0].parents:
            raise
        raise FabricError([_fault(*template_frame, str(error) or type(error).__name__)]) from None


def _invisible(file: Path, text: str) -> Iterator[Problem]:
    """Problem for the first invisible character: it would reach switches, and one marks secrets (base/secret.py)."""
    match = None if is_plain(text.replace("\n", "")) else re.search(REFUSED_TEXT, text)
    if match is not None:
        line = text.count("\n", 0, match.start()) + 1
        yield Problem(
            code="template-fault",
            what=f"the template {file} has an invisible character U+{ord(match[0]):04X}",
            why="such a character could change the configuration without being seen",
            fix="delete it",
            at=Source(file=str(file), line=line, column=match.start() - text.rfind("\n", 0, match.start())),
        )


def _escaped(file: Path, text: str, tree: nodes.Template) -> Iterator[Problem]:
    """Problems for escapes of invisible characters in expressions: jinja2 reads these escapes as Python does."""
    for constant in tree.find_all(nodes.Const):
        match = re.search(REFUSED_TEXT, constant.value) if isinstance(constant.value, str) else None
        if match is not None and match[0] not in text:
            reason = f"a text in it has an escape for the invisible character U+{ord(match[0]):04X}"
            yield _fault(file, constant.lineno, reason)


def _link(path: Path) -> Problem:
    return Problem(
        code="template-fault",
        what=f"{path} is a link to a folder",
        why="its templates would be rendered, but neither checked nor kept with the inputs of a tree",
        fix=f"replace the link by the folder: rm {path} && cp -r {path.resolve()} {path}",
        at=Source(file=str(path), line=1, column=1),
    )


def _no_template(file: Path, name: str) -> Problem:
    return _fault(file, 1, f"it includes {name}, whose name does not end in {SUFFIX}: only such files are inputs")


def _fault(file: Path, line: int, reason: str) -> Problem:
    return Problem(
        code="template-fault",
        what=f"the template {file} fails",
        why=reason,
        fix="correct the template; fabricgen's template of the same name shows the available values",
        at=Source(file=str(file), line=line, column=1),
    )


def _unread(folder: Path, name: str, our_names: set[str]) -> Problem:
    return Problem(
        code="template-unread",
        what=f"the template {folder / name} is not used",
        why="no template of fabricgen has this name, and no other template in the folder includes it",
        fix=did_you_mean(name, our_names),
        at=Source(file=str(folder / name), line=1, column=1),
    )
