package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which objects depend on which, as far as the collector has been told. Confined to the collector's thread. */
final class OwnershipGraph {

    private final Map<ObjectId, Set<String>> owners = new HashMap<>();
    private final Map<String, Set<ObjectId>> dependents = new HashMap<>();

    /**
     * Notes the owners of an object.
     *
     * @return whether they are others than before
     */
    boolean observe(ObjectId id, JsonObject object) {
        Set<String> now = object.array("metadata", "ownerReferences")
                .objects()
                .map(owner -> owner.string("uid"))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        Set<String> before = owners.getOrDefault(id, Set.of());
        if (now.equals(before)) {
            return false;
        }
        forget(id);
        if (!now.isEmpty()) {
            owners.put(id, now);
            now.forEach(uid -> dependents
                    .computeIfAbsent(uid, unused -> new LinkedHashSet<>())
                    .add(id));
        }
        return true;
    }

    void forget(ObjectId id) {
        Set<String> uids = owners.remove(id);
        if (uids == null) {
            return;
        }
        for (String uid : uids) {
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
