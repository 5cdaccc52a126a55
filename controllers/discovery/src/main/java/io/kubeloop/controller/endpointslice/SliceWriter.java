/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes plans, and records the written slices (upstream: {@code finalize}). Thread-safe for different owners. Blocks
 * until the server has responded to each write.
 */
final class SliceWriter {

    private static final Logger LOG = LoggerFactory.getLogger(SliceWriter.class);

    private final ResourceClient<EndpointSlice> client;
    private final EndpointSliceTracker tracker;
    private final String ownerKind;
    private final SliceMetrics metrics;

    /** Creates a writer. Messages contain the kind of owners, such as {@code Service}. */
    SliceWriter(
            ResourceClient<EndpointSlice> client,
            EndpointSliceTracker tracker,
            String ownerKind,
            SliceMetrics metrics) {
        this.client = client;
        this.tracker = tracker;
        this.ownerKind = ownerKind;
        this.metrics = metrics;
    }

    /** Returns the tracker of written slices. */
    EndpointSliceTracker tracker() {
        return tracker;
    }

    /** Returns the metrics that count writes. */
    SliceMetrics metrics() {
        return metrics;
    }

    /**
     * Creates, updates and deletes, in this order, and ends at the first failure.
     *
     * @throws ControllerException naming the first write that failed
     */
    void execute(KubeObject owner, SlicePlan plan) {
        // The garbage collector deletes the slices of an owner that is being deleted.
        if (!owner.metadata().isDeleting()) {
            for (EndpointSlice slice : plan.creates()) {
                try {
                    write(owner, slice, "create", client::create);
                } catch (ControllerException e) {
                    if (e.getCause() != null && Errors.isNamespaceTerminating(e.getCause())) {
                        LOG.debug("Namespace of {} is terminating: no slices created", owner.objectName());
                        return;
                    }
                    throw e;
                }
            }
        }
        plan.updates().forEach(slice -> write(owner, slice, "update", client::update));
        plan.deletes().forEach(slice -> delete(owner.objectName(), slice));
    }

    private void write(KubeObject owner, EndpointSlice slice, String verb, UnaryOperator<EndpointSlice> send) {
        try {
            tracker.wrote(owner.objectName(), send.apply(slice));
            metrics.wrote(verb);
        } catch (RuntimeException e) {
            throw failure(verb, owner.objectName(), slice, e);
        }
    }

    /**
     * Deletes a slice; does nothing if the server does not have it.
     *
     * @throws ControllerException if the server rejected the request or did not respond
     */
    void delete(ObjectName owner, EndpointSlice slice) {
        try {
            client.delete(slice.objectName(), DeleteOptions.DEFAULT);
            metrics.wrote("delete");
        } catch (RuntimeException e) {
            if (!(e instanceof ApiException refused && refused.isNotFound())) {
                throw failure("delete", owner, slice, e);
            }
        }
        tracker.deleted(owner, slice);
    }

    private ControllerException failure(String verb, ObjectName owner, EndpointSlice slice, RuntimeException cause) {
        String name = verb.equals("create") ? "" : slice.metadata().name() + " ";
        return new ControllerException(
                "failed to " + verb + " " + name + "EndpointSlice for " + ownerKind + " " + owner + ": "
                        + Errors.text(cause),
                cause);
    }
}
