#!/usr/bin/env bash
# Measures an informer of client-go with its default, protocol buffers, beside those of this library, and prints each value and its ratio
# to client-go's. One server with prepared answers, in a process of its own, serves all of them in turns.
#   jmh/client-go.sh [--rounds N] [PODS]         default: 2 rounds, 10000 pods
# Needs what the build needs, and Go; the Go module proxy serves client-go. Files are in jmh/target/client-go. Let nothing else run
# beside it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

rounds=2
while :; do
    case ${1:-} in
        --rounds)
            [ $# -ge 2 ] || { echo "client-go: $1 needs a value" >&2; exit 2; }
            rounds=$2
            shift 2
            ;;
        -h | --help)
            sed -n '2,/^set/{/^# /s/^# //p}' "${BASH_SOURCE[0]}"
            exit
            ;;
        *) break ;;
    esac
done
pods=${1:-10000}
case $rounds$pods in
    *[!0-9]*) echo "client-go: rounds and pods are numbers" >&2; exit 2 ;;
esac

out=$here/target/client-go
rm -rf "$out"
mkdir -p "$out"
(cd "$home" && mvn -B -ntp -q -pl jmh -am -DskipTests -Pquick package)
cp "$here/target/benchmarks.jar" "$out/benchmarks.jar"
(cd "$here/client-go" && go build -o "$out/clientgo" .)

"$java" -Xmx4g -cp "$out/benchmarks.jar" io.kubeloop.jmh.canned.CannedApiServer "$pods" 0 >"$out/url" 2>"$out/server.log" &
server=$!
trap 'kill $server' EXIT
until grep -q '^http' "$out/url"; do
    kill -0 "$server" || { echo "client-go: the server ended; see $out/server.log" >&2; exit 1; }
    sleep 0.2
done
url=$(cat "$out/url")

ours() {
    "$java" -Xmx4g -Xms4g -cp "$out/benchmarks.jar" io.kubeloop.jmh.InformerRun "$1" "$pods" "$url" >>"$out/informers.tsv" 2>>"$out/informers.log"
}
# The server has no streaming lists.
theirs() {
    KUBE_FEATURE_WatchListClient=false "$out/clientgo" "$url" "$pods" "$1" >>"$out/informers.tsv" 2>>"$out/informers.log"
}
for ((round = 1; round <= rounds; round++)); do
    theirs protobuf
    ours kubeloop-protobuf
    ours kubeloop
    theirs json
done

echo "The better of the rounds, and divided by that of client-go:"
echo
awk -F '\t' -v base=client-go -f "$here/informers.awk" "$out/informers.tsv"
