package io.kubeloop.controller;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformer;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds an owner's pods by an index, so that the cost of a sync depends on the owner's pods, not on those of its namespace (upstream:
 * {@code podControllerIndex}, since v1.34). Thread-safe.
 */
final class IndexedPodCache implements PodCache {

    private final ChildIndex<Pod> index;
    private final Lister<Pod> lister;

    IndexedPodCache(SharedInformer<Pod> informer) {
        index = ChildIndex.of(informer);
        lister = informer.lister();
    }

    @Override
    public List<Pod> candidates(String namespace, String ownerUid) {
        return index.candidates(namespace, ownerUid);
    }

    @Override
    public List<Pod> list(String namespace, Predicate<Pod> matches) {
        return lister.list(namespace, matches);
    }

    @Override
    public @Nullable Pod get(ObjectName name) {
        return lister.get(name);
    }
}
