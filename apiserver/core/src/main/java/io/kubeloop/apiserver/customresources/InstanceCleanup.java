/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.DeleteParameters;
import io.kubeloop.apiserver.registry.ObjectDeleter;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.StoredObject;

/** Deletes the objects of a definition that is being deleted (upstream: {@code crd_finalizer.go}). Thread-safe. */
final class InstanceCleanup {

    private final ApiBackend backend;
    private final ObjectDeleter deleter;

    InstanceCleanup(ApiBackend backend) {
        this.backend = backend;
        deleter = new ObjectDeleter(backend);
    }

    /** Deletes the objects of a store, and returns whether none remains. */
    boolean deleteAll(ResourceStore store) {
        for (StoredObject object : store.objects(backend.storage().snapshot(), "")) {
            if (!Meta.isDeleting(object.tree())) {
                delete(store, object);
            }
        }
        return !store.hasObjects(backend.storage().snapshot(), "");
    }

    private void delete(ResourceStore store, StoredObject object) {
        try {
            deleter.delete(
                    store,
                    Meta.namespace(object.tree()),
                    Meta.name(object.tree()),
                    DeleteParameters.ofObject(Meta.uid(object.tree()), ""));
        } catch (StatusException e) {
            if (!e.isNotFound()) {
                throw e; // another client has deleted the object
            }
        }
    }
}
