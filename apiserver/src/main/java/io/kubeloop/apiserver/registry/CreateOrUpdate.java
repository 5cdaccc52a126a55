package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import java.util.function.Supplier;

/**
 * Updates an object, or creates it if it does not exist (upstream: {@code registry/generic/registry/store.go}
 * {@code Update} with {@code AllowCreateOnUpdate}). Thread-safe.
 */
final class CreateOrUpdate {

    /** The number of attempts while other clients create or delete the object between the read and the write. */
    private static final int MAX_ATTEMPTS = 8;

    private final Storage storage;

    CreateOrUpdate(Storage storage) {
        this.storage = storage;
    }

    /** Returns the response of the create or the update. Either function may run more than once. */
    ServerResponse.Document execute(
            ResourceStore store, RequestInfo info, Supplier<StoredObject> create, Supplier<StoredObject> update) {
        String key = store.key(info.namespace(), info.name());
        for (int attempt = 1; ; attempt++) {
            boolean absent = storage.snapshot().get(store.bucket(), key) == null;
            try {
                return absent
                        ? ServerResponse.Document.of(201, store, create.get())
                        : ServerResponse.Document.of(200, store, update.get());
            } catch (ApiFailure e) {
                boolean overtaken = absent ? e.isAlreadyExists() : e.isNotFound();
                if (!overtaken || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
