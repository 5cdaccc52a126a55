/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage.codec;

import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.tree.JsonObject;

/**
 * Decodes the objects of a kind: checks the types of their fields, and drops fields that the kind does not have. Must
 * be thread-safe.
 */
@FunctionalInterface
public interface ObjectDecoder {

    /**
     * Decodes an object.
     *
     * @param json a JSON document in UTF-8
     * @return the object in its canonical form, with its unknown and duplicate fields
     * @throws io.kubeloop.api.client.DecodeException if the document is malformed, or a field has the wrong type; its
     *     message is that of kube-apiserver
     */
    TypedJson.Decoded decode(byte[] json);

    /**
     * Decodes an object that the server has merged, in which {@code null} members are values that the validation must
     * see.
     *
     * @param json a JSON document in UTF-8
     * @return as {@link #decode}
     * @throws io.kubeloop.api.client.DecodeException as {@link #decode}
     */
    default TypedJson.Decoded decodeMerged(byte[] json) {
        return decode(json);
    }

    /**
     * Checks what the type of an object does not express. The object has the canonical form, as one that has been read
     * from protocol buffers.
     *
     * @throws io.kubeloop.api.client.DecodeException if a field has the wrong form
     */
    default void check(JsonObject decoded) {}

    /** Returns whether an object must state its kind, because no type implies it. */
    default boolean requiresKind() {
        return false;
    }
}
