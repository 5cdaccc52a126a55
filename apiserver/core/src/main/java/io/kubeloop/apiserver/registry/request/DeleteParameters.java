/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry.request;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.GoKinds;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.schema.StatedKind;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a deletion (upstream: {@code metav1.DeleteOptions}). Immutable.
 *
 * @param gracePeriodSeconds the grace period; null for the default of the object
 * @param propagation the policy for dependents: {@code Orphan}, {@code Background}, {@code Foreground}, or empty
 *     for the default
 * @param uid the precondition on the UID; null for none
 * @param resourceVersion the precondition on the resource version; null for none
 * @param dryRun whether to return the result without writing
 * @param cascading whether the deprecated {@code orphanDependents} option is false; a deletion that does not finish
 *     at once then returns 202
 * @param ignoresReadErrors whether an object that cannot be decoded is removed at once, whatever breaks then; upstream:
 *     {@code ignoreStoreReadErrorWithClusterBreakingPotential}
 */
public record DeleteParameters(
        @Nullable Long gracePeriodSeconds,
        String propagation,
        @Nullable String uid,
        @Nullable String resourceVersion,
        boolean dryRun,
        boolean cascading,
        boolean ignoresReadErrors) {

    /** The propagation policy that keeps dependents. */
    public static final String ORPHAN = "Orphan";
    /** The propagation policy that deletes dependents after the owner. */
    public static final String BACKGROUND = "Background";
    /** The propagation policy that deletes dependents before the owner. */
    public static final String FOREGROUND = "Foreground";

    /**
     * Reads the body, or the query if there is no body. As upstream, the query is ignored if there is a body.
     *
     * @throws StatusException 400 or 422 if the options are invalid
     */
    public static DeleteParameters of(Query query, byte @Nullable [] body) {
        return of(
                body == null || body.length == 0 ? DeleteOptionsReader.ofQuery(query) : DeleteOptionsReader.read(body));
    }

    /**
     * Reads the options of an eviction. An eviction is a create request, so its query may also request a dry run.
     *
     * @throws StatusException 400 or 422 if the options are invalid
     */
    public static DeleteParameters ofEviction(Query query, JsonObject options) {
        DeleteParameters parameters = of(DeleteOptionsReader.checked(options));
        boolean dryRun = query.dryRun("CreateOptions") || parameters.dryRun();
        return new DeleteParameters(
                parameters.gracePeriodSeconds(),
                parameters.propagation(),
                parameters.uid(),
                parameters.resourceVersion(),
                dryRun,
                parameters.cascading(),
                parameters.ignoresReadErrors());
    }

    private static DeleteParameters of(JsonObject options) {
        return new DeleteParameters(
                options.number("gracePeriodSeconds"),
                propagation(options),
                text(options, "uid"),
                text(options, "resourceVersion"),
                !options.array("dryRun").isEmpty(),
                options.has("orphanDependents") && !options.bool("orphanDependents"),
                options.bool("ignoreStoreReadErrorWithClusterBreakingPotential"));
    }

    private static String propagation(JsonObject options) {
        return options.has("orphanDependents")
                ? options.bool("orphanDependents") ? ORPHAN : BACKGROUND
                : options.string("propagationPolicy");
    }

    /** An empty precondition is a precondition that no object meets. */
    private static @Nullable String text(JsonObject options, String precondition) {
        return options.get("preconditions", precondition) instanceof JsonString text ? text.value() : null;
    }

    /** Returns the parameters of a deletion by the collector: one object by UID. */
    public static DeleteParameters ofObject(String uid, String propagation) {
        return new DeleteParameters(null, propagation, uid, null, false, false, false);
    }

    /**
     * Checks the preconditions.
     *
     * @throws StatusException 409 if a precondition does not hold
     */
    public void check(ResourceStore store, StoredObject seen) {
        String foundUid = Meta.uid(seen.tree());
        if (uid != null && !uid.equals(foundUid)) {
            throw failed(store, seen, "UID", uid, foundUid, "deleted and then recreated");
        }
        String version = Meta.text(seen.tree(), "resourceVersion");
        if (resourceVersion != null && !resourceVersion.equals(version)) {
            throw failed(store, seen, "ResourceVersion", resourceVersion, version, "modified");
        }
    }

    private static StatusException failed(
            ResourceStore store, StoredObject seen, String what, String wanted, String found, String happened) {
        String name = Meta.name(seen.tree());
        String ownText = store.strategy().failedPrecondition();
        return !ownText.isEmpty()
                ? StatusException.conflict(
                        store.resource(),
                        name,
                        ownText + ": " + what + " in precondition: " + wanted + ", " + what + " in object meta: "
                                + found)
                : StatusException.preconditionFailed(
                        store.storedGroup(),
                        store.type().kind(),
                        name,
                        "the " + what + " in the precondition (" + wanted + ") does not match the " + what
                                + " in record (" + found + "). The object might have been " + happened);
    }

    /** Returns the same parameters without the version precondition, which holds only before the first write. */
    public DeleteParameters afterFirstWrite() {
        return new DeleteParameters(gracePeriodSeconds, propagation, uid, null, dryRun, cascading, ignoresReadErrors);
    }

    /**
     * Reads {@code DeleteOptions} from a body or a query. Options that cannot be read are rejected, never ignored.
     * Otherwise a dry run or a failed precondition would delete the object.
     */
    private static final class DeleteOptionsReader {

        private static final String KIND = "DeleteOptions";
        private static final StructSchema TYPE =
                Objects.requireNonNull(TypeCatalog.kubernetes().named("meta.v1.DeleteOptions"));

        private DeleteOptionsReader() {}

        /**
         * Reads the options of a body. As upstream, unknown fields and the version of the options are ignored.
         *
         * @throws StatusException 400 or 422 if they are invalid
         */
        static JsonObject read(byte[] body) {
            try {
                StatedKind identity = TypedJson.identity(body);
                if (!identity.kind().isEmpty() && !identity.kind().equals(KIND)) {
                    String apiVersion = identity.apiVersion().isEmpty() ? "meta.k8s.io/v1" : identity.apiVersion();
                    throw StatusException.badRequest(GoKinds.notRegistered(apiVersion, identity.kind()));
                }
                return checked(TypedJson.decode(TYPE, body).object());
            } catch (DecodeException e) {
                throw StatusException.badRequest(String.valueOf(e.getMessage()));
            }
        }

        /**
         * Reads the options of a query; its {@code resourceVersion} and {@code uid} are preconditions.
         *
         * @throws StatusException 400 or 422 if they are invalid
         */
        static JsonObject ofQuery(Query query) {
            JsonObject options = JsonObject.EMPTY;
            Long grace = query.number("gracePeriodSeconds");
            if (grace != null) {
                options = options.with("gracePeriodSeconds", grace);
            }
            Boolean orphan = query.optionalFlag("orphanDependents");
            if (orphan != null) {
                options = options.with("orphanDependents", (boolean) orphan);
            }
            options = withText(options, "propagationPolicy", query);
            if (query.parameters().containsKey("dryRun")) {
                options = options.with("dryRun", JsonArray.of(new JsonString(query.text("dryRun"))));
            }
            JsonObject preconditions = withText(withText(JsonObject.EMPTY, "uid", query), "resourceVersion", query);
            return checked(preconditions.isEmpty() ? options : options.with("preconditions", preconditions));
        }

        private static JsonObject withText(JsonObject options, String name, Query query) {
            return query.text(name).isEmpty() ? options : options.with(name, query.text(name));
        }

        /**
         * Returns the options.
         *
         * @throws StatusException 422 if they contradict each other
         */
        static JsonObject checked(JsonObject options) {
            FieldErrors errors = new FieldErrors();
            String propagation = options.string("propagationPolicy");
            if (options.has("orphanDependents") && options.has("propagationPolicy")) {
                errors.invalid(
                        "propagationPolicy",
                        propagation,
                        "orphanDependents and deletionPropagation cannot be both set");
            }
            List<String> known =
                    List.of(DeleteParameters.FOREGROUND, DeleteParameters.BACKGROUND, DeleteParameters.ORPHAN);
            if (options.has("propagationPolicy") && !known.contains(propagation)) {
                errors.notSupported(
                        "propagationPolicy", propagation, List.of(known.get(0), known.get(1), known.get(2), "nil"));
            }
            if (!errors.isEmpty()) {
                throw StatusException.invalid("meta.k8s.io", KIND, "", errors);
            }
            Query.dryRun(KIND, options.array("dryRun"));
            return options;
        }
    }
}
