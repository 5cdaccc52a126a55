/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The description of a custom resource that OpenAPI documents show. Immutable.
 *
 * @param listKind the kind of lists
 * @param schema the schema as the definition states it ({@code openAPIV3Schema}); null for none
 * @param selectableFields the paths that field selectors support, such as {@code .spec.color}
 */
public record CustomSchema(String listKind, @Nullable JsonObject schema, List<String> selectableFields) {

    /** Copies the paths. */
    public CustomSchema {
        selectableFields = List.copyOf(selectableFields);
    }
}
