/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.http.NodeAccess;
import io.kubeloop.apiserver.kinds.AdmissionSelection;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.kinds.TokenSettings;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.RequestFilter;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.cache.Transforms;
import io.kubeloop.controller.namespace.NamespaceControllerConfig;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.controlplane.containers.SimulatedContainers;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import io.kubeloop.kubelet.SimulatedKubelet;
import io.kubeloop.manager.ControllerDescriptor;
import io.kubeloop.manager.ControllerManager;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerOptionsBuilder;
import io.kubeloop.manager.ControllerSelection;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.manager.ServiceAccountOptions;
import io.kubeloop.transport.memory.InProcessTransport;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An API server with controllers, and on request an HTTP front end and a simulated kubelet. By default the controllers
 * are those that delete objects (garbage collector, namespaces), count the usage of quotas and create service accounts.
 *
 * <pre>{@code
 * try (ControlPlane plane = ControlPlane.builder().kubelet(true).start()) {
 *     KubeClient client = KubeClient.of(plane.transport(), JsonCodec.standard());
 *     ...
 * }
 * }</pre>
 *
 * <p>This class is long because it is the one place where all parts and settings meet; each of its methods is short.
 *
 * <p>Thread-safe. The parts start together and stop in reverse order. Only {@link Builder#start} and {@link #close}
 * block.
 */
public final class ControlPlane implements AutoCloseable {

    /**
     * Upstream's options, for a server in the same process: its requests keep a processor busy, so more workers
     * are no faster.
     */
    private static final ControllerOptions IN_PROCESS = ControllerOptionsBuilder.builder(
                    ControllerOptions.DEFAULT.withSyncsOf(
                            Map.of("garbagecollector", 4, "namespace", 4, "resourcequota", 4)))
            .namespaces(NamespaceControllerConfig.IN_PROCESS)
            .build();

    /** The controllers that a server needs to behave like Kubernetes' own, whatever else runs. They are the default. */
    public static final List<String> HOUSEKEEPING = List.of(
            "garbage-collector-controller",
            "namespace-controller",
            "persistentvolume-protection-controller",
            "persistentvolumeclaim-protection-controller",
            "resourcequota-controller",
            "serviceaccount-controller",
            "volumeattributesclass-protection-controller");

    /** Runs with the {@link #HOUSEKEEPING housekeeping} of a control plane with a {@link Builder#rootCa root CA}. */
    public static final String ROOT_CA_PUBLISHER = "root-ca-certificate-publisher-controller";

    /** Among the entries of controllers: the housekeeping does not run. */
    private static final String ONLY_NAMED = "-*";

    /** The parts in the order of their start. {@link #close} may run on any thread, and twice. */
    private final Deque<AutoCloseable> parts = new ConcurrentLinkedDeque<>();

    private final ApiServer server;
    private final Transport transport;
    private final @Nullable ControllerManager controllers;
    private final @Nullable HttpApiServer http;
    private final @Nullable SimulatedClock clock;
    private final RequestGate gate;
    private final long started;
    private final Faults faults;
    private final SimulatedContainers containers;
    private final SimulatedKubelet.@Nullable Config kubeletConfig;

    /** The kubelet that runs; null while none does. The thread that takes it out closes it. */
    private final AtomicReference<@Nullable SimulatedKubelet> kubelet = new AtomicReference<>();

    private ControlPlane(Builder builder) {
        if (builder.http != null) {
            // Clients of an earlier server at this address hold its versions. Versions that start with the clock in
            // milliseconds are newer, unless the earlier server wrote more than a thousand times a second all the time.
            builder.settings.firstVersion(Math.max(1, Clock.systemUTC().millis()));
        }
        clock = builder.clock;
        kubeletConfig = builder.kubeletConfig();
        gate = new RequestGate(wall(), clock == null ? null : clock.work(), builder.fieldValidation, builder.requests);
        builder.settings.filter(gate);
        if (clock != null) {
            builder.settings.clock(wall()).scheduler(clock.serverScheduler());
        }
        SimulatedMetrics metrics = builder.metrics;
        server = push(builder.settings.build(builder.kinds
                .withAdmission(builder.admission)
                .withTokens(builder.tokens)
                .withRoles(builder.roles)
                .withStandardRoles(builder.standardRoles)
                .withServiceAddresses(builder.serviceAddresses)
                .withComputed(metrics == null ? List.of() : metrics.apis())));
        if (metrics != null) {
            metrics.attach(server::handle);
        }
        faults = new Faults(server, this::switchKubelet);
        containers = new SimulatedContainers(this::pod, this::hasKubelet, wall());
        try {
            transport = push(new InProcessTransport(server));
            ControllerSelection selection = builder.selection();
            List<ControllerDescriptor> enabled = builder.table.select(selection);
            if (enabled.stream().anyMatch(controller -> controller.isCalled("serviceaccount-controller"))) {
                createAccounts();
            }
            controllers = enabled.isEmpty() ? null : push(startControllers(builder, selection));
            http = builder.http == null ? null : serve(builder.http);
            if (kubeletConfig != null) {
                push(this::stopKubelet);
                switchKubelet(true);
            }
            gate.attach(faults);
            started = server.backend().storage().revision();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private @Nullable JsonObject pod(ObjectName name) {
        String path = "/api/v1/namespaces/" + name.namespace() + "/pods/" + name.name();
        ServerResponse response = server.handle(ApiRequest.of("GET", path, Map.of(), null));
        return response instanceof ServerResponse.Document document && document.code() == 200
                ? JsonObject.parse(document.bytes())
                : null;
    }

    private boolean hasKubelet() {
        return kubelet.get() != null;
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

    /** Returns a client of the control plane's own parts, which faults do not meet. */
    private KubeClient ownClient() {
        return KubeClient.of(RequestGate.own(transport), JsonCodec.standard());
    }

    /** Starts or stops the kubelet; see {@link Faults}. */
    private void switchKubelet(boolean on) {
        SimulatedKubelet.Config config = kubeletConfig;
        if (!on) {
            stopKubelet();
        } else if (config != null && !hasKubelet()) {
            SimulatedKubelet started = clock == null
                    ? SimulatedKubelet.start(ownClient(), config)
                    : SimulatedKubelet.start(ownClient(), config, clock.serverScheduler());
            if (!kubelet.compareAndSet(null, started)) {
                started.close(); // another thread was faster
            }
        }
    }

    private void stopKubelet() {
        SimulatedKubelet stopped = kubelet.getAndSet(null);
        if (stopped != null) {
            stopped.close();
        }
    }

    /**
     * Returns the settings of a runner as {@link #runner()} does, for controllers that use this client. The runner does
     * not close it.
     */
    public ControllerRunner.Builder runner(KubeClient client) {
        ControllerRunner.Builder runner = ControllerRunner.builder(client)
                .informers(own ->
                        SharedInformers.factory(own, informerConfig().withTransform(Transforms::stripManagedFields)));
        SimulatedClock time = clock;
        return time == null
                ? runner
                : runner.time(time.controllerTime())
                        .queues(name -> WorkQueueConfig.named(name).withScheduler(time.scheduler()));
    }

    private Clock wall() {
        return clock == null ? Clock.systemUTC() : clock.clock();
    }

    private InformerConfig informerConfig() {
        return clock == null ? InformerConfig.DEFAULT : InformerConfig.DEFAULT.withScheduler(clock.scheduler());
    }

    private ControllerManager startControllers(Builder builder, ControllerSelection selection) {
        ServiceAccountOptions accounts = new ServiceAccountOptions(
                builder.tokens.signingKey(), builder.rootCa, ServiceAccountOptions.DEFAULT.legacyTokenPeriod());
        ControllerManager.Builder manager = ControllerManager.builder(ownClient())
                .table(builder.table)
                .controllers(selection)
                .options(ControllerOptionsBuilder.builder(builder.options)
                        .serviceAccounts(accounts)
                        .build())
                .informers(informerConfig()
                        .withResyncPeriod(Duration.ofHours(12))
                        .withTransform(Transforms::stripManagedFields));
        SimulatedClock time = clock;
        if (time != null) {
            manager.time(time.controllerTime())
                    .queues(name -> WorkQueueConfig.named(name).withScheduler(time.scheduler()));
        }
        return manager.start();
    }

    private <T extends AutoCloseable> T push(T part) {
        parts.push(part);
        return part;
    }

    /** Returns a builder with defaults for a test: garbage collection, no HTTP front end and no kubelet. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the API server. */
    public ApiServer server() {
        return server;
    }

    /** Returns a new client of this control plane, without a socket. Closing it ends its calls only. */
    public KubeClient client() {
        return client(JsonCodec.standard());
    }

    /**
     * Returns a new client, without a socket. Closing it ends its calls only.
     *
     * @param codec encodes and decodes the objects; {@link JsonCodec#with} adds the kinds of custom resources
     */
    public KubeClient client(ObjectCodec codec) {
        return KubeClient.of(new InProcessTransport(server), codec);
    }

    /**
     * Returns a new factory of informers with the time of this control plane, so a clock moves them and waits for
     * them. The caller starts and closes it.
     */
    public SharedInformerFactory informers(KubeClient client) {
        return SharedInformers.factory(client, informerConfig());
    }

    /**
     * Returns the settings of a runner for the test's own controllers: its informers, its queues and its time are those
     * of this control plane. The caller adds controllers, starts the runner and closes it.
     */
    public ControllerRunner.Builder runner() {
        return runner(client());
    }

    /** Returns the settings of a runner as {@link #runner()} does, for controllers of custom resources. */
    public ControllerRunner.Builder runner(ObjectCodec codec) {
        return runner(client(codec));
    }

    /**
     * Returns the clock.
     *
     * @throws IllegalStateException if the control plane has none, which is the default
     */
    public SimulatedClock clock() {
        if (clock == null) {
            throw new IllegalStateException("this control plane has no clock: set clock(...) before start()");
        }
        return clock;
    }

    /** Returns the insides of the simulated containers, to script them. Only clients over HTTP see them. */
    public SimulatedContainers containers() {
        return containers;
    }

    /** Returns the failures that can be injected. */
    public Faults faults() {
        return faults;
    }

    /**
     * Starts an HTTP front end beside those that exist, and returns it. {@link #close} closes it.
     *
     * @throws java.io.UncheckedIOException if the address is unknown or the port is in use
     */
    public HttpApiServer serve(HttpApiServer.Config config) {
        NodeAccess nodes =
                kubeletConfig == null ? config.nodes() : config.nodes().withHost(containers);
        HttpApiServer face = HttpApiServer.start(server, config.withNodes(nodes), wall());
        parts.push(face);
        server.announce(new InetSocketAddress(config.bindAddress(), face.port()));
        return face;
    }

    /**
     * Applies the objects of manifests in YAML or JSON in their order, with server-side apply as the field manager
     * {@code manifests}. Objects without a namespace go to {@code default}. Instances of a custom resource may follow
     * its definition.
     *
     * @param source names the manifests in errors
     * @param manifests one or more documents; the caller closes the stream
     * @throws io.kubeloop.api.client.DecodeException if a document is not a manifest
     * @throws io.kubeloop.api.client.ApiException if the server rejects an object; the earlier ones exist
     * @throws IllegalArgumentException if an object has no name or its kind is not served
     */
    public void apply(String source, InputStream manifests) {
        ManifestWriter writer = new ManifestWriter(server.backend(), server::handle);
        Manifests.read(source, manifests).forEach(writer::apply);
    }

    /**
     * Returns a text for the log of a failed test: the objects and events since the start, and the latest requests of
     * clients. At most 160 lines of about 400 characters.
     */
    public String report() {
        return new PlaneReport(server.backend(), started, gate.recorded()).text();
    }

    /**
     * Returns the latest requests of clients, oldest first, at most 500. Requests of the control plane's parts are not
     * among them.
     */
    public List<RecordedRequest> recordedRequests() {
        return gate.recorded();
    }

    /** Returns the transport that calls the server without a socket. {@link #close} closes it. */
    public Transport transport() {
        return transport;
    }

    /**
     * Returns the informers that the controllers share.
     *
     * @throws IllegalStateException if the control plane runs no controllers
     */
    public SharedInformerFactory controllerInformers() {
        if (controllers == null) {
            throw new IllegalStateException("this control plane runs no controllers: name some with controllers(...)");
        }
        return controllers.informers();
    }

    /**
     * Returns the URL of the HTTP front end, such as {@code http://127.0.0.1:41873}.
     *
     * @throws IllegalStateException if the control plane has no HTTP front end
     */
    public URI uri() {
        if (http == null) {
            throw new IllegalStateException("this control plane has no HTTP front end: set http(...) before start()");
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
        for (AutoCloseable part = parts.poll(); part != null; part = parts.poll()) {
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

    /** Settings of a {@link ControlPlane}. Not thread-safe. */
    public static final class Builder {

        private final ApiServer.Builder settings = ApiServer.builder();
        private BuiltInKinds kinds = BuiltInKinds.create();
        private AdmissionSelection admission = AdmissionSelection.STANDARD;
        private HttpApiServer.@Nullable Config http;
        private TokenSettings tokens = TokenSettings.DEFAULT;
        private String rootCa = "";
        private boolean roles;
        private boolean standardRoles;
        private final Map<String, InetSocketAddress> serviceAddresses = new LinkedHashMap<>();
        private @Nullable List<String> controllers;
        private final List<String> own = new ArrayList<>();
        private ControllerTable table = ControllerTable.BUILT_IN;
        private ControllerOptions options = IN_PROCESS;
        private SimulatedKubelet.@Nullable Config kubelet;
        private boolean heartbeats;
        private @Nullable SimulatedClock clock;
        private String fieldValidation = "";
        private @Nullable SimulatedMetrics metrics;
        private RequestFilter requests = RequestFilter.NONE;

        private Builder() {}

        /** Returns the settings of the API server, for changes. */
        public ApiServer.Builder server() {
            return settings;
        }

        /**
         * Adds the HTTP front end with this configuration. Default: none. The first resource version is then the clock
         * in milliseconds, so it is newer than the versions of an earlier server at this address.
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
         * Sets the address to which the server connects instead of the endpoints of a service, for webhooks,
         * conversions and aggregated APIs that run on this machine. The service itself must exist.
         *
         * @param service {@code namespace/name}, or {@code namespace/name:port} for one port of the service
         * @param address the address, which may be unresolved; port 0 stands for the target port of the service
         */
        public Builder serviceAddress(String service, InetSocketAddress address) {
            serviceAddresses.put(service, address);
            return this;
        }

        /**
         * Sets the admission plug-ins of the server. Default: {@link AdmissionSelection#STANDARD}. Every pod then
         * needs a service account, and a claim or a volume has a finalizer. The default of {@link #controllers(List)}
         * brings the account {@code default} of each namespace, and removes the finalizers.
         */
        public Builder admission(AdmissionSelection selection) {
            admission = selection;
            return this;
        }

        /**
         * Sets how the server issues and verifies the tokens of service accounts. Default: {@link
         * TokenSettings#DEFAULT}.
         */
        public Builder tokens(TokenSettings settings) {
            tokens = settings;
            return this;
        }

        /**
         * Sets whether roles decide what clients of the HTTP front end may do, as with kube-apiserver's mode {@code
         * RBAC}. The server then starts with upstream's roles. Default: false, every client may do everything. Clients
         * in the process may send every request.
         */
        public Builder roles(boolean on) {
            roles = on;
            return this;
        }

        /**
         * Sets whether the server starts with upstream's roles even if they decide nothing, as kube-apiserver does.
         * Default: false; they cost a test some milliseconds.
         */
        public Builder standardRoles(boolean on) {
            standardRoles = on;
            return this;
        }

        /**
         * Sets the CA bundle that pods need to verify the server, in PEM. Default: empty. With a bundle and {@link
         * #controllers(List) the default controllers}, each namespace has it in the config map {@code
         * kube-root-ca.crt}.
         */
        public Builder rootCa(String pem) {
            rootCa = pem;
            return this;
        }

        /**
         * Sets the controllers that run beside the {@link #HOUSEKEEPING housekeeping}, by upstream's names and the
         * rules of {@link ControllerSelection}: {@code "*"} for all that are on by default, {@code
         * "-namespace-controller"} to leave one out, {@code "-*"} to leave out all that are not named. Default: no
         * others.
         *
         * <p>The housekeeping is the garbage collector and the controllers of namespaces, resource quotas, the
         * protection of volumes, service accounts and, with a {@link #rootCa}, root CA certificates. They delete the
         * dependents of deleted owners and the content of terminating namespaces, count what quotas limit, release
         * deleted volumes and claims that are not in use, and create the account {@code default} and the config map
         * {@code kube-root-ca.crt} in each namespace.
         *
         * @param entries the names; an empty list, as {@code "-*"}, for a control plane that is served by a controller
         *     manager
         */
        public Builder controllers(List<String> entries) {
            controllers = List.copyOf(entries);
            return this;
        }

        /** Sets the controllers that run beside the housekeeping; see {@link #controllers(List)}. */
        public Builder controllers(String... entries) {
            return controllers(List.of(entries));
        }

        /**
         * Adds a user's own controller, which runs in addition to the named ones.
         *
         * @throws IllegalArgumentException if its name or alias is taken
         */
        public Builder controller(ControllerDescriptor controller) {
            table = table.with(controller);
            own.add(controller.name());
            return this;
        }

        /**
         * Sets the options of single controllers. Default: upstream's, but fewer workers and no delays in the
         * controllers of the default. The service account options come from {@link #tokens} and {@link #rootCa}.
         */
        public Builder controllerOptions(UnaryOperator<ControllerOptions> change) {
            options = change.apply(options);
            return this;
        }

        /** Runs the default of {@link #controllers(List)} if true, and no controller but one's own if false. */
        public Builder garbageCollector(boolean on) {
            controllers = on ? null : List.of();
            return this;
        }

        ControllerSelection selection() {
            List<String> entries = new ArrayList<>(controllers == null ? List.of() : controllers);
            boolean isOnlyNamed = entries.remove(ONLY_NAMED) || (controllers != null && entries.isEmpty());
            if (!isOnlyNamed) {
                entries.addAll(HOUSEKEEPING); // after the names: the first entry about a controller counts
            }
            if (!isOnlyNamed && !rootCa.isEmpty()) {
                entries.add(ROOT_CA_PUBLISHER);
            }
            entries.addAll(own);
            return new ControllerSelection(entries);
        }

        /** Sets whether pods are scheduled and reported as running and ready; no container runs. Default: false. */
        public Builder kubelet(boolean on) {
            kubelet = on ? SimulatedKubelet.Config.DEFAULT : null;
            return this;
        }

        /** Adds a kubelet with this number of nodes, 1 to 100; see {@link #kubelet(boolean)}. */
        public Builder nodes(int count) {
            kubelet = SimulatedKubelet.Config.DEFAULT.withNodes(count);
            return this;
        }

        /**
         * Makes the simulated kubelets renew the leases of their nodes, for a node lifecycle controller outside of this
         * control plane. Default: they do so if this controller is among the {@link #controllers}.
         */
        public Builder heartbeats(boolean on) {
            heartbeats = on;
            return this;
        }

        private SimulatedKubelet.@Nullable Config kubeletConfig() {
            boolean isWatched = heartbeats
                    || table.select(selection()).stream()
                            .anyMatch(controller -> controller.isCalled("node-lifecycle-controller"));
            return kubelet == null || !isWatched ? kubelet : kubelet.withHeartbeat(SimulatedKubelet.Config.HEARTBEAT);
        }

        /**
         * Sets the time of all parts, instead of real time. The clock serves one control plane; the caller closes it.
         */
        public Builder clock(SimulatedClock simulated) {
            clock = simulated;
            return this;
        }

        /**
         * Sets the validation of fields for writes that do not select one: {@code Strict} rejects unknown and duplicate
         * fields, {@code Warn} reports and {@code Ignore} drops them. Default: {@code Warn}, as upstream.
         */
        public Builder fieldValidation(String validation) {
            fieldValidation = validation;
            return this;
        }

        /**
         * Sets a filter that receives every request that the server executes, of clients and of the control plane's
         * parts, after {@link Faults}. A watch that it holds back does not count as work while its reader waits.
         * Default: none.
         */
        @SuppressWarnings("exports") // the types of the filter are for the modules of the server
        public Builder requests(RequestFilter filter) {
            requests = filter;
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
