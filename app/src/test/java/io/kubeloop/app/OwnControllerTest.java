/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.junit.KubeloopTest;
import io.kubeloop.manager.ControllerDescriptor;
import io.kubeloop.manager.ControllerTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A controller of a user's own in the table of the command line: every flag and page treats it as a built-in one. */
@KubeloopTest(nodes = 0)
@Timeout(60)
class OwnControllerTest {

    private static final String NAME = "badge-controller";
    private static final ControllerTable TABLE =
            ControllerTable.BUILT_IN.with(ControllerDescriptor.of(NAME, 1, OwnControllerTest::badges));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(ShutdownSignal signal, String... args) {
        return Main.run(signal, TABLE, new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    /** Keeps a config map of the same name for each service account. */
    private static Controller badges(ControllerContext context) {
        KubeClient client = context.clients().apply(NAME);
        var maps = context.informers().informer(ResourceTypes.CONFIG_MAPS);
        var accounts = context.informers().informer(ResourceTypes.SERVICE_ACCOUNTS);
        return ControllerLoop.forKeys(
                "badge",
                context,
                key -> {
                    if (accounts.lister().get(key) != null && maps.lister().get(key) == null) {
                        client.resource(ResourceTypes.CONFIG_MAPS)
                                .create(ConfigMap.of(ObjectMeta.named(key.namespace(), key.name()), Map.of()));
                    }
                },
                maps,
                accounts);
    }

    @Test
    void help_namesIt() {
        assertThat(run(ShutdownSignal.inert(), "controller-manager", "--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " ")).contains(NAME + ", bootstrap-signer-controller");
    }

    @Test
    void controllers_unknownName_listsIt() {
        assertThat(run(ShutdownSignal.inert(), "controller-manager", "--controllers=badge"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("\"badge\" is not in the list of known controllers: ", ", " + NAME);
    }

    @Test
    void manager_runsItWithALease_anIdentity_andPages(URI server, KubeClient client) throws Exception {
        ShutdownSignal signal = ShutdownSignal.inert();
        int port = freePort();
        CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> run(
                signal,
                "controller-manager",
                "--secure-port=0",
                "--master=" + server,
                "--controllers=" + NAME,
                "--use-service-account-credentials",
                "--http-port=" + port));
        await().until(() -> code.isDone() || hasBadge(client));

        assertThat(out.toString()).contains("started " + NAME);
        assertThat(client.resource(ResourceTypes.LEASES)
                        .get(new ObjectName("kube-system", "kube-controller-manager"))
                        .spec()
                        .holderIdentity())
                .isNotEmpty();
        assertThat(client.resource(ResourceTypes.SERVICE_ACCOUNTS)
                        .get(new ObjectName("kube-system", NAME))
                        .metadata()
                        .name())
                .isEqualTo(NAME);
        assertThat(page(port, "/healthz")).isEqualTo("ok");
        assertThat(page(port, "/metrics")).contains("workqueue_adds_total{name=\"badge\"}");
        signal.ask();
        assertThat(code.join()).isZero();
    }

    private static boolean hasBadge(KubeClient client) {
        return client.resource(ResourceTypes.CONFIG_MAPS).list("default", ListOptions.NONE).items().stream()
                .anyMatch(map -> map.metadata().name().equals("default"));
    }

    private static String page(int port, String path) throws IOException {
        try (InputStream in =
                URI.create("http://127.0.0.1:" + port + path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
