/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * A transport that rejects writes while this process does not lead: the fence around guarded work. Thread-safe. Blocks
 * as the wrapped transport does.
 *
 * <p>When leadership ends, work that has not noticed it can no longer write. Reads and watches always pass. The lock
 * itself needs a client without this fence.
 *
 * <p>Leadership is checked before the transport receives the write. A transport that then delays the write, for a
 * rate limit, a {@code Retry-After} or a connection, must check again when it sends: {@code
 * OkHttpTransport.Builder.mayWrite}.
 */
public final class FencedTransport implements Transport {

    private final Transport transport;
    private final BooleanSupplier leading;

    /**
     * Creates a fence.
     *
     * @param transport carries the requests that pass; closed with this one
     * @param leading returns whether this process leads; called before each write: {@link LeaderElector#isLeading}
     */
    public FencedTransport(Transport transport, BooleanSupplier leading) {
        this.transport = Objects.requireNonNull(transport, "transport");
        this.leading = Objects.requireNonNull(leading, "leading");
    }

    /**
     * {@inheritDoc}
     *
     * @throws TransportException of kind {@code CLOSED} for a write while this process does not lead
     */
    @Override
    public ApiResponse execute(ApiRequest request) {
        if (!request.method().equals("GET") && !leading.getAsBoolean()) {
            throw new TransportException(
                    TransportException.Kind.CLOSED,
                    request.describe() + ": not sent, because this process does not lead",
                    null);
        }
        return transport.execute(request);
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        return transport.stream(request);
    }

    @Override
    public void close() {
        transport.close();
    }
}
