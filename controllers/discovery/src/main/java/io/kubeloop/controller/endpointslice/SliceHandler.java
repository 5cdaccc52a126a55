/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queues the services whose slices another client has changed (upstream: {@code onEndpointSliceAdd} and its like). One
 * thread delivers the events.
 */
final class SliceHandler implements ResourceEventHandler<EndpointSlice> {

    private final SliceLabels labels;
    private final EndpointSliceTracker tracker;
    private final Consumer<ObjectName> enqueue;

    SliceHandler(SliceLabels labels, EndpointSliceTracker tracker, Consumer<ObjectName> enqueue) {
        this.labels = labels;
        this.tracker = tracker;
        this.enqueue = enqueue;
    }

    @Override
    public void onAdd(EndpointSlice slice, boolean isInInitialList) {
        ObjectName service = serviceOf(slice);
        if (service != null && tracker.isNews(service, slice)) {
            enqueue.accept(service);
        }
    }

    @Override
    public void onUpdate(EndpointSlice before, EndpointSlice after) {
        ObjectName then = serviceOf(before);
        ObjectName now = serviceOf(after);
        if (then != null && !then.equals(now)) {
            tracker.isLoss(then, before); // the slice was given away, so the service's record must not wait for it
            enqueue.accept(then);
        }
        if (now != null && (!now.equals(then) || tracker.isNews(now, after))) {
            enqueue.accept(now);
        }
    }

    @Override
    public void onDelete(DeletedObject<EndpointSlice> deleted) {
        EndpointSlice last = deleted.lastKnown();
        ObjectName service = last == null ? null : serviceOf(last);
        if (last != null && service != null && tracker.isLoss(service, last)) {
            enqueue.accept(service);
        }
    }

    /** Returns the service of a slice that this controller manages; null for other slices. */
    private @Nullable ObjectName serviceOf(EndpointSlice slice) {
        return labels.areOfController(slice) ? SliceLabels.serviceOf(slice) : null;
    }
}
