/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.IncompleteSyncException;
import io.kubeloop.controller.parallel.ParallelCalls;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Releases the dependents of an owner that is deleted with the policy {@code Orphan}, and then its finalizer (upstream:
 * {@code attemptToOrphanWorker}). Thread-safe; {@link #orphan} blocks.
 */
final class Orphaning {

    private final OwnerGraph graph;
    private final CollectorRequests requests;
    private final Executor executor;

    /**
     * Creates the sync.
     *
     * @param executor runs the requests for the dependents of one owner in parallel
     */
    Orphaning(OwnerGraph graph, CollectorRequests requests, Executor executor) {
        this.graph = graph;
        this.requests = requests;
        this.executor = executor;
    }

    /**
     * Releases the dependents of an owner.
     *
     * @throws RuntimeException if a dependent could not be released; the finalizer stays, and a later try may succeed
     */
    void orphan(String uid) throws InterruptedException {
        OwnerGraph.View owner = graph.view(uid);
        if (owner == null) {
            return; // it is gone, so it has no finalizer
        }
        List<Runnable> releases = graph.dependents(uid).stream()
                .<Runnable>map(dependent -> () -> release(dependent.coordinates(), uid))
                .toList();
        RuntimeException failure = ParallelCalls.run(releases, executor).error();
        if (failure instanceof CollectorRequests.UnknownKindException) {
            throw new IncompleteSyncException(
                    "the dependents of " + owner.coordinates() + " wait: " + failure.getMessage());
        }
        if (failure != null) {
            throw new ControllerException(
                    "cannot release the dependents of " + owner.coordinates() + ": " + Errors.text(failure), failure);
        }
        requests.removeFinalizer(owner.coordinates(), ObjectNode.ORPHAN);
    }

    private void release(ObjectCoordinates dependent, String ownerUid) {
        try {
            requests.removeOwners(dependent, List.of(ownerUid));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }
}
