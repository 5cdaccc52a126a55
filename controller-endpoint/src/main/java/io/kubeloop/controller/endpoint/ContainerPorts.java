package io.kubeloop.controller.endpoint;

import io.kubeloop.api.Container;
import io.kubeloop.api.ContainerPort;
import io.kubeloop.api.Pod;
import io.kubeloop.api.ServicePort;
import java.util.OptionalInt;

/** Finds the port of a pod that a service port leads to (upstream: {@code podutil.FindPort}). */
final class ContainerPorts {

    private ContainerPorts() {}

    /**
     * Returns the target port: a number as it stands, a name as the first container port of that name and protocol says;
     * empty if no container has one.
     */
    static OptionalInt findPort(Pod pod, ServicePort servicePort) {
        String name = servicePort.targetPort().text();
        if (name == null) {
            return OptionalInt.of(servicePort.targetPort().number());
        }
        for (Container container : pod.spec().containers()) {
            for (ContainerPort port : container.ports()) {
                if (port.name().equals(name) && port.protocol().equals(servicePort.protocol())) {
                    return OptionalInt.of(port.containerPort());
                }
            }
        }
        return OptionalInt.empty();
    }
}
