/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Configuration data for pods (upstream: {@code core/v1.ConfigMap}).
 *
 * <p>Values that are not UTF-8 text are in {@code binaryData}, which stays in {@code unknownFields}: Go distinguishes
 * null from empty values there, and a map of strings does not.
 *
 * @param metadata name, namespace, labels and the rest
 * @param data values that are UTF-8 text, by key
 * @param immutable whether the server rejects every change of the data; null means no
 * @param unknownFields all other fields
 */
@WithMethods
public record ConfigMap(
        ObjectMeta metadata,
        @JsonMember(shared = false) Map<String, String> data,
        @Nullable Boolean immutable,
        UnknownFields unknownFields)
        implements KubeObject, ConfigMapBuilder.With {

    /** Copies the collections; null means the zero value. */
    public ConfigMap {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        data = Values.orEmpty(data);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static ConfigMap of(ObjectMeta metadata, Map<String, String> data) {
        return new ConfigMap(metadata, data, null, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public ConfigMap withMetadata(ObjectMeta metadata) {
        return new ConfigMap(metadata, data, immutable, unknownFields);
    }
}
