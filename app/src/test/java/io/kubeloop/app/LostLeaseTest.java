/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.coordination.LeaseSpecBuilder;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A manager that lost its lease exits, as upstream's does, without waiting for requests that the server does not
 * answer.
 */
@Isolated("reads standard error")
@Timeout(60)
class LostLeaseTest {

    private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");

    /** Lets everything pass but requests of one sort: these wait at a gate. */
    private static final class GatedRequests implements Function<ApiRequest, ServerResponse>, AutoCloseable {

        private final EmbeddedApiServer server;
        private final Predicate<ApiRequest> gated;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch gate = new CountDownLatch(1);

        GatedRequests(EmbeddedApiServer server, Predicate<ApiRequest> gated) {
            this.server = server;
            this.gated = gated;
        }

        @Override
        public ServerResponse apply(ApiRequest request) {
            if (gated.test(request)) {
                reached.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return server.server().handle(request);
        }

        @Override
        public void close() {
            gate.countDown();
        }
    }

    @RegisterExtension
    private final CapturedErrors log = new CapturedErrors();

    @Test
    void lease_takenByAnother_whileNoEventCanBeWritten_endsTheProcessSoon() throws Exception {
        StringWriter out = new StringWriter();
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
                GatedRequests events = new GatedRequests(server, request -> creates(request, "events"));
                HttpApiServer httpServer = HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT, events)) {
            CompletableFuture<Integer> code = run(out, httpServer);
            events.reached.await();
            take(client.resource(ResourceTypes.LEASES));
            long start = System.nanoTime();
            try {
                assertThat(code.join()).isEqualTo(1);
                assertThat(System.nanoTime() - start)
                        .as("nanoseconds; a broadcaster that is closed in good order waits for 5 s")
                        .isLessThan(TimeUnit.MILLISECONDS.toNanos(4_900));
            } finally {
                events.gate.countDown(); // before the httpServer, which waits for what is under way
            }
        }
        assertThat(out.toString()).contains("lost the lease kube-system/kube-controller-manager");
    }

    @Test
    void lease_notRenewed_whileTheServerDoesNotAnswer_informersDoNotTryAgain() throws Exception {
        StringWriter out = new StringWriter();
        AtomicBoolean stalled = new AtomicBoolean();
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                GatedRequests stalling = new GatedRequests(
                        server,
                        request -> creates(request, "pods")
                                || (stalled.get() && request.path().contains("/leases/")));
                HttpApiServer httpServer =
                        HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT, stalling)) {
            createReplicaSet(server.transport());
            CompletableFuture<Integer> code =
                    run(out, httpServer, "--leader-elect-lease-duration=2s", "--leader-elect-renew-deadline=1s");
            stalling.reached.await();
            stalled.set(true);
            try {
                assertThat(code.join()).isEqualTo(1);
                // The controller hears now that its client was closed, and its term comes to an end.
                await().until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().endsWith("-leading")));
            } finally {
                stalling.gate.countDown();
            }
        }
        assertThat(log.text()).contains("could not renew its lease").doesNotContain("list or watch failed");
    }

    private static boolean creates(ApiRequest request, String plural) {
        return request.method().equals("POST") && request.path().endsWith("/" + plural);
    }

    private static void createReplicaSet(Transport server) {
        String body = "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"replicas\":1,"
                + "\"selector\":{\"matchLabels\":{\"app\":\"web\"}},"
                + "\"template\":{\"metadata\":{\"labels\":{\"app\":\"web\"}},"
                + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}";
        ApiRequest request = ApiRequest.of(
                "POST",
                "/apis/apps/v1/namespaces/default/replicasets",
                Map.of(),
                ApiRequest.Body.json(body.getBytes(UTF_8)));
        try (ApiResponse response = server.execute(request)) {
            assertThat(response.code()).isEqualTo(201);
        }
    }

    private static CompletableFuture<Integer> run(StringWriter out, HttpApiServer httpServer, String... flags) {
        List<String> arguments = new ArrayList<>(List.of(
                "controller-manager",
                "--secure-port=0",
                "--master=" + httpServer.uri(),
                "--leader-elect-retry-period=100ms"));
        arguments.addAll(List.of(flags));
        return CompletableFuture.supplyAsync(() -> Main.run(
                ShutdownSignal.inert(),
                new PrintWriter(out, true),
                new PrintWriter(out, true),
                arguments.toArray(String[]::new)));
    }

    /** The holder renews meanwhile, so it may take more than one try. */
    private static void take(ResourceClient<Lease> leases) {
        await().ignoreExceptions().until(() -> {
            Lease held = leases.get(LEASE);
            leases.update(held.withSpec(LeaseSpecBuilder.builder(held.spec())
                    .holderIdentity("another")
                    .build()));
            return true;
        });
    }
}
