#!/bin/sh
# The demo's fabrics in small on this host: built, verified, a cable broken and found, mended, and all taken down.
# Run as root: make lab-demo. Exit code 0 when each step did what it should; the lab is taken down in any case.
#
#   FABRICGEN   the command (default: fabricgen)
#   LAB         the lab's folder (default: out/lab-demo)
set -eu

FABRICGEN=${FABRICGEN:-fabricgen}
LAB=${LAB:-out/lab-demo}
INTENT=$(dirname "$0")/intent.yaml
SUBSET=units=1,leaves=2,spines=2,links=2,servers=2
LEAF=be-leaf-000

say() { printf '\n== %s\n' "$*"; }
fail() {
    printf 'lab-demo: %s\n' "$*" >&2
    exit 1
}
verify() { "$FABRICGEN" verify "$INTENT" -i "$LAB/inventory" "$@"; }
inside() { "$FABRICGEN" lab exec --dir "$LAB" "$@"; }

mkdir -p "$(dirname "$LAB")"
trap '"$FABRICGEN" lab down --dir "$LAB"' EXIT
trap 'exit 1' HUP INT TERM

say "fabricgen lab up --subset $SUBSET"
"$FABRICGEN" lab up "$INTENT" --subset "$SUBSET" --dir "$LAB"

say "fabricgen verify: all as planned, and only tenants that may reach each other do"
verify --retry 60

# The first uplink of the leaf, as the plan has it: its neighbor by LLDP is a spine.
PORT=$(inside "$LEAF" -- lldpcli -f keyvalue show neighbors |
    sed -n 's/^lldp\.\([^.]*\)\.chassis\.name=be-spine-00$/\1/p' | head -n 1)
[ -n "$PORT" ] || fail "$LEAF hears no spine"

say "$LEAF $PORT: the cable breaks"
inside "$LEAF" -- ip link set dev "$PORT" down
code=0
found=$(verify) || code=$?
printf '%s\n' "$found"
[ "$code" = 4 ] || fail "verify exited with $code, not with 4"
case $found in
*"$LEAF"*"port $PORT"*"shut down"*) ;;
*) fail "verify did not name $LEAF $PORT" ;;
esac

say "mended: clean again"
inside "$LEAF" -- ip link set dev "$PORT" up
verify --retry 60

say "fabricgen lab down"
"$FABRICGEN" lab down --dir "$LAB"
trap - EXIT
say "the cable was found, and nothing is left"
