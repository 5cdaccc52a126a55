package io.kubeloop.controlplane.collector;

import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The owner references of all objects that the feed has delivered. Confined to the collector's thread. */
final class OwnershipGraph {

    /** By dependent: the UIDs of its owners, each with its {@code blockOwnerDeletion} flag. */
    private final Map<ObjectId, Map<String, Boolean>> owners = new HashMap<>();

    private final Map<String, Set<ObjectId>> dependents = new HashMap<>();

    /**
     * Records the owners of an object.
     *
     * @return whether the owners or their flags have changed
     */
    boolean observe(ObjectId id, JsonObject object) {
        Map<String, Boolean> now = new LinkedHashMap<>();
        object.array("metadata", "ownerReferences")
                .objects()
                .forEach(owner -> now.put(owner.string("uid"), owner.bool("blockOwnerDeletion")));
        Map<String, Boolean> before = owners.getOrDefault(id, Map.of());
        if (now.equals(before)) {
            return false;
        }
        forget(id);
        if (!now.isEmpty()) {
            owners.put(id, now);
            now.keySet()
                    .forEach(uid -> dependents
                            .computeIfAbsent(uid, unused -> new LinkedHashSet<>())
                            .add(id));
        }
        return true;
    }

    void forget(ObjectId id) {
        Map<String, Boolean> references = owners.remove(id);
        if (references == null) {
            return;
        }
        for (String uid : references.keySet()) {
            Set<ObjectId> others = dependents.get(uid);
            if (others != null && others.remove(id) && others.isEmpty()) {
                dependents.remove(uid);
            }
        }
    }

    void clear() {
        owners.clear();
        dependents.clear();
    }

    /** Returns the dependents of a UID. Copies. */
    List<ObjectId> dependents(String uid) {
        return List.copyOf(dependents.getOrDefault(uid, Set.of()));
    }
}
