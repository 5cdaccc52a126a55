/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.kinds.AdmissionSelection;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * An API server inside this process with Kubernetes' own kinds, and the transport to it.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.builder().build()) {
 *     KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
 *     ...
 * }
 * }</pre>
 *
 * <p>It runs no controllers, as kube-apiserver does: nothing deletes the dependents of a deleted owner or the content
 * of a deleted namespace. Thread-safe. A request runs on the thread of its caller.
 *
 * <p>Two methods of the server and its transport block. {@link #close} waits for the server's thread. A read from a
 * watch stream waits for the next frame; see {@link #transport()}.
 */
public final class EmbeddedApiServer implements AutoCloseable {

    private final ApiServer server;
    private final InProcessTransport transport;

    private EmbeddedApiServer(ApiServer server) {
        this.server = server;
        transport = new InProcessTransport(server);
    }

    /** Returns a builder with defaults for a demonstration or a test. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the server behind the transport. */
    public ApiServer server() {
        return server;
    }

    /**
     * Returns the transport to this server; the same instance at each call. Closing the transport ends its streams
     * and leaves the server running.
     *
     * <p>Requests are not limited by a timeout and complete without I/O. A read from a watch stream blocks until a
     * frame arrives or the watch ends. The watch ends when its stream or transport is closed, at its own timeout,
     * or at the deadline of its request. An interrupt ends a blocked read with a {@code TransportException} of kind
     * {@code CLOSED}, and the interrupt flag stays set.
     */
    public Transport transport() {
        return transport;
    }

    /** Discards the event history; see {@link ApiServer#compact}. */
    public void compact() {
        server.compact();
    }

    /**
     * Ends all streams and stops the server's thread; safe to call twice. Blocks until a scheduled task that has
     * started has ended. An interrupt ends the wait, and the interrupt flag stays set.
     */
    @Override
    public void close() {
        transport.close();
        server.close();
    }

    /**
     * Settings of an {@link EmbeddedApiServer}; those of {@link ApiServer.Builder} and the service ranges. Not
     * thread-safe.
     */
    public static final class Builder {

        private final ApiServer.Builder settings = ApiServer.builder();
        private BuiltInKinds kinds = BuiltInKinds.create();
        private AdmissionSelection admission = AdmissionSelection.WITHOUT_CONTROLLERS;

        private Builder() {}

        /** Sets {@link ApiServer.Builder#clock}. */
        public Builder clock(Clock clock) {
            settings.clock(clock);
            return this;
        }

        /** Sets {@link ApiServer.Builder#threadFactory}. */
        public Builder threadFactory(ThreadFactory threadFactory) {
            settings.threadFactory(threadFactory);
            return this;
        }

        /** Sets {@link ApiServer.Builder#random}. */
        public Builder random(RandomGenerator random) {
            settings.random(random);
            return this;
        }

        /** Sets {@link ApiServer.Builder#eventLogCapacity}. */
        public Builder eventLogCapacity(int events) {
            settings.eventLogCapacity(events);
            return this;
        }

        /** Sets {@link ApiServer.Builder#firstVersion}. */
        public Builder firstVersion(long version) {
            settings.firstVersion(version);
            return this;
        }

        /** Sets {@link ApiServer.Builder#bookmarkInterval}. */
        public Builder bookmarkInterval(Duration interval) {
            settings.bookmarkInterval(interval);
            return this;
        }

        /** Sets the ranges of service cluster IPs; see {@link BuiltInKinds#withServiceRanges}. */
        public Builder serviceClusterIpRanges(String... ranges) {
            kinds = BuiltInKinds.withServiceRanges(List.of(ranges));
            return this;
        }

        /**
         * Sets the admission plug-ins. Default: {@link AdmissionSelection#WITHOUT_CONTROLLERS}, so pods need no
         * service account, as with envtest. {@link AdmissionSelection#STANDARD} enables the plug-in {@code
         * ServiceAccount}; the test must then create the account {@code default} in each namespace with pods.
         */
        public Builder admission(AdmissionSelection selection) {
            admission = selection;
            return this;
        }

        /** Adds an admission plug-in of the test; see {@link ApiServer.Builder#admission}. */
        public Builder admission(AdmissionPlugin plugin) {
            settings.admission(plugin);
            return this;
        }

        /** Starts a server and returns it. */
        public EmbeddedApiServer build() {
            return new EmbeddedApiServer(settings.build(kinds.withAdmission(admission)));
        }
    }
}
