"""Finding codes of settings that are read back: lossless queues, and the whole configuration."""

from fabricgen.finding_codes.entry import FindingCode, LiveCheck

QOS = LiveCheck(
    "qos",
    "PFC, its priorities and watchdog, and the ECN thresholds of every lossless port, and what its queues counted,"
    " where a platform tells them; on Linux, queueing disciplines that hold packets back.",
    (
        FindingCode(
            "qos-pfc-off",
            "The port does not pause: the lossless class loses packets under load.",
            "PFC is not enabled on the port, or was not negotiated with the far end. Load the rendered configuration.",
        ),
        FindingCode(
            "qos-pfc",
            "The port pauses other priorities than planned.",
            "Both ends of a link must pause the same ones. Set the planned ones here and at the far end.",
        ),
        FindingCode(
            "qos-watchdog",
            "The PFC watchdog is off where it is planned, or on where it is not.",
            "Without it one server that pauses for ever can stop the fabric. Set it as rendered.",
        ),
        FindingCode(
            "qos-ecn",
            "Queues mark at other thresholds than planned, or not at all.",
            "Senders slow down too late, so that PFC acts first, or too early. Load the rendered thresholds.",
        ),
        FindingCode(
            "qos-ecn-off",
            "A queue that is to mark has no ECN at all.",
            "Nobody tells the senders to slow down, so that PFC acts alone. The queue profile is not on the port:"
            " load the rendered configuration.",
        ),
        FindingCode(
            "qos-lossless-drops",
            "A class that must lose nothing has lost packets since its counters were cleared.",
            "Headroom that is too small for the cable, a far end that does not heed pauses, or PFC that is off at one"
            " end. Once mended, clear the counters: they keep what was.",
        ),
        FindingCode(
            "qos-shaped",
            "The kernel limits, delays or drops what the port sends: its sessions and pings may work all the same.",
            "Left over from a test, or set by a program that is not of the fabric. `tc qdisc del dev PORT root` takes"
            " it away.",
        ),
        FindingCode(
            "qos-unexpected",
            "A port pauses for which no lossless class is planned.",
            "A port without headroom that pauses can block others. Turn PFC off there, or plan it.",
        ),
    ),
)

DRIFT = LiveCheck(
    "drift",
    "The running configuration against the rendered one, line by line under its section, and what the switch would"
    " start with; on Linux the files beside it, and the settings of the kernel. Secrets compare as equal.",
    (
        FindingCode(
            "drift-missing",
            "Rendered lines are not in the running configuration.",
            "Removed by hand, refused when loaded, or the switch runs an older render. Load the rendered configuration"
            " again. Many sections at once: a dead process, or a switch without its configuration.",
        ),
        FindingCode(
            "drift-extra",
            "The running configuration has lines that are not rendered.",
            "Manual changes, or lines of an older render. Remove these lines, or bring them into the intent.",
        ),
        FindingCode(
            "runs-drained",
            "Sessions of the switch have the maps of a drain, and the plan has them in service: traffic avoids it.",
            "A push of an intent that drains it, or one that was stopped while it was drained, left it so. If the work"
            " is done, push this intent; else give verify the intent, or the --overlay, that drains it.",
        ),
        FindingCode(
            "runs-undrained",
            "The plan drains sessions of the switch, and they have no map of a drain: its traffic still comes.",
            "The drain was not pushed yet, or was taken back. Push this intent before anybody pulls a cable.",
        ),
        FindingCode(
            "line-by-hand",
            "Lines of the running configuration were changed on the switch since a push committed there, and are not as"
            " the plan has them.",
            "Somebody typed these lines, and may have had a reason. Ask; then bring them into the intent, or take them"
            " back. push undoes no such line but by name: type it without --commit, then with --undo and the id that it"
            " tells.",
        ),
        FindingCode(
            "startup-differs",
            "The switch would start with another configuration than the one that runs.",
            "What runs was never saved, or the saved file was changed or lost; a timed commit that waits for its"
            " confirmation shows so, too. Find out which of the two is meant, then save what runs or load the rendered"
            " configuration.",
        ),
        FindingCode(
            "file-differs",
            "A file beside the main configuration is not as rendered.",
            "Edited by hand, or of an older render. What it sets may be in force only after a restart. Push it again.",
        ),
        FindingCode(
            "setting-wrong",
            "A parameter of the kernel has another value than the planned file sets.",
            "Set by hand or by another program, or the file was never applied. `sysctl -p` with the planned file sets"
            " it; a wrong hash policy loads some links more than others, a reverse-path filter drops packets.",
        ),
    ),
)
