/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

/**
 * The metadata of an object, requested without its other fields (upstream: {@code metav1.PartialObjectMetadata}). The
 * {@link ResourceType} of the request determines its kind; see {@link ResourceTypes#metadataOf}.
 *
 * <p>It cannot be created or updated, because that would drop the other fields: codecs reject it. Patch and delete by
 * name work.
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

    /** Returns no fields, because none were requested. */
    @Override
    public UnknownFields unknownFields() {
        return UnknownFields.NONE;
    }
}
