#!/usr/bin/env bash
# Tests the launcher: when it builds, that one launcher builds at a time, that it shows progress, and that its build ends with it. Stand-ins
# replace Maven and Java, so that the suite takes seconds. SH=dash runs the launcher with another shell.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. e2e/lib.sh

work=$(mktemp -d)
trap 'rm -f "$work/hold"; stop_background; rm -rf "$work"' EXIT
home=$work/home
mkdir -p "$home/app/src/main" "$work/jdk/bin" "$work/bin"
cp kubeloop pom.xml "$home/"
cp app/pom.xml "$home/app/"
echo 'JAVA_VERSION="17.0.1"' >"$work/jdk/release"
export JAVA_HOME=$work/jdk PATH=$work/bin:$PATH WORK=$work

stand_in() { # PATH: creates a command from the script on standard input
    { echo '#!/bin/sh' && cat; } >"$1"
    chmod +x "$1"
}
stand_in "$work/jdk/bin/javac" </dev/null
stand_in "$work/jdk/bin/java" <<'J'
case $* in *ArchiveClassesAtExit*) ;; *) echo "ran $*" ;; esac
J
# Builds until the file "hold" is gone.
stand_in "$work/bin/mvn" <<'M'
[ "$1" != --version ] || { echo "Apache Maven 3.8.7" && exit; }
echo $$ >>"$WORK/builds"
echo "[INFO] Building Kubeloop :: app 0.1 [1/1]"
while [ -e "$WORK/hold" ]; do sleep 0.05; done
[ ! -e "$WORK/broken" ] || { echo "[ERROR] it does not compile" && exit 1; }
M

launch() { ${SH:-sh} "$home/kubeloop" "$@"; }
builds() { if [ -e "$work/builds" ]; then wc -l <"$work/builds" | tr -d ' '; else echo 0; fi; }
runs() { grep -c '^ran .*Main version' "$work/$1.log" || true; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }
change_a_source() { echo "$RANDOM" >>"$home/app/src/main/Changed"; }
fails() { ! "$@"; }

holds "the first start builds" launch version
eventually "once" 1 builds
holds "the second start runs" launch version
eventually "and builds nothing" 1 builds

change_a_source
touch "$work/hold"
background one launch version
eventually "a changed source is built" 2 builds
background two launch version
await_line two 'waiting for process'
rm "$work/hold"
eventually "the launcher that built runs" 1 runs one
eventually "the launcher that waited runs" 1 runs two
eventually "one of the two has built" 2 builds

change_a_source
touch "$work/hold"
${SH:-sh} "$home/kubeloop" version >"$work/ended.log" 2>&1 &
launcher=$!
eventually "another change is built" 3 builds
kill "$launcher"
code=0
wait "$launcher" || code=$?
holds "a terminated launcher exits with 143" test "$code" = 143
holds "and its build has ended" is_gone "$(tail -n 1 "$work/builds")"
rm "$work/hold"

# The process number of a shell that has ended is free, for the moment.
sh -c 'echo $$' >"$work/dead"
ln -s "$(cat "$work/dead")" "$home/app/target/kubeloop.lock"
holds "the lock of a killed launcher is taken" launch version
eventually "and built" 4 builds

change_a_source
touch "$work/hold"
background slow launch version
await_line slow 'still building app after 10 s, 0 files downloaded'
rm "$work/hold"
eventually "a long build shows that it goes on, and then runs" 1 runs slow
eventually "built once" 5 builds

change_a_source
touch "$work/broken"
holds "a build that fails ends the start" fails launch version
rm "$work/broken"
holds "and is tried again" launch version
eventually "by the next start" 7 builds
summary
