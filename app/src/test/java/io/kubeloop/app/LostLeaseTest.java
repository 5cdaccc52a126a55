package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.Lease;
import io.kubeloop.api.LeaseSpecBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.http.HttpFace;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A manager that has lost its lease ends, as upstream's does, and lets no event of the election hold it up. */
@Timeout(60)
class LostLeaseTest {

    private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");

    /** Lets everything pass but new events: these wait at a gate. */
    private static final class GatedEvents implements Transport {

        private final Transport server;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch gate = new CountDownLatch(1);

        GatedEvents(Transport server) {
            this.server = server;
        }

        @Override
        public ApiResponse execute(ApiRequest request) {
            if (request.method().equals("POST") && request.path().endsWith("/events")) {
                reached.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return server.execute(request);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return server.stream(request);
        }

        @Override
        public void close() {
            gate.countDown();
        }
    }

    @Test
    void lease_takenByAnother_whileNoEventCanBeWritten_endsTheProcessSoon() throws Exception {
        StringWriter out = new StringWriter();
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                KubeClient client = KubeClient.of(server.transport(), EmbeddedControlPlane.codec());
                GatedEvents events = new GatedEvents(server.transport());
                HttpFace face = HttpFace.start(events, HttpFace.Config.DEFAULT)) {
            CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> Main.run(
                    ShutdownSignal.inert(),
                    new PrintWriter(out, true),
                    new PrintWriter(out, true),
                    "controller-manager",
                    "--master=" + face.uri(),
                    "--rehearse=false",
                    "--leader-elect-retry-period=100ms"));
            events.reached.await();
            take(client.resource(ResourceTypes.LEASES));
            long start = System.nanoTime();
            try {
                assertThat(code.join()).isEqualTo(1);
                assertThat(System.nanoTime() - start)
                        .as("nanoseconds; a broadcaster that is closed in good order waits for 5 s")
                        .isLessThan(TimeUnit.SECONDS.toNanos(4));
            } finally {
                events.gate.countDown(); // before the face, which waits for what is under way
            }
        }
        assertThat(out.toString()).contains("lost the lease kube-system/kube-controller-manager");
    }

    /** The holder renews meanwhile, so that it may take more than one try. */
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
