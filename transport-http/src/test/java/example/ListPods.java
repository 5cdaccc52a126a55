/* SPDX-License-Identifier: Apache-2.0 */
package example;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.transport.http.KubeClients;

/** Prints the names of the pods in the namespace {@code default}. */
public final class ListPods {

    private ListPods() {}

    public static void main(String[] args) {
        try (KubeClient client = KubeClients.fromDefaultConfig()) {
            client.resource(ResourceTypes.PODS)
                    .list("default", ListOptions.NONE)
                    .items()
                    .forEach(pod -> System.out.println(pod.metadata().name()));
        }
    }
}
