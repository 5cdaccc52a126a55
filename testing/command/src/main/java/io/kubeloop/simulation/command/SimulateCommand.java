/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.command;

import io.kubeloop.command.CommandException;
import io.kubeloop.command.DurationFlag;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.command.Terminal;
import io.kubeloop.command.UsageException;
import io.kubeloop.command.Verbosity;
import io.kubeloop.simulation.Finding;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.Simulation;
import io.kubeloop.simulation.SimulationReport;
import io.kubeloop.simulation.Subject;
import io.kubeloop.simulation.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code kubeloop simulate} runs trials of an operator that is a program. */
@CommandLine.Command(
        name = "simulate",
        description =
                "Runs an operator against a control plane again and again: killed between its writes, without some events, with "
                        + "stale data, refused and delayed. Prints each trial that ends in another state than the undisturbed run.",
        mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {

    private static final Set<Perturbation> KINDS =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Perturbation.NONE)));

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(
            names = "--operator",
            paramLabel = "COMMAND",
            required = true,
            description =
                    "Command of the shell that starts the operator. It gets the variable KUBECONFIG and is killed without "
                            + "a warning.")
    private String operator = "";

    @CommandLine.Option(
            names = "--workload",
            paramLabel = "DIR",
            required = true,
            description =
                    "Folder with manifests. Each file, in the order of the names, is a step: its objects are applied; those "
                            + "of NAME.delete.yaml are deleted.")
    private @Nullable Path workload;

    @CommandLine.Option(
            names = "--crds",
            paramLabel = "DIR",
            description = "Folder with manifests that exist before the operator starts, such as its definitions.")
    private @Nullable Path crds;

    @CommandLine.Option(
            names = "--declaration",
            paramLabel = "FILE",
            description = "Manifest of one custom resource, whose variants are tried.")
    private @Nullable Path declaration;

    @CommandLine.Option(
            names = "--trials",
            paramLabel = "KINDS",
            split = ",",
            description = "Kinds of trials: crash, missed, stale, answers, time, declarations, combined. Default: all.")
    private List<String> kinds = new ArrayList<>();

    @CommandLine.Option(
            names = "--trial",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Runs only the trial of this name, as the report shows it.")
    private String trial = "";

    @CommandLine.Option(
            names = "--budget",
            paramLabel = "DURATION",
            defaultValue = "10m",
            converter = DurationFlag.class,
            description = "No trial begins after this time. Default: ${DEFAULT-VALUE}.")
    private Duration budget = Duration.ofMinutes(10);

    @CommandLine.Option(
            names = "--calm",
            paramLabel = "DURATION",
            defaultValue = "500ms",
            converter = DurationFlag.class,
            description = "The operator is idle when it has sent nothing for this time. Default: ${DEFAULT-VALUE}.")
    private Duration calm = Duration.ofMillis(500);

    @CommandLine.Option(
            names = "--ignore",
            paramLabel = "PATH",
            description = "End of a path that is not compared, such as .status.lastSeen. Repeatable.")
    private List<String> ignored = new ArrayList<>();

    @CommandLine.Option(
            names = "--controllers",
            paramLabel = "NAMES",
            split = ",",
            description =
                    "Controllers that run beside the operator, as for controller-manager. Default: those that delete "
                            + "objects, count quotas and create service accounts.")
    private List<String> controllers = new ArrayList<>();

    @CommandLine.Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "0",
            description = "Number of simulated nodes, 0 to 100. Default: ${DEFAULT-VALUE}, and pods stay pending.")
    private int nodes;

    @CommandLine.Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "0",
            description = "Draws the combinations. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @CommandLine.Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "Writes the report to a file: a page for .html, JUnit's XML for .xml, text otherwise. Repeatable.")
    private List<Path> reports = new ArrayList<>();

    @CommandLine.Option(
            names = "--live",
            description = "Plays the first failed trial on the live page, step by step, until the command is stopped.")
    private boolean live;

    @CommandLine.Mixin
    private final Verbosity verbosity = new Verbosity();

    private final ShutdownSignal signal;

    public SimulateCommand(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public Integer call() {
        verbosity.apply();
        if (nodes < 0 || nodes > 100) {
            throw new UsageException("--nodes must be 0 to 100, got " + nodes);
        }
        Simulation simulation = simulation();
        AtomicReference<@Nullable SimulationReport> result = new AtomicReference<>();
        if (!signal.outlasts(() -> result.set(simulation.run()))) {
            return CommandLine.ExitCode.OK;
        }
        SimulationReport report = Objects.requireNonNull(result.get(), "a report");
        PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        reports.forEach(file -> write(file, report));
        if (!trial.isEmpty() && report.total() == 0) {
            throw new CommandException(
                    "cannot run the trial \"" + trial + "\": the workload has no trial of this name among its "
                            + report.planned() + "; a report shows the names",
                    null);
        }
        if (live) {
            report.findings().stream()
                    .filter(finding -> !finding.timeline().isEmpty())
                    .findFirst()
                    .ifPresent(finding -> play(finding, out));
        }
        return report.findings().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void play(Finding finding, PrintWriter out) {
        try (TrialPlayer player = TrialPlayer.start(finding, 0)) {
            out.println("Live page of the trial " + finding.trial() + ": " + player.page());
            out.flush();
            player.play(signal);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Simulation simulation() {
        Path steps = Objects.requireNonNull(workload, "required by picocli");
        Simulation simulation = Simulation.of(Subject.process(List.of("sh", "-c", "exec " + operator)))
                .workload(readWorkload(steps))
                .perturbations(perturbations())
                .budget(budget)
                .calm(calm)
                .seed(seed)
                .only(trial)
                .progress(new ProgressLine(spec.commandLine().getErr(), Terminal.isInteractive())::begin)
                .cluster(builder -> {
                    if (!controllers.isEmpty()) {
                        builder.controllers(controllers);
                    }
                    return nodes == 0 ? builder : builder.nodes(nodes);
                });
        ignored.forEach(simulation::ignore);
        if (crds != null) {
            filesOf(crds).forEach(file -> simulation.definitions(read(file)));
        }
        if (declaration != null) {
            simulation.declaration(read(declaration));
        }
        return simulation;
    }

    private static Workload readWorkload(Path folder) {
        try {
            return Workload.read(folder);
        } catch (IOException e) {
            throw new UsageException("cannot read --workload " + folder + ": " + e.getMessage());
        }
    }

    private Set<Perturbation> perturbations() {
        if (kinds.isEmpty()) {
            return KINDS;
        }
        Set<Perturbation> wanted = EnumSet.noneOf(Perturbation.class);
        for (String kind : kinds) {
            wanted.add(KINDS.stream()
                    .filter(known -> word(known).equals(kind.strip().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new UsageException("--trials must be one or more of "
                            + KINDS.stream().map(SimulateCommand::word).collect(Collectors.joining(", ")) + ", got \""
                            + kind + "\"")));
        }
        return wanted;
    }

    private static String word(Perturbation kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static List<Path> filesOf(Path folder) {
        if (Files.isRegularFile(folder)) {
            return List.of(folder);
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UsageException("cannot read the folder " + folder + ": " + e.getMessage());
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + ": " + e.getMessage());
        }
    }

    private static void write(Path file, SimulationReport report) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        String text =
                name.endsWith(".html") ? report.html() : name.endsWith(".xml") ? report.junitXml() : report.text();
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new CommandException("cannot write the report to " + file + ": " + e.getMessage(), e);
        }
    }
}
