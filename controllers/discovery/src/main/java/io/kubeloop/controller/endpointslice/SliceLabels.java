/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.api.discovery.EndpointSliceBuilder;
import io.kubeloop.api.discovery.EndpointSlicePort;
import io.kubeloop.controller.ControllerRefs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The labels and owners by which slices belong to a controller and a service. Immutable. */
final class SliceLabels {

    static final String SERVICE_NAME = "kubernetes.io/service-name";
    static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    private static final String HEADLESS = "service.kubernetes.io/headless";

    /** Labels that a service cannot pass on to its slices. */
    private static final Set<String> RESERVED = Set.of(SERVICE_NAME, MANAGED_BY, HEADLESS);

    private final String controllerName;

    /** Creates the labels of a controller, such as {@code endpointslice-controller.k8s.io}. */
    SliceLabels(String controllerName) {
        this.controllerName = controllerName;
    }

    boolean areOfController(KubeObject slice) {
        return controllerName.equals(slice.metadata().labels().get(MANAGED_BY));
    }

    /** Returns whether the slice is one of the service and of this controller. */
    boolean areOf(ObjectName service, EndpointSlice slice) {
        return service.equals(serviceOf(slice)) && areOfController(slice);
    }

    /** Returns the service that the slice names; null if it names none. */
    static @Nullable ObjectName serviceOf(EndpointSlice slice) {
        String name = slice.metadata().labels().getOrDefault(SERVICE_NAME, "");
        return name.isEmpty() ? null : new ObjectName(slice.metadata().namespace(), name);
    }

    /** Returns the labels of the service's slices. */
    Map<String, String> of(Service service) {
        Map<String, String> result = inherited(service);
        if (!service.spec().hasClusterIP()) {
            result.put(HEADLESS, "");
        }
        return named(service, result);
    }

    /** Adds the labels that name the owner and the controller. */
    Map<String, String> named(KubeObject owner, Map<String, String> labels) {
        Map<String, String> result = new HashMap<>(labels);
        result.put(SERVICE_NAME, owner.metadata().name());
        result.put(MANAGED_BY, controllerName);
        return result;
    }

    /** Returns whether the slice lacks labels of the service, or has others. Reserved labels alone cause no write. */
    boolean areOutdated(Service service, EndpointSlice slice) {
        return !inherited(service).equals(inherited(slice));
    }

    private static Map<String, String> inherited(KubeObject object) {
        Map<String, String> result = new HashMap<>(object.metadata().labels());
        result.keySet().removeAll(RESERVED);
        return result;
    }

    /** Returns a slice without endpoints, which the server will name. */
    EndpointSlice newSlice(Service service, String addressType, List<EndpointSlicePort> ports) {
        return EndpointSliceBuilder.builder()
                .metadata(ObjectMetaBuilder.builder()
                        .generateName(service.metadata().name() + "-")
                        .namespace(service.metadata().namespace())
                        .labels(of(service))
                        .ownerReferences(List.of(ControllerRefs.newControllerRef(ResourceTypes.SERVICES, service)))
                        .build())
                .addressType(addressType)
                .ports(ports)
                .build();
    }

    /** Returns whether the service owns the slice; slices of an earlier service of its name are about to be deleted. */
    static boolean isOwned(EndpointSlice slice, Service service) {
        return slice.metadata().ownerReferences().stream()
                .anyMatch(owner -> owner.uid().equals(service.metadata().uid())
                        && owner.kind().equals("Service")
                        && owner.apiVersion().equals("v1"));
    }
}
