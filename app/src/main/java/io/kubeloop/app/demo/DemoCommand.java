package io.kubeloop.app.demo;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.Transport;
import io.kubeloop.app.cli.DurationFlag;
import io.kubeloop.app.cli.FailureException;
import io.kubeloop.app.cli.ListenAddress;
import io.kubeloop.app.cli.ShutdownSignal;
import io.kubeloop.app.cli.Verbosity;
import io.kubeloop.app.demo.Convergence.Row;
import io.kubeloop.app.manager.ManagerRun;
import io.kubeloop.app.server.EmbeddedControlPlane;
import io.kubeloop.app.server.KubeconfigFile;
import io.kubeloop.app.server.ManifestApplier;
import io.kubeloop.app.server.ServingOptions;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import io.kubeloop.transport.memory.registry.ResourceRegistry;
import io.kubeloop.transport.protobuf.ProtobufTransport;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code kubeloop demo}: API server, simulated kubelet and controllers in one process, at work on manifests. */
@CommandLine.Command(
        name = "demo",
        description =
                "Runs an API server, a simulated kubelet and all controllers in one process, applies manifests, and shows "
                        + "how they converge.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {

    /** The view is brought up to date no more often than this. */
    private static final Duration REDRAW = Duration.ofMillis(20);

    @CommandLine.Option(
            names = "-f",
            paramLabel = "FILE|DIR|-",
            description = "Manifests to apply; may be repeated. Default: a built-in sample.")
    private List<String> files = List.of();

    @CommandLine.Option(
            names = "--exit-when-settled",
            description = "Ends when every ReplicaSet and ReplicationController has its pods ready and every Service "
                    + "its Endpoints.")
    private boolean exitWhenSettled;

    @CommandLine.Option(
            names = "--settle-timeout",
            paramLabel = "DURATION",
            defaultValue = "2m",
            converter = DurationFlag.class,
            description = "With --exit-when-settled: how long to wait before failing. Default: ${DEFAULT-VALUE}.")
    private Duration settleTimeout = Duration.ofMinutes(2);

    @CommandLine.Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "Port of the API server; 0, the default, picks one.")
    private int port;

    @CommandLine.Option(
            names = "--kubeconfig-out",
            paramLabel = "FILE",
            description = "Where to write the kubeconfig. Default: a new temporary file.")
    private @Nullable Path kubeconfigOut;

    /** For the launcher: the class archive of such a run also holds the HTTP client of the controller manager. */
    @CommandLine.Option(names = "--controllers-over-http", hidden = true)
    private boolean overHttp;

    @CommandLine.Mixin
    private final ServingOptions servingOptions = new ServingOptions();

    @CommandLine.Mixin
    private final Verbosity verbosity = new Verbosity();

    private final ShutdownSignal signal;
    private final PrintStream out = System.out;
    private final long start = System.nanoTime();

    public DemoCommand(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        verbosity.apply();
        ListenAddress.checkPort("--port", port);
        ServingOptions.Serving serving = servingOptions.read();
        List<JsonObject> manifests = files.isEmpty() ? sample() : ManifestApplier.read(files, System.in);
        ProgressView view = new ProgressView(out, Terminal.isInteractive());
        try (EmbeddedControlPlane plane = EmbeddedControlPlane.start(serving.at("127.0.0.1", port), true, true)) {
            ManifestApplier applier =
                    new ManifestApplier(plane.transport(), JsonCodec.standard(), ResourceRegistry.builtIn());
            applier.check(manifests);
            Path kubeconfig = kubeconfigOut == null ? Files.createTempFile("kubeloop-", ".kubeconfig") : kubeconfigOut;
            try {
                KubeconfigFile.write(kubeconfig, plane.url(), serving.certificates(), serving.token());
                view.phase(elapsed(), "API server is listening on " + plane.url());
                return run(plane, applier, manifests, kubeconfig, view);
            } finally {
                if (kubeconfigOut == null) {
                    Files.deleteIfExists(kubeconfig);
                }
            }
        }
    }

    private int run(
            EmbeddedControlPlane plane,
            ManifestApplier applier,
            List<JsonObject> manifests,
            Path kubeconfig,
            ProgressView view) {
        try (Transport transport = overHttp ? http(plane) : plane.transport();
                ManagerRun manager = ManagerRun.inProcess(transport)) {
            view.phase(elapsed(), "controllers are running: " + String.join(", ", manager.controllers()));
            Map<String, Integer> created = applier.create(manifests);
            view.phase(elapsed(), "applied " + (created.isEmpty() ? "nothing" : describe(created)));
            SharedInformerFactory informers = manager.informers();
            Semaphore changes = new Semaphore(0);
            signal.onAsked(changes::release);
            Convergence convergence = observe(informers, changes);
            if (!exitWhenSettled) {
                out.println("           join in: kubectl --kubeconfig " + kubeconfig + " get pods,endpoints");
                out.println("           Ctrl-C ends the demo");
            }
            return watch(view, convergence, changes, new ExpectedRows(manifests));
        }
    }

    private static Transport http(EmbeddedControlPlane plane) {
        return new ProtobufTransport(OkHttpTransport.create(
                ClientConfig.of(plane.url()).withRateLimit(Integer.MAX_VALUE, Integer.MAX_VALUE)));
    }

    private static List<JsonObject> sample() throws IOException {
        try (InputStream in = DemoCommand.class.getResourceAsStream("sample.yaml")) {
            return Manifests.read(
                    "the built-in sample", Objects.requireNonNull(in, "sample.yaml is missing from the build"));
        }
    }

    private static String describe(Map<String, Integer> created) {
        return created.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey()
                        + (e.getValue() == 1 || e.getKey().endsWith("s") ? "" : "s"))
                .collect(Collectors.joining(", "));
    }

    /** Watches everything that the view shows, and hands out a permit when something has changed. */
    private static Convergence observe(SharedInformerFactory informers, Semaphore changes) {
        Runnable changed = () -> {
            if (changes.availablePermits() == 0) {
                changes.release();
            }
        };
        ResourceEventHandler<KubeObject> handler = ResourceEventHandler.forKeys(key -> changed.run());
        informers.informer(ResourceTypes.REPLICA_SETS).addHandler(handler);
        informers.informer(ResourceTypes.REPLICATION_CONTROLLERS).addHandler(handler);
        informers.informer(ResourceTypes.SERVICES).addHandler(handler);
        informers.informer(ResourceTypes.ENDPOINTS).addHandler(handler);
        informers.informer(ResourceTypes.PODS).addHandler(handler);
        return Convergence.of(informers);
    }

    /** Shows changes until the end is asked for or, if so wished, everything has settled. */
    private int watch(ProgressView view, Convergence convergence, Semaphore changes, ExpectedRows expected) {
        long deadline = System.nanoTime() + settleTimeout.toNanos();
        boolean announced = false;
        while (!signal.isAsked()) {
            changes.drainPermits();
            List<Row> rows = convergence.rows();
            boolean settled = expected.areAllIn(rows) && rows.stream().allMatch(Row::settled);
            if (settled && !announced) {
                view.show(elapsed(), rows);
                view.phase(elapsed(), "settled");
                view.result(rows);
                announced = true;
                if (exitWhenSettled) {
                    return CommandLine.ExitCode.OK;
                }
            } else {
                view.show(elapsed(), rows);
                announced &= settled;
            }
            if (exitWhenSettled && System.nanoTime() - deadline > 0) {
                throw new FailureException(
                        "not settled after " + settleTimeout.toSeconds() + " s: "
                                + rows.stream()
                                        .filter(row -> !row.settled())
                                        .map(row -> row.kind() + " " + row.name())
                                        .collect(Collectors.joining(", ")),
                        null);
            }
            awaitChange(changes, deadline);
        }
        return CommandLine.ExitCode.OK;
    }

    /** Waits for a change, or the end of patience; then a little more, so that a burst of changes is shown once. */
    private void awaitChange(Semaphore changes, long deadline) {
        try {
            if (exitWhenSettled) {
                changes.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } else {
                changes.acquire();
            }
            signal.await(REDRAW);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            signal.ask();
        }
    }

    private long elapsed() {
        return (System.nanoTime() - start) / 1_000_000;
    }

    /** The objects that were applied: nothing has settled before the caches know them all. */
    private record ExpectedRows(List<JsonObject> manifests) {

        boolean areAllIn(List<Row> rows) {
            for (String kind : List.of("ReplicaSet", "ReplicationController", "Service")) {
                long applied = manifests.stream()
                        .filter(m -> m.string("kind").equals(kind))
                        .filter(m -> !kind.equals("Service")
                                || !m.object("spec", "selector").isEmpty())
                        .count();
                if (rows.stream().filter(row -> row.kind().equals(kind)).count() < applied) {
                    return false;
                }
            }
            return true;
        }
    }
}
