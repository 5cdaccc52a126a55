/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.simulation.trial.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Proves an operator. It runs a workload without faults, twice, and records what the operator does. Each trial then
 * repeats the workload with one disturbance, and must end in the same state.
 *
 * <pre>{@code
 * Simulation.of(Subject.controller(CODEC, SiteOperator::controller))
 *         .definitions(crds)
 *         .workload(Workload.builder()
 *                 .apply("a site", site)
 *                 .delete("example.com/v1", "Site", "default", "shop")
 *                 .build())
 *         .run()
 *         .assertClean();
 * }</pre>
 *
 * <p>{@link SimulationReport#assertClean} also fails if the budget ran out before all planned trials had run.
 *
 * <p>A failed trial is repeated, and reported only if it fails again. The first failures are repeated with smaller
 * workloads as well, if the clock counts the work of the operator, and the smallest that still fails is reported.
 *
 * <p>Not thread-safe. {@link #run} blocks until all trials have ended.
 */
public final class Simulation {

    private final Subject subject;
    private final List<String> definitions = new ArrayList<>();
    private final List<String> declarations = new ArrayList<>();
    private Workload workload = new Workload(List.of());
    private final Map<String, Invariant> invariants = new LinkedHashMap<>();
    private final Set<String> ignored = new HashSet<>();
    private UnaryOperator<ControlPlane.Builder> cluster = UnaryOperator.identity();
    private Set<Perturbation> kinds = EnumSet.complementOf(EnumSet.of(Perturbation.NONE));
    private Duration budget = Duration.ofMinutes(10);
    private int most = Integer.MAX_VALUE;
    private int mostFindings = Integer.MAX_VALUE;
    private long seed;
    private String only = System.getProperty("kubeloop.trial", "");
    private Duration calm = Duration.ofMillis(200);
    private Consumer<String> progress = trial -> {};
    private LongSupplier nanoTime = System::nanoTime;

    private Simulation(Subject subject) {
        this.subject = subject;
    }

    /** Returns a simulation of an operator, without a workload. */
    public static Simulation of(Subject subject) {
        return new Simulation(Objects.requireNonNull(subject, "subject"));
    }

    /** Adds manifests, in YAML or JSON, that exist before the operator starts, such as definitions of its kinds. */
    public Simulation definitions(String manifests) {
        definitions.add(manifests);
        return this;
    }

    /** Sets what the user does. */
    public Simulation workload(Workload steps) {
        workload = steps;
        return this;
    }

    /**
     * Adds a declaration whose variants are tried: each property that the definition of its kind has, absent, at its
     * bounds, changed and with a value that is not allowed. The kind must be among the {@link #definitions}.
     */
    public Simulation declaration(String manifest) {
        declarations.add(manifest);
        return this;
    }

    /** Adds a condition that holds after every change. */
    public Simulation invariant(String name, Invariant condition) {
        invariants.put(name, condition);
        return this;
    }

    /**
     * Leaves a part of the objects out of the comparison.
     *
     * @param path the end of the path of a member, such as {@code .status.lastSeen}
     */
    public Simulation ignore(String path) {
        ignored.add(path);
        return this;
    }

    /**
     * Changes the settings of the control planes. Default: those of {@link ControlPlane#builder()}, without a kubelet.
     */
    public Simulation cluster(UnaryOperator<ControlPlane.Builder> settings) {
        cluster = settings;
        return this;
    }

    /**
     * Sets the kinds of trials. Default: all.
     *
     * @throws IllegalArgumentException if there is no kind, or {@link Perturbation#NONE} is among them
     */
    public Simulation perturbations(Set<Perturbation> wanted) {
        if (wanted.isEmpty() || wanted.contains(Perturbation.NONE)) {
            throw new IllegalArgumentException("a simulation needs kinds of trials other than NONE, got " + wanted);
        }
        kinds = EnumSet.copyOf(wanted);
        return this;
    }

    /** Sets the time after which no further trial begins. Default: 10 minutes. */
    public Simulation budget(Duration time) {
        budget = time;
        return this;
    }

    /**
     * Sets the largest number of trials. Default: all that the recording gives, and 200 combinations of two
     * disturbances. If the recording gives less than the number, there are more combinations.
     */
    public Simulation trials(int number) {
        most = number;
        return this;
    }

    /** Sets the number of failures after which no further trial begins. Default: no limit. */
    public Simulation stopAfter(int failures) {
        mostFindings = failures;
        return this;
    }

    /** Sets the seed of the combinations. Default: 0. */
    public Simulation seed(long number) {
        seed = number;
        return this;
    }

    /**
     * Runs only the trial of this name, independently of the kinds and the seed. Default: the value of the system
     * property {@code kubeloop.trial}; empty for all. A name that no trial has is refused when the simulation runs,
     * with an {@link IllegalArgumentException}.
     */
    public Simulation only(String trial) {
        only = trial;
        return this;
    }

    /**
     * Sets how long an operator of another library must send nothing, in real time, until it counts as idle. Its
     * retries should come sooner. It has 30 times as long, at least 1 s and at most 6 s, to reach a state. Default: 200
     * ms.
     */
    public Simulation calm(Duration silence) {
        calm = silence;
        return this;
    }

    /** Sets the source of the time that the budget counts, in nanoseconds. */
    Simulation nanoTime(LongSupplier source) {
        nanoTime = source;
        return this;
    }

    /** Sets a listener that receives the name of each trial before it begins. Default: none. */
    public Simulation progress(Consumer<String> listener) {
        progress = listener;
        return this;
    }

    /**
     * Runs the trials and returns the result. Blocks.
     *
     * @throws IllegalStateException if the workload is empty
     */
    public SimulationReport run() {
        Runs runs = runs();
        runs.all().forEach(trial -> {
            var unused = trial.run().get(); // the runs collect what they find
        });
        return runs.report();
    }

    /**
     * Returns the trials one by one, for a test framework that reports each of them; the first one is the reference.
     * Each runs when the caller runs it, before the caller takes the next one. If the budget ends the run before all
     * planned trials, the last one throws an {@link AssertionError} with the report. Blocks for the reference, which
     * runs in this method.
     *
     * @throws IllegalStateException if the workload is empty
     */
    public Stream<Trial> trials() {
        Runs runs = runs();
        return Stream.concat(runs.all(), Stream.of(runs).flatMap(Runs::unfinished));
    }

    private Runs runs() {
        if (workload.steps().isEmpty()) {
            throw new IllegalStateException("a simulation needs a workload with at least one step");
        }
        return new Runs(
                new Setup(subject, definitions, workload, invariants, cluster, calm, false),
                new Runs.Wanted(
                        List.copyOf(declarations),
                        Set.copyOf(ignored),
                        kinds,
                        budget,
                        most,
                        mostFindings,
                        seed,
                        only,
                        progress,
                        nanoTime));
    }
}
