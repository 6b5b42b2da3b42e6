"""Quality of service: what each port gives a packet, by the maps and profiles that it names.

Sources: src/sonic-yang-models: sonic-port-qos-map, sonic-dscp-tc-map, sonic-tc-queue-map, sonic-queue, sonic-scheduler
(`pir` in octets a second with meter_type bytes), sonic-wred-profile, sonic-buffer-pg, sonic-buffer-profile,
sonic-pfcwd, sonic-cable-length. sonic-swss, orchagent/pfcwdorch: the watchdog looks after priorities of
`pfcwd_sw_enable`. A buffer's `dynamic_th` is a power of two (SAI, shared dynamic threshold). A class that no map
of its port has is in queue 0; of the other maps no port has one by itself (SAI, inc/saiport.h and saiqosmap.h).
"""

from functools import lru_cache
from typing import NamedTuple

from fabricgen.platforms.linux.readback.words import number, rare, rare_row
from fabricgen.platforms.sonic.readback.database import NOTHING, Database, count, is_on, plain, refuse, text_at
from fabricgen.readback.fields import Field
from fabricgen.readback.policy import Lines, each_line
from fabricgen.readback.rows import Key, Part, Row, Value

DSCPS = range(64)
Entries = dict[int, tuple[int, int]]
"""A map of numbers, each with its line."""
THRESHOLDS = ("min_threshold", "max_threshold", "drop_probability")
OCTETS_A_GBPS = 125_000_000
COLOURS = ("green", "yellow", "red")
MAPS = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
}
"""Field of a port → table of the maps that it names."""
LISTS = ("BUFFER_PORT_EGRESS_PROFILE_LIST", "BUFFER_PORT_INGRESS_PROFILE_LIST")
WITHOUT_MAP = 0
"""Queue of a class that no map has."""
INNER = ("tc_to_pg_map", "pfc_to_queue_map", "pfc_to_pg_map")
"""Maps whose content has no row of its own."""
ACTIONS = {"drop": "drop", "alert": "notify", "forward": "forward"}
SHARED_POOL, SHARED = "ingress_lossless_pool", "DEFAULT_LOSSLESS_BUFFER_PARAMETER"


def share(exponent: str) -> str:
    """A share of the free buffer as a fraction: 3 is 8, -3 is 1/8."""
    sign, digits = exponent[:1] == "-", exponent.lstrip("-")
    power = number(digits)
    if power is None or power > 32:
        return exponent
    return f"1/{2**power}" if sign and power else str(2**power)


class _Scheduler(NamedTuple):
    """Weight (0: strict), cap in octets a second, and their lines."""

    weight: int
    pir: int
    of_weight: int
    of_pir: int


class _Marks(NamedTuple):
    """Octets and percent of marking, each with its line; what turns it off where it marks nothing."""

    numbers: tuple[int, ...]
    lines: tuple[int, ...]


class QosRows:
    """Writes the rows of all ports; what ports share is worked out once."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._maps: dict[tuple[str, str], Entries] = {}
        self._shared: dict[tuple[str, ...], tuple[Row, Row]] = {}
        self._schedulers: dict[str, _Scheduler] = {}
        self._caps: dict[tuple[str, int], int] = {}
        self._marks: dict[str, _Marks] = {}
        self._queues = self._by_port("QUEUE")
        self._groups = self._by_port("BUFFER_PG")
        self._buffers = self._by_port("BUFFER_QUEUE")
        self._cables: dict[str, Field] = {}
        for cable in [cable for row in db.rows("CABLE_LENGTH").values() for cable in row.each()]:
            # All rows count, whatever their names (sonic-swss, cfgmgr/buffermgr.cpp, doCableTask).
            if self._cables.setdefault(cable.key, cable).value != cable.value:
                cable.used = False
        self._resumes: list[tuple[Value, int]] = []
        self._alphas: list[tuple[Value, int]] = []

    def put(self) -> None:
        """All rows."""
        for name, row in self._db.rows("PORT_QOS_MAP").items():
            if name == "global":
                self._db.say_row("PORT_QOS_MAP", name)
            else:
                self._put_port(name, row)
        self._use_tables()
        self._put_switch()

    def _by_port(self, table: str) -> dict[str, list[tuple[int, Field]]]:
        """Rows of a table whose keys are a port and numbers, in order; `0-2` or `3,4` stands for each."""
        found: dict[str, list[tuple[int, Field]]] = {}
        for key, row in self._db.rows(table).items():
            ports, _, numbers = key.rpartition("|")
            for name in ports.split(","):
                for start, end in _spans(numbers):
                    found.setdefault(name, []).extend((place, row) for place in range(start, end + 1))
        for rows in found.values():
            rows.sort(key=lambda row: row[0])
        return found

    def _map(self, row: Field, field: str) -> tuple[Entries, int]:
        """A map that a port names, as numbers with their lines, and the line of its name."""
        name, line = text_at(row, field)
        key = (MAPS[field], name.removeprefix(f"[{MAPS[field]}|").removesuffix("]"))
        if key not in self._maps:
            numbers: Entries = {}
            for child in self._db.row(*key).each():
                first, second = number(child.key), number(plain(child))
                if first is None or second is None:
                    child.used = False
                else:
                    numbers[first] = (second, child.number)
            self._maps[key] = numbers
        return self._maps[key], line

    def _put_port(self, name: str, row: Field) -> None:
        names = tuple(text_at(row, field)[0] for field in MAPS)
        if names not in self._shared:
            self._shared[names] = self._of_maps(row)
        for setting, found in zip(("dscp-classes", "class-queues"), self._shared[names], strict=True):
            self._db.reading.add(Key("port", name, setting), found)
        for field in INNER:
            entries, line = self._map(row, field)
            if not entries:
                self._say(f"{name}: no {MAPS[field]}", line)
        self._put_queues(name, row)
        self._put_lossless(name, row)
        for table in LISTS:
            if self._db.rows(table):
                text, line = text_at(self._db.row(table, name), "profile_list")
                self._say(f"{table}: {text or 'none'}", line or row.number)

    def _of_maps(self, row: Field) -> tuple[Row, Row]:
        """Classes of DSCPs and queues of classes by the maps that a port names; entries of the other maps are lines."""
        file = self._db.file
        (classes, of_name), (queues, of_other) = (
            self._map(row, field) for field in ("dscp_to_tc_map", "tc_to_queue_map")
        )
        own = tuple(classes.get(dscp, (0, 0))[0] for dscp in DSCPS) if classes else ()
        used = sorted(set(own))
        pairs = tuple(part for one in used for part in (one, queues.get(one, (WITHOUT_MAP, 0))[0]))
        lines: dict[Part, Lines] = {2 * at + 1: queues[one][1] for at, one in enumerate(used) if one in queues}
        of_dscps: dict[Part, Lines] = {dscp: line for dscp, (_, line) in classes.items() if dscp in DSCPS}
        for field in INNER:
            entries, line = self._map(row, field)
            if entries:
                keys = " ".join(map(str, sorted(entries)))
                self._say(f"{MAPS[field]}: entries of {keys}", self._at(field, row, line))
                for first, (second, at) in entries.items():
                    self._say(f"{MAPS[field]}: {first}>{second}", at)
        return (
            Row(own, file, self._at("dscp_to_tc_map", row, of_name), of_dscps),
            Row(pairs, file, self._at("tc_to_queue_map", row, of_other), lines),
        )

    def _say(self, text: str, line: int) -> None:
        self._db.reading.put("line", text, "present", True, self._db.file, line)

    def _at(self, field: str, row: Field, line: int) -> int:
        """Where a map is: a fault is in the map rather than in its name."""
        name, _ = text_at(row, field)
        return self._db.row(MAPS[field], name).number or line

    def _put_queues(self, name: str, row: Field) -> None:
        of_port = self._db.reading.rows.get(Key("port", name, "speed"))
        speed = of_port.value if of_port is not None and isinstance(of_port.value, int) else 0
        rows = self._queues.get(name, [])
        found: list[int] = []
        lines: list[Lines] = []
        ecn: list[int] = []
        ecn_lines: list[Lines] = []
        lossless = self._lossless_queue(row)
        # Where a profile of marks would be.
        off = next((settings.number for place, settings in rows if place == lossless), row.number)
        for queue, settings in rows:
            name_of, at = text_at(settings, "scheduler")
            scheduler = self._scheduler(name_of)
            found += (queue, scheduler.weight, self._cap(name_of, speed) if scheduler.pir else 0)
            lines += (settings.number, (scheduler.of_weight or at, at), (scheduler.of_pir or at, at))
            wred, at = text_at(settings, "wred_profile")
            marks = self._wred(wred) if wred else None
            if marks is not None and marks.numbers:
                ecn += (queue, *marks.numbers)
                ecn_lines += (settings.number, *((line, at) for line in marks.lines))
            elif marks is not None and queue == lossless:
                off = marks.lines[0] if marks.lines else at
        self._db.put_parts("port", name, "queues", tuple(found), lines, rows[-1][1] if rows else row)
        self._db.put_parts("port", name, "ecn", tuple(ecn), ecn_lines, each_line(ecn_lines[0])[0] if ecn else off)
        buffers = [(queue, *text_at(settings, "profile")) for queue, settings in self._buffers.get(name, [])]
        if self._buffers:
            text = " ".join(f"{queue}>{profile}" for queue, profile, _ in buffers)
            self._say(f"BUFFER_QUEUE: {text}", buffers[-1][2] if buffers else row.number)

    def _cap(self, name: str, speed: int) -> int:
        """The cap of a scheduler in percent of a port's speed; one that is no whole number of percent is refused."""
        if (name, speed) not in self._caps:
            whole, pir = speed * OCTETS_A_GBPS, self._scheduler(name).pir
            cap = self._caps[name, speed] = -(-pir * 100 // whole) if whole else 0
            if cap * whole // 100 != pir:
                refuse(self._db.row("SCHEDULER", name), "pir")
        return self._caps[name, speed]

    def _lossless_queue(self, row: Field) -> int | None:
        """The queue of the first priority that PFC may pause."""
        priority = number(text_at(row, "pfc_enable")[0].split(",")[0])
        queues, _ = self._map(row, "pfc_to_queue_map")
        return None if priority is None else queues.get(priority, (priority, 0))[0]

    def _scheduler(self, name: str) -> "_Scheduler":
        """A scheduler by its name."""
        if name not in self._schedulers:
            row = self._db.row("SCHEDULER", name)
            kind = text_at(row, "type")[0]
            if kind not in ("STRICT", "DWRR", "WRR"):
                refuse(row, "type")
            pir, _ = count(row, "pir")
            cir, _ = count(row, "cir", pir)
            if cir != pir or text_at(row, "meter_type")[0] not in ("", "bytes"):
                refuse(row, "cir")
            strict, (weight, line) = kind == "STRICT", count(row, "weight")
            of_weight = text_at(row, "type")[1] if strict or not row.take("weight") else line
            self._schedulers[name] = _Scheduler(0 if strict else weight, pir, of_weight, text_at(row, "pir")[1])
        return self._schedulers[name]

    def _wred(self, name: str) -> "_Marks":
        """Octets at which marking begins, octets and percent at which it is most; empty if it marks nothing."""
        if name not in self._marks:
            self._marks[name] = self._marks_of(self._db.row("WRED_PROFILE", name))
        return self._marks[name]

    @staticmethod
    def _marks_of(row: Field) -> "_Marks":
        ecn, line = text_at(row, "ecn")
        colours: list[tuple[Value, int]] = []
        lines: list[tuple[int, ...]] = []
        for place, colour in enumerate(COLOURS):
            enabled = is_on(row, f"wred_{colour}_enable")
            said = [count(row, f"{colour}_{field}") for field in THRESHOLDS]
            colours.append(((*(value for value, _ in said), int(enabled)), place))
            lines.append((*(at for _, at in said), text_at(row, f"wred_{colour}_enable")[1]))
        odd = rare(colours)
        if ecn != "ecn_all":
            return _Marks((), (line,))
        if odd is None or not isinstance(odd[0], tuple) or not odd[0][3]:
            return _Marks((), lines[odd[1]][3:] if odd is not None else ())
        return _Marks(odd[0][:3], lines[odd[1]][:3])

    def _put_lossless(self, name: str, row: Field) -> None:
        db = self._db
        pfc, line = text_at(row, "pfc_enable")
        found = (number(word) for word in pfc.split(","))
        priorities = tuple(sorted(one for one in found if one is not None))
        db.put_parts("port", name, "pfc", priorities, [line] * len(priorities), line)
        watched, line = text_at(row, "pfcwd_sw_enable")
        dog = db.row("PFC_WD", name)
        if priorities and dog is not NOTHING and set(watched.split(",")) >= set(pfc.split(",")):
            times = (
                count(dog, "detection_time"),
                count(dog, "restoration_time"),
                count(db.row("PFC_WD", "GLOBAL"), "POLL_INTERVAL", -1),
            )
            values, lines = tuple(value for value, _ in times), [line or dog.number for _, line in times]
            db.put_parts("port", name, "watchdog", values, lines, dog)
            action, at = text_at(dog, "action")
            db.put("port", name, "watchdog-action", ACTIONS.get(action or "drop", action), at)
        else:
            lost = priorities and dog is NOTHING and watched
            db.put("port", name, "watchdog", (), (db.table_line("PFC_WD") if lost else 0) or line)
        cable = self._cables.get(name)
        if cable is not None:
            metres = number(plain(cable).removesuffix("m"))
            cable.used = metres is not None
            db.put("port", name, "cable", metres or 0, cable)
        self._put_groups(name, priorities, row.number)

    def _put_groups(self, name: str, priorities: tuple[int, ...], at_port: int) -> None:
        """Buffers of priority groups: those of lossless ones have headroom, or have it computed (NULL)."""
        texts = []
        line = 0
        for group, settings in self._groups.get(name, []):
            profile, at = text_at(settings, "profile")
            profile = profile.removeprefix("[BUFFER_PROFILE|").removesuffix("]")
            line = at
            if group not in priorities:
                texts.append(f"{group}>{profile}")
                continue
            row = self._db.row("BUFFER_PROFILE", profile)
            if row is NOTHING:
                texts.append(f"{group}>{profile}")
                continue
            octets, at = count(row, "xoff")
            self._db.put("port", name, "headroom", octets, at)
            resume, at = count(row, "xon_offset")
            self._resumes.append((resume, at))
            alpha, at = text_at(row, "dynamic_th")
            self._alphas.append((share(alpha), at))
            texts.append(f"{group}>headroom of {self._rest(row)}")
        if self._groups:
            self._say(f"BUFFER_PG: {' '.join(texts)}", line or at_port)

    @staticmethod
    def _rest(row: Field) -> str:
        """What a profile with headroom has in common with the others."""
        return ",".join(f"{key}={text_at(row, key)[0]}" for key in ("pool", "size", "xon"))

    def _use_tables(self) -> None:
        """Tables whose rows ports name, and those that count as they are."""
        db = self._db
        for key, row in db.rows("BUFFER_POOL").items():
            db.say_row("BUFFER_POOL", key, "xoff")
            xoff = row.take("xoff")
            if xoff is not None:
                db.put("switch", "", "headroom-pool", number(plain(xoff)) or 0, xoff)
        named = {text_at(row, "profile")[0] for rows in self._groups.values() for _, row in rows}
        for key, row in db.rows("BUFFER_PROFILE").items():
            if row.take("xoff") is None:
                db.say_row("BUFFER_PROFILE", key)
            elif key not in named:
                row.used = False
        self._use_lists()

    def _use_lists(self) -> None:
        db = self._db
        for table in LISTS:
            for key, row in db.rows(table).items():
                row.used = key in db.rows("PORT")
        for table in (SHARED, "LOSSLESS_TRAFFIC_PATTERN"):
            for key in db.rows(table):
                db.say_row(table, key, "default_dynamic_th")

    def _put_switch(self) -> None:
        for row in self._db.rows(SHARED).values():
            alpha, line = text_at(row, "default_dynamic_th")
            self._alphas.append((share(alpha), line))
        for setting, rows in (("resume", self._resumes), ("alpha", self._alphas)):
            found = rare_row(rows, self._db.file)
            if found is not None:
                self._db.reading.add(Key("switch", "", setting), found)


@lru_cache(maxsize=1024)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """`3` or `3-4`, with commas."""
    parts = (part.partition("-") for part in text.split(","))
    spans = ((number(first), number(last or first)) for first, _, last in parts)
    return tuple((start, end) for start, end in spans if start is not None and end is not None and start <= end < 64)
