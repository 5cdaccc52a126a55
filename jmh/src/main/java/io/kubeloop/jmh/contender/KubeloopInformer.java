/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.contender;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;

/** An informer of this library, over HTTP with OkHttp. */
public final class KubeloopInformer implements PodInformer {

    private final KubeClient client;
    private final SharedInformerFactory factory;

    /** Creates an informer of the pods of all namespaces, with one handler. */
    public <T extends KubeObject> KubeloopInformer(
            String server, ObjectCodec codec, ResourceType<T> type, Listener listener) {
        this(server, codec, type, listener, InformerConfig.DEFAULT);
    }

    <T extends KubeObject> KubeloopInformer(
            String server, ObjectCodec codec, ResourceType<T> type, Listener listener, InformerConfig config) {
        // A list of a million pods is larger than the usual limit.
        client = KubeClient.of(
                OkHttpTransport.builder(ClientConfig.of(server))
                        .maxResponseBytes(Long.MAX_VALUE)
                        .build(),
                codec);
        // Use a list and a watch, as the other libraries do.
        factory = SharedInformers.factory(client, config.withStreamingList(false));
        SharedInformer<T> pods = factory.informer(type);
        pods.addHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T pod, boolean isInInitialList) {
                listener.added();
            }

            @Override
            public void onUpdate(T oldPod, T newPod) {
                listener.updated();
            }
        });
    }

    @Override
    public void start() {
        factory.start();
    }

    @Override
    public void close() {
        factory.close();
        client.close();
    }
}
