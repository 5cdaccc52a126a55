/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.contender;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.cache.Indexers;
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.workqueue.WorkQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** This library. */
public class Kubeloop implements Contender {

    @Override
    public String name() {
        return "kubeloop";
    }

    @Override
    public PodStore store(List<PodSeed> pods) {
        return new Store(pods);
    }

    @Override
    public KeyQueue queue() {
        return new Queue(WorkQueues.rateLimiting("keys"));
    }

    @Override
    public PodInformer informer(String server, PodInformer.Listener listener) {
        return new KubeloopInformer(server, JsonCodec.standard(), ResourceTypes.PODS, listener);
    }

    private static Pod pod(PodSeed seed, int version) {
        ObjectMeta metadata = ObjectMetaBuilder.builder(ObjectMeta.named(seed.namespace(), seed.name()))
                .resourceVersion(Integer.toString(version))
                .labels(Map.of("app", seed.app()))
                .build();
        return Pod.of(metadata, PodSpec.EMPTY, PodStatus.EMPTY);
    }

    private static final class Store implements PodStore {

        private final ThreadSafeStore<ObjectName, Pod> store = new ThreadSafeStore<>(
                KubeObject::objectName, pod -> pod.metadata().resourceVersion());
        private final Pod[] first;
        private final Pod[] second;
        private final ObjectName[] keys;

        Store(List<PodSeed> seeds) {
            int count = seeds.size();
            first = new Pod[count];
            second = new Pod[count];
            keys = new ObjectName[count];
            store.addIndexers(Map.of(Indexers.NAMESPACE, Indexers::byNamespace));
            for (int i = 0; i < count; i++) {
                first[i] = pod(seeds.get(i), 1_000_000 + i);
                second[i] = pod(seeds.get(i), 2_000_000 + i);
                keys[i] = first[i].objectName();
                store.add(first[i]);
            }
        }

        @Override
        public void update(int pod, boolean toSecond) {
            store.update(toSecond ? second[pod] : first[pod]);
        }

        @Override
        public void deleteAndAdd(int pod) {
            store.delete(first[pod]);
            store.add(first[pod]);
        }

        @Override
        public @Nullable Object get(int pod) {
            return store.getByKey(keys[pod]);
        }

        @Override
        public Object inNamespaceOf(int pod) {
            return store.byIndex(Indexers.NAMESPACE, keys[pod].namespace());
        }

        @Override
        public Object list() {
            return store.list();
        }
    }

    private record Queue(WorkQueue<String> queue) implements KeyQueue {

        @Override
        public void add(String key) {
            queue.add(key);
        }

        @Override
        public @Nullable String get() throws InterruptedException {
            return queue.get();
        }

        @Override
        public void done(String key) {
            queue.done(key);
        }

        @Override
        public void shutDown() {
            queue.shutDown();
        }
    }
}
