/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.storage.codec.Conversion;
import io.kubeloop.json.tree.JsonObject;

/**
 * The conversion between a served version and the storage version without a webhook (upstream: the codec of the storage
 * with {@code nopConverter}). Immutable; thread-safe.
 *
 * <p>A stored object is pruned and gets defaults by the schema of the version in which it is stored. Then it is pruned
 * by the schema of the served version, which sets no defaults. An object is stored as it was validated: members that
 * the storage version does not have stay in the storage, and no version shows them.
 */
final class VersionConversion implements Conversion {

    private final VersionSchemas schemas;
    private final String servedVersion;
    private final String storageVersion;

    /**
     * Creates a conversion.
     *
     * @param servedVersion the {@code apiVersion} of served objects
     * @param storageVersion the {@code apiVersion} of objects that are stored from now on
     */
    VersionConversion(VersionSchemas schemas, String servedVersion, String storageVersion) {
        this.schemas = schemas;
        this.servedVersion = servedVersion;
        this.storageVersion = storageVersion;
    }

    @Override
    public JsonObject toStorage(JsonObject served) {
        return served.with("apiVersion", storageVersion);
    }

    @Override
    public JsonObject fromStorage(JsonObject stored) {
        JsonObject object = schemas.completed(stored);
        return stored.string("apiVersion").equals(servedVersion)
                ? object
                : schemas.pruned(object.with("apiVersion", servedVersion));
    }
}
