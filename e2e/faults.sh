#!/usr/bin/env bash
# Breaks a real kube-apiserver, its etcd, its credentials and the way to it while informers watch, and checks after each
# fault that their caches equal the server's state again, and that nobody hammered a server that was away.
#   e2e/faults.sh
#   RESTARTS=20       how often kube-apiserver is killed
# Some minutes. Needs openssl, python3, curl and kubectl. Prints one line per check, and fails if any fails.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
find_kubectl
need faults openssl python3 curl
assets=$("$here/kube.sh")
restarts=${RESTARTS:-20}
export PATIENCE=${PATIENCE:-90}
"$home/kubeloop" version
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

work=$(mktemp -d)
kube=$work/kube
# On failure the logs are what one wants to see.
finished=no
keep_logs() {
    { [ "$failed" = 0 ] && [ $finished = yes ]; } || { cp -r "$work" "${TMPDIR:-/tmp}/kubeloop-faults.$$" && note "logs: ${TMPDIR:-/tmp}/kubeloop-faults.$$"; }
}
trap 'stop_background; "$here/down.sh" --dir "$kube" >/dev/null 2>&1 || true; keep_logs; rm -rf "$work"' EXIT
note "kube-apiserver: $("$assets/kube-apiserver" --version), etcd: $("$assets/etcd" --version | head -n 1)"
KUBEBUILDER_ASSETS=$assets "$here/up.sh" --dir "$kube"
export KUBECONFIG=$kube/admin.kubeconfig
k() { "$KUBECTL" --request-timeout=10s "$@"; }
server=$(sed -n 's/^ *server: //p' "$KUBECONFIG")
port=${server##*:}

# --- parts
tool() { # NAME FILE ARG...: a Java program of this folder, in the background
    local name=$1 file=$2
    shift 2
    background "$name" "$java" -XX:+UseSerialGC -Dkubeloop.v=1 -Dkubeloop.vmodule=io.kubeloop.cache=2 \
        -cp "$home/app/target/kubeloop-app.jar:$home/app/target/lib/*" "$here/faults/$file.java" "$@"
}
proxy() { # NAME: a proxy of this name before the server; tell NAME COMMAND talks to it
    background "$1" python3 "$here/faults/proxy.py" "127.0.0.1:$port"
    await_line "$1" '^proxy on '
}
proxied() { sed -n 's/^proxy on \([0-9]*\) .*/https:\/\/127.0.0.1:\1/p' "$work/$1.log"; }
tell() {
    local answer
    exec 3<>"/dev/tcp/127.0.0.1/$(sed -n 's/^proxy on [0-9]* //p' "$work/$1.log")"
    echo "$2" >&3
    read -r answer <&3
    exec 3>&-
    echo "$answer"
}
kubeconfig() { # SERVER CA-FILE USER: prints one that names files
    cat <<K
apiVersion: v1
kind: Config
current-context: faults
clusters: [{name: faults, cluster: {server: "$1", certificate-authority: "$2"}}]
users: [{name: faults, user: {$3}}]
contexts: [{name: faults, context: {cluster: faults, user: faults}}]
K
}
page() { curl -sS --max-time 5 "http://127.0.0.1:$(sed -n 's/^probe on //p' "$work/$1.log")/$2"; }
requests() { page "$1" requests; }

apiserver_arguments() { tr '\0' '\n' <"/proc/$(cat "$kube/apiserver.pid")/cmdline"; }
mapfile -t apiserver < <(apiserver_arguments)
kill_apiserver() {
    kill -9 "$(cat "$kube/apiserver.pid")"
    while kill -0 "$(cat "$kube/apiserver.pid")" 2>/dev/null; do sleep 0.05; done
}
start_apiserver() {
    setsid nohup "${apiserver[@]}" >>"$kube/apiserver.log" 2>&1 </dev/null &
    echo $! >"$kube/apiserver.pid"
    disown
}
ready() { k get --raw /readyz 2>/dev/null; }
# A server that starts while services are created may find an address taken that it wants to repair; it then ends after a minute. Like a
# kubelet, this starts it again.
await_apiserver() {
    local deadline=$((SECONDS + 200))
    until [ "$(ready)" = ok ]; do
        kill -0 "$(cat "$kube/apiserver.pid")" 2>/dev/null || start_apiserver
        if [ $SECONDS -ge $deadline ]; then
            echo "kube-apiserver is not ready after 200 s:" >&2
            tail -n 5 "$kube/apiserver.log" >&2
            exit 1
        fi
        sleep 0.1
    done
}

# --- checks
listed() { # what the server holds of a resource, in the probe's form
    k get "$1" -A -o 'jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name} {.metadata.uid} {.metadata.resourceVersion}{"\n"}{end}' |
        LC_ALL=C sort
}
differences() { # PROBE: the resources whose cache is not what the server holds
    local resource
    for resource in pods replicasets services endpoints serviceaccounts; do
        diff -q <(listed $resource) <(page "$1" $resource | LC_ALL=C sort) >/dev/null || printf '%s ' $resource
    done
}
# One object of each kind, so that equal caches are caches that hear the server, and not only such that nothing happened to.
touches=0
touch_all() {
    touches=$((touches + 1))
    local pod
    pod=$(k -n storm get pods -o 'jsonpath={.items[:1].metadata.name}' 2>/dev/null) || true
    k -n storm annotate --overwrite pod "${pod:-none}" "touched=$touches" >/dev/null 2>&1 || true # it may be gone by now
    local deadline=$((SECONDS + 30))
    until k -n storm annotate --overwrite replicaset/a-0 serviceaccount/default "touched=$touches" >/dev/null 2>&1 &&
        k -n default annotate --overwrite service/kubernetes endpoints/kubernetes "touched=$touches" >/dev/null 2>&1; do
        [ $SECONDS -lt $deadline ] || break # what follows will say what is wrong
        sleep 0.2
    done
}
equal() { # PROBE WHAT
    touch_all
    eventually "$2: the caches of $1 equal the server (I6)" "" differences "$1"
}
between() { # WHAT LEAST COUNT MOST
    if [ "$3" -ge "$2" ] && [ "$3" -le "$4" ]; then
        passed=$((passed + 1))
        printf 'ok    %s: %s, from %s to %s allowed\n' "$1" "$3" "$2" "$4"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s: %s, from %s to %s allowed\n' "$1" "$3" "$2" "$4"
    fi
}
# A reflector waits 0.8 s after a failure, then twice as long each time: within N seconds it asks no more than log2(N/0.8)+2
# times, for each of its five informers; once more for the connection that broke under it. Each time may be two requests: a
# streaming list whose connection breaks is followed by a plain list at once.
bound() { awk -v n="$1" 'BEGIN { printf "%d\n", 5 * (int(log(n / 0.8) / log(2)) + 3) }'; }
unsettled() { # ReplicaSets that do not have the pods that they should have
    k -n storm get replicasets -o 'jsonpath={range .items[*]}{.spec.replicas}/{.status.replicas}/{.status.readyReplicas} {end}' |
        tr ' ' '\n' | sed 's#/$#/0#' | awk -F/ 'NF && ($1 != $2 || $1 != $3)'
}
storms=0
storm() {
    storms=$((storms + 1))
    tool "storm-$storms" WatchStorm "$KUBECONFIG" $storms
    storm_pid=${started[-1]}
    await_line "storm-$storms" '^storm$'
}
calm() {
    kill "$storm_pid" 2>/dev/null || true
    wait "$storm_pid" 2>/dev/null || true
    note "$(tail -n 1 "$work/storm-$storms.log")"
}

# --- the cast: controllers and kubelet, a storm of writes, and a probe behind a proxy with a token that is read from a file
k create namespace storm >/dev/null
k -n storm get serviceaccount default >/dev/null 2>&1 || k -n storm create serviceaccount default >/dev/null
for i in 0 1 2; do
    k -n storm create -f - >/dev/null <<Y
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: a-$i}
spec:
  replicas: 2
  selector: {matchLabels: {app: a-$i}}
  template:
    metadata: {labels: {app: a-$i}}
    spec: {containers: [{name: main, image: "example.com/a:1"}]}
Y
done
k -n kube-system create serviceaccount probe >/dev/null
k create clusterrolebinding probe --clusterrole=cluster-admin --serviceaccount=kube-system:probe >/dev/null
token() { # N: a token that lives as long as the secret it is bound to
    k -n kube-system create secret generic "token-$1" >/dev/null
    k -n kube-system create token probe --bound-object-kind=Secret --bound-object-name="token-$1"
}
(umask 077 && token 1 >"$work/token")
cp "$kube/pki/ca.crt" "$work/ca.crt"
background kubelet "$home/kubeloop" kubelet --kubeconfig "$KUBECONFIG"
background manager "$home/kubeloop" controller-manager --kubeconfig "$KUBECONFIG" --leader-elect=false \
    --kube-api-qps=200 --kube-api-burst=400
proxy proxy
kubeconfig "$(proxied proxy)" "$work/ca.crt" "tokenFile: \"$work/token\"" >"$work/token.kubeconfig"
tool probe CacheProbe "$work/token.kubeconfig"
await_line probe '^probe on '
await_line kubelet 'simulating'
await_line manager 'started'
equal probe "at the beginning"

note "kube-apiserver is killed and started again, $restarts times, in a storm of writes"
storm
before=$(requests probe)
for i in $(seq "$restarts"); do
    kill_apiserver
    start_apiserver
    await_apiserver
done
calm
equal probe "after $restarts restarts"
eventually "after $restarts restarts: every ReplicaSet has its pods" "" unsettled
note "lists and watches of the probe meanwhile: $(($(requests probe) - before))"

note "kube-apiserver stays away for 20 s"
# A probe of its own: the first one has become patient by now, and might not ask even once.
proxy away
kubeconfig "$(proxied away)" "$work/ca.crt" "tokenFile: \"$work/token\"" >"$work/away.kubeconfig"
tool fresh CacheProbe "$work/away.kubeconfig"
await_line fresh '^probe on '
equal fresh "with a fresh probe"
kill_apiserver
before=$(requests fresh)
taken=$(tell away count)
sleep 20
between "lists and watches while the server is away" 5 $(($(requests fresh) - before)) $((2 * $(bound 20)))
between "connections while the server is away" 5 $(($(tell away count) - taken)) $((2 * $(bound 20)))
start_apiserver
await_apiserver
equal fresh "after 20 s without server"

note "etcd is compacted behind the back of watchers that are away"
etcd=$(printf '%s\n' "${apiserver[@]}" | sed -n 's/^--etcd-servers=//p')
etcd_call() { curl -sS --max-time 5 -X POST "$etcd/v3/$1" -d "$2"; }
equal probe "before a compaction"
mark=$(wc -l <"$work/probe.log")
# The watches hang in a black hole until the server is back, and go on from where they were: too far in the past. Had their
# first attempt to go on met no server, they would list without having asked.
tell proxy hole >/dev/null
touch_all
kill_apiserver
revision=$(etcd_call kv/range '{"key":"YQ=="}' | sed -n 's/.*"revision":"\([0-9]*\)".*/\1/p')
holds "etcd was compacted at revision $revision" sh -c "etcd=$etcd; $(declare -f etcd_call); etcd_call kv/compaction '{\"revision\":\"$revision\",\"physical\":true}' | grep -q header"
start_apiserver
await_apiserver
tell proxy cut >/dev/null
equal probe "after a compaction"
expired() { tail -n "+$mark" "$work/probe.log" | grep -E 'watch ended: .*(Expired|too old)' | wc -l | sed 's/^ *[1-9][0-9]*$/yes/'; }
eventually "watches had expired (410)" yes expired
eventually "after a compaction: every ReplicaSet has its pods" "" unsettled

note "the token is replaced while watches run"
(umask 077 && token 2 >"$work/token.new")
old=$(cat "$work/token")
mv "$work/token.new" "$work/token"
k -n kube-system delete secret token-1 >/dev/null
with_old_token() { # its code, asked for without going through kubectl, which has a certificate
    curl -sS -o /dev/null -w '%{http_code}' --cacert "$work/ca.crt" -H "Authorization: Bearer $old" "$server/api"
}
eventually "the old token is refused" 401 with_old_token
tell proxy cut >/dev/null
equal probe "with a new token"

note "packets vanish: connections stay open, and nothing passes"
proxy elect
kubeconfig "$(proxied elect)" "$work/ca.crt" "tokenFile: \"$work/token\"" >"$work/elect.kubeconfig"
# Of a kind that there is nothing of here: it is about the lease alone.
background leader "$home/kubeloop" controller-manager --kubeconfig "$work/elect.kubeconfig" \
    --leader-elect-resource-name=hole --controllers=replicationcontroller
await_line leader 'started'
renewed_after() { [[ $(k -n kube-system get lease hole -o 'jsonpath={.spec.renewTime}') > $1 ]] && echo yes; }
storm
sleep 2
tell proxy hole >/dev/null
tell elect hole >/dev/null
hole=$SECONDS
# Later than the renew deadline: nobody renews it but the leader, if it still is one.
deadline=$(date -u -d '+12 seconds' +%FT%T)
sleep 3
calm
PATIENCE=150 equal probe "out of a black hole"
# Pings of HTTP/2 every 30 s, as long for an answer, and then the connection is made anew.
between "seconds in the black hole" 3 $((SECONDS - hole)) 90
before=$failed
eventually "a leader keeps its lease, over new connections" yes renewed_after "$deadline"
[ "$failed" = "$before" ] || tail -n 20 "$work/leader.log"

note "kube-apiserver sends its clients away at random, in a burst of creations"
apiserver+=(--goaway-chance=0.02)
kill_apiserver
start_apiserver
await_apiserver
equal probe "sent away at random"
k -n storm create -f - >/dev/null <<Y
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: burst}
spec:
  replicas: 300
  selector: {matchLabels: {app: burst}}
  template:
    metadata: {labels: {app: burst}}
    spec: {containers: [{name: main, image: "example.com/a:1"}]}
Y
eventually "sent away at random: every ReplicaSet has its pods" "" unsettled
# What was left untouched is sent again, until it is taken: no sync of the set fails.
tried_again() { grep -c 'will try storm/burst again' "$work/manager.log" || true; }
between "creations that failed for it" 0 "$(tried_again)" 0
equal probe "sent away at random, after the burst"
unset 'apiserver[-1]'

note "certificates and their authority are replaced while watches run"
new=$work/new
mkdir -p -m 700 "$new"
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$new/$1.key"; }
certificate() { # NAME SUBJECT EXTENSIONS
    key "$1"
    openssl req -new -key "$new/$1.key" -subj "$2" |
        openssl x509 -req -CA "$new/ca.crt" -CAkey "$new/ca.key" -set_serial "0x$(openssl rand -hex 8)" -days 30 \
            -extfile <(printf '%s\n' "$3") -out "$new/$1.crt" 2>>"$work/openssl.log"
}
key ca
openssl req -x509 -new -key "$new/ca.key" -subj /CN=e2e-ca-2 -days 30 -out "$new/ca.crt" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
certificate apiserver /CN=kube-apiserver $'extendedKeyUsage=serverAuth\nsubjectAltName=IP:127.0.0.1,DNS:localhost'
certificate admin /O=system:masters/CN=admin-2 extendedKeyUsage=clientAuth
cp "$kube/pki/admin.crt" "$work/client.crt"
(umask 077 && cp "$kube/pki/admin.key" "$work/client.key")
proxy proxy2
kubeconfig "$(proxied proxy2)" "$work/ca.crt" "client-certificate: \"$work/client.crt\", client-key: \"$work/client.key\"" >"$work/files.kubeconfig"
tool probe2 CacheProbe "$work/files.kubeconfig"
await_line probe2 '^probe on '
equal probe2 "with a certificate from files"
# First both authorities are trusted, then only the new one is used, and at last only the new one is trusted.
cat "$kube/pki/ca.crt" "$new/ca.crt" >"$work/both.crt"
cp "$work/both.crt" "$work/ca.crt.part" && mv "$work/ca.crt.part" "$work/ca.crt"
cp "$work/both.crt" "$kube/pki/clients.crt"
for i in "${!apiserver[@]}"; do
    case ${apiserver[$i]} in
        --client-ca-file=*) apiserver[$i]=--client-ca-file=$kube/pki/clients.crt ;;
    esac
done
kubeconfig "$server" "$work/both.crt" "client-certificate: \"$new/admin.crt\", client-key: \"$new/admin.key\"" >"$work/admin.kubeconfig"
kill_apiserver
start_apiserver
await_apiserver
equal probe2 "with both authorities"
export KUBECONFIG=$work/admin.kubeconfig
mv "$new/apiserver.crt" "$kube/pki/apiserver.crt"
mv "$new/apiserver.key" "$kube/pki/apiserver.key"
cp "$new/admin.key" "$work/client.key"
cp "$new/admin.crt" "$work/client.crt"
cp "$new/ca.crt" "$kube/pki/clients.crt"
cp "$new/ca.crt" "$work/ca.crt.part" && mv "$work/ca.crt.part" "$work/ca.crt"
kill_apiserver
start_apiserver
await_apiserver
equal probe2 "with the new certificates alone"
equal probe "with the new authority alone"
with_old_certificate() { # refused, whoever asks by the old authority
    curl -sS -o /dev/null -w '%{http_code}' --cacert "$work/ca.crt" --cert "$kube/pki/admin.crt" --key "$kube/pki/admin.key" "$server/api" || true
}
eventually "the old certificate is refused" 401 with_old_certificate

stop_background
finished=yes
summary
