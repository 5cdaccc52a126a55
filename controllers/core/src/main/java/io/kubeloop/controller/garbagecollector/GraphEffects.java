/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.workqueue.RateLimitingQueue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The work that follows from one change of the graph. {@link OwnerGraph} collects it under its lock, and the caller
 * does it afterwards. Confined to one thread.
 */
final class GraphEffects {

    private final Set<String> toCheck = new LinkedHashSet<>();
    private final Set<String> toCheckLater = new LinkedHashSet<>();
    private final Set<String> toOrphan = new LinkedHashSet<>();
    private final List<ObjectCoordinates> absent = new ArrayList<>();
    private final List<WrongNamespace> wrongNamespaces = new ArrayList<>();

    /**
     * An owner reference that leads to another namespace.
     *
     * @param dependent the object with the reference
     * @param claimed the owner as the reference describes it
     */
    record WrongNamespace(ObjectCoordinates dependent, ObjectCoordinates claimed) {}

    /**
     * Carries out effects: queues objects and reports wrong references. Thread-safe, as its parts are. Called without
     * the lock of the graph.
     *
     * @param absentOwners receives owners that do not exist
     * @param toCheck the UIDs of the objects to check
     * @param toOrphan the UIDs of the owners whose dependents become orphans
     * @param events receives the events about wrong references
     */
    record Work(
            AbsentOwners absentOwners,
            RateLimitingQueue<String> toCheck,
            RateLimitingQueue<String> toOrphan,
            EventRecorder events) {

        void carryOut(GraphEffects effects) {
            effects.absent.forEach(absentOwners::add);
            effects.toCheck.forEach(toCheck::add);
            effects.toCheckLater.forEach(toCheck::addRateLimited);
            effects.toOrphan.forEach(toOrphan::add);
            for (WrongNamespace wrong : effects.wrongNamespaces) {
                String namespace = wrong.dependent().namespace();
                events.event(
                        wrong.dependent().toReference(),
                        EventType.WARNING,
                        "OwnerRefInvalidNamespace",
                        "ownerRef " + wrong.claimed() + " does not exist in namespace \"" + namespace + "\"");
            }
        }
    }

    void check(String uid) {
        toCheck.add(uid);
    }

    void checkLater(String uid) {
        toCheckLater.add(uid);
    }

    void orphan(String uid) {
        toOrphan.add(uid);
    }

    void isAbsent(ObjectCoordinates owner) {
        absent.add(owner);
    }

    void report(WrongNamespace wrong) {
        wrongNamespaces.add(wrong);
    }

    /** Returns the UIDs of the objects to check now. */
    Set<String> toCheck() {
        return toCheck;
    }

    /** Returns the references to report as events. */
    List<WrongNamespace> wrongNamespaces() {
        return wrongNamespaces;
    }
}
