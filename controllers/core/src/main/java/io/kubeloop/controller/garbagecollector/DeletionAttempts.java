/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.client.DeleteOptions.PropagationPolicy;
import io.kubeloop.controller.IncompleteSyncException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks one object against the server: deletes it if all of its owners are gone, releases it from those that are gone
 * if others exist, and completes its foreground deletion when its dependents are gone (upstream: {@code
 * attemptToDeleteItem}).
 *
 * <p>The object and each of its owners are read from the server before a deletion. A deletion names the UID and the
 * resource version that were read. Therefore an object with an existing owner is never deleted, whatever the graph
 * says.
 *
 * <p>Thread-safe; one worker at a time checks an object. {@link #check} blocks.
 */
final class DeletionAttempts {

    private static final Logger LOG = LoggerFactory.getLogger(DeletionAttempts.class);

    private final OwnerGraph graph;
    private final CollectorRequests requests;
    private final AbsentOwners absentOwners;
    private final Consumer<GraphEffects> effects;

    /**
     * Creates the check.
     *
     * @param effects executes the actions that follow from a change of the graph
     */
    DeletionAttempts(
            OwnerGraph graph, CollectorRequests requests, AbsentOwners absentOwners, Consumer<GraphEffects> effects) {
        this.graph = graph;
        this.requests = requests;
        this.absentOwners = absentOwners;
        this.effects = effects;
    }

    /** The UIDs of an object's owners: existing, absent, and those that wait for their dependents. */
    private record Owners(List<String> solid, List<String> absent, List<String> awaiting) {

        List<String> allButSolid() {
            List<String> others = new ArrayList<>(absent);
            others.addAll(awaiting);
            return others;
        }
    }

    /**
     * Checks an object.
     *
     * @throws IncompleteSyncException if the object exists and no informer has shown it yet, or if a kind is unknown
     * @throws RuntimeException if a request failed; a later try may succeed
     */
    void check(String uid) throws InterruptedException {
        OwnerGraph.View item = graph.view(uid);
        if (item == null || (item.isDeleting() && !item.awaitsDependents())) {
            return; // an object that is being deleted ends by itself; its dependents follow then
        }
        try {
            if (exists(item) && item.isVirtual()) {
                // Otherwise an owner that came and went unnoticed would stay in the graph.
                throw new IncompleteSyncException(item.coordinates() + " is not in a cache yet");
            }
        } catch (CollectorRequests.UnknownKindException e) {
            throw new IncompleteSyncException(item.coordinates() + " waits: " + e.getMessage());
        }
    }

    /** Checks the object; returns whether it exists and needs no other informer's word. */
    private boolean exists(OwnerGraph.View item) throws InterruptedException {
        ObjectCoordinates coordinates = item.coordinates();
        if (isOutOfReach(coordinates)) {
            return false;
        }
        ObjectMeta live = requests.read(coordinates);
        if (live == null || !live.uid().equals(coordinates.uid())) {
            effects.accept(graph.confirmAbsent(coordinates));
            return false;
        }
        if (item.awaitsDependents()) {
            completeForeground(item);
        } else if (!live.ownerReferences().isEmpty()) {
            // A virtual object of a cluster-scoped kind has the namespace of the dependent that claimed it; its own
            // owners must not be searched there.
            return decide(coordinates.in(live.namespace()), live);
        }
        return true;
    }

    /** Returns whether a cluster-scoped object claims this owner of a namespaced kind, which has no namespace then. */
    private boolean isOutOfReach(ObjectCoordinates coordinates) {
        return !coordinates.isNamespaced()
                && requests.resource(coordinates.apiVersion(), coordinates.kind())
                        .type()
                        .isNamespaced();
    }

    private boolean decide(ObjectCoordinates coordinates, ObjectMeta read) {
        Owners owners = new Owners(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (OwnerReference reference : read.ownerReferences()) {
            if (!classify(coordinates, reference, owners)) {
                return false;
            }
        }
        if (!owners.solid().isEmpty()) {
            if (!owners.allButSolid().isEmpty()) {
                LOG.debug("Releasing {} from owners that are gone: {}", coordinates, owners);
                requests.removeOwners(coordinates, owners.allButSolid());
            }
            return true;
        }
        List<OwnerGraph.View> dependents = graph.dependents(coordinates.uid());
        ObjectMeta live = read;
        boolean isInChain = !owners.awaiting().isEmpty() && !dependents.isEmpty();
        if (isInChain && dependents.stream().anyMatch(OwnerGraph.View::awaitsDependents)) {
            // Its owners and its dependents wait for each other if they form a circle.
            live = requests.unblockOwners(coordinates, live);
        }
        PropagationPolicy policy = isInChain ? PropagationPolicy.FOREGROUND : policyOf(live);
        LOG.debug("Deleting {}, whose owners are gone, with policy {}", coordinates, policy);
        if (!requests.delete(coordinates, live, policy)) {
            effects.accept(graph.confirmAbsent(coordinates));
            return false;
        }
        return true;
    }

    private static PropagationPolicy policyOf(ObjectMeta object) {
        if (object.finalizers().contains(ObjectNode.ORPHAN)) {
            return PropagationPolicy.ORPHAN;
        }
        return object.finalizers().contains(ObjectNode.FOREGROUND)
                ? PropagationPolicy.FOREGROUND
                : PropagationPolicy.BACKGROUND;
    }

    /**
     * Reads an owner and adds its UID to one of the lists.
     *
     * @return false if the reference cannot be valid: a cluster-scoped object has no owner in a namespace
     */
    private boolean classify(ObjectCoordinates item, OwnerReference reference, Owners owners) {
        ObjectCoordinates inCluster = ObjectCoordinates.of(reference, "");
        ObjectCoordinates inNamespace = inCluster.in(item.namespace());
        if (absentOwners.contains(inCluster) || absentOwners.contains(inNamespace)) {
            owners.absent().add(reference.uid());
            return true;
        }
        boolean isNamespaced = requests.resource(reference.apiVersion(), reference.kind())
                .type()
                .isNamespaced();
        if (isNamespaced && !item.isNamespaced()) {
            LOG.debug("{} has no namespace and claims a namespaced owner, {}", item, inCluster);
            return false;
        }
        ObjectCoordinates claimed = isNamespaced ? inNamespace : inCluster;
        ObjectMeta owner = requests.read(claimed);
        if (owner == null || !owner.uid().equals(reference.uid())) {
            absentOwners.add(claimed);
            owners.absent().add(reference.uid());
        } else if (ObjectNode.isDeletingWith(owner, ObjectNode.FOREGROUND)) {
            owners.awaiting().add(reference.uid());
        } else {
            owners.solid().add(reference.uid());
        }
        return true;
    }

    private void completeForeground(OwnerGraph.View item) throws InterruptedException {
        List<OwnerGraph.View> blocking = graph.blockers(item.coordinates().uid());
        if (blocking.isEmpty()) {
            requests.removeFinalizer(item.coordinates(), ObjectNode.FOREGROUND);
            return;
        }
        GraphEffects next = new GraphEffects();
        blocking.stream()
                .filter(dependent -> !dependent.awaitsDependents())
                .forEach(dependent -> next.check(dependent.coordinates().uid()));
        effects.accept(next);
    }
}
