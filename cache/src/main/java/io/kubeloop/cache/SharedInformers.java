package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.cache.informer.ClientInformerFactory;
import io.kubeloop.cache.informer.SharedIndexInformer;
import io.kubeloop.cache.runtime.OwnedThreads;

/** Makes informers and factories of them. */
public final class SharedInformers {

    private SharedInformers() {}

    /** Returns a factory over all namespaces, without resync. */
    public static SharedInformerFactory factory(KubeClient client) {
        return factory(client, InformerConfig.DEFAULT);
    }

    /** Returns a factory. Namespace and selectors hold for every informer it makes; the client is not closed with it. */
    public static SharedInformerFactory factory(KubeClient client, InformerConfig config) {
        return new ClientInformerFactory(client, config);
    }

    /**
     * Returns a single informer on any source. Namespace and selectors of the configuration only name it: what is listed is
     * up to the source.
     */
    public static <T extends KubeObject> SharedInformer<T> informer(
            ResourceType<T> type, ListerWatcher<T> source, InformerConfig config) {
        return new SharedIndexInformer<>(type, source, config, config.timers(), OwnedThreads.newFamily());
    }
}
