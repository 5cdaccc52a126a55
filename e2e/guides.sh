#!/usr/bin/env bash
# Runs the projects that guides print: e2e/guides.sh GUIDE.md... A guide prints whole files; each code block that follows a line
#     <!-- file: PATH -->
# is the file PATH of a fresh directory. There `mvn verify` runs with the modules of this project in a local Maven repository of the
# suite's own, and then `mvn -o test` without a network. A guide passes when both succeed and at least one test ran. Without arguments:
# every page of docs that prints a pom.xml.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. e2e/lib.sh
need guides mvn java

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
borrow_repository "$work/repository"

# Maven ends with a color to go back to, even where it uses none.
maven() { mvn -B -ntp -Dmaven.repo.local="$work/repository" "$@" 2>&1 | sed $'s/\e\\[[0-9;]*m//g'; }

# extract GUIDE DIR: writes the files that the guide prints.
extract() {
    awk -v dir="$2" '
        /^<!-- file: .* -->$/ { file = substr($0, 12, length($0) - 15); next }
        /^```/ && inside { inside = 0; file = ""; close(path); next }
        /^```/ && file != "" {
            inside = 1
            path = dir "/" file
            parent = path
            sub(/\/[^\/]*$/, "", parent)
            if (file ~ /(^\/|\.\.)/ || system("mkdir -p \"" parent "\"") != 0) exit 1
            printf "" >path
            next
        }
        inside { print >path }
        END { if (inside) exit 1 }' "$1"
    [ -f "$2/pom.xml" ] || { echo "$1 prints no pom.xml"; return 1; }
}

# tests DIR: how many tests ran there.
tests() {
    find "$1" -path '*/surefire-reports/TEST-*.xml' -exec sed -n 's/^<testsuite .* tests="\([0-9]*\)".*/\1/p' {} + |
        awk '{ n += $1 } END { print n + 0 }'
}

# guide GUIDE: its project, as a check.
guide() {
    local dir=$work/project-$((passed + failed)) log=$work/log ran=0
    mkdir "$dir"
    if extract "$1" "$dir" >"$log" 2>&1 && maven -f "$dir/pom.xml" verify >"$log" 2>&1 && ran=$(tests "$dir") && [ "$ran" -gt 0 ] &&
        maven -o -f "$dir/pom.xml" test >"$log" 2>&1; then
        passed=$((passed + 1))
        printf 'ok    %s: %s tests ran\n' "$1" "$ran"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s: %s tests ran\n' "$1" "$(tests "$dir")"
        tail -n 60 "$log" | sed 's/^/      /'
    fi
}

note "installing the modules"
maven -q -Pquick -DskipTests -pl '!jmh' install >"$work/log" || { tail -n 40 "$work/log"; exit 1; }

[ $# -gt 0 ] || set -- $(grep -l '^<!-- file: pom.xml -->$' docs/*.md)
for page in "$@"; do
    guide "$page"
done
return_repository "$work/repository"
printf 'guides: ' && summary
