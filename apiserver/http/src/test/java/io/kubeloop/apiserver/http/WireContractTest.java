/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.TransportContractTest;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of a {@link Transport} that uses connections: the general contract over the embedded server's HTTP
 * front end, and the tests for a peer that disappears without closing its connections. A subclass connects to an
 * address.
 */
public abstract class WireContractTest extends TransportContractTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final long NO_HANG_SECONDS = 20;
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** A deadline that ends a stream in a test; long enough for the stream to start on a busy machine. */
    private static final Duration LONG_ENOUGH_TO_BEGIN = Duration.ofSeconds(4);

    /** Each request may use one more silent connection, and the tests have no more open. */
    private static final int TRIES = 4;

    private HttpApiServer httpServer;
    private Forwarder forwarder;
    private final List<Transport> connected = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** For subclasses. */
    protected WireContractTest() {}

    /** Returns a new transport to the server at this address, which uses HTTP without TLS. */
    protected abstract Transport connect(URI address) throws Exception;

    @Override
    protected final Transport connect(EmbeddedApiServer server) throws Exception {
        httpServer = HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT);
        forwarder = new Forwarder(httpServer.uri().getPort());
        return connect(httpServer.uri());
    }

    @Override
    protected final void disconnect() throws Exception {
        connected.forEach(Transport::close);
        forwarder.close();
        httpServer.close();
    }

    @AfterEach
    void endThreads() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(NO_HANG_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /** Returns a transport whose connections a test can silence. */
    private Transport overForwarder() throws Exception {
        Transport transport = connect(URI.create("http://127.0.0.1:" + forwarder.port()));
        connected.add(transport);
        return transport;
    }

    private static ApiRequest list() {
        return new ApiRequest("GET", PODS, Map.of(), ApiRequest.JSON, null, SHORT);
    }

    private static ApiRequest watch(Duration deadline) {
        return new ApiRequest("GET", PODS, Map.of("watch", "true"), ApiRequest.JSON, null, deadline);
    }

    private static void assertAnswers(Transport transport) {
        try (ApiResponse answer = transport.execute(ApiRequest.get(PODS, Map.of()))) {
            assertThat(answer.code()).isEqualTo(200);
        }
    }

    private static void assertTimesOut(ThrowingCallable call) {
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT));
    }

    @Test
    void execute_connectionIsAcceptedAndNothingComes_isATimeout() throws Exception {
        Transport transport = overForwarder();
        forwarder.swallowAll();

        assertTimesOut(() -> transport.execute(list()));
    }

    @Test
    void stream_connectionIsAcceptedAndNothingComes_isATimeout() throws Exception {
        Transport transport = overForwarder();
        forwarder.swallowAll();

        assertTimesOut(() -> transport.stream(watch(SHORT)));
    }

    @Test
    void execute_peerFallsSilent_isATimeout_andItIsConnectedAnew() throws Exception {
        Transport transport = overForwarder();
        assertAnswers(transport);
        // Includes new connections, because a client may or may not reuse the first one.
        forwarder.swallowAll();

        assertTimesOut(() -> transport.execute(list()));
        forwarder.serveNewConnections();
        assertRecovers(transport);
    }

    @Test
    void stream_peerFallsSilent_endsByItsDeadline_andItIsConnectedAnew() throws Exception {
        Transport transport = overForwarder();
        assertAnswers(transport);
        try (ApiStream watch = transport.stream(watch(LONG_ENOUGH_TO_BEGIN))) {
            assertThat(watch.code()).isEqualTo(200);
            forwarder.swallow();

            assertTimesOut(watch::next);
        }
        assertRecovers(transport);
    }

    private static void assertRecovers(Transport transport) {
        for (int i = 1; i < TRIES; i++) {
            try (ApiResponse answer = transport.execute(list())) {
                assertThat(answer.code()).isEqualTo(200);
                return;
            } catch (TransportException e) {
                assertThat(e.kind()).as("%s", e.getMessage()).isEqualTo(Kind.TIMEOUT);
            }
        }
        assertAnswers(transport);
    }

    @Test
    void close_ofAStreamWhosePeerIsSilent_endsABlockedNextAtOnce() throws Exception {
        ApiStream watch = silentStream(overForwarder());
        Future<byte[]> next = threads.submit(watch::next);

        CompletableFuture.runAsync(watch::close, threads).get(NO_HANG_SECONDS, TimeUnit.SECONDS);

        assertThat(next.get(NO_HANG_SECONDS, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void close_whilePeersAreSilent_endsEverything() throws Exception {
        Transport transport = overForwarder();
        ApiStream watch = silentStream(transport);
        Future<byte[]> next = threads.submit(watch::next);
        forwarder.swallowAll();
        Future<ApiResponse> answer = threads.submit(() -> transport.execute(ApiRequest.get(PODS, Map.of())));

        CompletableFuture.runAsync(transport::close, threads).get(NO_HANG_SECONDS, TimeUnit.SECONDS);

        assertThat(next.get(NO_HANG_SECONDS, TimeUnit.SECONDS)).isNull();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> answer.get(NO_HANG_SECONDS, TimeUnit.SECONDS))
                .withCauseInstanceOf(TransportException.class);
    }

    private ApiStream silentStream(Transport transport) {
        ApiStream watch = transport.stream(ApiRequest.get(PODS, Map.of("watch", "true")));
        assertThat(watch.code()).isEqualTo(200);
        forwarder.swallow();
        return watch;
    }
}
