/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.Time;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.request.DeleteParameters;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects: at once, or after their grace period and without finalizers (upstream: {@code
 * registry/generic/registry/store.go} {@code Delete}, {@code registry/rest/delete.go}). Thread-safe.
 */
public final class ObjectDeleter {

    /** The last time that the API can represent; a longer grace period ends then. */
    private static final Instant LAST_TIME = Instant.parse("9999-12-31T23:59:59Z");

    private final ApiBackend backend;

    /** Creates a deleter of the objects of a backend. */
    public ObjectDeleter(ApiBackend backend) {
        this.backend = backend;
    }

    /**
     * The result of a deletion.
     *
     * @param object the last state
     * @param gone whether the object has been removed; otherwise it is terminating
     */
    public record Outcome(StoredObject object, boolean gone) {}

    /** Deletes an object for the server itself, or marks it as terminating. */
    public Outcome delete(ResourceStore store, String namespace, String name, DeleteParameters wanted) {
        return delete(store, namespace, name, wanted, WriteOptions.ofServer());
    }

    /**
     * Deletes an object, or marks it as terminating.
     *
     * @param options the client, and the document that it has sent
     */
    public Outcome delete(
            ResourceStore store, String namespace, String name, DeleteParameters wanted, WriteOptions options) {
        DeleteParameters parameters = wanted;
        String key = store.key(namespace, name);
        while (true) {
            StoredObject found = store.require(backend.storage().snapshot().get(store.bucket(), key), name);
            StoredObject seen = store.read(found);
            parameters.check(store, seen);
            if (parameters.ignoresReadErrors()) {
                throw Subresources.invalidObject(
                        store,
                        seen.tree(),
                        "unsafe deletion is not allowed because the object is decodable from storage");
            }
            store.strategy().checkDelete(store.resource(), seen.tree());
            backend.admission()
                    .validateDelete(admission(store, seen, options.withDryRun(parameters.dryRun())), seen.tree());
            if (Meta.isDeleting(seen.tree()) && store.strategy().isHeld(seen.tree())) {
                return new Outcome(seen, false);
            }
            JsonObject marked = mark(store.strategy(), seen.tree(), parameters);
            if (parameters.dryRun()) {
                boolean gone = isComplete(store.strategy(), marked);
                boolean unmarked = gone && !needsMark(store.strategy(), seen.tree(), marked);
                return new Outcome(unmarked ? seen : StoredObject.unsaved(key, marked), gone);
            }
            StoredObject current = found;
            if (needsMark(store.strategy(), seen.tree(), marked)) {
                current = backend.storage().put(store.bucket(), key, found, store.written(marked), null);
            }
            if (current != null) {
                parameters = parameters.afterFirstWrite();
                if (!isComplete(store.strategy(), marked)) {
                    return new Outcome(store.read(current), false);
                }
                StoredObject removed = remove(store, current);
                if (removed != null) {
                    return new Outcome(store.read(removed), true);
                }
                if (current != found && isGone(store, current)) {
                    return new Outcome(
                            store.read(current),
                            true); // the mark was visible: another client has completed the deletion
                }
            }
        }
    }

    private boolean isGone(ResourceStore store, StoredObject object) {
        StoredObject now = backend.storage().snapshot().get(store.bucket(), object.key());
        return now == null || !Meta.uid(now.tree()).equals(Meta.uid(object.tree()));
    }

    private AdmissionRequest admission(ResourceStore store, StoredObject seen, WriteOptions options) {
        return new AdmissionRequest(
                AdmissionRequest.Operation.DELETE,
                store,
                "",
                Meta.namespace(seen.tree()),
                Meta.name(seen.tree()),
                seen.tree(),
                backend.storage().snapshot(),
                options);
    }

    /** Returns whether nothing keeps a terminating object any longer. */
    static boolean isComplete(RestStrategy strategy, JsonObject object) {
        Long grace = Meta.gracePeriod(object);
        return Meta.isDeleting(object)
                && (grace == null || grace == 0)
                && Meta.finalizers(object).isEmpty()
                && !strategy.isHeld(object);
    }

    private @Nullable StoredObject remove(ResourceStore store, StoredObject current) {
        StoredObject removed = backend.storage().remove(store.bucket(), current);
        if (removed != null) {
            store.strategy().release(current.tree(), null);
        }
        return removed;
    }

    /** As upstream, an object without grace period and finalizers is removed without being marked first. */
    private static boolean needsMark(RestStrategy strategy, JsonObject object, JsonObject marked) {
        if (marked.equals(object)) {
            return false;
        }
        return strategy.gracePeriodSeconds(object) >= 0 || !isComplete(strategy, marked);
    }

    private JsonObject mark(RestStrategy strategy, JsonObject object, DeleteParameters parameters) {
        long defaultPeriod = strategy.gracePeriodSeconds(object);
        boolean deleting = Meta.isDeleting(object);
        Long left = Meta.gracePeriod(object);
        if (defaultPeriod >= 0 && deleting && left != null && left > 0) {
            Long shorter = parameters.gracePeriodSeconds();
            if (shorter == null || shorter >= left) {
                // the grace period is running already, and the first deletion has set the policy for the dependents
                return object;
            }
            return shorten(withFinalizers(strategy, object, parameters), left, shorter);
        }
        JsonObject result = withFinalizers(strategy, object, parameters);
        if (defaultPeriod < 0) {
            return strategy.terminating(markNow(result));
        }
        return deleting ? result : markGraceful(strategy, result, parameters.gracePeriodSeconds(), defaultPeriod);
    }

    private static JsonObject withFinalizers(RestStrategy strategy, JsonObject object, DeleteParameters parameters) {
        return Meta.withFinalizers(object, finalizers(strategy, object, parameters));
    }

    private JsonObject markNow(JsonObject object) {
        JsonObject counted = Meta.isDeleting(object)
                ? object
                : Meta.with(
                        Meta.nextGeneration(object),
                        "deletionTimestamp",
                        backend.now().toString());
        return Meta.with(counted, "deletionGracePeriodSeconds", 0);
    }

    private JsonObject markGraceful(
            RestStrategy strategy, JsonObject object, @Nullable Long requested, long defaultPeriod) {
        Instant now = backend.now().instant();
        long seconds =
                strategy.endsAtOnce(object) ? 0 : requested == null ? defaultPeriod : requested < 0 ? 1 : requested;
        long period = Math.min(seconds, Duration.between(now, LAST_TIME).toSeconds());
        Time end = new Time(now.plusSeconds(period));
        return Meta.with(
                Meta.with(Meta.nextGeneration(object), "deletionTimestamp", end.toString()),
                "deletionGracePeriodSeconds",
                period);
    }

    private static JsonObject shorten(JsonObject object, long left, long shorter) {
        long period = Math.max(shorter, 0);
        Time end = Time.parse(Meta.text(object, "deletionTimestamp"));
        Time earlier = new Time(end.instant().minusSeconds(left).plusSeconds(period));
        return Meta.with(
                Meta.with(object, "deletionTimestamp", earlier.toString()), "deletionGracePeriodSeconds", period);
    }

    /** Adds and removes the two finalizers that the garbage collector handles, according to the propagation policy. */
    private static List<String> finalizers(RestStrategy strategy, JsonObject object, DeleteParameters parameters) {
        List<String> before = Meta.finalizers(object);
        boolean orphan = before.contains(Meta.ORPHAN_FINALIZER);
        boolean foreground = before.contains(Meta.FOREGROUND_FINALIZER);
        if (!strategy.collectsGarbage()) {
            List<String> kept = new ArrayList<>(before);
            kept.removeAll(List.of(Meta.ORPHAN_FINALIZER, Meta.FOREGROUND_FINALIZER));
            return kept;
        }
        switch (parameters.propagation()) {
            case DeleteParameters.ORPHAN -> {
                orphan = true;
                foreground = false;
            }
            case DeleteParameters.FOREGROUND -> {
                orphan = false;
                foreground = true;
            }
            case DeleteParameters.BACKGROUND -> {
                orphan = false;
                foreground = false;
            }
            default -> orphan |= !foreground && strategy.orphansByDefault();
        }
        List<String> after = new ArrayList<>(before);
        set(after, Meta.ORPHAN_FINALIZER, orphan);
        set(after, Meta.FOREGROUND_FINALIZER, foreground);
        return after;
    }

    private static void set(List<String> finalizers, String finalizer, boolean wanted) {
        if (!wanted) {
            finalizers.remove(finalizer);
        } else if (!finalizers.contains(finalizer)) {
            finalizers.add(finalizer);
        }
    }
}
