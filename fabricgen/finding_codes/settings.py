"""Settings that can be read back: lossless queues, and the configuration as a whole."""

from fabricgen.finding_codes.entry import FindingCode, LiveCheck

QOS = LiveCheck(
    "qos",
    "PFC, its priorities and watchdog, and the ECN thresholds of every lossless port, and what its queues counted,"
    " where a platform tells them.",
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
            "qos-unexpected",
            "A port pauses for which no lossless class is planned.",
            "A port without headroom that pauses can block others. Turn PFC off there, or plan it.",
        ),
    ),
)

DRIFT = LiveCheck(
    "drift",
    "The running configuration against the rendered one, line by line under its section. Secrets compare as equal.",
    (
        FindingCode(
            "drift-missing",
            "Rendered lines are not in the running configuration.",
            "They were removed by hand, were refused when loaded, or the switch runs an older render. Load it again."
            " Many sections at once: a dead process, or a switch without its configuration.",
        ),
        FindingCode(
            "drift-extra",
            "The running configuration has lines that are not rendered.",
            "Typed by hand, or left over from an older render. Remove them, or bring them into the intent.",
        ),
    ),
)
