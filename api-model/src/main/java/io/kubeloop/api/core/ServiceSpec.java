/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a service, and its addresses and ports (upstream: {@code core/v1.ServiceSpec}).
 *
 * @param ports the ports that the service exposes
 * @param selector labels of the pods; empty if another program manages the endpoints
 * @param clusterIP the virtual address; {@code None} for a headless service
 * @param clusterIPs the virtual addresses, at most one per IP family; the first equals {@code clusterIP}
 * @param type {@code ClusterIP}, {@code NodePort}, {@code LoadBalancer} or {@code ExternalName}; empty before
 *     defaulting
 * @param externalName the DNS name to which an {@code ExternalName} service refers
 * @param publishNotReadyAddresses whether pods that are not ready count as ready endpoints
 * @param ipFamilies {@code IPv4} and {@code IPv6}, in order of preference
 * @param trafficDistribution which endpoints proxies prefer, such as {@code PreferSameZone}; null means any
 * @param unknownFields all other fields
 */
@WithMethods
public record ServiceSpec(
        List<ServicePort> ports,
        Map<String, String> selector,
        @JsonMember(shared = false) String clusterIP,
        @JsonMember(shared = false) List<String> clusterIPs,
        String type,
        @JsonMember(shared = false) String externalName,
        @JsonMember(omitZero = true) boolean publishNotReadyAddresses,
        List<String> ipFamilies,
        @Nullable String trafficDistribution,
        UnknownFields unknownFields)
        implements ServiceSpecBuilder.With {

    /** Every field absent. */
    public static final ServiceSpec EMPTY = ServiceSpecBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public ServiceSpec {
        ports = Values.orEmpty(ports);
        selector = Values.orEmpty(selector);
        clusterIP = Values.orEmpty(clusterIP);
        clusterIPs = Values.orEmpty(clusterIPs);
        type = Values.orEmpty(type);
        externalName = Values.orEmpty(externalName);
        ipFamilies = Values.orEmpty(ipFamilies);
        unknownFields = Values.orNone(unknownFields);
    }

    /** The cluster IP of a headless service. */
    public static final String HEADLESS = "None";

    /** The number of the component {@code selector} in {@link UnknownFields}. */
    private static final int SELECTOR = 1;

    /**
     * Returns whether the service selects its pods. As upstream, an explicit empty selector selects every pod of the
     * namespace. API servers that store typed objects never return one.
     */
    public boolean hasSelector() {
        return !selector.isEmpty() || unknownFields.wasEmpty(SELECTOR);
    }

    /** Returns whether the service has a virtual address (upstream: {@code helper.IsServiceIPSet}). */
    public boolean hasClusterIP() {
        return !clusterIP.isEmpty() && !isHeadless();
    }

    /** Returns whether the service has no virtual address, so its name resolves to the pods' addresses. */
    public boolean isHeadless() {
        return clusterIP.equals(HEADLESS);
    }
}
