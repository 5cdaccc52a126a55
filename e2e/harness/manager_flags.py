"""Starts a controller manager with odd values of all of its flags, and writes what it answers:
manager_flags.py FLAGS.TSV PROGRAM [ARGUMENT...]
A line of the output has the flags as a list in JSON, the exit code, and the message; the message "accepted" means that all flags were right, and that the
program ended because the kubeconfig does not exist. Lines are sorted."""
import concurrent.futures
import json
import re
import subprocess
import sys
import tempfile

NUMBERS = ["", "x", "-1", "0", "1", "1.5", "+3", "0x10", "010", "70000", "2147483648", "9223372036854775808", " 1", "1_000"]
WORDS = ["", "x", "a,b", "a=b"]
VALUES = {
    "bool": ["", "x", "yes", "T", "f", "TRUE", "tRue", "2", " true"],
    "int": NUMBERS,
    "int32": NUMBERS,
    "Level": NUMBERS,
    "int32Slice": ["", "x", "1,x", "4588", "29", "25497", "-1", "1,"],
    "float": ["", "x", "-1", "0", "1e3", "1e400", "0x1p-2", "NaN", "1,5"],
    "float32": ["", "x", "-1", "0", "1e3", "1e39", "0x1p-2", "NaN", "1_0"],
    "duration": ["", "x", "5", "0", "-1s", "1.5h", "1d", "+1s", "1h1", ".5s", "3000000h", "1 s", "1µs", "5m0s"],
    "ip": ["", "x", "::1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "localhost", " 127.0.0.1 ", "::ffff:1.2.3.4", "1.2.3.256"],
    "quantity": ["", "x", "1Ki", "-1", "1.5", "1e3"],
    "namedCertKey": ["", "a", "a,b", "a,b:", "a,b:c", "a,b,c"],
    "strings": ["", "x", ",", "a,b", '"a'],
    "pattern=N,...": ["", "a", "a=1", "a=x", "=1", "a=-1", "a=1,b", "a="],
    "colonSeparatedMultimapStringString": ["", "x", "a=b", "=true", "AllAlpha=x", "AllAlpha=false", "a:b=true", "AllBeta"],
    "stringToString": ["", "a", "a=b", "a,b=c", "a,b=c=d", "=b"],
    "version": ["", "x"],
}
OTHERS = [
    ["false"], ["--leader-elect", "false"], ["--profiling", "true"], ["--foo"], ["--foo=1"], ["-x"], ["-leader-elect=false"], ["-v"], ["-v=2"],
    ["-v", "2"], ["-vx"], ["--", "a"], ["--v", "1", "2"], ["--concurrent-job-syncs"], ["--allow-untagged-cloud"], ["--allow-untagged-cloud=x"],
    ["--node-sync-period=1s"], ["--node-sync-period=x"], ["--port=0"], ["--address=1"], ["--pod-eviction-timeout=5m"], ["--logtostderr"],
    ["--enable-taint-manager"], ["--feature-gates=GenericWorkload=false,PodGroupPreemptionPolicy=true"], ["--feature-gates=AllBeta=false"],
    ["--kube-api-qps=20", "--kube-api-burst=0"], ["--leader-elect-lease-duration=5s"], ["--leader-elect-renew-deadline=1s"],
    ["--leader-elect-retry-period=20s"], ["--tls-cert-file=x", "--tls-private-key-file="], ["--logging-format=text"], ["--logging-format=json"],
    ["--cluster-cidr=x", "--allocate-node-cidrs"], ["--allocate-node-cidrs"], ["--controllers=*,-foo"], ["--controllers=-*"], ["--controllers="],
    ["--secure-port=65535"], ["--secure-port=65536"], ["--secure-port=0"], ["--disabled-metrics=a-b"], ["--show-hidden-metrics-for-version=1.36"],
    ["--show-hidden-metrics-for-version=1.20"], ["--tls-min-version=VersionTLS12"], ["--tls-cipher-suites=TLS_AES_128_GCM_SHA256"],
    ["--tls-min-version=VersionTLS13", "--tls-cipher-suites=TLS_AES_128_GCM_SHA256"], ["--cloud-provider=external"],
    ["--use-service-account-credentials", "--service-account-private-key-file=x"], ["--node-cidr-mask-size=33"], ["--external-cloud-volume-plugin=x"],
]
TIMEOUT = 60


def cases(table):
    for row in table.splitlines()[1:]:
        _, name, kind, _ = row.split("\t")
        if name in ("help", "version", "kubeconfig", "profiling-path"):
            continue
        for value in VALUES.get(kind, WORDS):
            yield ["--%s=%s" % (name, value)]
        yield ["--" + name]
        if kind == "bool":
            yield ["--" + name, "false"]
            yield ["--%s=false" % name, "--%s=true" % name]
            yield ["-%s=false" % name]
            yield ["--no-" + name]
        else:
            good, bad = VALUES.get(kind, WORDS)[-1], VALUES.get(kind, WORDS)[1]
            yield ["--" + name, bad]
            yield ["--%s=%s" % (name, bad), "--%s=%s" % (name, good)]
            yield ["--%s=%s" % (name.upper(), bad)]
            yield ["--%s=%s" % (name.replace("-", "_"), bad)]
    yield from OTHERS


def message(output):
    """Returns the one line that names the fault: that of pflag, that of the end, or that of this project's program."""
    failed = re.search(r'"command failed" err="(.*)"$', output, re.M)
    if failed:
        return failed.group(1).replace('\\"', '"').replace("\\\\", "\\")
    for line in output.splitlines():
        for start in ("Error: ", "kubeloop: "):
            if line.startswith(start):
                return line[len(start):]
    return output.strip().splitlines()[-1] if output.strip() else ""


def answer(program, flags):
    try:
        with tempfile.TemporaryDirectory() as empty:  # some flags make files
            ended = subprocess.run(
                program + ["--kubeconfig=/nonexistent/kubeconfig"] + flags, cwd=empty, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return "", "did not end"
    text = message(ended.stdout + ended.stderr)
    return str(ended.returncode), "accepted" if "/nonexistent/kubeconfig" in text else text


def main(table, *program):
    with open(table) as file:
        wanted = list(cases(file.read()))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda flags: answer(list(program), flags), wanted))
    lines = sorted({"\t".join([json.dumps(flags, ensure_ascii=False), code, text]) for flags, (code, text) in zip(wanted, answers)})
    sys.stdout.write("flags\tcode\tmessage\n" + "".join(line + "\n" for line in lines))


main(*sys.argv[1:])
