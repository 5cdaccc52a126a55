/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.peers;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.impl.cache.CacheImpl;
import io.kubeloop.jmh.contender.PodSeed;
import io.kubeloop.jmh.contender.PodStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The cache of fabric8's informers, which has the index by namespace by default. */
final class Fabric8Store implements PodStore {

    private final CacheImpl<Pod> cache = new CacheImpl<>();
    private final Pod[] first;
    private final Pod[] second;
    private final String[] keys;
    private final String[] namespaces;

    Fabric8Store(List<PodSeed> seeds) {
        int count = seeds.size();
        first = new Pod[count];
        second = new Pod[count];
        keys = new String[count];
        namespaces = new String[count];
        for (int i = 0; i < count; i++) {
            first[i] = pod(seeds.get(i), 1_000_000 + i);
            second[i] = pod(seeds.get(i), 2_000_000 + i);
            keys[i] = cache.getKey(first[i]);
            namespaces[i] = seeds.get(i).namespace();
            cache.put(first[i]);
        }
    }

    private static Pod pod(PodSeed seed, int version) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(seed.namespace())
                .withName(seed.name())
                .withResourceVersion(Integer.toString(version))
                .addToLabels("app", seed.app())
                .endMetadata()
                .build();
    }

    @Override
    public void update(int pod, boolean toSecond) {
        cache.put(toSecond ? second[pod] : first[pod]);
    }

    @Override
    public void deleteAndAdd(int pod) {
        cache.remove(first[pod]);
        cache.put(first[pod]);
    }

    @Override
    public @Nullable Object get(int pod) {
        return cache.getByKey(keys[pod]);
    }

    @Override
    public Object inNamespaceOf(int pod) {
        return cache.byIndex(Cache.NAMESPACE_INDEX, namespaces[pod]);
    }

    @Override
    public Object list() {
        return cache.list();
    }
}
