/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The containers of a pod, and how they run (upstream: {@code core/v1.PodSpec}).
 *
 * <p>The components are the fields that controllers and a kubelet simulator read. Volumes, affinity and all other
 * fields stay in {@code unknownFields}.
 *
 * @param initContainers containers that run one after another before {@code containers}; sidecars among them keep
 *     running
 * @param containers the containers; at least one in a stored pod
 * @param restartPolicy {@code Always}, {@code OnFailure} or {@code Never}; empty before defaulting
 * @param terminationGracePeriodSeconds seconds between the stop signal and the kill; null means 30
 * @param nodeName the pod's node; empty until the pod is scheduled
 * @param hostname the host name inside the pod; empty means the pod's name
 * @param subdomain the name of the headless service that gives the pod a domain name
 * @param unknownFields all other fields
 */
@WithMethods
public record PodSpec(
        List<Container> initContainers,
        List<Container> containers,
        String restartPolicy,
        @Nullable Long terminationGracePeriodSeconds,
        String nodeName,
        String hostname,
        String subdomain,
        UnknownFields unknownFields)
        implements PodSpecBuilder.With {

    /** Every field absent. */
    public static final PodSpec EMPTY = PodSpecBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public PodSpec {
        initContainers = Values.orEmpty(initContainers);
        containers = Values.orEmpty(containers);
        nodeName = Values.orEmpty(nodeName);
        hostname = Values.orEmpty(hostname);
        subdomain = Values.orEmpty(subdomain);
        restartPolicy = Values.orEmpty(restartPolicy);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns the sidecars, which are the init containers with restart policy {@code Always}. */
    public List<Container> sidecars() {
        return initContainers.stream()
                .filter(container -> container.restartPolicy().equals(Container.ALWAYS))
                .toList();
    }
}
