package io.kubeloop.transport.memory.registry;

import io.kubeloop.transport.memory.machinery.ApiFailure;
import io.kubeloop.transport.memory.machinery.ResourceStore;
import io.kubeloop.transport.memory.storage.Storage;
import io.kubeloop.transport.memory.storage.StoredObject;
import java.util.function.Supplier;

/**
 * Changes an object, or creates it if it is not there (upstream: {@code registry/generic/registry/store.go} {@code Update},
 * where creating is allowed). Thread-safe.
 */
final class CreateOrUpdate {

    /** How often others may create the object, or delete it, between the look and the write. */
    private static final int MAX_ATTEMPTS = 8;

    private final Storage storage;

    CreateOrUpdate(Storage storage) {
        this.storage = storage;
    }

    /** Answers with what was done; each of the two may be called more than once. */
    ServerResponse answer(
            ResourceStore store, RequestInfo info, Supplier<StoredObject> create, Supplier<StoredObject> update) {
        String key = store.key(info.namespace(), info.name());
        for (int attempt = 1; ; attempt++) {
            boolean absent = storage.snapshot().get(store.bucket(), key) == null;
            try {
                return absent
                        ? ServerResponse.Document.of(201, create.get())
                        : ServerResponse.Document.of(200, update.get());
            } catch (ApiFailure e) {
                boolean overtaken = absent ? e.isAlreadyExists() : e.isNotFound();
                if (!overtaken || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
