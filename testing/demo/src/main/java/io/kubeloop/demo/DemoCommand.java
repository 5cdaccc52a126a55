/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.command.KubeconfigFile;
import io.kubeloop.apiserver.command.ManifestApplier;
import io.kubeloop.apiserver.command.ServingAuthority;
import io.kubeloop.apiserver.command.ServingOptions;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.command.Command;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.OptionTable;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.command.Terminal;
import io.kubeloop.command.log.Logs;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.demo.Convergence.Row;
import io.kubeloop.demo.lessons.LiveDemo;
import io.kubeloop.demo.live.LiveView;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.ProtobufCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import io.kubeloop.manager.ControllerManager;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code kubeloop demo} runs API server, simulated kubelet and controllers in one process, applies manifests, and
 * explains what happens.
 */
public final class DemoCommand implements Command {

    private static final OptionTable OPTIONS = OptionTable.read(DemoCommand.class.getResourceAsStream("demo.tsv"))
            .with(ServingOptions.TABLE)
            .with(OptionTable.LOG);

    /** The shortest time between two updates of the view. */
    private static final Duration REDRAW = Duration.ofMillis(20);

    /** The time between two updates of the stages of a terminal. */
    private static final Duration STAGES = Duration.ofMillis(500);

    private final ShutdownSignal signal;
    private final long start = System.nanoTime();
    private String authority = "";
    private OptionValues values;
    private ProgressView view;
    private PrintWriter out;

    /** Creates the command; the signal ends it. */
    @SuppressWarnings("NullAway.Init") // run() sets the view
    public DemoCommand(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public String name() {
        return "demo";
    }

    @Override
    public String description() {
        return "Runs an API server, a simulated kubelet and all controllers in one process, applies manifests, "
                + "and explains what each part does.";
    }

    @Override
    public OptionTable options() {
        return OPTIONS;
    }

    @Override
    public int run(OptionValues given, PrintWriter output, PrintWriter err) throws IOException {
        Logs.level(given.integer("v"));
        values = given;
        out = output;
        view = new ProgressView(out, Terminal.isInteractive());
        ServingOptions.Serving serving = ServingOptions.read(values);
        authority = ServingAuthority.of(serving.certificates());
        List<String> files = values.texts("f");
        List<JsonObject> manifests = files.isEmpty() ? sample() : ManifestApplier.read(files, System.in);
        int port = values.integer("port");
        if (exitWhenSettled() || overHttp()) {
            ControlPlane.Builder builder = ControlPlane.builder()
                    .http(serving.at("127.0.0.1", port))
                    .rootCa(serving.certificates())
                    .roles(serving.roles())
                    .controllers(overHttp() ? List.of() : List.of("*"))
                    .kubelet(true)
                    .heartbeats(true);
            serving.services().forEach(builder::serviceAddress);
            try (ControlPlane plane = builder.start()) {
                run(plane, null, serving, manifests);
            }
        } else {
            try (LiveDemo live = LiveDemo.start(serving, port, values.integer("page-port"))) {
                run(live.plane(), live, serving, manifests);
            }
        }
        return 0;
    }

    private boolean exitWhenSettled() {
        return values.bool("exit-when-settled");
    }

    /** For the launcher: the class archive of such a run also holds the HTTP client of the controller manager. */
    private boolean overHttp() {
        return values.bool("controllers-over-http");
    }

    private void run(
            ControlPlane plane, @Nullable LiveDemo live, ServingOptions.Serving serving, List<JsonObject> manifests)
            throws IOException {
        ManifestApplier applier = new ManifestApplier(
                plane.transport(),
                JsonCodec.standard(),
                plane.server().backend().registry());
        applier.check(manifests);
        Path kubeconfigOut = values.file("kubeconfig-out");
        Path kubeconfig = kubeconfigOut == null ? Files.createTempFile("kubeloop-", ".kubeconfig") : kubeconfigOut;
        try {
            KubeconfigFile.write(kubeconfig, plane.uri().toString(), authority, serving.token());
            if (live == null) {
                run(plane, applier, manifests, kubeconfig);
            } else {
                run(live, applier, manifests, kubeconfig);
            }
        } finally {
            if (kubeconfigOut == null) {
                Files.deleteIfExists(kubeconfig);
            }
        }
    }

    /** Observes through informers of its own, because those of the managers end with their lease. */
    @SuppressWarnings("try") // the view and the keys are only opened and closed
    private void run(LiveDemo live, ManifestApplier applier, List<JsonObject> manifests, Path kubeconfig) {
        ControlPlane plane = live.plane();
        try (KubeClient client = plane.client();
                SharedInformerFactory informers = plane.informers(client)) {
            List<String> names = live.awaitInformers();
            DemoGuide.parts(plane.uri().toString(), live.page().toString(), names)
                    .forEach(out::println);
            if (Terminal.isInteractive()) {
                view.footer(() -> List.of("", live.view().line(), DemoKeys.HELP));
                try (LiveView.Watching watching = live.view().watch();
                        TerminalKeys keys = TerminalKeys.open(System.in, key -> pressed(live, key))) {
                    observe(informers, applier, manifests, kubeconfig);
                }
            } else {
                observe(informers, applier, manifests, kubeconfig);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(ControlPlane plane, ManifestApplier applier, List<JsonObject> manifests, Path kubeconfig) {
        String url = plane.uri().toString();
        if (!overHttp()) {
            guided(url, plane.controllerInformers(), applier, manifests, kubeconfig);
            return;
        }
        try (Transport http = OkHttpTransport.create(
                        ClientConfig.of(url).withRateLimit(Integer.MAX_VALUE, Integer.MAX_VALUE));
                ControllerManager manager = ControllerManager.builder(
                                KubeClient.of(http, ProtobufCodec.of(JsonCodec.standard())))
                        .start()) {
            guided(url, manager.informers(), applier, manifests, kubeconfig);
        }
    }

    private static void pressed(LiveDemo live, int key) {
        JsonObject command = DemoKeys.command(key, live.faults());
        if (command != null) {
            live.execute(command);
        }
    }

    private void guided(
            String url,
            SharedInformerFactory informers,
            ManifestApplier applier,
            List<JsonObject> manifests,
            Path kubeconfig) {
        Convergence.of(informers);
        DemoGuide.parts(
                        url,
                        "",
                        informers.health().stream().map(InformerHealth::name).toList())
                .forEach(out::println);
        observe(informers, applier, manifests, kubeconfig);
    }

    /** Applies the manifests and shows what the controllers do, until the end. */
    private void observe(
            SharedInformerFactory informers, ManifestApplier applier, List<JsonObject> manifests, Path kubeconfig) {
        Convergence convergence = Convergence.of(informers);
        Narrator narrator = new Narrator(line -> view.phase(elapsed(), line));
        ClusterFeed feed = ClusterFeed.open(informers, convergence, narrator);
        informers.start(); // those that no controller has
        signal.onAsked(feed::wake);
        Map<String, Integer> created = applier.create(manifests);
        view.phase(elapsed(), "demo: applied " + (created.isEmpty() ? "nothing" : describe(created)));
        watch(feed, convergence, new ExpectedRows(manifests), kubeconfig);
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

    /** Shows changes until the shutdown signal or, with {@code --exit-when-settled}, until everything has settled. */
    private void watch(ClusterFeed feed, Convergence convergence, ExpectedRows expected, Path kubeconfig) {
        long deadline = System.nanoTime() + values.duration("settle-timeout").toNanos();
        boolean announced = false;
        boolean guided = false;
        while (!signal.isAsked()) {
            feed.drain();
            List<Row> rows = convergence.rows();
            view.show(elapsed(), rows);
            boolean settled =
                    (guided || expected.areAllIn(rows)) && rows.stream().allMatch(Row::settled);
            if (settled && !announced) {
                feed.catchUp();
                view.phase(elapsed(), "demo: settled, every object has what it requests");
                view.result(rows);
                if (exitWhenSettled()) {
                    DemoGuide.afterwards().forEach(out::println);
                    return;
                }
                if (!guided) {
                    DemoGuide.meanwhile(kubeconfig, rows, convergence).forEach(out::println);
                    guided = true;
                }
            }
            announced = settled;
            if (exitWhenSettled() && System.nanoTime() - deadline > 0) {
                throw new CommandException(
                        "the demo did not settle within "
                                + values.duration("settle-timeout").toSeconds() + " s; unsettled: " + unsettled(rows),
                        null);
            }
            awaitChange(feed, deadline);
        }
    }

    private static String unsettled(List<Row> rows) {
        return rows.stream()
                .filter(row -> !row.settled())
                .map(row -> row.kind() + " " + row.name())
                .collect(Collectors.joining(", "));
    }

    /** Blocks until a change, or the deadline; then a little longer, so a burst of changes is shown once. */
    private void awaitChange(ClusterFeed feed, long deadline) {
        try {
            long longest = Terminal.isInteractive() ? STAGES.toNanos() : Long.MAX_VALUE;
            feed.await(exitWhenSettled() ? deadline - System.nanoTime() : longest);
            signal.await(REDRAW);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            signal.ask();
        }
    }

    private long elapsed() {
        return (System.nanoTime() - start) / 1_000_000;
    }

    /** The objects that were applied. Nothing has settled before the caches hold all of them. */
    private record ExpectedRows(List<JsonObject> manifests) {

        private static final List<String> KINDS = Stream.concat(
                        Owner.KINDS.stream().map(kind -> kind.type().kind()), Stream.of("Service"))
                .toList();

        boolean areAllIn(List<Row> rows) {
            for (String kind : KINDS) {
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
