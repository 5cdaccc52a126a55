package io.kubeloop.api;

/**
 * An object that an API server stores: anything with metadata.
 *
 * <p>Implementations are immutable and keep the members they do not know (see {@link UnknownFields}), so that reading an
 * object and writing it back loses nothing.
 */
public interface KubeObject {

    /** Returns the metadata: name, namespace, version, labels, owners. */
    ObjectMeta metadata();

    /** Returns a copy, of the same class, with this metadata. */
    KubeObject withMetadata(ObjectMeta metadata);

    /** Returns the members of this level that the type has no component for. */
    UnknownFields unknownFields();

    /** Returns the cache key of this object. Allocates. */
    default ObjectName objectName() {
        return new ObjectName(metadata().namespace(), metadata().name());
    }
}
