package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.transport.memory.storage.StoredObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants of a deletion (upstream: {@code metav1.DeleteOptions}). Immutable.
 *
 * @param gracePeriodSeconds how long the object may take to end; null for its own wish
 * @param propagation what becomes of dependents: {@code Orphan}, {@code Background}, {@code Foreground}, or empty
 * @param uid the object that is meant; empty for any
 * @param resourceVersion the state that is meant; empty for any
 * @param dryRun whether to say what would happen, only
 */
record DeleteParameters(
        @Nullable Long gracePeriodSeconds, String propagation, String uid, String resourceVersion, boolean dryRun) {

    private static final String KIND = "DeleteOptions";
    static final String ORPHAN = "Orphan";
    static final String BACKGROUND = "Background";
    static final String FOREGROUND = "Foreground";

    /**
     * Reads the body, or without one the query.
     *
     * @throws ApiFailure 400 or 422 if they make no sense
     */
    static DeleteParameters of(Query query, byte @Nullable [] body) {
        JsonObject options = body == null || body.length == 0 ? fromQuery(query) : IncomingObject.readWish(KIND, body);
        if (options.get("gracePeriodSeconds") instanceof JsonString) {
            throw ApiFailure.badRequest(
                    "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64");
        }
        String propagation = options.string("propagationPolicy");
        FieldErrors errors = new FieldErrors();
        if (!propagation.isEmpty() && !List.of(ORPHAN, BACKGROUND, FOREGROUND).contains(propagation)) {
            errors.notSupported("propagationPolicy", propagation, List.of(FOREGROUND, BACKGROUND, ORPHAN, "nil"));
        }
        if (options.has("orphanDependents")) {
            if (!propagation.isEmpty()) {
                errors.invalid(
                        "propagationPolicy",
                        propagation,
                        "orphanDependents and deletionPropagation cannot be both" + " set");
            }
            propagation = options.bool("orphanDependents") ? ORPHAN : BACKGROUND;
        }
        if (!errors.isEmpty()) {
            throw ApiFailure.invalid("meta.k8s.io", KIND, "", errors);
        }
        boolean dryRun = Query.dryRun(KIND, options.array("dryRun"));
        dryRun |= query.dryRun(KIND);
        return new DeleteParameters(
                options.number("gracePeriodSeconds"),
                propagation,
                options.string("preconditions", "uid"),
                options.string("preconditions", "resourceVersion"),
                dryRun);
    }

    /** Returns what the garbage collector asks for. */
    static DeleteParameters ofObject(String uid, String propagation) {
        return new DeleteParameters(null, propagation, uid, "", false);
    }

    private static JsonObject fromQuery(Query query) {
        JsonObject options = JsonObject.EMPTY;
        Long grace = query.number("gracePeriodSeconds");
        if (grace != null) {
            options = options.with("gracePeriodSeconds", grace);
        }
        if (!query.text("propagationPolicy").isEmpty()) {
            options = options.with("propagationPolicy", query.text("propagationPolicy"));
        }
        Boolean orphan = query.optionalFlag("orphanDependents");
        return orphan == null ? options : options.with("orphanDependents", (boolean) orphan);
    }

    /** Refuses with 409 if the object is not the one that is meant. */
    void check(ResourceStore store, StoredObject seen) {
        JsonObject object = seen.tree();
        if (!uid.isEmpty() && !uid.equals(Meta.uid(object))) {
            throw ApiFailure.preconditionFailed(
                    store.resource(),
                    Meta.name(object),
                    "the UID in the precondition (" + uid + ") does not match the UID in record (" + Meta.uid(object)
                            + "). The object might have been deleted and then recreated");
        }
        String version = Meta.text(object, "resourceVersion");
        if (!resourceVersion.isEmpty() && !resourceVersion.equals(version)) {
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
        return new DeleteParameters(gracePeriodSeconds, propagation, uid, "", dryRun);
    }
}
