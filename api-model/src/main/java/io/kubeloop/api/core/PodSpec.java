package io.kubeloop.api.core;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pod shall run (upstream: {@code core/v1.PodSpec}).
 *
 * <p>Typed is what controllers and a kubelet simulator read; volumes, affinity and all else stay in {@code unknownFields}.
 *
 * @param initContainers those that run before the containers, one after the other; sidecars among them go on
 * @param containers the containers; at least one in a stored pod
 * @param restartPolicy {@code Always}, {@code OnFailure} or {@code Never}; empty before defaulting
 * @param terminationGracePeriodSeconds seconds between the request to stop and the kill
 * @param nodeName the node that the pod is bound to; empty while it is not scheduled
 * @param hostname the host name inside the pod; empty: the pod's name
 * @param subdomain the name of the headless service that gives the pod a domain name
 * @param unknownFields everything else
 */
@RecordBuilder
public record PodSpec(
        List<Container> initContainers,
        List<Container> containers,
        String restartPolicy,
        @Nullable Long terminationGracePeriodSeconds,
        String nodeName,
        String hostname,
        String subdomain,
        UnknownFields unknownFields) {

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

    /** Returns the sidecars: init containers that are always restarted, and so run beside the containers. */
    public List<Container> sidecars() {
        return initContainers.stream()
                .filter(container -> container.restartPolicy().equals(Container.ALWAYS))
                .toList();
    }
}
