/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * An environment variable of a container (upstream: {@code core/v1.EnvVar}). Its value stays in {@code unknownFields}.
 *
 * @param name the name
 * @param unknownFields all other fields
 */
@RecordBuilder
public record EnvVar(String name, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public EnvVar {
        name = Values.orEmpty(name);
        unknownFields = Values.orNone(unknownFields);
    }
}
