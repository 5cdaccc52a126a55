/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.api.discovery.EndpointSliceBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The writes that a sync will send. For one thread. */
final class SlicePlan {

    private final List<EndpointSlice> creates = new ArrayList<>();
    private final List<EndpointSlice> updates = new ArrayList<>();
    private final List<EndpointSlice> deletes = new ArrayList<>();
    private int added;
    private int updated;
    private int removed;

    List<EndpointSlice> creates() {
        return creates;
    }

    List<EndpointSlice> updates() {
        return updates;
    }

    List<EndpointSlice> deletes() {
        return deletes;
    }

    /** Counts endpoints that the plan adds to slices, changes in them and removes from them, for metrics. */
    void count(int added, int updated, int removed) {
        this.added += added;
        this.updated += updated;
        this.removed += removed;
    }

    int added() {
        return added;
    }

    int updated() {
        return updated;
    }

    int removed() {
        return removed;
    }

    /** Returns the number of writes. */
    int size() {
        return creates.size() + updates.size() + deletes.size();
    }

    /** Returns the slices that the plan does not touch. */
    List<EndpointSlice> unchanged(List<EndpointSlice> existing) {
        Set<String> touched = new HashSet<>();
        updates.forEach(slice -> touched.add(slice.metadata().name()));
        deletes.forEach(slice -> touched.add(slice.metadata().name()));
        return existing.stream()
                .filter(slice -> !touched.contains(slice.metadata().name()))
                .toList();
    }

    /** Changes the endpoints of every slice that will be written. */
    void mapEndpoints(UnaryOperator<Endpoint> change) {
        creates.replaceAll(slice -> mapEndpoints(slice, change));
        updates.replaceAll(slice -> mapEndpoints(slice, change));
    }

    private static EndpointSlice mapEndpoints(EndpointSlice slice, UnaryOperator<Endpoint> change) {
        return withEndpoints(slice, slice.endpoints().stream().map(change).toList());
    }

    static EndpointSlice withEndpoints(EndpointSlice slice, List<Endpoint> endpoints) {
        return EndpointSliceBuilder.builder(slice).endpoints(endpoints).build();
    }

    /**
     * Turns creations into updates of slices that would be deleted, which saves a request each. The new content
     * replaces the old one whatever its version.
     *
     * @param isReusable whether a slice may be reused; one that the garbage collector is about to delete may not
     */
    void recycle(Predicate<EndpointSlice> isReusable) {
        for (EndpointSlice old : List.copyOf(deletes)) {
            EndpointSlice fresh = creates.stream()
                    .filter(slice -> slice.addressType().equals(old.addressType()))
                    .reduce((first, second) -> second)
                    .orElse(null);
            if (fresh != null && isReusable.test(old)) {
                creates.remove(fresh);
                deletes.remove(old);
                updates.add(fresh.withMetadata(ObjectMetaBuilder.builder(fresh.metadata())
                        .name(old.metadata().name())
                        .build()));
            }
        }
    }
}
