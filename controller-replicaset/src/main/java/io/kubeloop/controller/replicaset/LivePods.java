package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.core.Pod;
import java.util.ArrayList;
import java.util.List;

/** Reads pods from the server instead of the cache. Thread-safe; blocks. */
final class LivePods {

    private static final int PAGE_SIZE = 500;

    private final KubeClient client;

    LivePods(KubeClient client) {
        this.client = client;
    }

    /** Returns all pods of the namespace from the server. Blocks; sends one request per {@value #PAGE_SIZE} pods. */
    List<Pod> list(String namespace) {
        List<Pod> pods = new ArrayList<>();
        String continueToken = "";
        do {
            KubeList<Pod> page = client.resource(ResourceTypes.PODS)
                    .list(
                            namespace,
                            ListOptionsBuilder.builder()
                                    .limit(PAGE_SIZE)
                                    .continueToken(continueToken)
                                    .build());
            pods.addAll(page.items());
            continueToken = page.metadata().continueToken();
        } while (!continueToken.isEmpty());
        return pods;
    }
}
