/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.peers;

import io.kubeloop.jmh.contender.PodInformer;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.ClientBuilder;
import okhttp3.OkHttpClient;

/** An informer of client-java, created by its factory: a list and a watch with generated calls. */
final class ClientJavaInformer implements PodInformer {

    private final ApiClient client;
    private final SharedInformerFactory factory;

    ClientJavaInformer(String server, Listener listener) {
        client = new ClientBuilder().setBasePath(server).build();
        // With the default read timeout, a quiet watch would end after ten seconds.
        client.setReadTimeout(0);
        CoreV1Api api = new CoreV1Api(client);
        factory = new SharedInformerFactory(client);
        factory.sharedIndexInformerFor(
                        parameters -> api.listPodForAllNamespaces()
                                .resourceVersion(parameters.resourceVersion)
                                .timeoutSeconds(parameters.timeoutSeconds)
                                .watch(parameters.watch)
                                .buildCall(null),
                        V1Pod.class,
                        V1PodList.class)
                .addEventHandler(new Handler(listener));
    }

    @Override
    public void start() {
        factory.startAllRegisteredInformers();
    }

    @Override
    public void close() {
        factory.stopAllRegisteredInformers();
        OkHttpClient http = client.getHttpClient();
        http.dispatcher().cancelAll();
        http.dispatcher().executorService().shutdown();
        http.connectionPool().evictAll();
    }

    private record Handler(Listener listener) implements ResourceEventHandler<V1Pod> {

        @Override
        public void onAdd(V1Pod pod) {
            listener.added();
        }

        @Override
        public void onUpdate(V1Pod oldPod, V1Pod newPod) {
            listener.updated();
        }

        @Override
        public void onDelete(V1Pod pod, boolean finalStateUnknown) {}
    }
}
