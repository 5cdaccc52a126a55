/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.simulation.ClusterState;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds objects whose owners are all gone. Stateless. */
final class Dependents {

    private Dependents() {}

    /**
     * Returns a sentence for each object that has owners of which none exists any more. O(number of objects).
     *
     * @param since objects that were not changed after this revision are left out
     */
    static List<String> withoutOwner(ClusterState state, long since) {
        Set<String> uids = uids(state);
        return state.all(since).stream()
                .filter(object -> isWithoutOwner(object.object("metadata"), uids))
                .map(object ->
                        object.string("kind") + " " + object.string("metadata", "name") + " is left without its owner")
                .toList();
    }

    /** Returns whether an object has owners of which none exists in a state. O(number of objects). */
    static boolean isInVain(JsonObject object, ClusterState state) {
        JsonObject metadata = object.object("metadata");
        return !metadata.array("ownerReferences").isEmpty() && isWithoutOwner(metadata, uids(state));
    }

    private static Set<String> uids(ClusterState state) {
        return state.all(0).stream()
                .map(object -> object.string("metadata", "uid"))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isWithoutOwner(JsonObject metadata, Set<String> uids) {
        List<JsonObject> owners = metadata.array("ownerReferences").objects().toList();
        return !owners.isEmpty() && owners.stream().noneMatch(owner -> uids.contains(owner.string("uid")));
    }
}
