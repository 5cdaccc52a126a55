package io.kubeloop.api;

/**
 * An object of which only the metadata was asked for (upstream: {@code metav1.PartialObjectMetadata}). Which kind it is of is said by
 * the {@link ResourceType} it was read with; see {@link ResourceTypes#metadataOf}.
 *
 * <p>It is not the object, so it cannot be created or written back: codecs refuse to encode it. Patching and deleting it by name
 * work as for any other.
 *
 * @param metadata name, namespace, labels and the rest
 */
public record PartialObjectMetadata(ObjectMeta metadata) implements KubeObject {

    /** Null means the zero value. */
    public PartialObjectMetadata {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
    }

    /** Returns a copy with this metadata. */
    @Override
    public PartialObjectMetadata withMetadata(ObjectMeta metadata) {
        return new PartialObjectMetadata(metadata);
    }

    /** Returns nothing: what is not metadata was not asked for. */
    @Override
    public UnknownFields unknownFields() {
        return UnknownFields.NONE;
    }
}
