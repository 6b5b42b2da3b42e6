"""Render a Device to artifacts: each section template on its own, then joined in the platform's order."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, Template, TemplateError

from fabricgen.base.secret import MARK, shown
from fabricgen.device.device import Device
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.json_sections import finished
from fabricgen.platforms.base.platform import Section, Sections
from fabricgen.render.folder import templates_folder
from fabricgen.render.marks import check_marks, check_signs
from fabricgen.render.user_templates import SUFFIX, OwnLoader, check_templates, template_faults


class RenderedFile(NamedTuple):
    """One file of a switch; path relative to the output folder.

    marked  its text with marked references to secrets (base/secret.py): only these are ever filled in
    """

    path: str
    marked: str

    @property
    def name(self) -> str:
        """Its name in the folder of its switch."""
        return self.path.partition("/")[2]

    @property
    def text(self) -> str:
        """Text without marks, as it is on disk."""
        return shown(self.marked)


FAULTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, TemplateError)
"""Errors of reading, testing and printing values."""


class _Ours(Environment):
    """Reads values by attribute alone, as a Device has no keys: this saves a third of the time of a render."""

    getattr = getattr  # type: ignore[assignment]


def environment(user_templates: Path | None) -> Environment:
    """Environment of templates: a missing value is an error, and a statement's line prints no line."""
    loaders = [OwnLoader(user_templates)] if user_templates is not None else []
    # A user's template may test whether a value is defined, or read a mapping's key, as jinja2's manual says.
    return (Environment if user_templates is not None else _Ours)(
        loader=ChoiceLoader([*loaders, FileSystemLoader(templates_folder())]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,  # render what was read first, even if the files are edited meanwhile
        cache_size=-1,
    )


class Renderer:
    """Compiled templates of one run. A user's folder overrides ours, file by file."""

    def __init__(self, user_templates: Path | None = None) -> None:
        self._user_templates = user_templates
        self._environment = environment(user_templates)
        if user_templates is not None:
            check_templates(user_templates, templates_folder(), self._environment)
            for path in sorted(user_templates.rglob(f"*{SUFFIX}")):
                self._environment.get_template(path.relative_to(user_templates).as_posix())
        self._sections: dict[tuple[str, str, str], tuple[Template, ...]] = {}

    def render(self, device: Device) -> Iterator[RenderedFile]:
        """Every file of one switch."""
        platform = PLATFORMS[device.system]
        context = platform.template_context(device)
        for artifact in platform.artifacts[device.role]:
            names = artifact.sections
            key = (platform.name, device.role, artifact.name)
            if key not in self._sections:
                self._sections[key] = tuple(self._environment.get_template(f"{platform.name}/{name}") for name in names)
            templates = self._sections[key]
            raw = tuple(lines for lines in device.raw if (lines.artifact or platform.main) == artifact.name)
            sections = self._printed(templates, {"device": device, "context": context, "raw": raw})
            file = RenderedFile(f"{device.name}/{artifact.name}", finished(artifact, sections))
            if MARK in file.marked:
                check_marks(device, file.path, file.marked)
            if self._user_templates is not None:
                check_signs(file.path, file.marked)
            yield file

    def _printed(self, templates: tuple[Template, ...], values: dict[str, object]) -> Sections:
        """All sections of a file."""
        if self._user_templates is not None:
            with template_faults(self._user_templates):
                return tuple([Section(template.render(values), self._is_own(template)) for template in templates])
        # Our templates export and call nothing, so all of them can share one jinja2 context.
        context = templates[0].new_context(values, shared=True)
        try:
            return tuple([Section("".join(template.root_render_func(context))) for template in templates])
        except FAULTS:
            # `render` fails alike, and its traceback has the line of the template.
            for template in templates:
                template.render(values)
            raise

    def _is_own(self, template: Template) -> bool:
        return str(template.filename).startswith(f"{self._user_templates}{os.sep}")
