/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.OwnerReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The objects of the server and their owners, as the informers show them (upstream: {@code GraphBuilder}).
 *
 * <p>The graph only suggests objects to check. It can lag behind the server, so nothing is deleted on its word
 * alone.
 *
 * <p>Thread-safe; does not block.
 */
final class OwnerGraph {

    /*
     * Invariants:
     *   O1  A node is in the `dependents` of exactly those nodes of the graph whose UIDs are in its `owners`.
     *   O2  Every UID in `owners` of a node has a node, unless that owner was removed as gone. It is virtual until an
     *       informer shows the object.
     *   O3  A node that is not virtual has the coordinates at which an informer showed it last: the preferred version
     *       of its resource can change.
     *   O4  Whenever a virtual node appears or changes its coordinates, its UID is among the effects to check, so
     *       the server decides whether the owner exists.
     *
     * The lock also guards the fields of all nodes. Handlers and workers take it for single steps. Effects are
     * collected under it and carried out by the caller afterwards: no request, log or queue runs under it.
     */

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, ObjectNode> nodes = new HashMap<>();

    /**
     * The state of one object in the graph.
     *
     * @param coordinates its coordinates; a guess while the node is virtual
     * @param isVirtual whether no informer has shown the object
     * @param isDeleting whether it has a deletion timestamp
     * @param awaitsDependents whether it is being deleted in the foreground
     */
    record View(ObjectCoordinates coordinates, boolean isVirtual, boolean isDeleting, boolean awaitsDependents) {

        private static View of(ObjectNode node) {
            return new View(node.coordinates, node.isVirtual, node.isDeleting, node.awaitsDependents);
        }
    }

    /** Returns what is known of an object; null if nothing. */
    @Nullable
    View view(String uid) {
        lock.lock();
        try {
            ObjectNode node = nodes.get(uid);
            return node == null ? null : View.of(node);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the known dependents of an owner. O(dependents). */
    List<View> dependents(String uid) {
        lock.lock();
        try {
            ObjectNode node = nodes.get(uid);
            return node == null
                    ? List.of()
                    : node.dependents.stream().map(View::of).toList();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the dependents for which the foreground deletion of an owner waits. O(dependents), and O(nodes that are
     * being deleted in the foreground) if only such nodes are left.
     *
     * <p>Dependents that wait for this owner in a circle are omitted. Upstream never completes such a circle if all of
     * its objects were deleted in the foreground.
     */
    List<View> blockers(String uid) {
        lock.lock();
        try {
            ObjectNode owner = nodes.get(uid);
            if (owner == null) {
                return List.of();
            }
            List<ObjectNode> blockers = owner.dependents.stream()
                    .filter(dependent -> dependent != owner && dependent.blocks(uid))
                    .toList();
            boolean onlyWaitingOnes = blockers.stream().allMatch(blocker -> blocker.awaitsDependents);
            return blockers.stream()
                    .filter(blocker -> !onlyWaitingOnes || !waitsFor(blocker, owner))
                    .map(View::of)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private static boolean waitsFor(ObjectNode waiting, ObjectNode searched) {
        Set<ObjectNode> seen = new HashSet<>(Set.of(waiting));
        Deque<ObjectNode> pending = new ArrayDeque<>(seen);
        while (!pending.isEmpty()) {
            ObjectNode node = pending.remove();
            for (ObjectNode dependent : node.dependents) {
                if (dependent.awaitsDependents && dependent.blocks(node.uid())) {
                    if (dependent == searched) {
                        return true;
                    }
                    if (seen.add(dependent)) {
                        pending.add(dependent);
                    }
                }
            }
        }
        return false;
    }

    /** Returns the number of nodes. */
    int size() {
        lock.lock();
        try {
            return nodes.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds or updates an object that an informer reports. O(its references), and O(its dependents) if it was virtual.
     *
     * @param before its last state; null if the informer did not have it
     */
    GraphEffects observe(ObjectCoordinates coordinates, @Nullable ObjectMeta before, ObjectMeta now) {
        lock.lock();
        try {
            GraphEffects effects = new GraphEffects();
            ObjectNode node = nodes.get(coordinates.uid());
            if (node == null) {
                node = new ObjectNode(coordinates, false);
                nodes.put(coordinates.uid(), node);
            } else {
                becomeReal(node, coordinates, effects);
            }
            changeOwners(node, now.ownerReferences(), effects);
            node.observe(now);
            startDeletion(node, before, now, effects);
            return effects;
        } finally {
            lock.unlock();
        }
    }

    private static void becomeReal(ObjectNode node, ObjectCoordinates observed, GraphEffects effects) {
        boolean isKnown = !node.isVirtual || node.coordinates.equals(observed);
        node.isVirtual = false;
        if (isKnown) {
            node.coordinates = observed;
            return;
        }
        for (ObjectNode dependent : node.claims(observed).others()) {
            if (observed.isNamespaced() && !observed.namespace().equals(dependent.namespace())) {
                reportWrongNamespace(dependent, observed.uid(), effects);
            }
            effects.check(dependent.uid());
        }
        node.coordinates = observed;
    }

    @GuardedBy("lock")
    private void changeOwners(ObjectNode node, List<OwnerReference> now, GraphEffects effects) {
        Map<String, OwnerReference> gone = new HashMap<>();
        node.owners.forEach(owner -> gone.put(owner.uid(), owner));
        List<OwnerReference> added = new ArrayList<>();
        for (OwnerReference owner : now) {
            OwnerReference before = gone.remove(owner.uid());
            if (before == null || !isSamePlace(before, owner)) {
                added.add(owner);
            }
            if (before != null && ObjectNode.isBlocking(before) && !ObjectNode.isBlocking(owner)) {
                effects.check(owner.uid());
            }
        }
        boolean hasChanged = !node.owners.equals(now);
        node.owners = now;
        join(node, added, effects);
        if (hasChanged && mayHaveLostAnOwner(node)) {
            // Another reference kept the object, or the informer missed that this one was removed and has come back.
            effects.check(node.uid());
        }
        for (OwnerReference owner : gone.values()) {
            if (ObjectNode.isBlocking(owner)) {
                effects.check(owner.uid());
            }
            leave(node, owner.uid());
        }
    }

    @GuardedBy("lock")
    private boolean mayHaveLostAnOwner(ObjectNode node) {
        for (OwnerReference reference : node.owners) {
            ObjectNode owner = nodes.get(reference.uid());
            if (owner == null || isDoubtful(node, reference, owner, new GraphEffects())) {
                return true; // what is wrong was reported when the reference was added
            }
        }
        return false;
    }

    private static boolean isSamePlace(OwnerReference a, OwnerReference b) {
        return ObjectCoordinates.of(a, "").isMeantBy(b);
    }

    @GuardedBy("lock")
    private void join(ObjectNode node, List<OwnerReference> owners, GraphEffects effects) {
        boolean isDoubtful = false;
        for (OwnerReference reference : owners) {
            ObjectNode owner = nodes.get(reference.uid());
            if (owner == null) {
                owner = new ObjectNode(ObjectCoordinates.of(reference, node.namespace()), true);
                nodes.put(reference.uid(), owner);
                effects.check(reference.uid());
            } else if (!isDoubtful) {
                isDoubtful = isDoubtful(node, reference, owner, effects);
            }
            owner.dependents.add(node);
        }
        if (isDoubtful) {
            effects.check(node.uid());
        }
    }

    /** Returns whether the reference may not mean this owner, so the server has to be asked about it. */
    private static boolean isDoubtful(
            ObjectNode node, OwnerReference reference, ObjectNode owner, GraphEffects effects) {
        boolean isElsewhere = !owner.namespace().equals(node.namespace());
        if (owner.coordinates.isNamespaced() && isElsewhere) {
            if (!owner.isVirtual) {
                reportWrongNamespace(node, reference.uid(), effects);
            }
            return true;
        }
        // A virtual owner without a namespace may be of a namespaced kind, and claimed by an object without one.
        return !owner.coordinates.isMeantBy(reference) || (isElsewhere && owner.isVirtual);
    }

    private static void reportWrongNamespace(ObjectNode dependent, String ownerUid, GraphEffects effects) {
        dependent.owners.stream()
                .filter(reference -> reference.uid().equals(ownerUid))
                .findFirst()
                .ifPresent(reference -> effects.report(new GraphEffects.WrongNamespace(
                        dependent.coordinates, ObjectCoordinates.of(reference, dependent.namespace()))));
    }

    @GuardedBy("lock")
    private void leave(ObjectNode node, String ownerUid) {
        ObjectNode owner = nodes.get(ownerUid);
        if (owner != null) {
            owner.dependents.remove(node);
        }
    }

    /**
     * Adds the work on an owner that is being deleted. It follows each change, because the informer can miss that a
     * finalizer went and came back.
     */
    private static void startDeletion(
            ObjectNode node, @Nullable ObjectMeta before, ObjectMeta now, GraphEffects effects) {
        if (before != null && before.resourceVersion().equals(now.resourceVersion())) {
            return; // a resync
        }
        if (ObjectNode.isDeletingWith(now, ObjectNode.ORPHAN)) {
            effects.orphan(node.uid());
        } else if (ObjectNode.isDeletingWith(now, ObjectNode.FOREGROUND)) {
            if (!ObjectNode.isDeletingWith(before, ObjectNode.FOREGROUND)) {
                node.dependents.forEach(dependent -> effects.check(dependent.uid()));
            }
            effects.check(node.uid());
        }
    }

    /** Removes an object whose deletion an informer reports. O(its references and dependents). */
    GraphEffects forget(ObjectCoordinates coordinates) {
        lock.lock();
        try {
            GraphEffects effects = new GraphEffects();
            ObjectNode node = nodes.get(coordinates.uid());
            if (node != null) {
                remove(node, coordinates, effects);
            }
            return effects;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void remove(ObjectNode node, ObjectCoordinates coordinates, GraphEffects effects) {
        nodes.remove(node.uid());
        if (!node.dependents.isEmpty()) {
            effects.isAbsent(coordinates);
        }
        node.dependents.forEach(dependent -> effects.check(dependent.uid()));
        for (OwnerReference reference : node.owners) {
            leave(node, reference.uid());
            ObjectNode owner = nodes.get(reference.uid());
            if (owner != null && owner.awaitsDependents) {
                effects.check(owner.uid());
            }
        }
    }

    /**
     * Records that the server has no object with this UID at these coordinates. O(its references and dependents).
     *
     * <p>If its dependents claim other coordinates too, the node stays, and moves on to one of them.
     */
    GraphEffects confirmAbsent(ObjectCoordinates absent) {
        lock.lock();
        try {
            GraphEffects effects = new GraphEffects();
            ObjectNode node = nodes.get(absent.uid());
            if (node == null) {
                return effects;
            }
            ObjectNode.Claims claims = node.claims(absent);
            boolean isSettled = node.isVirtual ? claims.others().isEmpty() : node.coordinates.equals(absent);
            if (isSettled) {
                remove(node, absent, effects);
                return effects;
            }
            if (!claims.matching().isEmpty()) {
                effects.isAbsent(absent);
                claims.matching().forEach(dependent -> effects.check(dependent.uid()));
            }
            if (node.isVirtual && node.coordinates.equals(absent)) {
                ObjectCoordinates other = alternative(claims.others(), absent);
                if (other != null) {
                    node.coordinates = other;
                    effects.checkLater(node.uid());
                }
            }
            return effects;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the coordinates after these that a dependent claims, in a fixed order that starts again at its end. */
    private static @Nullable ObjectCoordinates alternative(List<ObjectNode> dependents, ObjectCoordinates absent) {
        TreeSet<ObjectCoordinates> claimed = new TreeSet<>(ObjectCoordinates.ORDER);
        for (ObjectNode dependent : dependents) {
            for (OwnerReference reference : dependent.owners) {
                if (reference.uid().equals(absent.uid())) {
                    ObjectCoordinates claim = ObjectCoordinates.of(reference, dependent.namespace());
                    boolean isClusterScoped = !absent.isNamespaced()
                            && claim.apiVersion().equals(absent.apiVersion())
                            && claim.kind().equals(absent.kind());
                    claimed.add(isClusterScoped ? claim.in("") : claim);
                }
            }
        }
        claimed.remove(absent);
        ObjectCoordinates next = claimed.higher(absent);
        return next != null || claimed.isEmpty() ? next : claimed.first();
    }
}
