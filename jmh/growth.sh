#!/usr/bin/env bash
# Measures how the cost of informers grows: with the pods (1,000 to 1,000,000, in a heap of 4 GB), with the informers (1 to 100) and with
# the garbage collector. Prints Markdown tables, and draws docs/images/growth-*.svg: each row with its slope in a double logarithm.
#   jmh/growth.sh [--most PODS]          default: 1000000, which takes 15 minutes and 8 GB of memory
# One server with prepared answers, in a process of its own, serves each run. Needs what the build needs, and Python 3. Files are in
# jmh/target/growth. Let nothing else run beside it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
most=1000000
case ${1:-} in
    -h | --help) sed -n '2,/^set/{/^# /s/^# //p}' "${BASH_SOURCE[0]}"; exit ;;
    --most) most=${2:?growth: --most needs a number} ;;
esac

out=$here/target/growth
rm -rf "$out"
mkdir -p "$out"
(cd "$home" && mvn -B -ntp -q -pl jmh -am -DskipTests -Pquick package)
cp "$here/target/benchmarks.jar" "$out/benchmarks.jar"
server=
trap '[ -z "$server" ] || kill $server' EXIT

serve() { # serve PODS
    [ -z "$server" ] || kill "$server"
    "$java" -Xmx3g -XX:+UseSerialGC -cp "$out/benchmarks.jar" io.kubeloop.jmh.canned.CannedApiServer "$1" 0 >"$out/url" 2>>"$out/server.log" &
    server=$!
    until grep -q '^http' "$out/url"; do
        kill -0 "$server" || { echo "growth: the server ended; see $out/server.log" >&2; exit 1; }
        sleep 0.2
    done
}

run() { # run COLLECTOR PODS INFORMERS: appends a line, its first value the collector
    printf '%s\t' "$1" >>"$out/runs.tsv"
    "$java" -Xmx4g "-XX:+Use$1" -cp "$out/benchmarks.jar" io.kubeloop.jmh.GrowthRun "$2" "$3" "$(cat "$out/url")" \
        >>"$out/runs.tsv" 2>>"$out/runs.log" || echo "failed" >>"$out/runs.tsv"
}

for pods in 1000 10000 100000 1000000; do
    [ "$pods" -le "$most" ] || break
    serve $pods
    run G1GC $pods 1
    if [ $pods = 10000 ]; then
        run G1GC $pods 10
        run G1GC $pods 100
    elif [ $pods = 100000 ]; then
        run ZGC $pods 1
        run SerialGC $pods 1
    fi
done
python3 -B "$here/growth.py" "$home/docs/images" <"$out/runs.tsv"
