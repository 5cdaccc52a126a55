/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.definitions.Crd.Version;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a definition that are equal in all versions. Upstream validates such a part once, at a path of its own,
 * such as {@code spec.validation} rather than {@code spec.versions[0].schema} (upstream: the conversion to the internal
 * version).
 *
 * @param versions the versions without the shared parts
 * @param schema the shared schema, with {@code openAPIV3Schema}; null if the versions differ or have none
 * @param subresources the shared subresources; null if the versions differ or have none
 * @param columns the shared columns; null if the versions differ or have none
 * @param selectableFields the shared selectable fields; null if the versions differ or have none
 */
record SharedParts(
        List<Version> versions,
        @Nullable JsonValue schema,
        @Nullable JsonValue subresources,
        @Nullable JsonValue columns,
        @Nullable JsonValue selectableFields) {

    static SharedParts of(List<Version> versions) {
        return new SharedParts(
                versions.stream()
                        .map(version -> new Version(without(version.object(), versions)))
                        .toList(),
                shared(versions, "schema"),
                shared(versions, "subresources"),
                shared(versions, "additionalPrinterColumns"),
                shared(versions, "selectableFields"));
    }

    private static JsonObject without(JsonObject version, List<Version> versions) {
        JsonObject rest = version;
        for (String part : List.of("schema", "subresources", "additionalPrinterColumns", "selectableFields")) {
            rest = isShared(versions, part) ? rest.without(part) : rest;
        }
        return rest;
    }

    private static boolean isShared(List<Version> versions, String part) {
        return versions.stream()
                        .map(version -> orEmpty(version.object().get(part)))
                        .distinct()
                        .count()
                == 1;
    }

    private static JsonValue orEmpty(@Nullable JsonValue value) {
        return value == null || value.equals(JsonArray.EMPTY) ? JsonArray.EMPTY : value;
    }

    private static @Nullable JsonValue shared(List<Version> versions, String part) {
        return isShared(versions, part) ? versions.get(0).object().get(part) : null;
    }

    /** Returns the shared schema itself; null if there is none. */
    @Nullable
    JsonObject openApiSchema() {
        return schema instanceof JsonObject some && some.get("openAPIV3Schema") instanceof JsonObject openApi
                ? openApi
                : null;
    }
}
