#!/usr/bin/env bash
# Loads `./kubeloop apiserver` with pods, watches and writes, and prints a Markdown table: docs/scale.md shows one.
#   e2e/load.sh [PODS [WATCHES [WRITES_PER_SECOND [SECONDS]]]]     default: 50000 1000 2000 15
# The server has a heap of HEAP (default 512m). Server and client share the machine: measure at a quiet moment. Takes two minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need load java jcmd
work=$(mktemp -d)
trap 'stop_background; rm -rf "$work"' EXIT
"$home/kubeloop" version
export KUBELOOP_JAVA_OPTS="-XX:+UseSerialGC -Xmx${HEAP:-512m}"
background apiserver "$home/kubeloop" apiserver --port 0
await_line apiserver '^listening on '
port=$(sed -n 's/^listening on .*:\([0-9]*\).*/\1/p' "$work/apiserver.log" | head -n 1)
pid=$(pgrep -P "$(cat "$work/apiserver.pid")" java || cat "$work/apiserver.pid")
heap() { # the used heap after a collection, in MB
    jcmd "$pid" GC.run >/dev/null
    jcmd "$pid" GC.class_histogram | sed -n 's/^Total *[0-9]* *\([0-9]*\).*/\1/p' | awk '{printf "%.0f MB", $1 / 1e6}'
}
cpu() { awk -v hz="$(getconf CLK_TCK)" '{printf "%.1f", ($14 + $15) / hz}' "/proc/$pid/stat"; }

printf '| what | measured |\n| --- | --- |\n'
java -cp "$home/app/target/kubeloop-app.jar:$home/app/target/lib/*" "$here/load/Start.java"
printf '| heap of the process with an empty server | %s |\n' "$(heap)"
java -Xmx256m "$here/load/Load.java" "$port" "${1:-50000}" "${2:-1000}" "${3:-2000}" "${4:-15}"
printf '| heap with all pods, after a collection | %s |\n' "$(heap)"
printf '| largest resident memory of the server, heap limit %s | %s |\n' "${HEAP:-512m}" "$(awk '/^VmHWM/ {printf "%.0f MB", $2 / 1e3}' "/proc/$pid/status")"
printf '| threads of the server, watches closed | %s |\n' "$(awk '/^Threads/ {print $2}' "/proc/$pid/status")"
printf '| CPU of the server in total | %s s |\n' "$(cpu)"
