/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import io.kubeloop.apiserver.http.ContainerHost;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/**
 * A container with its state as the pod's status shows it.
 *
 * @param spec the container in the spec
 * @param status its status; empty if the pod has none
 */
record SimulatedContainer(JsonObject spec, JsonObject status) {

    private static final List<String> LISTS = List.of("initContainers", "containers", "ephemeralContainers");
    private static final List<String> STATUSES =
            List.of("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses");

    static SimulatedContainer of(ContainerHost.Container container) {
        return of(container.pod(), container.name());
    }

    static SimulatedContainer of(JsonObject pod, String name) {
        return new SimulatedContainer(find(pod, "spec", LISTS, name), find(pod, "status", STATUSES, name));
    }

    private static JsonObject find(JsonObject pod, String part, List<String> lists, String name) {
        return lists.stream()
                .flatMap(list -> pod.array(part, list).objects())
                .filter(each -> each.string("name").equals(name))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    boolean isRunning() {
        return status.object("state").has("running");
    }

    boolean hasTerminated() {
        return status.object("state").has("terminated");
    }

    int exitCode() {
        Long code = status.number("state", "terminated", "exitCode");
        return code == null ? 0 : Math.toIntExact(code);
    }
}
