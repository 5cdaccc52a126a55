/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.credentials;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.ForwardingApiStream;
import io.kubeloop.api.client.Transport;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The transport of one token. It closes when it has been retired and the last of its calls and streams has ended.
 * Thread-safe.
 */
final class TransportGeneration {

    /*
     * Invariants:
     *   G1  users is the number of calls and streams that have entered and not ended, plus one until the
     *       generation is retired.
     *   G2  0 users is final: the thread that reaches it closes the transport, and no caller enters any more.
     *   G3  A generation is in open until G2 closes its transport.
     *
     * No lock. The calling threads are those of requests, and those that close a response or a stream.
     */

    private final Transport transport;
    private final Instant made;
    private final Set<TransportGeneration> open;
    private final AtomicInteger users = new AtomicInteger(1);
    private volatile Instant renewAt;

    /**
     * Creates a generation.
     *
     * @param transport the transport that sends the token
     * @param made the current time
     * @param open the set of generations whose transport is open
     */
    TransportGeneration(Transport transport, TokenRequests.Token token, Instant made, Set<TransportGeneration> open) {
        this.transport = transport;
        this.made = made;
        this.renewAt = token.renewAt();
        this.open = open;
        open.add(this);
    }

    Instant renewAt() {
        return renewAt;
    }

    /** Delays the request of the next token. */
    void renewAt(Instant later) {
        renewAt = later;
    }

    Instant made() {
        return made;
    }

    /**
     * Counts a caller, which then calls {@link #execute} or {@link #stream} once. Returns false if the transport is
     * closed.
     */
    boolean enter() {
        return users.getAndUpdate(n -> n == 0 ? 0 : n + 1) > 0;
    }

    /** Removes the count of the generation itself; no new caller enters once the last one has left. Call it once. */
    void retire() {
        leave();
    }

    private void leave() {
        if (users.decrementAndGet() == 0) {
            open.remove(this);
            transport.close();
        }
    }

    /** Closes the transport at once, with its calls and streams. */
    void close() {
        transport.close();
    }

    ApiResponse execute(ApiRequest request) {
        boolean answered = false;
        try {
            ApiResponse response = transport.execute(request);
            answered = true;
            return new ApiResponse(response.code(), response.headers(), new CountedBody(response.body()));
        } finally {
            if (!answered) {
                leave();
            }
        }
    }

    ApiStream stream(ApiRequest request) {
        boolean answered = false;
        try {
            ApiStream stream = transport.stream(request);
            answered = true;
            return new CountedStream(stream);
        } finally {
            if (!answered) {
                leave();
            }
        }
    }

    private final class CountedBody extends FilterInputStream {

        private final AtomicBoolean ended = new AtomicBoolean();

        CountedBody(InputStream body) {
            super(body);
        }

        @Override
        public void close() throws IOException {
            try {
                super.close();
            } finally {
                if (ended.compareAndSet(false, true)) {
                    leave();
                }
            }
        }
    }

    private final class CountedStream extends ForwardingApiStream {

        private final AtomicBoolean ended = new AtomicBoolean();

        CountedStream(ApiStream stream) {
            super(stream);
        }

        @Override
        public void close() {
            try {
                super.close();
            } finally {
                if (ended.compareAndSet(false, true)) {
                    leave();
                }
            }
        }
    }
}
