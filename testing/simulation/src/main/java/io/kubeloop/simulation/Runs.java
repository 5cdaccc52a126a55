/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.simulation.declaration.Declaration;
import io.kubeloop.simulation.disturbance.TrialPlanner;
import io.kubeloop.simulation.trial.DeclarationTrials;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Outcome;
import io.kubeloop.simulation.trial.Recording;
import io.kubeloop.simulation.trial.Setup;
import io.kubeloop.simulation.trial.TrialRun;
import io.kubeloop.simulation.trial.TrialVerdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The runs of one simulation. Confined to one thread at a time. */
final class Runs {

    /** Combinations of two disturbances, unless more trials are wanted. */
    private static final int PAIRS = 200;

    /** Failures whose workload is made smaller. */
    private static final int SHRUNK = 3;

    private static final String DECLARATION = "declaration: ";

    /**
     * Which trials are wanted; see the methods of {@link Simulation} of these names.
     *
     * @param declarations manifests whose variants are tried
     * @param ignored ends of paths that are not compared
     * @param kinds the kinds of trials
     * @param budget the time after which no further trial begins
     * @param most the largest number of trials
     * @param mostFindings the number of failures after which no further trial begins
     * @param seed draws the combinations
     * @param only the name of the only trial; empty for all
     * @param progress receives the name of each trial before it begins
     * @param nanoTime the time that the budget counts, in nanoseconds
     */
    record Wanted(
            List<String> declarations,
            Set<String> ignored,
            Set<Perturbation> kinds,
            Duration budget,
            int most,
            int mostFindings,
            long seed,
            String only,
            Consumer<String> progress,
            LongSupplier nanoTime) {}

    private final Wanted wanted;
    private final long began;
    private Setup setup;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<Perturbation, Integer> trials = new EnumMap<>(Perturbation.class);
    private final List<String> unreached = new ArrayList<>();
    private final List<String> late = new ArrayList<>();
    private final Set<String> restless = new LinkedHashSet<>();
    private final Set<String> unstable = new LinkedHashSet<>();
    private final List<String> withoutEffect = new ArrayList<>();
    private final Map<Disturbance, Outcome> references = new HashMap<>();
    private final Set<String> untried = new TreeSet<>();

    /** The paths that differ between the reference and another undisturbed run of its pace. */
    private List<String> differing = List.of();

    private boolean isOutOfTime;
    private int planned;

    Runs(Setup setup, Wanted wanted) {
        this.setup = setup;
        this.wanted = wanted;
        began = wanted.nanoTime().getAsLong();
    }

    SimulationReport report() {
        return new SimulationReport(
                findings,
                trials,
                unreached,
                late,
                List.copyOf(restless),
                List.copyOf(unstable),
                withoutEffect,
                isOutOfTime ? List.copyOf(untried) : List.of(),
                Math.min(planned, wanted.most()),
                elapsed());
    }

    /** Runs the reference, and returns all trials. */
    Stream<Trial> all() {
        wanted.progress().accept(Disturbance.NONE.name());
        Predicate<String> stable = this::isIgnored;
        Outcome reference = TrialRun.of(setup, Disturbance.NONE, null, stable);
        // What never rests needs no second run to be a failure.
        Outcome again = TrialRun.isEndless(reference) ? reference : TrialRun.of(setup, Disturbance.NONE, null, stable);
        boolean isWarm =
                setup.subject().isCounted() || reference.unstable(again, stable).isEmpty();
        if ((!isWarm || !isGood(reference)) && isGood(again)) {
            reference = again; // the first start of an operator is the slowest: its states may be read too early
            again = TrialRun.of(setup, Disturbance.NONE, null, stable);
        }
        if (reference.failures().isEmpty()) {
            differing = reference.unstable(again, stable);
            unstable.addAll(differing);
            if (setup.subject().isCounted()) {
                reference = paced(reference, stable);
            }
        }
        references.put(Disturbance.NONE, reference);
        noteRestless(Disturbance.NONE, reference);
        List<String> unfit = unfit(reference.recording());
        Trial first = reference(reference, unfit);
        if (!reference.failures().isEmpty() || !unfit.isEmpty()) {
            return Stream.of(first);
        }
        int pairs = wanted.most() == Integer.MAX_VALUE ? PAIRS : Math.max(PAIRS, wanted.most());
        int steps = setup.workload().steps().size();
        List<Disturbance> plan = wanted.only().isEmpty()
                ? TrialPlanner.plan(reference.recording(), steps, wanted.kinds(), wanted.seed(), pairs)
                : TrialPlanner.named(wanted.only(), reference.recording(), steps).stream()
                        .toList();
        if (!wanted.only().isEmpty() && plan.isEmpty() && !wanted.only().startsWith(DECLARATION)) {
            throw new IllegalArgumentException("no trial is named \"" + wanted.only()
                    + "\": the undisturbed run has no such write, event or step");
        }
        planned += plan.size();
        plan.stream()
                .filter(each -> each.kind() != Perturbation.COMBINED)
                .map(Disturbance::form)
                .forEach(untried::add);
        Stream<Trial> disturbed =
                plan.stream().map(each -> new Trial(each.name(), each.kind(), () -> disturbed(each, stable)));
        Stream<Trial> declared = wanted.kinds().contains(Perturbation.DECLARATIONS)
                ? wanted.declarations().stream().flatMap(manifest -> declared(manifest, stable))
                : Stream.empty();
        Stream<Trial> wanted = Stream.concat(disturbed, declared).takeWhile(trial -> !isOver());
        return Stream.concat(Stream.of(first), wanted);
    }

    private boolean isWanted(Trial trial) {
        return wanted.only().isEmpty() || wanted.only().equals(trial.name());
    }

    /** Returns a trial that fails if the budget ran out before all others had run; none otherwise. */
    Stream<Trial> unfinished() {
        String text = report().text();
        return report().isComplete() || findings.size() >= wanted.mostFindings()
                ? Stream.empty()
                : Stream.of(new Trial("all planned trials", Perturbation.NONE, () -> {
                    throw new AssertionError(text);
                }));
    }

    private static boolean isGood(Outcome reference) {
        return TrialVerdict.ofReference(reference).isGood();
    }

    /** Returns why trials could prove nothing beside this reference, with proposals; empty if they can. */
    private List<String> unfit(Recording recording) {
        List<String> reasons = differing.stream()
                .filter(recording::isUnderTest)
                .map(path -> "two undisturbed runs differ in " + path + ", in an object that the workload declares:"
                        + " wait longer for the operator (setting calm), or do not compare it (setting ignore)")
                .collect(Collectors.toCollection(ArrayList::new));
        if (elapsed().compareTo(wanted.budget()) > 0) {
            isOutOfTime = true;
            reasons.add("the undisturbed runs took " + elapsed().toSeconds() + " s, and the budget is "
                    + wanted.budget().toSeconds() + " s: allow more time (setting budget)");
        }
        return reasons;
    }

    private Trial reference(Outcome reference, List<String> unfit) {
        List<String> problems =
                new ArrayList<>(TrialVerdict.ofReference(reference).problems());
        problems.addAll(unfit);
        TrialVerdict verdict = new TrialVerdict(problems);
        return new Trial(
                Disturbance.NONE.name(),
                Perturbation.NONE,
                () -> verdict.isGood()
                        ? Optional.empty()
                        : Optional.of(add(Disturbance.NONE, new Failure(setup.workload(), verdict, reference))));
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
        differing = slow.unstable(TrialRun.of(setup, Disturbance.NONE, null, stable), stable);
        unstable.addAll(differing);
        return slow;
    }

    /** Returns the settings of runs that can be compared with a reference. */
    private Setup comparable(Outcome reference, Predicate<String> ignoring) {
        boolean isFit = setup.isPaced() || !setup.subject().isCounted() || reference.isSteady(ignoring);
        return isFit ? setup : setup.paced();
    }

    private Duration elapsed() {
        return Duration.ofNanos(wanted.nanoTime().getAsLong() - began);
    }

    private boolean isOver() {
        isOutOfTime |= elapsed().compareTo(wanted.budget()) > 0;
        return isOutOfTime
                || findings.size() >= wanted.mostFindings()
                || trials.values().stream().mapToInt(Integer::intValue).sum() + unreached.size() >= wanted.most();
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
        List<Trial> wanted =
                Stream.concat(Stream.of(deletion), each).filter(this::isWanted).toList();
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
            wanted.progress().accept(trial);
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
        wanted.progress().accept(disturbance.name());
        untried.remove(disturbance.form());
        Outcome reference =
                references.computeIfAbsent(disturbance.reference(), each -> TrialRun.of(setup, each, null, ignoring));
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
        noteRestless(disturbance, outcome);
        if (verdict.isGood()) {
            if (outcome.isLate()) {
                late.add(disturbance.name());
            }
            return Optional.empty();
        }
        Failure failure = new Failure(setup.workload(), verdict, outcome);
        boolean isShrunk = findings.size() < SHRUNK && setup.subject().isCounted();
        return Optional.of(add(disturbance, isShrunk ? shrunk(disturbance, failure, ignoring) : failure));
    }

    private void noteRestless(Disturbance disturbance, Outcome outcome) {
        outcome.restless()
                .forEach(step -> restless.add(disturbance.name() + ", after the step \""
                        + setup.workload().steps().get(step).name() + "\""));
    }

    /** A trial that failed, with the workload of that run. */
    private record Failure(Workload workload, TrialVerdict verdict, Outcome outcome) {}

    /** Leaves out one step after the other, as long as the trial still fails. */
    private Failure shrunk(Disturbance disturbance, Failure failure, Predicate<String> ignoring) {
        Failure smallest = failure;
        for (int step = failure.workload().steps().size() - 1;
                step >= 0 && smallest.workload().steps().size() > 1;
                step--) {
            Workload smaller = smallest.workload().without(step);
            smallest = failure(disturbance, smaller, ignoring).orElse(smallest);
        }
        return smallest;
    }

    /** Returns the failure of a trial with a smaller workload; empty if it passes, or time is up. */
    private Optional<Failure> failure(Disturbance disturbance, Workload smaller, Predicate<String> ignoring) {
        if (elapsed().compareTo(wanted.budget()) > 0) {
            return Optional.empty();
        }
        Setup small = setup.with(smaller);
        Outcome reference = TrialRun.of(small, disturbance.reference(), null, ignoring);
        if (!TrialVerdict.ofReference(reference).isGood()) {
            return Optional.empty();
        }
        Outcome outcome = TrialRun.of(small, disturbance, reference, ignoring);
        TrialVerdict verdict = TrialVerdict.of(reference, outcome, disturbance, ignoring);
        return outcome.hasMet() && !verdict.isGood()
                ? Optional.of(new Failure(smaller, verdict, outcome))
                : Optional.empty();
    }

    private Finding add(Disturbance disturbance, Failure failure) {
        Finding finding = new Finding(
                disturbance.name(),
                disturbance.kind(),
                disturbance.story(),
                failure.verdict().problems(),
                failure.workload().steps().stream().map(Workload.Step::name).toList(),
                failure.outcome().recording().moments());
        findings.add(finding);
        return finding;
    }

    /** Returns whether a path is not compared; further unstable paths may come later. */
    private boolean isIgnored(String path) {
        return unstable.contains(path) || wanted.ignored().stream().anyMatch(path::endsWith);
    }
}
