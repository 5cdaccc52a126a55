/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.pods;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ChildIndex;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cached pods, by the queries of controllers that own pods. Thread-safe; does not block.
 *
 * @param lister the pods
 * @param index the pods of each owner
 */
public record PodCache(Lister<Pod> lister, ChildIndex<Pod> index) {

    /**
     * Returns a cache that finds an owner's pods by an index, so the cost of a query depends on the owner's pods,
     * not on those of its namespace (upstream: {@code podControllerIndex}, since v1.34). The first call for an informer
     * adds the index.
     */
    public static PodCache indexed(SharedInformer<Pod> informer) {
        return new PodCache(informer.lister(), ChildIndex.of(informer));
    }

    /** Returns a cache that scans all pods of a namespace, for listers without an index. */
    public static PodCache of(Lister<Pod> lister) {
        return new PodCache(lister, (namespace, ownerUid) -> lister.list(namespace));
    }

    /** Returns the pods that an owner may claim: at least its own and the orphans of its namespace. */
    public List<Pod> candidates(String namespace, String ownerUid) {
        return index.candidates(namespace, ownerUid);
    }

    /** Returns the pods of a namespace that match. */
    public List<Pod> list(String namespace, Predicate<Pod> matches) {
        return lister.list(namespace, matches);
    }

    /** Returns the pod, or null. */
    public @Nullable Pod get(ObjectName name) {
        return lister.get(name);
    }
}
