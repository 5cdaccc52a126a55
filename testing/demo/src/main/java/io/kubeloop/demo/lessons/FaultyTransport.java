/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.lessons;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.ForwardingApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one manager of a demo to the API server, which can be slow or cut. Thread-safe; blocks as the
 * server is slow.
 */
final class FaultyTransport implements Transport {

    /** True on a thread that runs a request of an observed manager; the transport below runs it on the same thread. */
    private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

    private final Transport transport;
    private final Condition condition;

    /** The state of the connection. Implementations are thread-safe. */
    interface Condition {

        /** Returns how long each request waits. */
        Duration delay();

        /** Receives a watch that fills a cache of pods. */
        void opened(ApiStream podWatch);

        /** Learns that such a watch has been closed. */
        void closed(ApiStream podWatch);

        /** Blocks while the events of pods are withheld. An interrupt ends the wait and stays set. */
        void awaitDelivery();

        /** Returns whether requests for the lease are lost. */
        boolean losesLease();

        /** Blocks for this time of the demo's clock. An interrupt ends the wait and stays set. */
        void await(Duration delay);
    }

    FaultyTransport(Transport transport, Condition condition) {
        this.transport = transport;
        this.condition = condition;
    }

    /** Returns whether the request that this thread executes comes from an observed manager. */
    static boolean isObserved() {
        return INSIDE.get();
    }

    /** Returns whether a request fills a cache of whole objects. */
    static boolean isOfWholeObjects(ApiRequest request) {
        return !request.accept().contains("PartialObjectMetadata");
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        return through(request, () -> transport.execute(request));
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        ApiStream stream = through(request, () -> transport.stream(request));
        if (!request.path().endsWith("/pods") || !isOfWholeObjects(request)) {
            return stream;
        }
        ApiStream podWatch = new PodWatch(stream);
        condition.opened(podWatch);
        return podWatch;
    }

    /** A watch whose events can be withheld. */
    private final class PodWatch extends ForwardingApiStream {

        PodWatch(ApiStream stream) {
            super(stream);
        }

        @Override
        public byte @Nullable [] next() {
            byte[] frame = super.next();
            condition.awaitDelivery();
            return frame;
        }

        @Override
        public @Nullable ByteBuffer nextShared() {
            ByteBuffer frame = super.nextShared();
            condition.awaitDelivery();
            return frame;
        }

        @Override
        public void close() {
            condition.closed(this);
            super.close();
        }
    }

    private <T> T through(ApiRequest request, Supplier<T> call) {
        if (condition.losesLease() && request.path().contains("/leases/")) {
            throw new TransportException(
                    TransportException.Kind.CONNECT, request.describe() + ": the demo has cut this connection", null);
        }
        Duration delay = condition.delay();
        if (!delay.isZero()) {
            condition.await(delay);
        }
        INSIDE.set(true);
        try {
            return call.get();
        } finally {
            INSIDE.remove();
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
