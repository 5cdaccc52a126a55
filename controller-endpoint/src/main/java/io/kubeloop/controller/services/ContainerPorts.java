/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.services;

import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.ContainerPort;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ServicePort;
import java.util.List;
import java.util.OptionalInt;

/**
 * Finds the port of a pod that is the target of a service port; stateless (upstream: {@code podutil.FindPort}, now
 * {@code endpointslice.FindPort}).
 */
public final class ContainerPorts {

    private ContainerPorts() {}

    /**
     * Returns the target port, or empty if the pod has none. A number is returned as it is; a name is resolved to the
     * first port of that name and protocol. Ports of containers precede those of sidecars.
     */
    public static OptionalInt findPort(Pod pod, ServicePort servicePort) {
        String name = servicePort.targetPort().text();
        if (name == null) {
            return OptionalInt.of(servicePort.targetPort().number());
        }
        OptionalInt found = findPort(pod.spec().containers(), name, servicePort.protocol());
        return found.isPresent() ? found : findPort(pod.spec().sidecars(), name, servicePort.protocol());
    }

    private static OptionalInt findPort(List<Container> containers, String name, String protocol) {
        for (Container container : containers) {
            for (ContainerPort port : container.ports()) {
                if (port.name().equals(name) && port.protocol().equals(protocol)) {
                    return OptionalInt.of(port.containerPort());
                }
            }
        }
        return OptionalInt.empty();
    }
}
