/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * One container of a pod (upstream: {@code core/v1.Container}).
 *
 * @param name the name, unique within the pod
 * @param image the image's name
 * @param env the environment variables
 * @param ports the ports, which services can refer to by name
 * @param restartPolicy the container's restart policy; empty means the pod's
 * @param unknownFields all other fields
 */
@RecordBuilder
public record Container(
        String name,
        String image,
        List<EnvVar> env,
        List<ContainerPort> ports,
        String restartPolicy,
        UnknownFields unknownFields) {

    /**
     * Restart policy of a sidecar: an init container that runs as long as the pod and does not delay the other
     * containers.
     */
    public static final String ALWAYS = "Always";

    /** Copies the collections; null means the zero value. */
    public Container {
        name = Values.orEmpty(name);
        image = Values.orEmpty(image);
        env = Values.orEmpty(env);
        ports = Values.orEmpty(ports);
        restartPolicy = Values.orEmpty(restartPolicy);
        unknownFields = Values.orNone(unknownFields);
    }
}
