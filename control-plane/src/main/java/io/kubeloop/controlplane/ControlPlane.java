package io.kubeloop.controlplane;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.kinds.AdmissionSelection;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.kinds.TokenSettings;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.cache.Transforms;
import io.kubeloop.controller.garbagecollector.GarbageCollectorController;
import io.kubeloop.controller.namespace.NamespaceController;
import io.kubeloop.controller.namespace.NamespaceControllerConfig;
import io.kubeloop.controller.resourcequota.ResourceQuotaConfig;
import io.kubeloop.controller.resourcequota.ResourceQuotaController;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.controller.serviceaccount.RootCaPublisher;
import io.kubeloop.controller.serviceaccount.ServiceAccountController;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.kubelet.SimulatedKubelet;
import io.kubeloop.transport.memory.InProcessTransport;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An API server with the controllers that delete objects (garbage collector, namespaces), count the usage of quotas and create
 * service accounts, and on request an HTTP face and a simulated kubelet.
 *
 * <pre>{@code
 * try (ControlPlane plane = ControlPlane.builder().kubelet(true).start()) {
 *     KubeClient client = KubeClient.of(plane.transport(), JsonCodec.standard());
 *     ...
 * }
 * }</pre>
 *
 * <p>Thread-safe. The parts start together and stop in reverse order. Only {@link Builder#start} and {@link #close}
 * block.
 */
public final class ControlPlane implements AutoCloseable {

    /** Workers of each controller. Their requests keep a processor busy, so that more of them are no faster. */
    private static final int WORKERS = 4;

    // Guarded by this: close() may run on any thread, and twice.
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final ApiServer server;
    private final Transport transport;
    private final @Nullable HttpApiServer http;

    private ControlPlane(Builder builder) {
        if (builder.http != null) {
            // Clients of an earlier server at this address hold its versions. Versions that start with the clock in
            // milliseconds are newer, unless the earlier server wrote more than a thousand times a second all the time.
            builder.settings.firstVersion(Math.max(1, Clock.systemUTC().millis()));
        }
        SimulatedMetrics metrics = builder.metrics;
        server = push(builder.settings.build(builder.kinds
                .withAdmission(builder.admission)
                .withTokens(builder.tokens)
                .withComputed(metrics == null ? List.of() : metrics.apis())));
        if (metrics != null) {
            metrics.attach(server::handle);
        }
        try {
            transport = push(new InProcessTransport(server));
            if (builder.garbageCollector) {
                createAccounts();
                push(controllers(KubeClient.of(transport, JsonCodec.standard()), builder.rootCa));
            }
            HttpApiServer.Config config = builder.http;
            if (config == null) {
                http = null;
            } else {
                http = push(HttpApiServer.start(server, config));
                server.announce(new InetSocketAddress(config.bindAddress(), http.port()));
            }
            if (builder.kubelet) {
                push(SimulatedKubelet.start(KubeClient.of(transport, JsonCodec.standard())));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Clients can create pods as soon as the control plane has started; the controller creates later accounts. */
    private void createAccounts() {
        ApiBackend backend = server.backend();
        ResourceStore accounts =
                Objects.requireNonNull(backend.storeOfKind("v1", "ServiceAccount"), "a server of service accounts");
        JsonObject account = JsonObject.EMPTY.with("metadata", JsonObject.EMPTY.with("name", "default"));
        for (StoredObject namespace :
                backend.namespaces().objects(backend.storage().snapshot(), "")) {
            server.handle(ApiRequest.of(
                    "POST",
                    accounts.type().collectionPath(namespace.key()),
                    Map.of("fieldManager", "kube-controller-manager"),
                    ApiRequest.Body.json(account.toBytes())));
        }
    }

    private static ControllerRunner controllers(KubeClient client, String rootCa) {
        ControllerRunner.Builder runner = ControllerRunner.builder(client)
                .informers(informers -> SharedInformers.factory(
                        informers, InformerConfig.DEFAULT.withTransform(Transforms::stripManagedFields)))
                .controller(GarbageCollectorController::of)
                .controller(context -> NamespaceController.of(context, NamespaceControllerConfig.IN_PROCESS))
                .controller(context -> ResourceQuotaController.of(context, ResourceQuotaConfig.DEFAULT))
                .controller(ServiceAccountController::of)
                .workers(WORKERS);
        if (!rootCa.isEmpty()) {
            runner.controller(context -> RootCaPublisher.of(context, rootCa));
        }
        return runner.start();
    }

    private <T extends AutoCloseable> T push(T part) {
        parts.push(part);
        return part;
    }

    /** Returns a builder with defaults for a test: garbage collection, no HTTP face and no kubelet. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the API server. */
    public ApiServer server() {
        return server;
    }

    /** Returns the transport that calls the server without a socket. {@link #close} closes it. */
    public Transport transport() {
        return transport;
    }

    /**
     * Returns the URL of the HTTP face, such as {@code http://127.0.0.1:41873}.
     *
     * @throws IllegalStateException if the control plane has no HTTP face
     */
    public URI uri() {
        if (http == null) {
            throw new IllegalStateException("this control plane has no HTTP face: set http(...) before start()");
        }
        return http.uri();
    }

    /**
     * Stops the parts in reverse order; safe to call twice. Blocks until their threads have ended, with the bounds of
     * {@link HttpApiServer#close} and {@link ApiServer#close}.
     */
    @Override
    public void close() {
        RuntimeException first = null;
        for (AutoCloseable part = next(); part != null; part = next()) {
            try {
                part.close();
            } catch (Exception e) {
                RuntimeException failure = e instanceof RuntimeException r ? r : new IllegalStateException(e);
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private synchronized @Nullable AutoCloseable next() {
        return parts.poll();
    }

    /** Settings of a {@link ControlPlane}. Not thread-safe. */
    public static final class Builder {

        private final ApiServer.Builder settings = ApiServer.builder();
        private BuiltInKinds kinds = BuiltInKinds.create();
        private AdmissionSelection admission = AdmissionSelection.STANDARD;
        private HttpApiServer.@Nullable Config http;
        private TokenSettings tokens = TokenSettings.DEFAULT;
        private String rootCa = "";
        private boolean garbageCollector = true;
        private boolean kubelet;
        private @Nullable SimulatedMetrics metrics;

        private Builder() {}

        /** Returns the settings of the API server, for changes. */
        public ApiServer.Builder server() {
            return settings;
        }

        /**
         * Adds the HTTP face with this configuration. Default: none. The first resource version is then the clock in
         * milliseconds, so that it is newer than the versions of an earlier server at this address.
         */
        public Builder http(HttpApiServer.Config config) {
            http = config;
            return this;
        }

        /** Sets the ranges of service cluster IPs; see {@link BuiltInKinds#withServiceRanges}. */
        public Builder serviceClusterIpRanges(String... ranges) {
            kinds = BuiltInKinds.withServiceRanges(List.of(ranges));
            return this;
        }

        /**
         * Sets the admission plug-ins of the server. Default: {@link AdmissionSelection#STANDARD}, with which every pod
         * needs a service account. {@link #garbageCollector} also brings the account {@code default} of each namespace.
         */
        public Builder admission(AdmissionSelection selection) {
            admission = selection;
            return this;
        }

        /** Sets how the server issues and verifies the tokens of service accounts. Default: {@link TokenSettings#DEFAULT}. */
        public Builder tokens(TokenSettings settings) {
            tokens = settings;
            return this;
        }

        /**
         * Sets the CA bundle that pods need to verify the server, in PEM. Default: empty. With a bundle and {@link
         * #garbageCollector}, each namespace has it in the config map {@code kube-root-ca.crt}.
         */
        public Builder rootCa(String pem) {
            rootCa = pem;
            return this;
        }

        /**
         * Sets whether the garbage collector and the controllers of namespaces, resource quotas and service accounts run. They
         * delete the dependents of deleted owners and the content of terminating namespaces, count what quotas limit, and
         * create the account {@code default} in each namespace. Default: true. A control plane that is served by a controller manager does not need them.
         */
        public Builder garbageCollector(boolean on) {
            garbageCollector = on;
            return this;
        }

        /** Sets whether pods are scheduled and reported as running and ready; no container runs. Default: false. */
        public Builder kubelet(boolean on) {
            kubelet = on;
            return this;
        }

        /** Adds the APIs of metrics, with the values of this provider. It serves one control plane. Default: none. */
        public Builder metrics(SimulatedMetrics provider) {
            metrics = provider;
            return this;
        }

        /**
         * Starts the parts and returns them.
         *
         * @throws java.io.UncheckedIOException if the server cannot listen on its address; nothing keeps running then
         */
        public ControlPlane start() {
            return new ControlPlane(this);
        }
    }
}
