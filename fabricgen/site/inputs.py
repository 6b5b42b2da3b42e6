"""Files of one workspace as they are read: contents for the record, documents for reports, the problems of a stage."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.kept_inputs import KEPT, TAKEN, reserved_name_problem
from fabricgen.source import yaml_events
from fabricgen.source.document import Document, decode, load_document, read_octets

if TYPE_CHECKING:
    from fabricgen.plan.csv_table import Table

T = TypeVar("T")


class Reading:
    """What has been read so far, and the problems of the current stage."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.documents: list[Document] = []
        self.inputs: dict[str, bytes] = {}
        self.problems: list[Problem] = []

    def attempt(self, step: Callable[[], T]) -> T | None:
        """Result of a step; None, with its problems kept, if it raises FabricError."""
        try:
            return step()
        except FabricError as error:
            self.problems.extend(error.problems)
            return None

    def octets(self, name: str, most: int) -> bytes:
        """Contents of a file next to the intent, kept for the record."""
        content = read_octets(self.folder / name, most)
        self.keep(name, content)
        return content

    def keep(self, name: str, octets: bytes) -> None:
        """Keep the contents of a file for the record. Raises FabricError if a file has the name of a record of ours."""
        if name in TAKEN and name in self.inputs:
            raise FabricError([reserved_name_problem(self.folder / name)])
        self.inputs[name] = octets

    def overlay(self, path: Path) -> Document:
        """Read an overlay, which may be in any folder."""
        content = read_octets(path, yaml_events.MAX_OCTETS)
        document = load_document(decode(content, str(path)), str(path))
        self.documents.append(document)
        self.keep(KEPT, content)
        return document

    def yaml(self, name: str) -> Document:
        """Read a YAML file next to the intent."""
        file = str(self.folder / name)
        document = load_document(decode(self.octets(name, yaml_events.MAX_OCTETS), file), file)
        self.documents.append(document)
        return document

    def csv(self, name: str, columns: tuple[str, ...], required: tuple[str, ...]) -> "Table":
        """Read a CSV file next to the intent."""
        from fabricgen.plan import csv_table  # noqa: PLC0415

        content = self.octets(name, csv_table.MAX_OCTETS)
        table = csv_table.read_table(content, str(self.folder / name), columns, required)
        self.documents.append(table.document)
        return table
