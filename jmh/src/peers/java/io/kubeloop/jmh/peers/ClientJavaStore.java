/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.peers;

import io.kubeloop.jmh.contender.PodSeed;
import io.kubeloop.jmh.contender.PodStore;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cache of client-java's informers, which has the index by namespace by default. */
final class ClientJavaStore implements PodStore {

    private final Cache<V1Pod> cache = new Cache<>();
    private final V1Pod[] first;
    private final V1Pod[] second;
    private final String[] keys;
    private final String[] namespaces;

    ClientJavaStore(List<PodSeed> seeds) {
        int count = seeds.size();
        first = new V1Pod[count];
        second = new V1Pod[count];
        keys = new String[count];
        namespaces = new String[count];
        for (int i = 0; i < count; i++) {
            first[i] = pod(seeds.get(i), 1_000_000 + i);
            second[i] = pod(seeds.get(i), 2_000_000 + i);
            keys[i] = Caches.metaNamespaceKeyFunc(first[i]);
            namespaces[i] = seeds.get(i).namespace();
            cache.add(first[i]);
        }
    }

    private static V1Pod pod(PodSeed seed, int version) {
        return new V1Pod()
                .metadata(new V1ObjectMeta()
                        .namespace(seed.namespace())
                        .name(seed.name())
                        .resourceVersion(Integer.toString(version))
                        .labels(Map.of("app", seed.app())));
    }

    @Override
    public void update(int pod, boolean toSecond) {
        cache.update(toSecond ? second[pod] : first[pod]);
    }

    @Override
    public void deleteAndAdd(int pod) {
        cache.delete(first[pod]);
        cache.add(first[pod]);
    }

    @Override
    public @Nullable Object get(int pod) {
        return cache.getByKey(keys[pod]);
    }

    @Override
    public Object inNamespaceOf(int pod) {
        return cache.byIndex(Caches.NAMESPACE_INDEX, namespaces[pod]);
    }

    @Override
    public Object list() {
        return cache.list();
    }
}
