#!/bin/sh
# Build a small part of the demo's fabrics on this host, verify it, break a cable and find it; push a tenant, and drain
# a spine while packets are forwarded, with the report of each push; then remove the lab.
# Run as root: make lab-demo. Exit code 0 if every step did what it should; the lab is removed in any case.
#
#   FABRICGEN   the command (default: fabricgen)
#   LAB         the lab's folder (default: out/lab-demo); LAB-site, next to it, has the intents that are pushed
set -eu

FABRICGEN=${FABRICGEN:-fabricgen}
LAB=${LAB:-out/lab-demo}
SITE=$LAB-site
DEMO=$(dirname "$0")
SUBSET=units=1,leaves=2,spines=2,links=2,servers=2
LEAF=be-leaf-000
SPINE=be-spine-00

say() { printf '\n== %s\n' "$*"; }
fail() {
    printf 'lab-demo: %s\n' "$*" >&2
    exit 1
}
verify() { "$FABRICGEN" verify "$SITE/intent.yaml" -i "$LAB/inventory" "$@"; }
push() { "$FABRICGEN" push "$SITE/intent.yaml" -i "$LAB/inventory" "$@"; }
inside() { "$FABRICGEN" lab exec --dir "$LAB" "$@"; }
down() {
    [ ! -e "$SITE/ping.pid" ] || kill "$(cat "$SITE/ping.pid")" 2>/dev/null || :
    "$FABRICGEN" lab down --dir "$LAB"
    rm -rf "$SITE"
}

# The site at the start: the demo without its last tenant.
rm -rf "$SITE"
mkdir -p "$SITE/before"
trap down EXIT
trap 'exit 1' HUP INT TERM
cp "$DEMO/fabricgen.lock" "$SITE/before/"
sed '/^  serving:/,$d' "$DEMO/intent.yaml" >"$SITE/before/intent.yaml"
cp "$SITE/before/intent.yaml" "$SITE/before/fabricgen.lock" "$SITE/"

say "fabricgen lab up --subset $SUBSET"
"$FABRICGEN" lab up "$SITE/intent.yaml" --subset "$SUBSET" --dir "$LAB"

say "fabricgen verify: all as planned, and only tenants that may reach each other do"
verify --retry 300

# The first uplink of the leaf: its LLDP neighbor is a spine.
PORT=$(inside "$LEAF" -- lldpcli -f keyvalue show neighbors |
    sed -n "s/^lldp\.\([^.]*\)\.chassis\.name=$SPINE\$/\1/p" | head -n 1)
[ -n "$PORT" ] || fail "$LEAF has no spine as LLDP neighbor"

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

say "the cable is repaired: all as planned again"
inside "$LEAF" -- ip link set dev "$PORT" up
verify --retry 300

say "one more tenant: fabricgen push, as a dry run"
cp "$DEMO/intent.yaml" "$SITE/intent.yaml"
code=0
shown=$(push --against "$SITE/before/intent.yaml") || code=$?
printf '%s\n' "$shown"
[ "$code" = 3 ] || fail "the dry run exited with $code, not with 3"
APPROVAL=$(printf '%s\n' "$shown" | sed -n 's/.*--approval \([0-9a-f]*\).*/\1/p')

say "fabricgen push --commit --approval $APPROVAL"
push --against "$SITE/before/intent.yaml" --commit --approval "$APPROVAL"
verify --retry 300

say "$SPINE is drained by one line of intent, while packets are forwarded from leaf to leaf over both spines"
TARGET=$(inside be-leaf-001 -- ip -br -4 address show dev lo | sed -n 's/.* \(10\.[0-9.]*\)\/32.*/\1/p')
SOURCE=$(inside "$LEAF" -- ip -br -4 address show dev lo | sed -n 's/.* \(10\.[0-9.]*\)\/32.*/\1/p')
# ping writes its own pid: a background job of a shell does not receive Ctrl-C.
inside "$LEAF" -- sh -c 'echo $$ >"$0" && exec ping -q -i 0.01 -I "$1" "$2"' \
    "$(realpath "$SITE")/ping.pid" "$SOURCE" "$TARGET" >"$SITE/ping.txt" 2>&1 &
printf 'overrides: {%s: {state: drained}}\n' "$SPINE" >>"$SITE/intent.yaml"
push --commit --report "$SITE/report.md"

say "and brought back"
cp "$DEMO/intent.yaml" "$SITE/intent.yaml"
push --commit >/dev/null
kill -INT "$(cat "$SITE/ping.pid")"
wait
tail -n 3 "$SITE/ping.txt"
grep -q ' 0% packet loss' "$SITE/ping.txt" || fail "packets were lost"

say "the report of the drain, for the change ticket"
cat "$SITE/report.md"

say "fabricgen lab down"
down
trap - EXIT
say "the broken cable was found, the tenant was added, no packet was lost, and the lab is removed"
