/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.core.Pod;
import java.util.ArrayList;
import java.util.List;

/** Reads pods from the server instead of the cache. Thread-safe; blocks. */
final class LivePods {

    private final KubeClient client;

    LivePods(KubeClient client) {
        this.client = client;
    }

    /** Returns all pods of the namespace from the server. Blocks; sends one request per 500 pods. */
    List<Pod> list(String namespace) {
        List<Pod> pods = new ArrayList<>();
        client.resource(ResourceTypes.PODS).listAll(namespace, ListOptions.NONE).forEach(pods::add);
        return pods;
    }
}
