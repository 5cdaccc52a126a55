package io.kubeloop.api;

import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * An object of any kind: its metadata typed, all else kept as it came (upstream: {@code unstructured.Unstructured}).
 *
 * <p>For kinds without a record of their own, such as ConfigMaps and custom resources; see {@link ResourceTypes#generic}.
 *
 * @param apiVersion group and version, such as {@code v1} or {@code example.com/v1}
 * @param kind the kind
 * @param metadata name, namespace, labels and the rest
 * @param unknownFields everything else: spec, status, data
 */
@RecordBuilder
public record GenericObject(String apiVersion, String kind, ObjectMeta metadata, UnknownFields unknownFields)
        implements KubeObject {

    /** Null means the zero value. */
    public GenericObject {
        apiVersion = Values.orEmpty(apiVersion);
        kind = Values.orEmpty(kind);
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static GenericObject of(String apiVersion, String kind, ObjectMeta metadata) {
        return new GenericObject(apiVersion, kind, metadata, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public GenericObject withMetadata(ObjectMeta metadata) {
        return new GenericObject(apiVersion, kind, metadata, unknownFields);
    }
}
