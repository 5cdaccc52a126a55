/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Confidential data for pods, such as passwords and keys (upstream: {@code core/v1.Secret}).
 *
 * <p>The values of {@code data} are bytes. The record holds them in Base64, as the API does. {@link #bytes} decodes one
 * value, and {@link #withBytes} encodes one. {@link #toString} prints no values, so a secret can be logged.
 *
 * @param metadata name, namespace, labels and the rest
 * @param data values by key, in Base64
 * @param stringData values by key as plain text, for writing only: the server moves them to {@code data}
 * @param type the kind of data, such as {@code Opaque} or {@code kubernetes.io/tls}; empty before defaulting
 * @param immutable whether the server rejects every change of the data; null means no
 * @param unknownFields all other fields
 */
@WithMethods
public record Secret(
        ObjectMeta metadata,
        @JsonMember(shared = false) Map<String, String> data,
        @JsonMember(shared = false) Map<String, String> stringData,
        String type,
        @Nullable Boolean immutable,
        UnknownFields unknownFields)
        implements KubeObject, SecretBuilder.With {

    /** Copies the collections; null means the zero value. */
    public Secret {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        data = Values.orEmpty(data);
        stringData = Values.orEmpty(stringData);
        type = Values.orEmpty(type);
        unknownFields = Values.orNone(unknownFields);
    }

    /**
     * Returns an object with nothing beyond these parts.
     *
     * @param data values by key, in Base64
     */
    public static Secret of(ObjectMeta metadata, String type, Map<String, String> data) {
        return new Secret(metadata, data, Map.of(), type, null, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public Secret withMetadata(ObjectMeta metadata) {
        return new Secret(metadata, data, stringData, type, immutable, unknownFields);
    }

    /**
     * Returns the decoded value of a key, or null if {@code data} has no such key. The array belongs to the caller.
     *
     * @throws IllegalStateException if the value is not Base64
     */
    public byte @Nullable [] bytes(String key) {
        String encoded = data.get(key);
        if (encoded == null) {
            return null;
        }
        try {
            return Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "Cannot decode data[\"" + key + "\"] of secret " + objectName() + ": it is not Base64", e);
        }
    }

    /** Returns a copy with this value for a key of {@code data}. Encodes the bytes. */
    public Secret withBytes(String key, byte[] value) {
        Map<String, String> changed = new LinkedHashMap<>(data);
        changed.put(key, Base64.getEncoder().encodeToString(value));
        return new Secret(metadata, changed, stringData, type, immutable, unknownFields);
    }

    /** Returns name, type and keys. Values and annotations are left out; annotations may hold a copy of the values. */
    @Override
    public String toString() {
        return "Secret[" + objectName() + ", type=" + type + ", data=" + data.keySet() + ", stringData="
                + stringData.keySet() + "]";
    }
}
