/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.simulation.state.StateDifference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The faults of an outcome.
 *
 * @param problems one sentence each; empty if nothing is wrong
 */
public record TrialVerdict(List<String> problems) {

    private static final int FACTOR = 10;
    private static final int ALLOWANCE = 100;
    private static final int SHOWN = 12;

    /** Copies the list. */
    public TrialVerdict {
        problems = List.copyOf(problems);
    }

    /** Returns whether nothing is wrong. */
    public boolean isGood() {
        return problems.isEmpty();
    }

    /** Returns what is wrong with a run by itself, without another one to compare with. */
    public static TrialVerdict ofReference(Outcome outcome) {
        List<String> problems = byItself(outcome);
        if (outcome.recording().requests() == 0) {
            problems.add("the operator sent no request");
        }
        addErrors(outcome.errors(), problems);
        String error = outcome.recording().idleRefusal();
        if (!error.isEmpty()) {
            problems.add("restarted when everything was done, the operator still gets errors: " + error
                    + " (the definitions must contain what it needs)");
        }
        List<Recording.Write> idle = outcome.idleWrites();
        if (!idle.isEmpty()) {
            problems.add(
                    "the operator never comes to rest: restarted when everything was done, it wrote " + words(idle));
        }
        String refusal = outcome.recording().lastRefusal();
        if (!refusal.isEmpty() && problems.stream().anyMatch(TrialVerdict::isUnrest)) {
            problems.add(0, "the last refused request: " + refusal); // what an operator that does not rest repeats
        }
        outcome.end().objects().forEach((place, object) -> {
            if (object instanceof JsonObject tree && tree.object("metadata").has("deletionTimestamp")) {
                problems.add(place + " is being deleted and does not go: finalizers "
                        + tree.object("metadata").get("finalizers"));
            }
        });
        return new TrialVerdict(problems);
    }

    private static boolean isUnrest(String problem) {
        return problem.contains("come to rest") || problem.contains("comes to rest") || problem.contains("a backoff");
    }

    private static void addErrors(Set<String> errors, List<String> problems) {
        new TreeSet<>(errors).forEach(error -> problems.add("the operator failed with \"" + error + "\""));
    }

    private static List<String> byItself(Outcome outcome) {
        List<String> problems = new ArrayList<>(outcome.failures());
        new TreeMap<>(outcome.violations())
                .forEach((name, violation) -> problems.add("\"" + name + "\" did not hold " + violation));
        outcome.recording()
                .hasty()
                .forEach((call, times) -> problems.add(
                        "the operator repeated `" + call + "` without a backoff, " + times + " failures in a second"));
        return problems;
    }

    /** Returns what is wrong with the outcome of a trial. */
    public static TrialVerdict of(
            Outcome reference, Outcome outcome, Disturbance disturbance, Predicate<String> ignored) {
        List<String> problems = byItself(outcome);
        Set<String> errors = new TreeSet<>(outcome.errors());
        errors.removeAll(reference.errors());
        addErrors(errors, problems);
        if (problems.isEmpty() && disturbance.reference() != Disturbance.NONE) {
            ofReference(reference)
                    .problems()
                    .forEach(problem -> problems.add("already in the run to compare with, " + problem));
        }
        if (!problems.isEmpty()) {
            return new TrialVerdict(problems);
        }
        // Time alone changes the state: what another time leads to, no run shows.
        if (!disturbance.movesTime() || reference.isSteady(ignored)) {
            compare(reference, outcome, disturbance, ignored, problems);
        }
        if (reference.idleWrites().isEmpty() && !outcome.idleWrites().isEmpty()) {
            problems.add("the operator did not come to rest: restarted when everything was done, it wrote "
                    + words(outcome.idleWrites()));
        }
        if (reference.dayWrites().isEmpty() && !outcome.dayWrites().isEmpty()) {
            problems.add("the operator did not come to rest: on the next day, it wrote " + words(outcome.dayWrites()));
        }
        int requests = outcome.recording().requests();
        int most = FACTOR * reference.recording().requests() + ALLOWANCE;
        if (requests > most) {
            problems.add("the operator sent " + requests + " requests, "
                    + reference.recording().requests() + " without the disturbance");
        }
        return new TrialVerdict(problems);
    }

    private static void compare(
            Outcome reference,
            Outcome outcome,
            Disturbance disturbance,
            Predicate<String> ignored,
            List<String> problems) {
        List<StateDifference> differences = StateDifference.between(reference.end(), outcome.end(), ignored);
        differences.stream().limit(SHOWN).forEach(difference -> problems.add("at the end, " + difference));
        if (differences.size() > SHOWN) {
            problems.add("and " + (differences.size() - SHOWN) + " more differences");
        }
        if (differences.isEmpty()) {
            outcome.unsettled().stream().limit(SHOWN).forEach(problems::add);
        }
        Map<String, Integer> created = excess(reference, outcome, Outcome::creations);
        Map<String, Integer> deleted = excess(reference, outcome, Outcome::deletions);
        if (disturbance.explainsCreations()) {
            outcome.fleeting().forEach((object, count) -> deleted.merge(object, -count, Integer::sum));
            created.clear();
        }
        addExcess("created", created, problems);
        addExcess("deleted", deleted, problems);
    }

    private static Map<String, Integer> excess(
            Outcome reference, Outcome outcome, Function<Outcome, Map<String, Integer>> counts) {
        Map<String, Integer> excess = new TreeMap<>(counts.apply(outcome));
        counts.apply(reference).forEach((object, count) -> excess.merge(object, -count, Integer::sum));
        return excess;
    }

    private static void addExcess(String what, Map<String, Integer> excess, List<String> problems) {
        excess.forEach((object, count) -> {
            if (count > 0) {
                problems.add(object + " was " + what + " " + (count == 1 ? "once" : count + " times") + " too often");
            }
        });
    }

    private static String words(List<Recording.Write> writes) {
        List<String> words = writes.stream()
                .limit(SHOWN)
                .map(write -> "`" + write.id() + "`")
                .toList();
        return String.join(", ", words) + (writes.size() > SHOWN ? ", ..." : "");
    }
}
