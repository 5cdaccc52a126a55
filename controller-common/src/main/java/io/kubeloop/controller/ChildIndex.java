/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.cache.SharedInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The cached objects that an owner may claim, found by an index. So the cost of a sync depends on the owner's objects,
 * not on those of its namespace (upstream: {@code FilterPodsByOwner}). Thread-safe; does not block.
 *
 * @param <C> the kind of the objects
 */
@FunctionalInterface
public interface ChildIndex<C extends KubeObject> {

    /**
     * Returns the objects that an owner may claim: at least its own and the orphans of its namespace. O(result).
     *
     * @param ownerUid the UID of the owner
     */
    List<C> candidates(String namespace, String ownerUid);

    /** Adds the index to an informer, unless another controller has added it, and returns its view. */
    static <C extends KubeObject> ChildIndex<C> of(SharedInformer<C> informer) {
        String index = "controllerUidOrOrphan";
        try {
            informer.addIndexers(Map.of(index, ChildIndex::values));
        } catch (IllegalArgumentException e) {
            // Another controller has added the same index. The next call throws for any other cause.
            informer.byIndex(index, "");
        }
        return (namespace, ownerUid) -> {
            List<C> found = new ArrayList<>(informer.byIndex(index, ownerUid));
            // An object of another namespace can carry the owner's UID.
            found.removeIf(child -> !child.metadata().namespace().equals(namespace));
            found.addAll(informer.byIndex(index, orphansOf(namespace)));
            return found;
        };
    }

    /** Returns whether the owner of this UID may claim the object: it is its controller, or the object has none. */
    public static boolean isInReach(String ownerUid, KubeObject object) {
        OwnerReference controller = object.metadata().controller();
        return controller == null || controller.uid().equals(ownerUid);
    }

    private static List<String> values(KubeObject object) {
        OwnerReference controller = object.metadata().controller();
        return List.of(controller == null ? orphansOf(object.metadata().namespace()) : controller.uid());
    }

    /** A UID contains no slash, so it never equals this value. */
    private static String orphansOf(String namespace) {
        return "orphans/" + namespace;
    }
}
