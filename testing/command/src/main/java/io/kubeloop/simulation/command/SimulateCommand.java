/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.command;

import io.kubeloop.command.Command;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.OptionTable;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.command.Terminal;
import io.kubeloop.command.UsageException;
import io.kubeloop.command.log.Logs;
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
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code kubeloop simulate} runs trials of an operator that is a program. */
public final class SimulateCommand implements Command {

    private static final OptionTable OPTIONS = OptionTable.read(
                    SimulateCommand.class.getResourceAsStream("simulate.tsv"))
            .with(OptionTable.LOG);

    /** The exit code of a run that found nothing, and ended before all planned trials had run. */
    private static final int INCOMPLETE = 3;

    /** The exit code of a run that found nothing, and ended before one trial of each form had begun. */
    private static final int UNTRIED = 4;

    private static final Set<Perturbation> KINDS =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Perturbation.NONE)));

    private final ShutdownSignal signal;

    public SimulateCommand(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public String name() {
        return "simulate";
    }

    @Override
    public String description() {
        return "Runs an operator against a control plane again and again: killed between its writes, without "
                + "some events, with stale data, refused and delayed. Prints each trial that ends in another "
                + "state than the undisturbed run.";
    }

    @Override
    public OptionTable options() {
        return OPTIONS;
    }

    @Override
    public int run(OptionValues values, PrintWriter out, PrintWriter err) {
        Logs.level(values.integer("v"));
        Simulation simulation = simulation(values, err);
        AtomicReference<@Nullable SimulationReport> result = new AtomicReference<>();
        if (!signal.outlasts(() -> result.set(simulation.run()))) {
            return 0;
        }
        SimulationReport report = Objects.requireNonNull(result.get(), "a report");
        out.print(report.text());
        out.flush();
        values.texts("report").forEach(file -> write(Path.of(file), report));
        String trial = values.text("trial");
        if (!trial.isEmpty() && report.total() == 0) {
            throw new CommandException(
                    "cannot run the trial \"" + trial + "\": the workload has no trial of this name among its "
                            + report.planned() + "; a report shows the names",
                    null);
        }
        if (values.bool("live")) {
            report.findings().stream()
                    .filter(finding -> !finding.timeline().isEmpty())
                    .findFirst()
                    .ifPresent(finding -> play(finding, out));
        }
        if (!report.findings().isEmpty()) {
            return 1;
        }
        if (!report.untried().isEmpty()) {
            return UNTRIED;
        }
        return report.isComplete() ? 0 : INCOMPLETE;
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

    private static Simulation simulation(OptionValues values, PrintWriter err) {
        List<String> controllers = values.texts("controllers");
        int nodes = values.integer("nodes");
        Simulation simulation = Simulation.of(Subject.process(List.of("sh", "-c", "exec " + values.text("operator"))))
                .workload(readWorkload(Path.of(values.text("workload"))))
                .perturbations(perturbations(values))
                .budget(values.duration("budget"))
                .calm(values.duration("calm"))
                .seed((Long) values.get("seed"))
                .only(values.text("trial"))
                .progress(new ProgressLine(err, Terminal.isInteractive())::begin)
                .cluster(builder -> {
                    if (!controllers.isEmpty()) {
                        builder.controllers(controllers);
                    }
                    return nodes == 0 ? builder : builder.nodes(nodes);
                });
        values.texts("ignore").forEach(simulation::ignore);
        Path crds = values.file("crds");
        if (crds != null) {
            filesOf(crds).forEach(file -> simulation.definitions(read(file)));
        }
        Path declaration = values.file("declaration");
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

    private static Set<Perturbation> perturbations(OptionValues values) {
        List<String> kinds = List.of(values.text("trials").split(",", -1));
        if (!values.isSet("trials")) {
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
