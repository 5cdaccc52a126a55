package io.kubeloop.api.core;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * An identity for the processes of pods (upstream: {@code core/v1.ServiceAccount}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param unknownFields everything else
 */
@RecordBuilder
public record ServiceAccount(ObjectMeta metadata, UnknownFields unknownFields) implements KubeObject {

    /** Null means the zero value. */
    public ServiceAccount {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static ServiceAccount of(ObjectMeta metadata) {
        return new ServiceAccount(metadata, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public ServiceAccount withMetadata(ObjectMeta metadata) {
        return new ServiceAccount(metadata, unknownFields);
    }
}
