/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.cache.informer.ClientInformerFactory;
import io.kubeloop.cache.informer.SharedIndexInformer;
import io.kubeloop.runtime.OwnedThreads;

/** Creates informers and informer factories. Thread-safe. */
public final class SharedInformers {

    private SharedInformers() {}

    /** Returns a factory for all namespaces, without resync. */
    public static SharedInformerFactory factory(KubeClient client) {
        return factory(client, InformerConfig.DEFAULT);
    }

    /**
     * Returns a factory. The namespace and the selectors of the configuration apply to every informer of the factory.
     * Closing the factory does not close the client.
     */
    public static SharedInformerFactory factory(KubeClient client, InformerConfig config) {
        return new ClientInformerFactory(client, config);
    }

    /**
     * Returns an informer on any source. The source decides which objects exist; the namespace and the selectors of the
     * configuration are only part of the informer's name.
     */
    public static <T extends KubeObject> SharedInformer<T> informer(
            ResourceType<T> type, ListerWatcher<T> source, InformerConfig config) {
        return new SharedIndexInformer<>(type, source, config, config.scheduler(), OwnedThreads.newFamily());
    }
}
