package io.kubeloop.controller.endpoint;

import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.ContainerPort;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ServicePort;
import java.util.List;
import java.util.OptionalInt;

/** Finds the port of a pod that a service port leads to (upstream: {@code podutil.FindPort}, now {@code endpointslice.FindPort}). */
final class ContainerPorts {

    private ContainerPorts() {}

    /**
     * Returns the target port: a number as it stands, a name as the first port of that name and protocol says; empty if there is
     * none. Sidecars' ports count since they exist, after those of the containers: where they do not exist yet, no pod has any.
     */
    static OptionalInt findPort(Pod pod, ServicePort servicePort) {
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
