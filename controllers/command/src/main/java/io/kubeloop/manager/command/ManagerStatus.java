/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.Transport;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.metrics.InformerMetricsProvider;
import io.kubeloop.command.CommandException;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.leaderelection.LeaderElectionMetrics;
import io.kubeloop.controller.leaderelection.LeaderElector;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.ControllerManager;
import io.kubeloop.manager.command.pages.HealthPage.Check;
import io.kubeloop.manager.command.pages.HealthSlis;
import io.kubeloop.manager.command.pages.InformerErrors;
import io.kubeloop.manager.command.pages.ManagerHttp;
import io.kubeloop.manager.command.pages.Profiling;
import io.kubeloop.micrometer.MicrometerControllerMetrics;
import io.kubeloop.micrometer.MicrometerElectionMetrics;
import io.kubeloop.micrometer.MicrometerInformerMetrics;
import io.kubeloop.micrometer.MicrometerQueueMetrics;
import io.kubeloop.micrometer.MicrometerRequestMetrics;
import io.kubeloop.transport.http.RequestMetricsProvider;
import io.kubeloop.workqueue.QueueMetricsProvider;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collects the metrics and the state of a controller manager and, if a port is set, serves them over HTTP.
 *
 * <p>Thread-safe: the threads that run terms write concurrent lists, and the threads of the HTTP server read them.
 */
final class ManagerStatus implements AutoCloseable {

    private static final String JSON = "application/json";
    private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    /** The gauge that the registry adds to each timer and summary. */
    private static final Pattern GREATEST = Pattern.compile("(?m)^(?:# (?:HELP|TYPE) )?\\w+_max[ {].*\n");

    /** Histograms of each informer that the original's page does not have; they would be a third of the page. */
    private static final Set<String> OMITTED = Set.of(
            "reflector_list_duration_seconds",
            "reflector_items_per_list",
            "reflector_watch_duration_seconds",
            "reflector_items_per_watch");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MicrometerInformerMetrics informerMetrics = new MicrometerInformerMetrics(registry);
    private final MicrometerControllerMetrics controllerMetrics = new MicrometerControllerMetrics(registry);
    private final HealthSlis slis = new HealthSlis("healthz");
    private final ComponentStatus component;
    private final RequestMetricsProvider requestMetrics = new MicrometerRequestMetrics(registry);
    private final ManagerSettings settings;
    private final @Nullable SecurePages secure;
    private final @Nullable ManagerHttp http;
    private final ManagerObserver observer;

    /** The managers whose controllers run: one, and during a leader migration a second one. */
    private final List<ControllerManager> runs = new CopyOnWriteArrayList<>();

    /** The names of the controllers of these managers. */
    private final List<String> names = new CopyOnWriteArrayList<>();

    private final List<Candidacy> candidacies = new CopyOnWriteArrayList<>();

    /** The lease and the elector that takes part in its election. */
    private record Candidacy(ObjectName lease, LeaderElector elector) {

        String state() {
            String leader = elector.getLeader();
            return elector.isLeading()
                    ? "leading with the lease " + lease
                    : "waiting for the lease " + lease + (leader.isEmpty() ? "" : ", held by " + leader);
        }
    }

    private ManagerStatus(ManagerSettings settings, ManagerObserver.Factory observers) {
        this.settings = settings;
        this.component = new ComponentStatus(settings.values());
        List<String> disabled = settings.values().texts("disabled-metrics");
        NamingConvention names = registry.config().namingConvention();
        registry.config().meterFilter(MeterFilter.deny(meter -> {
            String name = meter.getConventionName(names);
            return OMITTED.contains(name) || disabled.contains(name) || disabled.contains(name + "_total");
        }));
        ProcessMetrics.register(registry);
        observer = observers.observe(new ManagerObserver.Observed(
                informerMetrics,
                new MicrometerQueueMetrics(registry),
                controllerMetrics,
                this::about,
                () -> runs.isEmpty() ? null : runs.get(0).informers()));
        secure = serveSecurely();
        try {
            http = settings.httpPort() == 0 ? null : serve();
        } catch (RuntimeException e) {
            if (secure != null) {
                secure.close();
            }
            throw e;
        }
    }

    /**
     * Creates the status and starts the HTTP servers whose ports the flags set.
     *
     * @throws CommandException if the server cannot listen on the port
     */
    static ManagerStatus start(ManagerSettings settings, ManagerObserver.Factory observers) {
        return new ManagerStatus(settings, observers);
    }

    private ManagerHttp serve() {
        ManagerHttp pages = pages(ManagerHttp.bind(settings.httpAddress(), settings.httpPort()));
        if (settings.livePage()) {
            observer.addTo(pages, settings.isBoundToLoopback());
        }
        return pages.start();
    }

    /** Returns the address of the observer's page; null if there is none. */
    @Nullable
    URI livePage() {
        return http == null || !settings.livePage()
                ? null
                : observer.address(URI.create("http://" + settings.httpHost() + ":" + http.port() + "/"));
    }

    private @Nullable SecurePages serveSecurely() {
        SecurePages secure = SecurePages.bind(settings.values());
        if (secure != null) {
            pages(secure.http()).page("/debug/controllers", JSON, this::controllers);
            if (settings.values().bool("profiling")) {
                Profiling.addTo(secure.http());
            }
            secure.http().start();
        }
        return secure;
    }

    private ManagerHttp pages(ManagerHttp server) {
        Check synced = new Check("informer-sync", this::syncProblem, this::syncRemark);
        if (FeatureGates.isOn(settings.values(), "ComponentStatusz")) {
            server.route("/statusz", component.status());
        }
        if (FeatureGates.isOn(settings.values(), "ComponentFlagz")) {
            server.route("/flagz", component.flags());
        }
        return server.health("/healthz", this::checks)
                .health("/livez", this::checks)
                .health("/readyz", () -> List.of(Check.ping("ping"), synced))
                .page("/metrics", TEXT_FORMAT, this::metrics)
                .page("/metrics/slis", TEXT_FORMAT, slis::text)
                .page("/configz", JSON, () -> Configz.json(settings.values()));
    }

    /** The checks of the original, with its names: that of the election, and one for each running controller. */
    private List<Check> checks() {
        Stream<Check> election =
                candidacies.isEmpty() ? Stream.empty() : Stream.of(new Check("leaderElection", this::electionProblem));
        return Stream.concat(election, names.stream().map(Check::ping))
                .map(slis::counting)
                .toList();
    }

    /** The running controllers, with the objects that their informers hold. */
    private byte[] controllers() {
        JsonObject informers = JsonObject.EMPTY;
        for (InformerHealth health : informers()) {
            informers = informers.with(
                    health.name(),
                    JsonObject.EMPTY
                            .with("objects", health.objects())
                            .with("synced", health.synced())
                            .with("error", InformerErrors.currentError(health)));
        }
        return JsonObject.EMPTY
                .with("state", state())
                .with("controllers", JsonArray.ofStrings(names))
                .with("informers", informers)
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    private List<InformerHealth> informers() {
        return runs.stream().flatMap(run -> run.informers().health().stream()).toList();
    }

    /**
     * Looks up the authorities of the clients of the pages, once the API server answers.
     *
     * @throws CommandException if the server refuses that
     */
    void lookUpAuthorities() {
        if (secure != null) {
            secure.lookUp();
        }
    }

    private String electionProblem() {
        return candidacies.stream()
                .filter(candidacy -> !candidacy.elector().isHealthy(LeaderElector.TOLERANCE))
                .map(candidacy -> "cannot renew the lease " + candidacy.lease() + "; the log has the error")
                .collect(Collectors.joining(", "));
    }

    private String syncProblem() {
        if (runs.isEmpty()) {
            // A candidate that waits for the lease is ready.
            return candidacies.isEmpty() ? "the controllers have not started" : "";
        }
        return InformerErrors.notSynced(informers());
    }

    /** Controllers still read a stale cache, so it does not make the manager unready. */
    private String syncRemark() {
        String failing = InformerErrors.failing(informers());
        return failing.isEmpty() ? "" : "failing: " + failing;
    }

    /** Returns the page of the metrics, in the text format of Prometheus. */
    byte[] metrics() {
        informerMetrics.refreshHandlers();
        String page = GREATEST.matcher(registry.scrape()).replaceAll("");
        return controllerMetrics.typed(page).getBytes(StandardCharsets.UTF_8);
    }

    private JsonObject about() {
        JsonObject about = JsonObject.EMPTY.with("state", state());
        if (candidacies.isEmpty()) {
            return about;
        }
        Candidacy first = candidacies.get(0);
        return about.with(
                "lease",
                JsonObject.EMPTY
                        .with("name", first.lease().toString())
                        .with("holder", first.elector().getLeader())
                        .with("leading", first.elector().isLeading()));
    }

    private String state() {
        if (candidacies.isEmpty()) {
            return runs.isEmpty() ? "starting" : "running, without leader election";
        }
        return candidacies.stream().map(Candidacy::state).collect(Collectors.joining("; "));
    }

    /** Returns the receiver of the metrics of work queues. */
    QueueMetricsProvider queueMetrics() {
        return observer.queues();
    }

    /** Returns the receiver of the metrics of informers. */
    InformerMetricsProvider informerMetrics() {
        return observer.informers();
    }

    /** Returns the receiver of the metrics of controllers. */
    ControllerMetrics controllerMetrics() {
        return observer.controllers();
    }

    /** Returns a transport that the observer sees. */
    Transport observe(Transport transport) {
        return observer.observe(transport);
    }

    /** Returns the metrics of requests. */
    RequestMetricsProvider requestMetrics() {
        return requestMetrics;
    }

    /** Returns the metrics of the elector. */
    LeaderElectionMetrics electionMetrics(ObjectName lease) {
        return new MicrometerElectionMetrics(registry, lease.name());
    }

    /** Records that this process takes part in an election. */
    void takesPart(ObjectName lease, LeaderElector elector) {
        candidacies.add(new Candidacy(lease, elector));
    }

    /** Records that controllers run. */
    void running(ControllerManager started) {
        runs.add(started);
        names.addAll(started.controllers());
    }

    /** Records that controllers have stopped. */
    void stopped() {
        runs.clear();
        names.clear();
    }

    @Override
    public void close() {
        if (secure != null) {
            secure.close();
        }
        if (http != null) {
            http.close();
        }
    }
}
