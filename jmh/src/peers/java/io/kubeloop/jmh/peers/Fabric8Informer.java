/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.peers;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.kubeloop.jmh.contender.PodInformer;

/**
 * An informer of fabric8: a list, and a watch through a WebSocket, which is its default. It has no resync, like the
 * others.
 */
final class Fabric8Informer implements PodInformer {

    private final KubernetesClient client;
    private final SharedIndexInformer<Pod> pods;

    Fabric8Informer(String server, Listener listener) {
        // An empty configuration, so the machine's kubeconfig has no effect.
        Config config = new ConfigBuilder(Config.empty()).withMasterUrl(server).build();
        client = new KubernetesClientBuilder().withConfig(config).build();
        pods = client.pods().inAnyNamespace().runnableInformer(0);
        pods.addEventHandler(new Handler(listener));
    }

    @Override
    public void start() {
        pods.start();
    }

    @Override
    public void close() {
        pods.close();
        client.close();
    }

    private record Handler(Listener listener) implements ResourceEventHandler<Pod> {

        @Override
        public void onAdd(Pod pod) {
            listener.added();
        }

        @Override
        public void onUpdate(Pod oldPod, Pod newPod) {
            listener.updated();
        }

        @Override
        public void onDelete(Pod pod, boolean finalStateUnknown) {}
    }
}
