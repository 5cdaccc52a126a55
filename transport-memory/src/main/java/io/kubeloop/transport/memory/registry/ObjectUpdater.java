package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.storage.StoredObject;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes objects, optimistically (upstream: {@code registry/generic/registry/store.go} {@code Update}, {@code
 * registry/rest/update.go}). Thread-safe.
 */
final class ObjectUpdater {

    private final ApiBackend backend;

    ObjectUpdater(ApiBackend backend) {
        this.backend = backend;
    }

    /** Says what an object should become; called again with the newer state if somebody was faster. */
    @FunctionalInterface
    interface Change {

        /** Returns the wanted object; may refuse with {@link ApiFailure}. */
        JsonObject apply(JsonObject current);
    }

    /**
     * Changes an object.
     *
     * @param part which part of it the client may change
     * @param change what it should become; a resource version in it must be the current one
     * @param dryRun whether to say what would happen, only
     * @return the object as stored, or as it would be; its last state if the change has completed its deletion
     */
    StoredObject update(
            ResourceStore store, String namespace, String name, RestStrategy.Part part, Change change, boolean dryRun) {
        String key = store.key(namespace, name);
        while (true) {
            StoredObject seen = store.require(backend.storage().snapshot().get(store.bucket(), key), name);
            JsonObject wanted = IncomingObject.normalize(store.resource().type(), change.apply(seen.tree()));
            JsonObject prepared = prepare(store, seen, wanted, part);
            Supplier<@Nullable StoredObject> write =
                    () -> dryRun ? StoredObject.unsaved(key, prepared) : write(store, seen, prepared);
            // A status, a node, an end: what else is written to an object takes nothing from a quota.
            StoredObject written = part == RestStrategy.Part.MAIN
                    ? backend.quotas().admit(store, prepared, seen.tree(), write)
                    : write.get();
            if (written != null) {
                return written;
            }
            // Somebody was faster: against the newer state, a version that the client has named is refused.
        }
    }

    private @Nullable StoredObject write(ResourceStore store, StoredObject seen, JsonObject prepared) {
        if (prepared.equals(seen.tree())) {
            return seen;
        }
        if (ObjectDeleter.isComplete(store.strategy(), prepared)) {
            StoredObject removed = backend.storage().remove(store.bucket(), seen);
            if (removed != null) {
                store.strategy().release(seen.tree(), null);
            }
            return removed == null ? null : StoredObject.unsaved(seen.key(), prepared);
        }
        JsonObject complete = store.strategy().acquire(prepared, seen.tree());
        StoredObject stored = backend.storage().put(store.bucket(), seen.key(), seen, complete, null);
        if (stored == null) {
            store.strategy().release(complete, seen.tree());
        } else {
            store.strategy().release(seen.tree(), complete);
        }
        return stored;
    }

    private static JsonObject prepare(
            ResourceStore store, StoredObject seen, JsonObject wanted, RestStrategy.Part part) {
        JsonObject old = seen.tree();
        String name = Meta.name(old);
        FieldErrors errors = new FieldErrors();
        checkVersion(store, seen, wanted);
        JsonObject metadata = MetaValidation.keepServersFields(Meta.of(wanted), Meta.of(old));
        JsonObject candidate = store.strategy().defaults(wanted.with("metadata", metadata));
        JsonObject prepared = store.strategy().prepareForUpdate(candidate, old, part);
        if (store.strategy().hasGeneration()
                && part == RestStrategy.Part.MAIN
                && !store.strategy().counted(prepared).equals(store.strategy().counted(old))) {
            prepared = Meta.nextGeneration(prepared);
        }
        MetaValidation.validate(store, prepared, errors);
        MetaValidation.validateUpdate(Meta.of(prepared), Meta.of(old), errors);
        store.strategy().validate(prepared, errors);
        store.strategy().validateUpdate(prepared, old, part, errors);
        if (!errors.isEmpty()) {
            throw store.invalid(name, errors);
        }
        return Meta.with(prepared, "resourceVersion", Meta.text(old, "resourceVersion"));
    }

    private static void checkVersion(ResourceStore store, StoredObject seen, JsonObject wanted) {
        String name = Meta.name(seen.tree());
        String version = Meta.text(wanted, "resourceVersion");
        if (version.isEmpty() || version.equals("0")) {
            if (store.strategy().requiresVersionOnUpdate()) {
                FieldErrors errors = new FieldErrors();
                errors.invalidLiteral("metadata.resourceVersion", "0x0", "must be specified for an update");
                throw ApiFailure.invalid(
                        store.resource().type().group(), store.resource().type().plural(), name, errors);
            }
        } else if (ListParameters.revision(version) != seen.revision()) {
            throw ApiFailure.modified(store.resource(), name);
        }
    }
}
