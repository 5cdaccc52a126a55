package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.transport.memory.machinery.ApiFailure;
import io.kubeloop.transport.memory.machinery.Meta;
import io.kubeloop.transport.memory.machinery.ResourceStore;
import io.kubeloop.transport.memory.storage.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants of a deletion (upstream: {@code metav1.DeleteOptions}). Immutable.
 *
 * @param gracePeriodSeconds how long the object may take to end; null for its own wish
 * @param propagation what becomes of dependents: {@code Orphan}, {@code Background}, {@code Foreground}, or empty
 * @param uid the object that is meant; null for any
 * @param resourceVersion the state that is meant; null for any
 * @param dryRun whether to say what would happen, only
 * @param cascading whether it was asked in the old way that dependents go too: then an object that is still there is answered with 202
 */
public record DeleteParameters(
        @Nullable Long gracePeriodSeconds,
        String propagation,
        @Nullable String uid,
        @Nullable String resourceVersion,
        boolean dryRun,
        boolean cascading) {

    /** The propagation policy that keeps dependents. */
    public static final String ORPHAN = "Orphan";
    /** The propagation policy that deletes dependents after the owner. */
    public static final String BACKGROUND = "Background";
    /** The propagation policy that deletes dependents before the owner. */
    public static final String FOREGROUND = "Foreground";

    /**
     * Reads the body, or without one the query: with a body the query says nothing about the deletion, as upstream.
     *
     * @throws ApiFailure 400 or 422 if they make no sense
     */
    static DeleteParameters of(Query query, byte @Nullable [] body) {
        return of(
                body == null || body.length == 0 ? DeleteOptionsReader.ofQuery(query) : DeleteOptionsReader.read(body));
    }

    /**
     * Reads the options of an eviction. It is created, and a creation may be a dry run by its query too.
     *
     * @throws ApiFailure 400 or 422 if they make no sense
     */
    static DeleteParameters ofEviction(Query query, JsonObject options) {
        DeleteParameters parameters = of(DeleteOptionsReader.checked(options));
        boolean dryRun = query.dryRun("CreateOptions") || parameters.dryRun();
        return new DeleteParameters(
                parameters.gracePeriodSeconds(),
                parameters.propagation(),
                parameters.uid(),
                parameters.resourceVersion(),
                dryRun,
                parameters.cascading());
    }

    private static DeleteParameters of(JsonObject options) {
        return new DeleteParameters(
                options.number("gracePeriodSeconds"),
                propagation(options),
                text(options, "uid"),
                text(options, "resourceVersion"),
                !options.array("dryRun").isEmpty(),
                options.has("orphanDependents") && !options.bool("orphanDependents"));
    }

    private static String propagation(JsonObject options) {
        return options.has("orphanDependents")
                ? options.bool("orphanDependents") ? ORPHAN : BACKGROUND
                : options.string("propagationPolicy");
    }

    /** An empty one is one: it is met by no object. */
    private static @Nullable String text(JsonObject options, String precondition) {
        return options.get("preconditions", precondition) instanceof JsonString text ? text.value() : null;
    }

    /** Returns what the garbage collector asks for. */
    public static DeleteParameters ofObject(String uid, String propagation) {
        return new DeleteParameters(null, propagation, uid, null, false, false);
    }

    /** Refuses with 409 if the object is not the one that is meant. */
    void check(ResourceStore store, StoredObject seen) {
        JsonObject object = seen.tree();
        if (uid != null && !uid.equals(Meta.uid(object))) {
            throw ApiFailure.preconditionFailed(
                    store.resource(),
                    Meta.name(object),
                    "the UID in the precondition (" + uid + ") does not match the UID in record (" + Meta.uid(object)
                            + "). The object might have been deleted and then recreated");
        }
        String version = Meta.text(object, "resourceVersion");
        if (resourceVersion != null && !resourceVersion.equals(version)) {
            throw ApiFailure.preconditionFailed(
                    store.resource(),
                    Meta.name(object),
                    "the ResourceVersion in the precondition (" + resourceVersion
                            + ") does not match the ResourceVersion in record (" + version
                            + "). The object might have been modified");
        }
    }

    /** Returns the same wish without the versions that only hold before the first write. */
    DeleteParameters afterFirstWrite() {
        return new DeleteParameters(gracePeriodSeconds, propagation, uid, null, dryRun, cascading);
    }
}
