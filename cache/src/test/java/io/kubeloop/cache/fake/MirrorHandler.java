/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.fake;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Keeps its own copy from the calls that it receives, and records every call that must not happen: an addition of a
 * known object; an update or deletion of an unknown one (I4); an older state after a newer one (I1); an observed
 * deletion that the server did not make, or a concluded one with another state than the last (I2); an object of the
 * first list after it was complete (I5).
 */
public class MirrorHandler implements ResourceEventHandler<Thing> {

    public final Map<ObjectName, Thing> mirror = new ConcurrentHashMap<>();
    private final Set<ObjectName> deleted = new HashSet<>();
    private final List<String> faults = new ArrayList<>();
    private final Predicate<String> isDeletion;
    private volatile Registration registration;

    public MirrorHandler() {
        this(version -> true);
    }

    /** Makes a handler. The predicate returns whether the server deleted an object in this version. */
    public MirrorHandler(Predicate<String> isDeletion) {
        this.isDeletion = isDeletion;
    }

    /** Gives the handler its own registration. */
    public void registeredAs(Registration own) {
        registration = own;
    }

    @Override
    public void onAdd(Thing object, boolean isInInitialList, EventCause cause) {
        if (mirror.put(object.objectName(), object) != null) {
            fault("add of " + object + ", which is there");
        }
        Registration own = registration;
        if (isInInitialList && own != null && own.hasSynced()) {
            fault("add of " + object + " as initial after the first list was complete");
        }
        boolean first = cause == EventCause.INITIAL_LIST || cause == EventCause.REPLAY;
        // A DeltaFifo delivers all queued changes of an object of the first list as initial, also its deletion and its
        // new creation.
        boolean anew = isInInitialList && cause == EventCause.WATCH && deleted.contains(object.objectName());
        if (isInInitialList != first && !anew) {
            fault("add of " + object + " because of " + cause + ", initial: " + isInInitialList);
        }
    }

    @Override
    public void onUpdate(Thing oldObject, Thing newObject, EventCause cause) {
        Thing before = mirror.put(newObject.objectName(), newObject);
        if (before == null) {
            fault("update to " + newObject + " before its add");
        } else if (!before.equals(oldObject)) {
            fault("update from " + oldObject + ", but " + before + " was told before");
        }
        int from = Integer.parseInt(oldObject.version());
        int to = Integer.parseInt(newObject.version());
        if (to < from) {
            fault("update back from " + oldObject + " to " + newObject);
        }
        if ((to == from) != (cause == EventCause.RESYNC)) {
            fault("update from " + oldObject + " to " + newObject + " because of " + cause);
        }
    }

    @Override
    public void onDelete(DeletedObject<Thing> deleted) {
        this.deleted.add(deleted.name());
        Thing before = mirror.remove(deleted.name());
        Thing last = deleted.lastKnown();
        if (before == null) {
            fault("deletion of " + deleted.name() + ", which is not there");
        } else if (last == null) {
            fault("deletion of " + deleted.name() + " without a state");
        } else if (deleted instanceof DeletedFinalStateUnknown && !before.equals(last)) {
            fault("unseen deletion of " + last + ", but " + before + " was told before");
        } else if (deleted instanceof DeletedObject.Observed && !isDeletion.test(last.version())) {
            fault("deletion of " + last + " as observed, but the server has deleted nothing in this version");
        }
    }

    private void fault(String what) {
        synchronized (faults) {
            faults.add(what);
        }
    }

    /** Returns the recorded faults. */
    public List<String> faults() {
        synchronized (faults) {
            return List.copyOf(faults);
        }
    }
}
