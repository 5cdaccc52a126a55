package io.kubeloop.controller.leaderelection;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * A transport whose writes pass only while this process leads: the fence around guarded work. Thread-safe.
 *
 * <p>Work that has not noticed yet that leadership ended cannot write any more from that moment on. Reads and watches
 * always pass. The lock itself needs a client without this fence.
 *
 * <p>The question is asked before the transport gets the write. One that then holds it back, for a rate limit, for what
 * {@code Retry-After} said or for a connection, has to ask again when it sends: {@code OkHttpTransport.Builder.mayWrite}.
 */
public final class LeaderTransport implements Transport {

    private final Transport transport;
    private final BooleanSupplier leading;

    /**
     * Makes a fence.
     *
     * @param transport carries what passes; closed with this one
     * @param leading asked before each write: {@link LeaderElector#isLeading}
     */
    public LeaderTransport(Transport transport, BooleanSupplier leading) {
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
                    TransportException.Kind.CLOSED, request.describe() + ": not sent, leadership has ended", null);
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
