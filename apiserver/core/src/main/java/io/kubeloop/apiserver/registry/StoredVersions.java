/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.apply.ServedVersions;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/** The versions in which the objects of a bucket are served now. Thread-safe. */
final class StoredVersions implements ServedVersions {

    private final ResourceRegistry registry;
    private final ResourceStore store;

    /**
     * Creates the versions of a resource.
     *
     * @param store any version of it
     */
    StoredVersions(ResourceRegistry registry, ResourceStore store) {
        this.registry = registry;
        this.store = store;
    }

    private @Nullable ResourceStore in(String apiVersion) {
        if (apiVersion.equals(store.type().apiVersion())) {
            return store;
        }
        ResourceStore found = registry.storeOfKind(apiVersion, store.type().kind());
        return found == null || !found.bucket().equals(store.bucket()) ? null : found;
    }

    @Override
    public @Nullable TypeSchema type(String apiVersion) {
        ResourceStore version = in(apiVersion);
        return version == null ? null : version.schema();
    }

    @Override
    public @Nullable JsonObject convert(JsonObject object, String apiVersion) {
        String current = object.string("apiVersion");
        if (current.equals(apiVersion)) {
            return object;
        }
        ResourceStore from = in(current);
        ResourceStore to = in(apiVersion);
        return from == null || to == null ? null : to.served(to.adopted(from, from.stored(object)));
    }
}
