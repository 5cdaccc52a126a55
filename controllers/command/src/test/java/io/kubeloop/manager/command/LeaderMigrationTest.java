/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.command.UsageException;
import io.kubeloop.junit.KubeloopTest;
import io.kubeloop.manager.ControllerTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Controllers that move between two managers: which run with which lease. */
@KubeloopTest(nodes = 0)
@Timeout(120)
class LeaderMigrationTest {

    private static final String V1 = """
            apiVersion: controllermanager.config.k8s.io/v1
            kind: LeaderMigrationConfiguration
            """;
    private static final ObjectName SECOND = new ObjectName("kube-system", "handover");

    @TempDir
    private Path dir;

    private LeaderMigration read(String text) throws IOException {
        Path file = Files.writeString(dir.resolve("migration.yaml"), text);
        return LeaderMigration.of(ControllerManagerCommand.OPTIONS.parse(
                "--enable-leader-migration", "--leader-migration-config=" + file));
    }

    private static List<String> names(java.util.function.Predicate<io.kubeloop.manager.ControllerDescriptor> filter) {
        return ControllerTable.BUILT_IN.descriptors().stream()
                .filter(filter)
                .map(io.kubeloop.manager.ControllerDescriptor::name)
                .toList();
    }

    @Test
    void controllers_runWithTheLeaseOfTheirComponent_theTokensWithTheFirst() throws IOException {
        LeaderMigration migration = read(V1 + """
                leaderName: handover
                controllerLeaders:
                - {name: ttl-controller, component: "*"}
                - {name: job-controller, component: kube-controller-manager}
                - {name: node-ipam-controller, component: cloud-controller-manager}
                - {name: serviceaccount-token-controller, component: "*"}
                """);

        assertThat(names(migration::migrates)).containsExactlyInAnyOrder("job-controller", "ttl-controller");
        assertThat(names(migration::stays))
                .contains("serviceaccount-token-controller", "deployment-controller")
                .doesNotContain("job-controller", "ttl-controller", "node-ipam-controller");
    }

    @Test
    void defaultConfiguration_isTheOriginals_andMatchesNoController() {
        LeaderMigration migration =
                LeaderMigration.of(ControllerManagerCommand.OPTIONS.parse("--enable-leader-migration"));
        assertThat(migration.leaderName()).isEqualTo("cloud-provider-extraction-migration");
        assertThat(names(migration::migrates)).isEmpty();
        assertThat(LeaderMigration.of(ControllerManagerCommand.OPTIONS.parse()).isEnabled())
                .isFalse();
        assertThat(LeaderMigration.of(ControllerManagerCommand.OPTIONS.parse(
                                "--enable-leader-migration", "--leader-elect=false"))
                        .isEnabled())
                .isFalse();
    }

    /** The messages that kube-controller-manager 1.36.3 printed for the same files. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "v1 | controllerLeaders: [{name: x}] | failed to parse leader migration configuration: [leaderName: "
                        + "Required value: leaderName must be set for LeaderMigrationConfiguration "
                        + "controllerLeaders[0].component: Required value]",
                "v1 | {leaderName: a, foo: b} | strict decoding error: unknown field \"foo\"",
                "v1 | {leaderName: a, resourceLock: leases} | strict decoding error: unknown field \"resourceLock\"",
                "v1beta1 | {leaderName: a, resourceLock: x} | failed to parse leader migration configuration: "
                        + "[resourceLock: Invalid value: \"x\": resource Lock must be one of 'leases' or 'endpoints']",
            })
    void wrongFiles_areRefusedInTheOriginalsWords(String version, String fields, String message) {
        String body = fields.startsWith("{")
                ? fields.substring(1, fields.length() - 1).replace(", ", "\n")
                : fields;
        assertThatThrownBy(() -> read(V1.replace("/v1\n", "/" + version + "\n") + body))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void manager_takesTheSecondLease_andTheEndOfOneEndsBoth(URI server, KubeClient client) throws Exception {
        Path file = Files.writeString(dir.resolve("migration.yaml"), V1 + """
                leaderName: handover
                controllerLeaders:
                - {name: ttl-controller, component: "*"}
                """);
        ShutdownSignal signal = ShutdownSignal.inert();
        StringWriter out = new StringWriter();
        CommandLine line = new ControllerManagerCommand(signal, ControllerTable.BUILT_IN, ManagerObserver.Factory.NONE)
                .line()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true));
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> line.execute(
                "--master=" + server,
                "--secure-port=0",
                "--controllers=ttl,serviceaccount",
                "--enable-leader-migration",
                "--leader-migration-config=" + file));

        await().atMost(Duration.ofSeconds(60)).until(() -> out.toString().contains("started ttl-controller"));
        assertThat(out.toString().lines().filter(text -> text.startsWith("started ")))
                .containsExactly("started serviceaccount-controller", "started ttl-controller");
        String identity =
                client.resource(ResourceTypes.LEASES).get(SECOND).spec().holderIdentity();
        assertThat(client.resource(ResourceTypes.LEASES)
                        .get(new ObjectName("kube-system", "kube-controller-manager"))
                        .spec()
                        .holderIdentity())
                .isEqualTo(identity)
                .isNotEmpty();
        signal.ask();
        assertThat(exit.join()).isZero();
        assertThat(client.resource(ResourceTypes.LEASES).get(SECOND).spec().holderIdentity())
                .isNullOrEmpty();
    }
}
