"""Finding codes of settings that are read back: lossless queues, and the whole configuration."""

from fabricgen.finding_codes.entry import FindingCode, LiveCheck

QOS = LiveCheck(
    "qos",
    "PFC, its priorities and watchdog, and the ECN thresholds of every lossless port, and its queue counters, where a "
    "platform shows them; on Linux, queueing disciplines that limit packets.",
    (
        FindingCode(
            "qos-pfc-off",
            "PFC is off on the port: the lossless class loses packets under load.",
            "PFC is not enabled on the port, or was not negotiated with the far end. Load the rendered configuration.",
        ),
        FindingCode(
            "qos-pfc",
            "PFC is on for other priorities than planned.",
            "Both ends of a link need PFC on the same priorities. Configure the planned ones here and at the far end.",
        ),
        FindingCode(
            "qos-watchdog",
            "The PFC watchdog is off where it is planned, or on where it is not.",
            "Without it one server that sends pauses forever can stop the fabric. Configure it as rendered.",
        ),
        FindingCode(
            "qos-ecn",
            "ECN thresholds of queues are not the planned ones, or not configured.",
            "Senders slow down too late, so PFC acts first, or too early. Load the rendered thresholds.",
        ),
        FindingCode(
            "qos-ecn-off",
            "A queue has no ECN, but the plan has it.",
            "Senders do not slow down, so only PFC acts. The queue profile is not on the port: load the rendered "
            "configuration.",
        ),
        FindingCode(
            "qos-lossless-drops",
            "The lossless class has lost packets since its counters were cleared.",
            "Headroom that is too small for the cable, a far end that ignores pauses, or PFC that is off at one end. "
            "After the fix clear the counters, which keep old drops.",
        ),
        FindingCode(
            "qos-shaped",
            "The kernel limits, delays or drops packets that the port sends; its sessions and pings may still work.",
            "Left over from a test, or set by another program. Remove it with `tc qdisc del dev PORT root`.",
        ),
        FindingCode(
            "qos-unexpected",
            "PFC is on for a port without a planned lossless class.",
            "A port without headroom that sends pauses can block others. Turn PFC off on it, or plan a lossless class.",
        ),
    ),
)

DRIFT = LiveCheck(
    "drift",
    "The running configuration compared with the rendered one, line by line per section, and the startup "
    "configuration; on Linux also the other files and the kernel settings. Secrets compare as equal.",
    (
        FindingCode(
            "drift-missing",
            "Rendered lines are not in the running configuration.",
            "They were removed manually or rejected on load, or the switch runs an older render. Load the rendered "
            "configuration again. If many sections are missing, a process is dead, or the switch has lost its "
            "configuration.",
        ),
        FindingCode(
            "drift-extra",
            "The running configuration has lines that are not rendered.",
            "Manual changes, or lines of an older render. Remove these lines, or add them to the intent.",
        ),
        FindingCode(
            "runs-drained",
            "Sessions of the switch have drain route maps, but the plan has them in service: traffic avoids the "
            "switch.",
            "A push of an intent that drains it, or a push that was stopped while it was drained, left it drained. If "
            "the work is done, push this intent; otherwise run verify with the intent, or the --overlay, that drains "
            "it.",
        ),
        FindingCode(
            "runs-undrained",
            "The plan drains sessions of the switch, but they have no drain route map: it still gets traffic.",
            "The drain was not pushed yet, or was removed. Push this intent before you unplug cables.",
        ),
        FindingCode(
            "line-by-hand",
            "Lines of the running configuration were changed on the switch since the last push, and differ from the "
            "plan.",
            "These lines were changed manually, perhaps for a reason. Find out; then add them to the intent, or undo "
            "them. push undoes such a line only with --undo: run it without --commit, then with --undo and the id "
            "that it prints.",
        ),
        FindingCode(
            "startup-differs",
            "The startup configuration differs from the running one.",
            "The running configuration was never saved, or the saved file was changed or lost; a timed commit that "
            "waits for confirmation looks the same. Find out which of the two is right, then save the running "
            "configuration or load the rendered one.",
        ),
        FindingCode(
            "file-differs",
            "Another file than the main configuration differs from the rendered one.",
            "It was edited manually, or is from an older render. Its settings may take effect only after a restart. "
            "Push it again.",
        ),
        FindingCode(
            "setting-wrong",
            "A kernel parameter has another value than in the planned file.",
            "It was set manually or by another program, or the file was never applied. `sysctl -p` with the planned "
            "file sets"
            " it; a wrong hash policy loads some links more than others, a reverse-path filter drops packets.",
        ),
    ),
)
