/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.apiserver.http.BearerTokens;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.http.KubeconfigText;
import io.kubeloop.apiserver.http.LoopbackCertificate;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.http.KubeClients;
import io.kubeloop.transport.http.Kubeconfigs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kubeconfigs of service accounts, from a server with TLS, tokens and roles. */
@Timeout(60)
class KubeconfigCommandTest {

    private static final Map<String, BearerTokens.User> USERS = Map.of(
            "admin-token", new BearerTokens.User("admin", "1", List.of("system:masters")),
            "jane-token", new BearerTokens.User("jane", "2", List.of("developers")));

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final LoopbackCertificate certificate =
            LoopbackCertificate.create(Clock.systemUTC().instant(), null);
    private ControlPlane plane;

    @BeforeEach
    void start() {
        plane = ControlPlane.builder()
                .http(HttpApiServer.Config.DEFAULT
                        .withTls(certificate.serving())
                        .withTokens(BearerTokens.of(USERS)))
                .roles(true)
                .standardRoles(true)
                .garbageCollector(false)
                .start();
        KubeClient.of(plane.transport(), JsonCodec.standard())
                .resource(ResourceTypes.SERVICE_ACCOUNTS)
                .create(ServiceAccount.of(ObjectMeta.named("default", "robot")));
    }

    @AfterEach
    void stop() {
        plane.close();
    }

    private int kubeconfig(String token, String... args) throws IOException {
        Path user = Files.writeString(
                folder.resolve("user"), KubeconfigText.of(plane.uri().toString(), certificate.pem(), token));
        String[] all = new String[args.length + 2];
        all[0] = "kubeconfig";
        all[1] = "--kubeconfig=" + user;
        System.arraycopy(args, 0, all, 2, args.length);
        return Main.run(ShutdownSignal.inert(), new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    @Test
    void account_actsWithItsOwnRights() throws IOException {
        Path file = folder.resolve("robot");
        assertThat(kubeconfig("admin-token", "--service-account=default/robot", "--kubeconfig-out=" + file))
                .as(err.toString())
                .isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(out.toString())
                .startsWith("wrote " + file + " for default/robot at " + plane.uri() + ", valid until 2");

        assertThat(Kubeconfigs.load(file).namespace()).isEqualTo("default");
        try (KubeClient robot = KubeClients.of(Kubeconfigs.load(file))) {
            assertThatThrownBy(() -> robot.resource(ResourceTypes.PODS).list("default", ListOptions.NONE))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            e -> assertThat(e.status().message())
                                    .startsWith(
                                            "pods is forbidden: User \"system:serviceaccount:default:robot\" cannot "
                                                    + "list"));
        }
    }

    @Test
    void file_isPrintedByDefault_withTheDurationAsGiven() throws IOException {
        assertThat(kubeconfig("admin-token", "--service-account=default/robot", "--duration=10m"))
                .isZero();
        assertThat(out.toString()).startsWith("apiVersion: v1\nclusters:\n").contains("namespace: default");

        assertThat(kubeconfig("admin-token", "--service-account=default/robot", "--duration=5m"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("may not specify a duration less than 10 minutes");
    }

    @Test
    void account_thatIsAbsent_isNamedWithTheCommandThatMakesIt() throws IOException {
        assertThat(kubeconfig("admin-token", "--service-account=default/absent"))
                .isEqualTo(1);
        assertThat(err.toString())
                .startsWith("kubeloop: cannot get a token of the service account default/absent: ")
                .contains("serviceaccounts \"absent\" not found")
                .contains("; create it with kubectl -n default create serviceaccount absent");
    }

    @Test
    void user_withoutTheRight_learnsWhichOneIsMissing() throws IOException {
        assertThat(kubeconfig("jane-token", "--service-account=default/robot")).isEqualTo(1);
        assertThat(err.toString())
                .contains("User \"jane\" cannot create resource \"serviceaccounts/token\"")
                .contains("; grant the verb create on serviceaccounts/token");
    }

    @Test
    void account_withoutANamespace_isWrongUsage() throws IOException {
        assertThat(kubeconfig("admin-token", "--service-account=robot")).isEqualTo(2);
        assertThat(err.toString()).contains("--service-account must be NAMESPACE/NAME, got robot");
    }
}
