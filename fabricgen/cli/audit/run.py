"""`fabricgen audit`: what configurations say, beside the plan. Writes nothing and connects to no switch.

JSON: `site`; `audited`, how many switches were read; `switches`, those that are not as planned, each with `switch`,
`fabric`, `system`, `has_config`, `is_read` (false where no line of its file is a configuration of its system),
`findings` and `unread`; `lines`, by system: `all`, `idle`, `unread`; `others`, entries of the folder that belong to no
switch; `properties`, name → whether it holds, empty with --device;
`not_judged`, name → why not, or in which fabric not;
`violations`, each with `property`, `switch`, `file`, `line`, `what` (list) and `why`. A finding has `file`, `line`,
`thing`, `names`, `setting`, `planned`, `read` and `by_user`, for a line that the intent adds.
"""

from fabricgen.cli.audit.command import AuditOptions
from fabricgen.cli.audit.report import audit_report
from fabricgen.cli.audit.text import text
from fabricgen.cli.common.colour import echo_line
from fabricgen.cli.common.output import echo_json, reader_may_leave
from fabricgen.cli.common.problems import DIFFERENCES, reporting_problems
from fabricgen.cli.contracts.audit import plain
from fabricgen.site.checked import LoadRequest, load_checked


def run(options: AuditOptions) -> None:
    """Print the report. Raises SystemExit with 3 where a configuration is not as planned, or a property is not kept."""
    with reporting_problems(as_json=options.as_json):
        plan = load_checked(LoadRequest(options.intent, options.overlay), options.scenario).plan
        result = audit_report(plan, options.configs, options.device, options.jobs)
    with reader_may_leave():
        if options.as_json:
            echo_json(plain(result))
        else:
            for line in text(result, options.configs):
                echo_line(line)
    if not result.is_clean(allow_unread=options.allow_unread):
        raise SystemExit(DIFFERENCES)
