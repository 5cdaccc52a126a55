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

/** Computes the desired subsets of a service from its pods. A function without state and I/O. */
final class DesiredSubsets {

    /** An annotation that overrides the field {@code publishNotReadyAddresses}; deprecated since v1.11. */
    private static final String TOLERATE_UNREADY = "service.alpha.kubernetes.io/tolerate-unready-endpoints";

    private static final Logger LOG = LoggerFactory.getLogger(DesiredSubsets.class);

    private final PodAddresses addresses;
    private final boolean upstreamsOrder;
    private final boolean readsAnnotation;

    DesiredSubsets(EndpointRules rules) {
        upstreamsOrder = !rules.frugal();
        readsAnnotation = rules.unreadyAnnotation();
        addresses = new PodAddresses(rules);
    }

    /**
     * Returns the subsets in canonical order, with all addresses.
     *
     * @param pods the pods that the service selects
     */
    List<EndpointSubset> of(Service service, List<Pod> pods) {
        boolean tolerateUnready = toleratesUnready(service);
        SubsetPacker packer = new SubsetPacker();
        for (Pod pod : pods) {
            boolean ready = tolerateUnready || pod.isReady();
            boolean leaving = pod.metadata().isDeleting() && !tolerateUnready;
            if (!pod.status().podIP().isEmpty() && !leaving && addresses.mayBeListed(pod, ready)) {
                add(packer, service, pod, ready);
            }
        }
        List<EndpointSubset> subsets = packer.pack();
        return upstreamsOrder ? Md5SubsetComparator.sort(subsets) : subsets;
    }

    private void add(SubsetPacker packer, Service service, Pod pod, boolean ready) {
        EndpointAddress address = addresses.addressOf(service, pod);
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

    private boolean toleratesUnready(Service service) {
        String annotation = readsAnnotation ? service.metadata().annotations().getOrDefault(TOLERATE_UNREADY, "") : "";
        return switch (annotation) {
            case "1", "t", "T", "true", "TRUE", "True" -> true;
            case "0", "f", "F", "false", "FALSE", "False" -> false;
            default -> service.spec().publishNotReadyAddresses();
        };
    }
}
