/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage.codec;

import io.kubeloop.json.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects between a served version and the version in which they are stored (upstream: {@code
 * runtime.ObjectConvertor}). Both directions receive and return whole objects with their {@code apiVersion}. Must be
 * thread-safe.
 */
public interface Conversion {

    /** Returns the stored form of an object of the served version. */
    JsonObject toStorage(JsonObject served);

    /** Returns the served form of a stored object. */
    JsonObject fromStorage(JsonObject stored);

    /**
     * Returns the stored form of the name of a field in a field selector; null if the served version does not support
     * it.
     */
    default @Nullable String storageField(String served) {
        return served;
    }

    /**
     * Returns the conversion between versions that differ in their {@code apiVersion} only, such as those of a custom
     * resource without a conversion webhook.
     *
     * @param servedVersion the {@code apiVersion} of served objects
     * @param storageVersion the {@code apiVersion} of stored objects
     */
    static Conversion ofVersion(String servedVersion, String storageVersion) {
        return new Conversion() {
            @Override
            public JsonObject toStorage(JsonObject served) {
                return served.with("apiVersion", storageVersion);
            }

            @Override
            public JsonObject fromStorage(JsonObject stored) {
                return stored.with("apiVersion", servedVersion);
            }
        };
    }
}
