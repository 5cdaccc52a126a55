package io.kubeloop.controller;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds an owner's pods by an index, so that the cost of a sync depends on the owner's pods, not on those of its namespace (upstream:
 * {@code podControllerIndex}, since v1.34). Thread-safe.
 */
final class IndexedPodCache implements PodCache {

    /** All controllers share the index; the first one adds it. */
    private static final String INDEX = "controllerUidOrOrphan";

    private final SharedInformer<Pod> informer;
    private final Lister<Pod> lister;

    IndexedPodCache(SharedInformer<Pod> informer) {
        this.informer = informer;
        this.lister = informer.lister();
        try {
            informer.addIndexers(Map.of(INDEX, IndexedPodCache::indexValues));
        } catch (IllegalArgumentException e) {
            // Another controller has added the same index. The next call throws for any other cause.
            informer.byIndex(INDEX, "");
        }
    }

    private static List<String> indexValues(Pod pod) {
        OwnerReference controller = pod.metadata().controller();
        return List.of(controller == null ? orphansOf(pod.metadata().namespace()) : controller.uid());
    }

    /** A UID contains no slash, so it never equals this value. */
    private static String orphansOf(String namespace) {
        return "orphans/" + namespace;
    }

    @Override
    public List<Pod> candidates(String namespace, String ownerUid) {
        List<Pod> pods = new ArrayList<>(informer.byIndex(INDEX, ownerUid));
        // A pod of another namespace can carry the owner's UID.
        pods.removeIf(pod -> !pod.metadata().namespace().equals(namespace));
        pods.addAll(informer.byIndex(INDEX, orphansOf(namespace)));
        return pods;
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
