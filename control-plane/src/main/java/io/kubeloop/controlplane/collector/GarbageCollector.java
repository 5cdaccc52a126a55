package io.kubeloop.controlplane.collector;

import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.apiserver.machinery.WriteOptions;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.DeleteParameters;
import io.kubeloop.apiserver.registry.ObjectDeleter;
import io.kubeloop.apiserver.registry.ObjectUpdater;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes objects whose owners are gone, and handles the finalizers of owners that orphan their dependents or wait
 * for them (upstream: {@code pkg/controller/garbagecollector}).
 *
 * <p>Confined to the collector's thread. It changes objects through the same operations as client requests.
 */
final class GarbageCollector {

    private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);

    private final ApiBackend backend;
    private final ObjectUpdater updater;
    private final ObjectDeleter deleter;
    private final OwnershipGraph graph = new OwnershipGraph();
    private final Set<ObjectId> pending = new LinkedHashSet<>();

    /** Deleted owners with a finalizer for their dependents, by UID. */
    private final Map<String, ObjectId> waiting = new HashMap<>();

    GarbageCollector(ApiBackend backend) {
        this.backend = backend;
        updater = new ObjectUpdater(backend);
        deleter = new ObjectDeleter(backend);
    }

    /** The UIDs of an object's owners: existing, missing, and waiting for their dependents. */
    private record Owners(List<String> solid, List<String> dangling, List<String> waiting) {}

    /** Discards the graph. The feed delivers every dependent again, which schedules it because its owners are new. */
    void onReset() {
        graph.clear();
        waiting.clear();
    }

    void onUpsert(ObjectId id, StoredObject object) {
        boolean newOwners = graph.observe(id, object.tree());
        List<String> finalizers = Meta.finalizers(object.tree());
        boolean ours = finalizers.contains(Meta.ORPHAN_FINALIZER) || finalizers.contains(Meta.FOREGROUND_FINALIZER);
        if (ours && Meta.isDeleting(object.tree())) {
            waiting.put(Meta.uid(object.tree()), id);
            pending.add(id);
        }
        if (newOwners) {
            pending.add(id);
            pending.addAll(waiting.values());
        }
    }

    /** The dependents of the object have lost their owner, and owners that waited for the object may be complete. */
    void onDelete(ObjectId id, StoredObject last) {
        graph.forget(id);
        waiting.remove(Meta.uid(last.tree()));
        pending.addAll(graph.dependents(Meta.uid(last.tree())));
        last.tree().array("metadata", "ownerReferences").objects().forEach(reference -> {
            ObjectId owner = waiting.get(reference.string("uid"));
            if (owner != null) {
                pending.add(owner);
            }
        });
    }

    /**
     * Processes all scheduled objects. If another writer changes an object meanwhile, the feed delivers that change
     * and schedules the object again.
     */
    void processPending() {
        while (!pending.isEmpty()) {
            List<ObjectId> now = List.copyOf(pending);
            pending.clear();
            for (ObjectId id : now) {
                StoredObject object = current(id);
                if (object != null) {
                    tryProcess(id, object.tree());
                }
            }
        }
    }

    private void tryProcess(ObjectId id, JsonObject object) {
        try {
            process(id, object);
        } catch (RuntimeException e) {
            // A failure with one object must not stop the collection of the others.
            LOG.warn("Cannot garbage-collect an object; continuing with the others: object={}", id, e);
        }
    }

    private void process(ObjectId id, JsonObject object) {
        List<String> finalizers = Meta.finalizers(object);
        if (!Meta.isDeleting(object)) {
            attemptToDelete(id, object);
        } else if (finalizers.contains(Meta.ORPHAN_FINALIZER)) {
            orphanDependents(id, object);
        } else if (finalizers.contains(Meta.FOREGROUND_FINALIZER)) {
            deleteDependents(id, object);
        }
    }

    private void attemptToDelete(ObjectId id, JsonObject object) {
        if (hasOwnerElsewhere(id, object)) {
            // as upstream: an owner that is looked up without its namespace is never found, which proves nothing
            return;
        }
        Owners owners = owners(id, object);
        List<String> others = new ArrayList<>(owners.dangling());
        others.addAll(owners.waiting());
        if (others.isEmpty()) {
            return;
        }
        if (!owners.solid().isEmpty()) {
            removeOwners(id, others::contains);
            return;
        }
        List<ObjectId> dependents = graph.dependents(Meta.uid(object));
        boolean waits = !owners.waiting().isEmpty() && !dependents.isEmpty();
        if (waits && dependents.stream().anyMatch(this::waitsForDependents)) {
            // There may be a cycle: owners that wait for each other through this object would wait indefinitely.
            unblockOwners(id);
        }
        String policy = waits ? DeleteParameters.FOREGROUND : policyOfFinalizers(Meta.finalizers(object));
        ignoringNotFound(() -> deleter.delete(
                id.store(), id.namespace(), id.name(), DeleteParameters.ofObject(Meta.uid(object), policy)));
    }

    private static String policyOfFinalizers(List<String> finalizers) {
        if (finalizers.contains(Meta.ORPHAN_FINALIZER)) {
            return DeleteParameters.ORPHAN;
        }
        return finalizers.contains(Meta.FOREGROUND_FINALIZER)
                ? DeleteParameters.FOREGROUND
                : DeleteParameters.BACKGROUND;
    }

    private Owners owners(ObjectId id, JsonObject object) {
        Owners owners = new Owners(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        object.array("metadata", "ownerReferences").objects().forEach(reference -> {
            String uid = reference.string("uid");
            ObjectId ownerId = owner(id, reference);
            if (ownerId == null) {
                owners.solid().add(uid); // the kind is not served here, so that the owner cannot be proven missing
                return;
            }
            StoredObject owner = current(ownerId);
            if (owner == null || !Meta.uid(owner.tree()).equals(uid)) {
                owners.dangling().add(uid);
            } else if (waitsForDependents(owner.tree())) {
                owners.waiting().add(uid);
            } else {
                owners.solid().add(uid);
            }
        });
        return owners;
    }

    /** Returns whether a cluster-scoped object has a namespaced owner, which an owner reference cannot express. */
    private boolean hasOwnerElsewhere(ObjectId id, JsonObject object) {
        return id.namespace().isEmpty()
                && object.array("metadata", "ownerReferences").objects().anyMatch(reference -> {
                    ObjectId owner = owner(id, reference);
                    return owner != null && owner.store().resource().type().isNamespaced();
                });
    }

    private boolean waitsForDependents(ObjectId id) {
        StoredObject object = current(id);
        return object != null && waitsForDependents(object.tree());
    }

    private static boolean waitsForDependents(JsonObject owner) {
        return Meta.isDeleting(owner) && Meta.finalizers(owner).contains(Meta.FOREGROUND_FINALIZER);
    }

    private void orphanDependents(ObjectId id, JsonObject owner) {
        String uid = Meta.uid(owner);
        graph.dependents(uid).forEach(dependent -> removeOwners(dependent, uid::equals));
        removeFinalizer(id, Meta.ORPHAN_FINALIZER);
    }

    private void deleteDependents(ObjectId id, JsonObject owner) {
        String uid = Meta.uid(owner);
        List<ObjectId> dependents = graph.dependents(uid);
        if (dependents.stream().noneMatch(dependent -> blocks(dependent, uid))) {
            removeFinalizer(id, Meta.FOREGROUND_FINALIZER);
            return;
        }
        pending.addAll(
                dependents.stream().filter(dependent -> !isDeleting(dependent)).toList());
    }

    private boolean blocks(ObjectId dependent, String ownerUid) {
        StoredObject object = current(dependent);
        return object != null
                && object.tree()
                        .array("metadata", "ownerReferences")
                        .objects()
                        .anyMatch(reference ->
                                reference.string("uid").equals(ownerUid) && reference.bool("blockOwnerDeletion"));
    }

    private boolean isDeleting(ObjectId id) {
        StoredObject object = current(id);
        return object == null || Meta.isDeleting(object.tree());
    }

    private void removeOwners(ObjectId id, Predicate<String> uids) {
        update(id, object -> {
            List<JsonObject> kept = object.array("metadata", "ownerReferences")
                    .objects()
                    .filter(reference -> !uids.test(reference.string("uid")))
                    .toList();
            return kept.isEmpty()
                    ? Meta.without(object, "ownerReferences")
                    : Meta.with(object, "ownerReferences", JsonArray.of(kept));
        });
    }

    private void unblockOwners(ObjectId id) {
        update(id, object -> {
            List<JsonObject> open = object.array("metadata", "ownerReferences")
                    .objects()
                    .map(reference -> reference.has("blockOwnerDeletion")
                            ? reference.with("blockOwnerDeletion", JsonBoolean.FALSE)
                            : reference)
                    .toList();
            return Meta.with(object, "ownerReferences", JsonArray.of(open));
        });
    }

    private void removeFinalizer(ObjectId id, String finalizer) {
        update(id, object -> {
            List<String> kept = new ArrayList<>(Meta.finalizers(object));
            kept.remove(finalizer);
            return Meta.withFinalizers(object, kept);
        });
    }

    private void update(ObjectId id, ObjectUpdater.Change change) {
        ignoringNotFound(() -> updater.update(
                id.store(), id.namespace(), id.name(), RestStrategy.Part.MAIN, change, WriteOptions.ofServer()));
    }

    /** An object that is gone, or was replaced by another of the same name, needs no further action. */
    private static void ignoringNotFound(Runnable action) {
        try {
            action.run();
        } catch (ApiFailure e) {
            if (!e.isNotFound() && !e.isConflict()) {
                throw e;
            }
        }
    }

    private @Nullable StoredObject current(ObjectId id) {
        Snapshot now = backend.storage().snapshot();
        return now.get(id.store().bucket(), id.key());
    }

    /** Returns the object that a reference points to; null if its kind is not served. */
    private @Nullable ObjectId owner(ObjectId dependent, JsonObject reference) {
        ResourceStore store = backend.storeOfKind(reference.string("apiVersion"), reference.string("kind"));
        return store == null ? null : new ObjectId(store, store.key(dependent.namespace(), reference.string("name")));
    }
}
