/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the endpoints of a group over slices so that few slices change (upstream: {@code reconcileByPortMapping}).
 *
 * <p>Each endpoint stays in the slice that has it. New endpoints go to slices that change anyway, fullest first; then
 * to one unchanged slice that has room for all of them; then to new slices. Slices are not merged. Immutable.
 */
final class SlicePacker {

    private final SliceLabels labels;
    private final int maxEndpoints;

    SlicePacker(SliceLabels labels, int maxEndpoints) {
        this.labels = labels;
        this.maxEndpoints = maxEndpoints;
    }

    /**
     * Adds the writes of one group to the plan. O(endpoints + slices²).
     *
     * @param existing the slices with the group's ports
     */
    void pack(Service service, String addressType, List<EndpointSlice> existing, PortGroup desired, SlicePlan plan) {
        Map<EndpointKey, Endpoint> left = new LinkedHashMap<>(desired.endpoints());
        List<EndpointSlice> unchanged = new ArrayList<>();
        List<EndpointSlice> changed = new ArrayList<>();
        for (EndpointSlice slice : existing) {
            keepDesired(service, slice, left, unchanged, changed, plan);
        }
        plan.count(left.size(), 0, 0);
        changed.sort(Comparator.comparingInt(
                        (EndpointSlice slice) -> slice.endpoints().size())
                .reversed());
        changed.replaceAll(slice -> fill(slice, left));
        while (!left.isEmpty()) {
            EndpointSlice roomy = left.size() < maxEndpoints ? fittest(unchanged, left.size()) : null;
            if (roomy == null) {
                plan.creates().add(fill(labels.newSlice(service, addressType, desired.ports()), left));
            } else {
                unchanged.remove(roomy);
                changed.add(fill(roomy, left));
            }
        }
        plan.updates().addAll(changed);
    }

    /** Removes the slice's endpoints from the remaining ones, and adds the slice to one of three lists. */
    private void keepDesired(
            Service service,
            EndpointSlice slice,
            Map<EndpointKey, Endpoint> left,
            List<EndpointSlice> unchanged,
            List<EndpointSlice> changed,
            SlicePlan plan) {
        List<Endpoint> kept = new ArrayList<>();
        boolean isDifferent = false;
        for (Endpoint current : slice.endpoints()) {
            Endpoint desired = left.remove(EndpointKey.of(current));
            if (desired != null) {
                kept.add(desired);
            }
            isDifferent |= desired == null || !EndpointKey.isSame(desired, current);
        }
        plan.count(0, 0, slice.endpoints().size() - kept.size());
        if (isDifferent && kept.isEmpty()) {
            plan.deletes().add(slice);
        } else if (isDifferent) {
            changed.add(relabeled(service, SlicePlan.withEndpoints(slice, kept)));
        } else if (labels.areOutdated(service, slice)) {
            changed.add(relabeled(service, slice));
        } else {
            unchanged.add(slice);
        }
    }

    private EndpointSlice relabeled(Service service, EndpointSlice slice) {
        return slice.withMetadata(ObjectMetaBuilder.builder(slice.metadata())
                .labels(labels.of(service))
                .build());
    }

    /** Moves endpoints into the slice until it is full. */
    private EndpointSlice fill(EndpointSlice slice, Map<EndpointKey, Endpoint> left) {
        if (left.isEmpty() || slice.endpoints().size() >= maxEndpoints) {
            return slice;
        }
        List<Endpoint> filled = new ArrayList<>(slice.endpoints());
        Iterator<Endpoint> next = left.values().iterator();
        while (next.hasNext() && filled.size() < maxEndpoints) {
            filled.add(next.next());
            next.remove();
        }
        return SlicePlan.withEndpoints(slice, filled);
    }

    /**
     * Returns the slice that will be fullest after it takes this number of endpoints; null if none has room for them.
     */
    private @Nullable EndpointSlice fittest(List<EndpointSlice> slices, int number) {
        return slices.stream()
                .filter(slice -> slice.endpoints().size() + number <= maxEndpoints)
                .max(Comparator.comparingInt(slice -> slice.endpoints().size()))
                .orElse(null);
    }
}
