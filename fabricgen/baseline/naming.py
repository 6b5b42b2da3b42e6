"""Problems of files in a temporary folder, told by the names that a person knows them by."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.site.workspace import WorkspaceError


class Naming(NamedTuple):
    """A folder, and what stands before the path of a file in it when it is told: `origin/main:`. None as it is."""

    folder: Path | None = None
    shown: str = ""

    def text(self, words: str) -> str:
        """Replace the folder wherever it is named."""
        if self.folder is None:
            return words
        return words.replace(f"{self.folder}/", self.shown).replace(str(self.folder), self.shown)

    def problem(self, problem: Problem) -> Problem:
        """The problem by its names."""
        at = problem.at._replace(file=self.text(problem.at.file)) if problem.at else None
        what, why, fix = (self.text(words) for words in (problem.what, problem.why, problem.fix))
        return problem._replace(what=what, why=why, fix=fix, at=at)

    def error(self, error: FabricError) -> FabricError:
        """The error with all problems and documents by their names."""
        if not isinstance(error, WorkspaceError):
            return FabricError(self.problem(problem) for problem in error.problems)
        # A file that is no YAML has problems with places of their own, and no document.
        first = error.documents[0] if error.documents else None
        placed = (p._replace(at=first.place(p.where)) if first and p.where and not p.at else p for p in error.problems)
        documents = tuple(document._replace(file=self.text(document.file)) for document in error.documents)
        return WorkspaceError((self.problem(problem) for problem in placed), documents)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Let problems pass by their names."""
        try:
            yield
        except FabricError as error:
            raise self.error(error) from None
