#!/usr/bin/env bash
# The launcher: when it builds, that one builds at a time, and that its build ends with it. With stand-ins for Maven and Java, so
# that it takes seconds and needs neither; with SH=dash under another shell.
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

stand_in() { # PATH: what it does is read from standard input
    { echo '#!/bin/sh' && cat; } >"$1"
    chmod +x "$1"
}
stand_in "$work/jdk/bin/javac" </dev/null
stand_in "$work/jdk/bin/java" <<'J'
case $* in *ArchiveClassesAtExit*) ;; *) echo "ran $*" ;; esac
J
# Builds as long as there is a file that holds it up.
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
holds "the second does not" launch version
eventually "build" 1 builds

change_a_source
touch "$work/hold"
background one launch version
eventually "a change is built" 2 builds
background two launch version
await_line two 'waiting for process'
rm "$work/hold"
eventually "whoever built runs" 1 runs one
eventually "whoever waited runs" 1 runs two
eventually "one of two has built" 2 builds

change_a_source
touch "$work/hold"
${SH:-sh} "$home/kubeloop" version >"$work/ended.log" 2>&1 &
launcher=$!
eventually "another change is built" 3 builds
kill "$launcher"
code=0
wait "$launcher" || code=$?
holds "a launcher that is ended says so" test "$code" = 143
holds "and so is its build" is_gone "$(tail -n 1 "$work/builds")"
rm "$work/hold"

# No process has the number of a shell that has ended, for the moment.
sh -c 'echo $$' >"$work/dead"
ln -s "$(cat "$work/dead")" "$home/app/target/kubeloop.lock"
holds "what a killed launcher holds is taken" launch version
eventually "and built" 4 builds

change_a_source
touch "$work/broken"
holds "a build that fails ends the start" fails launch version
rm "$work/broken"
holds "and is tried again" launch version
eventually "by the next start" 6 builds
summary
