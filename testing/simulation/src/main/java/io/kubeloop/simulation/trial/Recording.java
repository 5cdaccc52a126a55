/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.simulation.Moment;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What the instances of an operator did in a run.
 *
 * @param writes the writes in the order of their ends, without events and leases
 * @param events the delivered states in the order of delivery, each with the number of changes of the cluster until it,
 *     since the start of the operator
 * @param moments what the instances did and saw, the first of them, in the order of time
 * @param declared the objects that the steps of the workload created
 * @param isElected whether the instances compete for a lease
 * @param requests the number of requests of all instances
 * @param lastRefusal the last request that was refused, with the answer; empty for none
 * @param idleRefusal as lastRefusal, after a restart at which the operator has nothing to do
 */
public record Recording(
        List<Write> writes,
        Map<EventId, Long> events,
        List<Moment> moments,
        List<Declared> declared,
        boolean isElected,
        int requests,
        String lastRefusal,
        String idleRefusal) {

    /** More failures in a second than a backoff allows for a few keys: it begins with 5 ms and doubles. */
    private static final int HASTY = 40;

    private static final Set<Call.Verb> DELETIONS = Set.of(Call.Verb.DELETE, Call.Verb.DELETE_COLLECTION);

    /**
     * A write of the operator.
     *
     * @param at when it ended, in the time of the run
     * @param id what it was
     * @param verb its verb
     * @param instance the number of the instance
     * @param code the HTTP status; 0 if there was no answer
     * @param isEffective whether it changed what is stored, unless it created a dependent of owners that are gone
     * @param object what it was about, such as {@code pods default/web-*}
     * @param uid the UID of the object that it created or deleted; of any other write, that of the answer, or empty
     * @param step the newest step of the workload that had begun, from 0; negative before the first one
     * @param changes the number of changes of the cluster when it ended, since the start of the operator
     */
    public record Write(
            Instant at,
            CallId id,
            Call.Verb verb,
            int instance,
            int code,
            boolean isEffective,
            String object,
            String uid,
            int step,
            long changes) {

        /** Returns whether it created something, and owners of it existed. */
        public boolean isCreation() {
            return isEffective && code == 201;
        }

        boolean isDeletion() {
            return isEffective && DELETIONS.contains(verb);
        }
    }

    /**
     * An object of the user.
     *
     * @param step the step that created it, from 0
     * @param object such as {@code pods default/web}
     * @param path its path at the server
     * @param kind its kind
     */
    public record Declared(int step, String object, String path, String kind) {}

    /** Copies the lists. */
    public Recording {
        writes = List.copyOf(writes);
        events = Collections.unmodifiableMap(new LinkedHashMap<>(events));
        moments = List.copyOf(moments);
        declared = List.copyOf(declared);
    }

    /**
     * Returns whether a path of a state is an object that a step of the workload created, or is in one that the
     * operator wrote.
     */
    public boolean isUnderTest(String path) {
        Set<String> written = writes.stream().map(Write::object).collect(Collectors.toSet());
        return declared.stream()
                .filter(each -> !path.contains(" .") || written.contains(each.object()))
                .anyMatch(each -> path.startsWith(
                        each.kind() + each.object().substring(each.object().indexOf(' ')) + " "));
    }

    /** Counts the first writes of a kind by the words for their object. */
    Map<String, Integer> counts(int end, Predicate<Write> kind) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        writes.subList(0, end).stream().filter(kind).forEach(write -> counts.merge(write.object(), 1, Integer::sum));
        return counts;
    }

    /**
     * Counts the objects that an instance after the first one both created and deleted in one step, by the words for
     * them. What it deletes of others, it has not made by mistake.
     *
     * @param end the number of writes to look at
     */
    Map<String, Integer> fleeting(int end) {
        Map<String, Write> made = new HashMap<>();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Write write : writes.subList(0, end)) {
            Write creation = made.get(write.uid());
            if (write.code() == 201 && write.instance() > 0) {
                made.put(write.uid(), write);
            } else if (write.isDeletion()
                    && creation != null
                    && creation.instance() == write.instance()
                    && creation.step() == write.step()) {
                counts.merge(write.object(), 1, Integer::sum);
            }
        }
        return counts;
    }

    /** Returns the effective writes from one (inclusive) to another one (exclusive). */
    List<Write> effective(int first, int end) {
        return writes.subList(first, end).stream().filter(Write::isEffective).toList();
    }

    /** Returns the calls that were repeated after failures without a pause, with the number of times in one second. */
    Map<String, Integer> hasty() {
        Map<String, Deque<Instant>> failures = new HashMap<>();
        Map<String, Integer> most = new TreeMap<>();
        for (Write write : writes) {
            if (write.code() < 300 && write.code() != 0) {
                continue;
            }
            Deque<Instant> last =
                    failures.computeIfAbsent(write.instance() + " " + write.id().call(), call -> new ArrayDeque<>());
            last.add(write.at());
            while (last.getFirst().isBefore(write.at().minusSeconds(1))) {
                last.remove();
            }
            if (last.size() >= HASTY) {
                most.merge(write.id().call(), last.size(), Math::max);
            }
        }
        return most;
    }
}
