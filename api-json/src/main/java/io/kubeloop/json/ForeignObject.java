/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;

/**
 * An object whose value belongs to the model of another library, in a form that informers and clients take. {@link
 * ForeignCodec} makes it.
 *
 * <p>The metadata is read from the same JSON as the value. It has no unknown fields, because the value has them. Most
 * foreign values are mutable. Every reader of a cache receives the same value, so a program must change a copy, and
 * wrap the copy with {@link ForeignCodec#object}. Thread-safe as long as no thread changes the value.
 *
 * @param <V> the class of the value
 */
public final class ForeignObject<V> implements KubeObject {

    private final ForeignCodec codec;
    private final ObjectMeta metadata;
    private final V value;

    ForeignObject(ForeignCodec codec, ObjectMeta metadata, V value) {
        this.codec = codec;
        this.metadata = metadata;
        this.value = value;
    }

    /** Returns the object in the other library's class. */
    public V value() {
        return value;
    }

    @Override
    public ObjectMeta metadata() {
        return metadata;
    }

    /**
     * Returns a copy with this metadata, and with a copy of the value that has it too. Members of the value's metadata
     * that {@link ObjectMeta} does not know stay. Writes and reads the value as JSON: O(size of the object).
     */
    @Override
    public ForeignObject<V> withMetadata(ObjectMeta metadata) {
        return codec.withMetadata(this, metadata);
    }

    /** Returns no fields, because the value has them all. */
    @Override
    public UnknownFields unknownFields() {
        return UnknownFields.NONE;
    }

    /** Returns the class, the namespace and the name. */
    @Override
    public String toString() {
        return value.getClass().getSimpleName() + " " + objectName();
    }
}
