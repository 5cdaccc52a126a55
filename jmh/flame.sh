#!/usr/bin/env bash
# Draws a flame graph of this library's informer: where the thread that reads and decodes spends its time in lists and watches.
#   jmh/flame.sh OUT.svg [PODS]          default: 10000
# Samples come from the JVM's flight recorder. Needs Python 3, and what the build needs. Takes two minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
case ${1:-} in
    '' | -h | --help) sed -n '2,/^set/{/^# /s/^# //p}' "${BASH_SOURCE[0]}"; exit ;;
esac
out=$1 pods=${2:-10000}
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$(dirname "$here")" && mvn -B -ntp -q -pl jmh -am -DskipTests -Pquick,peers package)
"${bin}java" -Xmx4g -XX:StartFlightRecording:filename="$work/run.jfr",settings=profile -Xlog:jfr*=off \
    -cp "$here/target/peers/benchmarks.jar" io.kubeloop.jmh.InformerRun kubeloop "$pods" >"$work/run.log" 2>&1 || { cat "$work/run.log" >&2; exit 1; }
"${bin}jfr" print --events jdk.ExecutionSample,jdk.NativeMethodSample --stack-depth 64 "$work/run.jfr" |
    python3 -B "$here/flame.py" kubeloop-reflector >"$out"
