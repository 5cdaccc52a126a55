package io.kubeloop.api.core;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * What is known of a container (upstream: {@code core/v1.ContainerStatus}).
 *
 * @param name the container's name
 * @param ready whether it passes its readiness probe
 * @param restartCount how often it was started again
 * @param image the image that runs
 * @param unknownFields everything else
 */
@RecordBuilder
public record ContainerStatus(String name, boolean ready, int restartCount, String image, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public ContainerStatus {
        name = Values.orEmpty(name);
        image = Values.orEmpty(image);
        unknownFields = Values.orNone(unknownFields);
    }
}
