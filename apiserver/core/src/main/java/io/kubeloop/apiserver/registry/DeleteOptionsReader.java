/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.rest.GoKinds;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.typed.TypedJson;
import java.util.List;
import java.util.Objects;

/**
 * Reads {@code DeleteOptions} from a body or a query. Options that cannot be read are rejected, never ignored.
 * Otherwise a dry run or a failed precondition would delete the object.
 */
final class DeleteOptionsReader {

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
            TypedJson.Identity identity = TypedJson.identity(body);
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
                    "propagationPolicy", propagation, "orphanDependents and deletionPropagation cannot be both set");
        }
        List<String> known = List.of(DeleteParameters.FOREGROUND, DeleteParameters.BACKGROUND, DeleteParameters.ORPHAN);
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
