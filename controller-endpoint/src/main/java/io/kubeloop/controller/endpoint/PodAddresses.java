/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodIP;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceSpec;
import io.kubeloop.api.value.IpAddress;
import org.jspecify.annotations.Nullable;

/** Chooses the address of a pod for a service. Stateless. */
final class PodAddresses {

    private static final String IPV6 = "IPv6";

    private PodAddresses() {}

    /**
     * Returns the address (upstream: {@code podToEndpointAddressForService}), or null if the pod has none of the
     * service's IP family.
     */
    static @Nullable EndpointAddress of(Service service, Pod pod) {
        String ip = ipOfFamily(pod, isIpV6(service.spec(), pod));
        if (ip.isEmpty()) {
            return null;
        }
        ObjectMeta metadata = pod.metadata();
        ObjectReference target = new ObjectReference(
                "Pod", metadata.namespace(), metadata.name(), metadata.uid(), "", "", "", UnknownFields.NONE);
        return new EndpointAddress(
                ip, hostname(service, pod.spec()), pod.spec().nodeName(), target, UnknownFields.NONE);
    }

    /** The service's first IP family decides, else its cluster IP. For a headless service, the pod's IP decides. */
    private static boolean isIpV6(ServiceSpec service, Pod pod) {
        if (!service.ipFamilies().isEmpty()) {
            return service.ipFamilies().get(0).equals(IPV6);
        }
        return IpAddress.isV6(
                service.hasClusterIP() ? service.clusterIP() : pod.status().podIP());
    }

    /** Returns the first address of the family in its canonical spelling; empty if there is none. */
    private static String ipOfFamily(Pod pod, boolean ipV6) {
        for (PodIP podIp : pod.status().podIPs()) {
            String ip = canonical(podIp.ip());
            if (IpAddress.isV6(ip) == ipV6) {
                return ip;
            }
        }
        return "";
    }

    /** Returns the canonical form; invalid text stays as it is, and the server rejects it with a message. */
    private static String canonical(String ip) {
        if (ip.indexOf(':') < 0 && IpAddress.parse(ip) != null) {
            return ip; // the common case: this runs for each pod in each sync
        }
        IpAddress address = IpAddress.parseSloppy(ip);
        return address == null ? ip : address.canonical();
    }

    /** Returns the pod's host name if its subdomain is the service's name, else an empty string. */
    private static String hostname(Service service, PodSpec pod) {
        return pod.subdomain().equals(service.metadata().name()) ? pod.hostname() : "";
    }
}
