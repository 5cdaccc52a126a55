/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.util.function.Supplier;

/**
 * Updates an object, or creates it if it does not exist (upstream: {@code registry/generic/registry/store.go}
 * {@code Update} with {@code AllowCreateOnUpdate}). Thread-safe.
 */
final class CreateOrUpdate {

    /** The number of attempts while other clients create or delete the object between the read and the write. */
    private static final int MAX_ATTEMPTS = 8;

    private final ApiBackend backend;
    private final ObjectCreator creator;
    private final ObjectUpdater updater;

    CreateOrUpdate(ApiBackend backend, ObjectCreator creator, ObjectUpdater updater) {
        this.backend = backend;
        this.creator = creator;
        this.updater = updater;
    }

    /**
     * Replaces a part of an object by the body of an update. Creates the object if the kind allows it.
     *
     * @param body the body in the stored form
     */
    ServerResponse replace(
            ResourceStore store, RequestInfo info, RestStrategy.Part part, JsonObject body, WriteOptions options) {
        FieldTracking tracking = new FieldTracking(backend, store, info.subresource(), options);
        ObjectUpdater.Change change = tracking.tracked(Subresources.replace(store, body));
        Supplier<StoredObject> update =
                () -> updater.update(store, info.namespace(), info.name(), part, change, options);
        Supplier<StoredObject> create = () -> {
            // An update that names a UID refers to an object that existed, so it must not create a new one.
            Subresources.replace(store, body).apply(Meta.without(body, "uid"));
            // As upstream, the storage removes the version, and a dry run does not reach the storage.
            JsonObject created = options.dryRun() ? body : Meta.without(body, "resourceVersion");
            return creator.create(store, info.namespace(), created, tracking::created, options);
        };
        ServerResponse.Document response = store.strategy().createsOnUpdate()
                ? execute(store, info, options.user(), create, update)
                : ServerResponse.Document.of(200, store, update.get());
        return response.withWarnings(options.warnings().texts());
    }

    /**
     * Returns the response of the create or the update. Either function may run more than once.
     *
     * @throws StatusException 403 if the object is absent, and the user may update objects but not create them
     */
    ServerResponse.Document execute(
            ResourceStore store,
            RequestInfo info,
            UserInfo user,
            Supplier<StoredObject> create,
            Supplier<StoredObject> update) {
        String key = store.key(info.namespace(), info.name());
        for (int attempt = 1; ; attempt++) {
            boolean absent = backend.storage().snapshot().get(store.bucket(), key) == null;
            if (absent) {
                // The front end has checked the verb of the request, which is update or patch.
                AccessRequest.Target target = new AccessRequest.Target(
                        store.type().group(), store.type().plural(), info.subresource(), info.namespace(), info.name());
                backend.kinds().authorizer(backend).require(user, AccessRequest.of("create", target));
            }
            try {
                return absent
                        ? ServerResponse.Document.of(201, store, create.get())
                        : ServerResponse.Document.of(200, store, update.get());
            } catch (StatusException e) {
                boolean overtaken = absent ? e.isAlreadyExists() : e.isNotFound();
                if (!overtaken || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
