/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the instances of an operator did in a run.
 *
 * @param writes the writes in the order of their ends, without events and leases
 * @param events the delivered states in the order of delivery
 * @param requests the number of requests of all instances
 */
public record Recording(List<Write> writes, List<EventId> events, int requests) {

    private static final Set<Call.Verb> DELETIONS = Set.of(Call.Verb.DELETE, Call.Verb.DELETE_COLLECTION);

    /**
     * A write of the operator.
     *
     * @param at when it ended, in the time of the run
     * @param id what it was
     * @param verb its verb
     * @param instance the number of the instance
     * @param code the HTTP status; 0 if there was no answer
     * @param isEffective whether it changed what is stored
     * @param object what it was about, such as {@code pods default/web-*}
     */
    public record Write(
            Instant at, CallId id, Call.Verb verb, int instance, int code, boolean isEffective, String object) {

        boolean isCreation() {
            return code == 201;
        }

        boolean isDeletion() {
            return isEffective && DELETIONS.contains(verb);
        }
    }

    /** Copies the lists. */
    public Recording {
        writes = List.copyOf(writes);
        events = List.copyOf(events);
    }

    /** Returns how often each object was created, by the words for it. */
    public Map<String, Integer> creations() {
        return counts(writes.stream().filter(Write::isCreation));
    }

    /** Returns how often each object was deleted, by the words for it. */
    public Map<String, Integer> deletions() {
        return counts(writes.stream().filter(Write::isDeletion));
    }

    private static Map<String, Integer> counts(Stream<Write> writes) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        writes.forEach(write -> counts.merge(write.object(), 1, Integer::sum));
        return counts;
    }

    /** Returns the effective writes from one on. */
    public List<Write> effectiveFrom(int first) {
        return writes.subList(Math.min(first, writes.size()), writes.size()).stream()
                .filter(Write::isEffective)
                .toList();
    }
}
