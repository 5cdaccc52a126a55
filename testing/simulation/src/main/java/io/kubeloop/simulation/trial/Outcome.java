/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.simulation.state.EndState;
import io.kubeloop.simulation.state.StateDifference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The result of a run.
 *
 * @param states the state after each step, after the end of the disturbance, and after a day without changes
 * @param unsettled the differences to the reference after the first step whose state it did not reach; a sentence each
 * @param restless the steps, from 0, after which the operator did not come to rest, so their states are not compared
 * @param recording what the operator did
 * @param idleFrom the number of writes before a restart after which an operator has nothing to do
 * @param dayFrom the number of writes before a day without changes
 * @param violations the violated invariants, by their name
 * @param failures what went wrong by itself: threads that died, a step that failed, a hot loop
 * @param errors the mistakes that the instances have printed or thrown
 * @param circumstances differences that no operator could have caused: user edits, and time that passed while a state
 *     was hidden. Only runs with the same circumstances can be compared
 * @param isLate whether the operator reached the end only after one more restart, because its retry comes later than a
 *     run waits, or never
 * @param hasMet whether the disturbance found what it waits for
 */
public record Outcome(
        List<EndState> states,
        List<String> unsettled,
        List<Integer> restless,
        Recording recording,
        int idleFrom,
        int dayFrom,
        Map<String, String> violations,
        List<String> failures,
        Set<String> errors,
        List<String> circumstances,
        boolean isLate,
        boolean hasMet) {

    /** Copies the collections. */
    public Outcome {
        states = List.copyOf(states);
        unsettled = List.copyOf(unsettled);
        restless = List.copyOf(restless);
        violations = Map.copyOf(violations);
        failures = List.copyOf(failures);
        errors = Set.copyOf(errors);
        circumstances = List.copyOf(circumstances);
    }

    /** Returns the writes after the restart that changed something. */
    List<Recording.Write> idleWrites() {
        return recording.effective(idleFrom, dayFrom);
    }

    /** Returns the writes of the last day that changed something. */
    List<Recording.Write> dayWrites() {
        return recording.effective(dayFrom, recording.writes().size());
    }

    /** Returns how often each object was created until the end of the disturbance, by the words for it. */
    Map<String, Integer> creations() {
        return recording.counts(idleFrom, Recording.Write::isCreation);
    }

    /** Returns how often each object was deleted until the end of the disturbance, by the words for it. */
    Map<String, Integer> deletions() {
        return recording.counts(idleFrom, Recording.Write::isDeletion);
    }

    /**
     * Counts the objects that a later instance made in vain until the end of the disturbance, by the words for them.
     */
    Map<String, Integer> fleeting() {
        return recording.fleeting(idleFrom);
    }

    /** Returns the state after the end of the disturbance. */
    public EndState end() {
        return states.get(states.size() - 2);
    }

    /** Returns whether time alone changes nothing. */
    public boolean isSteady(Predicate<String> ignored) {
        return StateDifference.between(end(), states.get(states.size() - 1), ignored)
                .isEmpty();
    }

    /** Returns the paths that differ between the states of this run and of another one, in the order of the states. */
    public List<String> unstable(Outcome other, Predicate<String> ignored) {
        return IntStream.range(0, Math.min(states.size(), other.states.size()))
                .mapToObj(i -> StateDifference.between(states.get(i), other.states.get(i), ignored))
                .flatMap(List::stream)
                .map(StateDifference::ignorable)
                .distinct()
                .toList();
    }
}
