/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointPort;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServicePort;
import io.kubeloop.controller.services.ContainerPorts;
import io.kubeloop.controller.services.SubsetPacker;
import java.util.List;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Computes the desired subsets of a service from its pods. Stateless. */
final class DesiredSubsets {

    private static final Logger LOG = LoggerFactory.getLogger(DesiredSubsets.class);

    private DesiredSubsets() {}

    /**
     * Returns the subsets in canonical order, with all addresses.
     *
     * @param pods the pods that the service selects
     */
    static List<EndpointSubset> of(Service service, List<Pod> pods) {
        boolean tolerateUnready = service.spec().publishNotReadyAddresses();
        SubsetPacker packer = new SubsetPacker();
        for (Pod pod : pods) {
            boolean ready = tolerateUnready || pod.isReady();
            boolean leaving = pod.metadata().isDeleting() && !tolerateUnready;
            if (!pod.status().podIP().isEmpty() && !leaving && !pod.isFinished()) {
                add(packer, service, pod, ready);
            }
        }
        return packer.pack();
    }

    private static void add(SubsetPacker packer, Service service, Pod pod, boolean ready) {
        EndpointAddress address = PodAddresses.of(service, pod);
        if (address == null) {
            LOG.debug("Pod {} has no address of the IP family of service {}", pod.objectName(), service.objectName());
            return;
        }
        if (service.spec().ports().isEmpty() && service.spec().isHeadless()) {
            packer.add(address, (EndpointPort) null, ready);
        }
        for (ServicePort port : service.spec().ports()) {
            OptionalInt target = ContainerPorts.findPort(pod, port);
            if (target.isPresent()) {
                packer.add(address, endpointPort(port, target.getAsInt()), ready);
            } else {
                LOG.debug(
                        "Pod {} has no port {} for service {}",
                        pod.objectName(),
                        port.targetPort(),
                        service.objectName());
            }
        }
    }

    private static EndpointPort endpointPort(ServicePort port, int target) {
        return new EndpointPort(port.name(), target, port.protocol(), port.appProtocol(), UnknownFields.NONE);
    }
}
