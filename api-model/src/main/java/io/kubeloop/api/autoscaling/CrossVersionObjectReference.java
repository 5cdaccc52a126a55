/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.autoscaling;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The identity of an object in the same namespace, in any version of its group (upstream: {@code
 * autoscaling/v2.CrossVersionObjectReference}).
 *
 * @param kind its kind
 * @param name its name
 * @param apiVersion its group and version; only the group counts
 * @param unknownFields all other fields
 */
@RecordBuilder
public record CrossVersionObjectReference(String kind, String name, String apiVersion, UnknownFields unknownFields) {

    /** Every field absent. */
    public static final CrossVersionObjectReference EMPTY =
            CrossVersionObjectReferenceBuilder.builder().build();

    /** Null means the zero value. */
    public CrossVersionObjectReference {
        kind = Values.orEmpty(kind);
        name = Values.orEmpty(name);
        apiVersion = Values.orEmpty(apiVersion);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns the API group; empty for the core group. */
    public String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}
