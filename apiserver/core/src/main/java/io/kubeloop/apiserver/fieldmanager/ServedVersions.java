/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The versions in which objects of a kind are served, with the conversions between them (upstream: {@code
 * merge.Converter}). Implementations must be thread-safe.
 */
public interface ServedVersions {

    /** Returns the type of the objects in a version; null if the version is not served. */
    @Nullable
    TypeSchema type(String apiVersion);

    /** Returns the object in another version; null if the version is not served. */
    @Nullable
    JsonObject convert(JsonObject object, String apiVersion);

    /** Returns the only version of a kind. */
    static ServedVersions single(String apiVersion, TypeSchema type) {
        return new ServedVersions() {
            @Override
            public @Nullable TypeSchema type(String version) {
                return version.equals(apiVersion) ? type : null;
            }

            @Override
            public @Nullable JsonObject convert(JsonObject object, String version) {
                return version.equals(apiVersion) ? object : null;
            }
        };
    }
}
