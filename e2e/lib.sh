# Checks for the end-to-end suites (sourced, not run). Each check prints one line and is counted.
passed=0
failed=0
started=()

note() { printf '%s\n' "-- $*"; }

# eventually WHAT WANTED COMMAND...: runs the command until it prints WANTED, for at most ${PATIENCE:-30} seconds.
eventually() {
    local what=$1 wanted=$2 got='' deadline=$((SECONDS + ${PATIENCE:-30}))
    shift 2
    while :; do
        got=$("$@" 2>"$work/eventually.err") || true
        if [ "$got" = "$wanted" ]; then
            passed=$((passed + 1))
            printf 'ok    %s\n' "$what"
            return 0
        fi
        [ $SECONDS -lt $deadline ] || break
        sleep 0.1
    done
    failed=$((failed + 1))
    printf 'FAIL  %s\n      wanted: %s\n      got:    %s\n' "$what" "$wanted" "$got"
    sed 's/^/      /' "$work/eventually.err"
}

# holds WHAT COMMAND...: the command succeeds, now.
holds() {
    local what=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
        printf 'ok    %s\n' "$what"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s\n      %s\n' "$what" "$(tail -n 3 <<<"$output")"
    fi
}

# background NAME COMMAND...: starts a process that ends with the suite; its output goes to $work/NAME.log.
background() {
    local name=$1
    shift
    "$@" >"$work/$name.log" 2>&1 &
    started+=($!)
    echo $! >"$work/$name.pid"
}

# await_line NAME PATTERN: waits until the log of a background process has a line that matches. The suite ends if the process does.
await_line() {
    local deadline=$((SECONDS + ${PATIENCE:-60}))
    until grep -q -- "$2" "$work/$1.log" 2>/dev/null; do
        if [ $SECONDS -ge $deadline ] || ! kill -0 "$(cat "$work/$1.pid")" 2>/dev/null; then
            grep -q -- "$2" "$work/$1.log" && break
            echo "$1 has ended or is late: no line '$2' in its log:" >&2
            tail -n 20 "$work/$1.log" >&2
            exit 1
        fi
        sleep 0.05
    done
}

# real_controllers KUBECONFIG PKI [FLAG...]: kube-controller-manager of $assets, in the background. The controller of the life of nodes
# is off: the simulated kubelet does not renew the leases of its nodes.
real_controllers() {
    local config=$1 pki=$2
    shift 2
    background manager "$assets/kube-controller-manager" --kubeconfig "$config" --leader-elect=false --secure-port=0 --cert-dir="$work" \
        --controllers='*,-node-lifecycle-controller' --service-account-private-key-file="$pki/sa.key" --root-ca-file="$pki/ca.crt" \
        --cluster-signing-cert-file="$pki/ca.crt" --cluster-signing-key-file="$pki/ca.key" "$@"
}

# free_ports COUNT: prints the first of so many ports of loopback in a row that no process listens on.
free_ports() {
    local first port
    for _ in $(seq 100); do
        first=$((20000 + RANDOM % 10000))
        for ((port = first; port < first + $1; port++)); do
            ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue 2
        done
        echo "$first"
        return
    done
    echo "no $1 free ports in a row between 20000 and 30000" >&2
    return 1
}

stop_background() {
    local pid
    for pid in ${started[@]+"${started[@]}"}; do kill "$pid" 2>/dev/null || true; done
    for pid in ${started[@]+"${started[@]}"}; do wait "$pid" 2>/dev/null || true; done
    started=()
}

# need SUITE TOOL...: the suite ends here if one of its tools is not installed.
need() {
    local suite=$1 tool
    shift
    for tool; do
        command -v "$tool" >/dev/null 2>&1 || {
            echo "$suite: $tool is not installed" >&2
            exit 1
        }
    done
}

# borrow_repository DIR: a local Maven repository of the suite's own, which borrows all but Kubeloop from the usual one. So no other
# build sees what the suite installs. return_repository DIR: leaves what was downloaded in the usual one.
usual_repository=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
borrow_repository() {
    mkdir -p "$usual_repository/io" "$1/io"
    find "$usual_repository" -mindepth 1 -maxdepth 1 ! -name io -exec ln -s -t "$1" {} +
    find "$usual_repository/io" -mindepth 1 -maxdepth 1 ! -name kubeloop -exec ln -s -t "$1/io" {} +
}
return_repository() {
    find "$1" -mindepth 1 -maxdepth 1 -type d ! -name io -exec cp -Rn -t "$usual_repository" {} +
    find "$1/io" -mindepth 1 -maxdepth 1 -type d ! -name kubeloop -exec cp -Rn -t "$usual_repository/io" {} +
}

# install_package PACKAGE: on Debian, as root; does nothing elsewhere.
install_package() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        note "installing the package $1"
        apt-get update -qq >/dev/null || true
        apt-get install -y -qq --no-install-recommends "$1" >/dev/null
    fi
}

# The kubectl to test with: $KUBECTL, else the one on the path, else that of kube.sh.
find_kubectl() {
    export KUBECTL=${KUBECTL:-kubectl}
    command -v "$KUBECTL" >/dev/null 2>&1 || KUBECTL=$("$(dirname "${BASH_SOURCE[0]}")/kube.sh")/kubectl
}

summary() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" = 0 ]
}

# Prints the minor release that is N before the one that is adopted, such as 1.36. A component emulates the last three.
release_before() { # N
    local release minor
    release=$(<"$(dirname "${BASH_SOURCE[0]}")/kubernetes-release")
    minor=${release#1.}
    echo "1.$((${minor%%.*} - $1))"
}
