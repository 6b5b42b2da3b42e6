"""Problems of files in a temporary folder, rewritten with the names that the user knows."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.site.workspace import WorkspaceError


class Naming(NamedTuple):
    """A folder, and the prefix shown in place of it, e.g. `origin/main:`. Without a folder, names stay as they are."""

    folder: Path | None = None
    shown: str = ""

    def text(self, message: str) -> str:
        """Replace the folder wherever it is named."""
        if self.folder is None:
            return message
        return message.replace(f"{self.folder}/", self.shown).replace(str(self.folder), self.shown)

    def problem(self, problem: Problem) -> Problem:
        """The problem with the shown names."""
        at = problem.at._replace(file=self.text(problem.at.file)) if problem.at else None
        what, why, fix = (self.text(part) for part in (problem.what, problem.why, problem.fix))
        return problem._replace(what=what, why=why, fix=fix, at=at)

    def error(self, error: FabricError) -> FabricError:
        """The error with the shown names in all problems and documents."""
        if not isinstance(error, WorkspaceError):
            return FabricError(self.problem(problem) for problem in error.problems)
        # A file that is not YAML has problems with positions of their own, and no document.
        first = error.documents[0] if error.documents else None
        placed = (p._replace(at=first.place(p.where)) if first and p.where and not p.at else p for p in error.problems)
        documents = tuple(document._replace(file=self.text(document.file)) for document in error.documents)
        return WorkspaceError((self.problem(problem) for problem in placed), documents)

    @contextmanager
    def translated_errors(self) -> Iterator[None]:
        """Raise the errors of the context with the shown names."""
        try:
            yield
        except FabricError as error:
            raise self.error(error) from None
