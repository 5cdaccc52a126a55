/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.simulation.declaration.Declaration;
import io.kubeloop.simulation.disturbance.TrialPlanner;
import io.kubeloop.simulation.trial.DeclarationTrials;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Outcome;
import io.kubeloop.simulation.trial.Setup;
import io.kubeloop.simulation.trial.TrialRun;
import io.kubeloop.simulation.trial.TrialVerdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
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

    /** Combinations of two disturbances, unless more trials are wanted. */
    private static final int PAIRS = 200;

    /** Failures whose workload is made smaller. */
    private static final int SHRUNK = 3;

    private static final String DECLARATION = "declaration: ";

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
        Runs runs = new Runs(setup());
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
        Runs runs = new Runs(setup());
        return Stream.concat(runs.all(), Stream.of(runs).flatMap(Runs::unfinished));
    }

    private Setup setup() {
        if (workload.steps().isEmpty()) {
            throw new IllegalStateException("a simulation needs a workload with at least one step");
        }
        return new Setup(subject, definitions, workload, invariants, cluster, calm, false);
    }

    /** The runs of one simulation. Confined to one thread at a time. */
    private final class Runs {

        private final long began = System.nanoTime();
        private Setup setup;
        private final List<Finding> findings = new ArrayList<>();
        private final Map<Perturbation, Integer> trials = new EnumMap<>(Perturbation.class);
        private final List<String> unreached = new ArrayList<>();
        private final List<String> late = new ArrayList<>();
        private final Set<String> unstable = new LinkedHashSet<>();
        private final List<String> withoutEffect = new ArrayList<>();
        private final Map<Disturbance, Outcome> references = new HashMap<>();
        private int planned;

        Runs(Setup setup) {
            this.setup = setup;
        }

        SimulationReport report() {
            return new SimulationReport(
                    findings,
                    trials,
                    unreached,
                    late,
                    List.copyOf(unstable),
                    withoutEffect,
                    Math.min(planned, most),
                    elapsed());
        }

        /** Runs the reference, and returns all trials. */
        Stream<Trial> all() {
            progress.accept(Disturbance.NONE.name());
            Predicate<String> stable = ignoring(unstable);
            Outcome reference = TrialRun.of(setup, Disturbance.NONE, null, stable);
            // What never rests needs no second run to be a failure.
            Outcome again =
                    TrialRun.isEndless(reference) ? reference : TrialRun.of(setup, Disturbance.NONE, null, stable);
            boolean isWarm =
                    subject.isCounted() || reference.unstable(again, stable).isEmpty();
            if ((!isWarm || !isGood(reference)) && isGood(again)) {
                reference = again; // the first start of an operator is the slowest: its states may be read too early
                again = TrialRun.of(setup, Disturbance.NONE, null, stable);
            }
            if (reference.failures().isEmpty()) {
                unstable.addAll(reference.unstable(again, stable));
                if (subject.isCounted()) {
                    reference = paced(reference, stable);
                }
            }
            references.put(Disturbance.NONE, reference);
            Trial first = reference(reference);
            if (!reference.failures().isEmpty()) {
                return Stream.of(first);
            }
            int pairs = most == Integer.MAX_VALUE ? PAIRS : Math.max(PAIRS, most);
            int steps = setup.workload().steps().size();
            List<Disturbance> plan = only.isEmpty()
                    ? TrialPlanner.plan(reference.recording(), steps, kinds, seed, pairs)
                    : TrialPlanner.named(only, reference.recording(), steps).stream()
                            .toList();
            if (!only.isEmpty() && plan.isEmpty() && !only.startsWith(DECLARATION)) {
                throw new IllegalArgumentException(
                        "no trial is named \"" + only + "\": the undisturbed run has no such write, event or step");
            }
            planned += plan.size();
            Stream<Trial> disturbed =
                    plan.stream().map(each -> new Trial(each.name(), each.kind(), () -> disturbed(each, stable)));
            Stream<Trial> declared = kinds.contains(Perturbation.DECLARATIONS)
                    ? declarations.stream().flatMap(manifest -> declared(manifest, stable))
                    : Stream.empty();
            Stream<Trial> wanted = Stream.concat(disturbed, declared).takeWhile(trial -> !isOver());
            return Stream.concat(Stream.of(first), wanted);
        }

        private boolean isWanted(Trial trial) {
            return only.isEmpty() || only.equals(trial.name());
        }

        /** Returns a trial that fails if the budget ran out before all others had run; none otherwise. */
        Stream<Trial> unfinished() {
            String text = report().text();
            return report().isComplete() || findings.size() >= mostFindings
                    ? Stream.empty()
                    : Stream.of(new Trial("all planned trials", Perturbation.NONE, () -> {
                        throw new AssertionError(text);
                    }));
        }

        private static boolean isGood(Outcome reference) {
            return TrialVerdict.ofReference(reference).isGood();
        }

        private Trial reference(Outcome reference) {
            TrialVerdict verdict = TrialVerdict.ofReference(reference);
            return new Trial(
                    Disturbance.NONE.name(),
                    Perturbation.NONE,
                    () -> verdict.isGood()
                            ? Optional.empty()
                            : Optional.of(add(Disturbance.NONE, verdict, reference, setup.workload())));
        }

        /** Returns a slow reference, and sets the pace of all runs, if time alone changes what the reference shows. */
        private Outcome paced(Outcome reference, Predicate<String> stable) {
            Outcome slow = TrialRun.of(setup.paced(), Disturbance.NONE, null, stable);
            boolean isFast = reference.isSteady(stable)
                    && isGood(reference)
                    && reference.unstable(slow, stable).isEmpty();
            if (isFast) {
                return reference;
            }
            setup = setup.paced();
            unstable.addAll(slow.unstable(TrialRun.of(setup, Disturbance.NONE, null, stable), stable));
            return slow;
        }

        /** Returns the settings of runs that can be compared with a reference. */
        private Setup comparable(Outcome reference, Predicate<String> ignoring) {
            boolean isFit = setup.isPaced() || !subject.isCounted() || reference.isSteady(ignoring);
            return isFit ? setup : setup.paced();
        }

        private Duration elapsed() {
            return Duration.ofNanos(System.nanoTime() - began);
        }

        private boolean isOver() {
            return elapsed().compareTo(budget) > 0
                    || findings.size() >= mostFindings
                    || trials.values().stream().mapToInt(Integer::intValue).sum() + unreached.size() >= most;
        }

        private Stream<Trial> declared(String manifest, Predicate<String> ignoring) {
            DeclarationTrials variants = new DeclarationTrials(setup, manifest, ignoring);
            List<Declaration> all = variants.declarations();
            Trial deletion = declaration("deletion", "asked to delete a declaration", variants::leftBehind);
            Stream<Trial> each = all.stream()
                    .map(variant -> declaration(
                            variant.name(),
                            "given a declaration with " + variant.path() + " " + variant.change(),
                            () -> problems(variants, variant)));
            List<Trial> wanted = Stream.concat(Stream.of(deletion), each)
                    .filter(this::isWanted)
                    .toList();
            planned += wanted.size();
            return wanted.stream();
        }

        private List<String> problems(DeclarationTrials variants, Declaration declaration) {
            DeclarationTrials.Result result = variants.run(declaration);
            if (!result.hasEffect() && !withoutEffect.contains(declaration.name())) {
                withoutEffect.add(declaration.name());
            }
            return result.problems();
        }

        private Trial declaration(String name, String story, Supplier<List<String>> run) {
            String trial = DECLARATION + name;
            return new Trial(trial, Perturbation.DECLARATIONS, () -> {
                progress.accept(trial);
                List<String> problems = run.get();
                if (!problems.isEmpty()) {
                    problems = run.get();
                }
                trials.merge(Perturbation.DECLARATIONS, 1, Integer::sum);
                if (problems.isEmpty()) {
                    return Optional.empty();
                }
                Finding finding = new Finding(trial, Perturbation.DECLARATIONS, story, problems, List.of(), List.of());
                findings.add(finding);
                return Optional.of(finding);
            });
        }

        private Optional<Finding> disturbed(Disturbance disturbance, Predicate<String> ignoring) {
            progress.accept(disturbance.name());
            Outcome reference = references.computeIfAbsent(
                    disturbance.reference(), each -> TrialRun.of(setup, each, null, ignoring));
            Outcome outcome = TrialRun.of(setup, disturbance, reference, ignoring);
            if (!outcome.circumstances().equals(reference.circumstances())) {
                unreached.add(disturbance.name()); // the other half of a pair kept the user from it
                return Optional.empty();
            }
            TrialVerdict verdict = TrialVerdict.of(reference, outcome, disturbance, ignoring);
            if (!verdict.isGood()) {
                // A false alarm is worse than a miss: only what fails twice is reported, and each time beside a
                // reference of its own, because what is unstable may differ once in many runs.
                Setup paced = comparable(reference, ignoring);
                Outcome again = TrialRun.of(paced, disturbance.reference(), null, ignoring);
                List<String> further = paced == setup ? reference.unstable(again, ignoring) : List.of();
                if (disturbance.reference() == Disturbance.NONE) {
                    unstable.addAll(further);
                }
                Predicate<String> stable = ignoring.or(further::contains);
                outcome = TrialRun.of(paced, disturbance, again, stable);
                verdict = TrialVerdict.of(again, outcome, disturbance, stable);
            }
            if (!outcome.hasMet() && verdict.isGood()) {
                unreached.add(disturbance.name());
                return Optional.empty();
            }
            trials.merge(disturbance.kind(), 1, Integer::sum);
            if (verdict.isGood()) {
                if (outcome.isLate()) {
                    late.add(disturbance.name());
                }
                return Optional.empty();
            }
            Workload smallest = findings.size() < SHRUNK && subject.isCounted()
                    ? shrink(disturbance, setup.workload(), ignoring)
                    : setup.workload();
            return Optional.of(add(disturbance, verdict, outcome, smallest));
        }

        /** Leaves out one step after the other, as long as the trial still fails. */
        private Workload shrink(Disturbance disturbance, Workload failing, Predicate<String> ignoring) {
            Workload smallest = failing;
            for (int step = smallest.steps().size() - 1;
                    step >= 0 && smallest.steps().size() > 1;
                    step--) {
                Workload smaller = smallest.without(step);
                if (fails(disturbance, setup.with(smaller), ignoring)) {
                    smallest = smaller;
                }
            }
            return smallest;
        }

        private boolean fails(Disturbance disturbance, Setup smaller, Predicate<String> ignoring) {
            if (elapsed().compareTo(budget) > 0) {
                return false;
            }
            Outcome reference = TrialRun.of(smaller, disturbance.reference(), null, ignoring);
            if (!TrialVerdict.ofReference(reference).isGood()) {
                return false;
            }
            Outcome outcome = TrialRun.of(smaller, disturbance, reference, ignoring);
            return outcome.hasMet()
                    && !TrialVerdict.of(reference, outcome, disturbance, ignoring)
                            .isGood();
        }

        private Finding add(Disturbance disturbance, TrialVerdict verdict, Outcome outcome, Workload smallest) {
            Finding finding = new Finding(
                    disturbance.name(),
                    disturbance.kind(),
                    disturbance.story(),
                    verdict.problems(),
                    smallest.steps().stream().map(Workload.Step::name).toList(),
                    outcome.recording().moments());
            findings.add(finding);
            return finding;
        }
    }

    /** Returns what is not compared; further unstable paths may come later. */
    private Predicate<String> ignoring(Set<String> unstable) {
        Set<String> ends = Set.copyOf(ignored);
        return path -> unstable.contains(path) || ends.stream().anyMatch(path::endsWith);
    }
}
