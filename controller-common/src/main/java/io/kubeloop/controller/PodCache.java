package io.kubeloop.controller;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformer;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The cached pods, by the queries of controllers that own pods. Thread-safe; does not block. */
public interface PodCache {

    /** Returns the pods that an owner may claim: at least its own and the orphans of its namespace. */
    List<Pod> candidates(String namespace, String ownerUid);

    /** Returns the pods of a namespace that match. */
    List<Pod> list(String namespace, Predicate<Pod> matches);

    /** Returns the pod, or null. */
    @Nullable
    Pod get(ObjectName name);

    /**
     * Returns a cache that finds an owner's pods by an index, so that the cost of a query depends on the owner's pods, not on
     * those of its namespace. The first call for an informer adds the index.
     */
    static PodCache indexed(SharedInformer<Pod> informer) {
        return new IndexedPodCache(informer);
    }

    /** Returns a cache that scans all pods of a namespace, for listers without an index. */
    static PodCache of(Lister<Pod> lister) {
        return new PodCache() {
            @Override
            public List<Pod> candidates(String namespace, String ownerUid) {
                return lister.list(namespace);
            }

            @Override
            public List<Pod> list(String namespace, Predicate<Pod> matches) {
                return lister.list(namespace, matches);
            }

            @Override
            public @Nullable Pod get(ObjectName name) {
                return lister.get(name);
            }
        };
    }
}
