/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.fake.Thing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The simplest consumer with a store: an informer's work without the informer. Records what happens. */
class StoringConsumer implements DeltaConsumer<ObjectName, Thing>, KnownObjects<ObjectName, Thing> {

    /** Guarded by itself: a queue reads known objects on the producers' threads. */
    final Map<ObjectName, Thing> stored = new LinkedHashMap<>();

    final List<String> log = new ArrayList<>();
    int syncedCalls;

    @Override
    public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
        for (Delta<ObjectName, Thing> delta : deltas) {
            if (delta.isDeletion()) {
                removed(delta.key(), delta.finalStateUnknown());
            } else {
                put(delta.present(), isInInitialList);
            }
        }
    }

    @Override
    public void replacedAll(List<Thing> objects, String resourceVersion, boolean isInInitialList) {
        List<ObjectName> gone = new ArrayList<>(keys());
        objects.forEach(object -> gone.remove(object.objectName()));
        gone.forEach(key -> removed(key, true));
        objects.forEach(object -> put(object, isInInitialList));
    }

    private void put(Thing thing, boolean isInInitialList) {
        synchronized (stored) {
            stored.put(thing.objectName(), thing);
        }
        log.add(thing + (isInInitialList ? " initial" : ""));
    }

    private void removed(ObjectName key, boolean unseen) {
        Thing before;
        synchronized (stored) {
            before = stored.remove(key);
        }
        if (before != null) {
            log.add("-" + key + (unseen ? " unseen" : ""));
        }
    }

    @Override
    public void syncAll() {
        keys().forEach(key -> log.add(get(key).toString()));
    }

    @Override
    public void bookmark(String resourceVersion) {
        log.add("bookmark " + resourceVersion);
    }

    @Override
    public void synced() {
        syncedCalls++;
        log.add("synced");
    }

    @Override
    public List<ObjectName> keys() {
        synchronized (stored) {
            return List.copyOf(stored.keySet());
        }
    }

    @Override
    public Thing get(ObjectName key) {
        synchronized (stored) {
            return stored.get(key);
        }
    }
}
