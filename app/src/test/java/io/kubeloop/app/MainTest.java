/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.command.Version;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.testing.ClosedPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks exit codes, the line that explains a failure, and the output of the commands. */
@Timeout(60)
class MainTest {

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.run(ShutdownSignal.inert(), new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void version_printsItAndEndsWell() {
        assertThat(run("version")).isZero();
        assertThat(out.toString()).startsWith("kubeloop ").doesNotContain("${");
    }

    @Test
    void apiserver_help_namesTheControllersThatRun() {
        assertThat(run("apiserver", "--help")).isZero();
        String help = out.toString().replaceAll("\\s+", " ");
        assertThat(help).contains(ControlPlane.HOUSEKEEPING).contains(ControlPlane.ROOT_CA_PUBLISHER);
        assertThat(help).contains("With --enable-garbage-collector=false it runs none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "", "crash,sleep"})
    void simulate_withoutAKnownKindOfTrials_isWrongUsage(String kinds) throws IOException {
        write("step.yaml", "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
        assertThat(run("simulate", "--operator", "true", "--workload", folder.toString(), "--trials", kinds))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--trials must be one or more of crash, missed, stale, answers, time, foreign, "
                        + "declarations, combined, got \"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "apiserver", "controller-manager", "kubelet", "kubeconfig", "version"})
    void version_ofACommand_isPrinted(String command) {
        assertThat(run(command, "--version")).isZero();
        assertThat(out.toString()).startsWith("kubeloop " + Version.current());
    }

    @Test
    void error_ofTheJvm_isCode1AndSaidSo() {
        PrintWriter full = new PrintWriter(new StringWriter()) {
            @Override
            public void write(String text, int from, int length) {
                throw new NoClassDefFoundError("no files left to load it from");
            }
        };
        assertThat(Main.run(ShutdownSignal.inert(), full, new PrintWriter(err, true), "version"))
                .isEqualTo(1);
        assertThat(err.toString())
                .startsWith("kubeloop: unexpected failure: java.lang.NoClassDefFoundError: no files left");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "apiserver", "controller-manager", "kubelet", "kubeconfig", "version"})
    void help_onEveryCommand_endsWell(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString()).contains("Usage: kubeloop " + command);
    }

    @Test
    void help_ofTheProgram_listsCommandsAndExitCodes() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("demo", "apiserver", "controller-manager", "kubelet", "kubeconfig", "version")
                .containsPattern("Exit codes:\\R\\s+0 +done.*\\R\\s+1 +failure at run time.*\\R\\s+2 +wrong usage");
    }

    @Test
    void usage_wrong_isCode2WithAHint() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("fly")).isEqualTo(2);
        assertThat(run("demo", "--colour")).isEqualTo(2);
        assertThat(run("apiserver", "--port", "70000")).isEqualTo(2);
        for (String ranges : List.of("", "10.0.0.0/8,", "10.0.0.0/8,11.0.0.0/8")) {
            assertThat(run("apiserver", "--service-cluster-ip-range=" + ranges)).isEqualTo(2);
        }
        assertThat(run("apiserver", "--enable-admission-plugins=Nonsense")).isEqualTo(2);
        assertThat(run("apiserver", "--disable-admission-plugins=LimitRanger,Nonsense"))
                .isEqualTo(2);
        assertThat(run(
                        "apiserver",
                        "--enable-admission-plugins=LimitRanger",
                        "--disable-admission-plugins=LimitRanger"))
                .isEqualTo(2);
        assertThat(run("kubelet", "--nodes=0")).isEqualTo(2);
        assertThat(run("controller-manager", "--controllers", "*,-nod")).isEqualTo(2);
        assertThat(run("controller-manager", "--controllers=-*")).isEqualTo(2);
        assertThat(run("controller-manager", "--http-bind-address=")).isEqualTo(2);
        assertThat(run("apiserver", "--bind-address=", "--port", "0")).isEqualTo(2);
        assertThat(run("controller-manager", "--kube-api-qps", "Infinity")).isEqualTo(2);
        assertThat(run("controller-manager", "--leader-elect-resource-name=")).isEqualTo(2);
        assertThat(run("controller-manager", "--leader-elect-lease-duration=9s"))
                .isEqualTo(2);
        assertThat(run("controller-manager", "--min-resync-period", "12")).isEqualTo(2);
        assertThat(run("controller-manager", "--min-resync-period=-1s")).isEqualTo(2);
        assertThat(run("controller-manager", "--concurrent-rc-syncs", "0")).isEqualTo(2);
        assertThat(run("controller-manager", "--concurrent-replicaset-syncs=1000000"))
                .isEqualTo(2);
        assertThat(run("controller-manager", "--kube-api-content-type", "application/cbor"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("a command is required")
                .contains("port must not be more than 65535, but got 70000")
                .contains("--service-cluster-ip-range: \"\" is not a range such as 10.96.0.0/16 or fd00::/112")
                .contains("10.0.0.0/8 and 11.0.0.0/8 must be of different families, but are both IPv4")
                .contains("\"nod\" is not in the list of known controllers: endpoints-controller, ")
                .contains("nodes must not be less than 1, but got 0")
                .contains("\"*\" is not in the list of known controllers:")
                .contains("kubeloop: http-bind-address must not be empty", "kubeloop: bind-address must not be empty")
                .doesNotContain("unexpected failure")
                .contains("kube-api-qps must be a finite number, but got Infinity")
                .contains("leader-elect requires a leader-elect-resource-name")
                .contains("the durations of leader-elect contradict each other: leaseDuration PT9S")
                .contains("invalid argument \"12\" for \"--min-resync-period\" flag: time: missing unit in duration "
                        + "\"12\"")
                .contains("min-resync-period must be greater than 0s, but got -1s")
                .contains("concurrent-rc-syncs must be greater than 0, but got 0")
                .contains("concurrent-replicaset-syncs must not be more than 1000, but got 1000000")
                .contains("kube-api-content-type must be application/vnd.kubernetes.protobuf or application/json,"
                        + " but got application/cbor")
                .contains("Try 'kubeloop controller-manager --help'.");
    }

    @Test
    void demo_sample_namesThePartsAndExplainsEachPhase() {
        assertThat(run("demo", "--exit-when-settled")).isZero();
        assertThat(err.toString()).isEmpty();
        List<String> lines = out.toString()
                .lines()
                .map(line -> line.replaceFirst("^ *\\d+\\.\\d{3} s  ", "").replaceAll("\\bweb-[0-9a-z]+", "web-HASH"))
                .toList();
        assertThat(lines)
                .as("the parts")
                .anyMatch(line -> line.matches("  API server +stores the objects .* http://127.0.0.1:\\d+"))
                .anyMatch(line -> line.matches("  informers +list and watch .*pods.*"))
                .anyMatch(line -> line.startsWith("  ReplicaSet controller "))
                .anyMatch(line -> line.startsWith("  Deployment controller "))
                .anyMatch(line -> line.startsWith("  Endpoints controller "))
                .anyMatch(line -> line.startsWith("  kubelet "));
        assertThat(lines)
                .as("the phases of web")
                .containsSubsequence(
                        "demo: applied 1 Deployment, 3 Services, 1 StatefulSet, 1 ReplicationController, 1 Job, 1 "
                                + "CronJob",
                        "ReplicaSet controller: web-HASH has 0 of 3 pods, creating 3",
                        "Kubelet: the 3 pods of web-HASH have addresses on node-1 and are ready",
                        "Endpoints controller: Service web selects 3 pods, all ready; their addresses are in the "
                                + "Endpoints",
                        "demo: settled, every object has what it requests",
                        "Where to look next")
                .containsSubsequence(
                        "Replication controller: cart has 0 of 2 pods, creating 2",
                        "Replication controller: cart has 2 of 2 pods ready, reported in its status; nothing left to "
                                + "do",
                        "demo: settled, every object has what it requests")
                .contains(
                        "Deployment controller: web: Scaled up replica set web-HASH from 0 to 3",
                        "StatefulSet controller: catalog has 3 of 3 pods ready, reported in its status; nothing left "
                                + "to do")
                .anyMatch(line -> line.startsWith("Job controller: migrate: Created pod: migrate-"))
                .anyMatch(line -> line.contains("docs/tour.md"));
    }

    @Test
    void demo_badManifest_isOneLineWithTheFile() throws IOException {
        Path broken = write("broken.yaml", "kind: [unclosed\n");
        assertThat(run("demo", "-f", broken.toString())).isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("kubeloop: ").contains("broken.yaml");
    }

    @Test
    void demo_kindNotServed_saysWhichBeforeAnythingIsApplied() throws IOException {
        Path manifest = write("gadget.yaml", "apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: web}\n");
        assertThat(run("demo", "-f", manifest.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("Gadget \"web\"").contains("does not serve Gadget of example.com/v1");
    }

    @Test
    void demo_missingFile_saysWhich() {
        assertThat(run("demo", "-f", folder.resolve("none.yaml").toString())).isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).contains("none.yaml");
    }

    @Test
    void apiserver_protectionThatDoesNotHold_isRefusedBeforeAnythingIsServed() throws IOException {
        Path file = write("file", "t1\n");
        assertThat(run("apiserver", "--tls-cert-file", file.toString())).isEqualTo(2);
        assertThat(run("apiserver", "--client-ca-file", file.toString())).isEqualTo(2);
        assertThat(run("apiserver", "--tls", "--tls-cert-file", file.toString(), "--tls-private-key-file", "k"))
                .isEqualTo(2);
        assertThat(run("apiserver", "--authorization-mode", "RBAC,ABAC")).isEqualTo(2);
        assertThat(run("apiserver", "--kubelet-client-key", file.toString())).isEqualTo(2);
        assertThat(run("apiserver", "--kubelet-certificate-authority", file.toString()))
                .isEqualTo(2);
        assertThat(run("demo", "--token-auth-file", file.toString())).isEqualTo(2);
        assertThat(run("apiserver", "--token-auth-file", write("empty", "\n").toString()))
                .isEqualTo(2);
        assertThat(run("apiserver", "--tls-cert-file", file.toString(), "--tls-private-key-file", file.toString()))
                .isEqualTo(2);
        assertThat(run("apiserver", "--token-auth-file", folder.resolve("none").toString()))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains("--tls-cert-file and --tls-private-key-file require each other")
                .contains("--tls and --tls-cert-file exclude each other")
                .contains("--client-ca-file requires --tls or --tls-cert-file")
                .contains("--kubelet-client-certificate and --kubelet-client-key require each other")
                .contains("--kubelet-certificate-authority: no PEM certificate")
                .contains("--authorization-mode must be RBAC or AlwaysAllow, or both, got ABAC")
                .contains("file, line 1: expected token,user,uid")
                .contains("empty contains no token")
                .contains("the certificate file cannot be read")
                .contains("cannot read --token-auth-file")
                .doesNotContain("t1");
    }

    @Test
    void apiserver_portTaken_saysWhich() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("apiserver", "--port", Integer.toString(taken.getLocalPort())))
                    .isEqualTo(1);
            assertThat(err.toString().lines()).hasSize(1);
            assertThat(err.toString()).contains("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void controllerManager_serverThatIsNotUp_isWaitedFor_andNamedOnce() throws IOException {
        ShutdownSignal signal = ShutdownSignal.inert();
        PrintWriter printed = new PrintWriter(out, true) {
            @Override
            public void println(String line) {
                super.println(line);
                signal.ask();
            }
        };
        try (ClosedPort port = new ClosedPort()) {
            String url = "http://127.0.0.1:" + port.number();
            assertThat(Main.run(
                            signal,
                            printed,
                            new PrintWriter(err, true),
                            "controller-manager",
                            "--secure-port=0",
                            "--master",
                            url))
                    .isZero();
            assertThat(out.toString().lines())
                    .singleElement()
                    .asString()
                    .startsWith("waiting for the API server: ")
                    .contains("127.0.0.1", Integer.toString(port.number()));
            assertThat(err.toString()).isEmpty();
        }
    }

    @Test
    void controllerManager_badKubeconfig_saysWhichFile() throws IOException {
        Path kubeconfig = write("kubeconfig", "contexts: 7\n");
        assertThat(run("controller-manager", "--kubeconfig", kubeconfig.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("kubeconfig");
        assertThat(err.toString().lines()).hasSize(1);
    }
}
