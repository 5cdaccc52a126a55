package io.kubeloop.cache;

import io.kubeloop.api.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps its own copy from what it is told, and writes down whatever a handler must never be told: an add of what it has, an
 * update or deletion of what it has not (I4), an older state after a newer one (I1).
 */
final class MirrorHandler implements ResourceEventHandler<Thing> {

    final Map<ObjectName, Thing> mirror = new ConcurrentHashMap<>();
    final List<String> faults = new ArrayList<>();

    @Override
    public void onAdd(Thing object, boolean isInInitialList) {
        if (mirror.put(object.objectName(), object) != null) {
            fault("add of " + object + ", which is there");
        }
    }

    @Override
    public void onUpdate(Thing oldObject, Thing newObject) {
        Thing before = mirror.put(newObject.objectName(), newObject);
        if (before == null) {
            fault("update to " + newObject + " before its add");
        } else if (!before.equals(oldObject)) {
            fault("update from " + oldObject + ", but " + before + " was told before");
        }
        if (Integer.parseInt(newObject.version()) < Integer.parseInt(oldObject.version())) {
            fault("update back from " + oldObject + " to " + newObject);
        }
    }

    @Override
    public void onDelete(DeletedObject<Thing> deleted) {
        if (mirror.remove(deleted.name()) == null) {
            fault("deletion of " + deleted.name() + ", which is not there");
        }
        if (deleted.lastKnown() == null) {
            fault("deletion of " + deleted.name() + " without a state");
        }
    }

    private void fault(String what) {
        synchronized (faults) {
            faults.add(what);
        }
    }
}
