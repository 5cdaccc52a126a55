package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.Members;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code DeleteOptions} from a body or a query. Options that cannot be read are rejected, never ignored.
 * Otherwise a dry run or a failed precondition would delete the object.
 */
final class DeleteOptionsReader {

    private static final String KIND = "DeleteOptions";

    private DeleteOptionsReader() {}

    /**
     * Reads the options of a body.
     *
     * @throws ApiFailure 400 or 422 if they are invalid
     */
    static JsonObject read(byte[] body) {
        return checked(IncomingObject.readOptions(KIND, body));
    }

    /**
     * Reads the options of a query; its {@code resourceVersion} and {@code uid} are preconditions.
     *
     * @throws ApiFailure 400 or 422 if they are invalid
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
        if (!query.text("dryRun").isEmpty()) {
            options = options.with("dryRun", JsonArray.of(new JsonString(query.text("dryRun"))));
        }
        JsonObject preconditions = withText(withText(JsonObject.EMPTY, "uid", query), "resourceVersion", query);
        return checked(preconditions.isEmpty() ? options : options.with("preconditions", preconditions));
    }

    private static JsonObject withText(JsonObject options, String name, Query query) {
        return query.text(name).isEmpty() ? options : options.with(name, query.text(name));
    }

    /**
     * Returns the options without null members.
     *
     * @throws ApiFailure 400 if an option has the wrong type, 422 if options contradict each other
     */
    static JsonObject checked(JsonObject given) {
        JsonObject options = given;
        for (String name : given.members().keySet()) {
            options = given.get(name) == JsonNull.NULL ? options.without(name) : options;
        }
        requireTypes(options);
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
            throw ApiFailure.invalid("meta.k8s.io", KIND, "", errors);
        }
        Query.dryRun(KIND, options.array("dryRun"));
        return options;
    }

    private static void requireTypes(JsonObject options) {
        requireMember(options, JsonNumber.class, "int64", "gracePeriodSeconds");
        requireMember(options, JsonBoolean.class, "bool", "orphanDependents");
        requireMember(options, JsonString.class, "v1.DeletionPropagation", "propagationPolicy");
        requireMember(options, JsonArray.class, "[]string", "dryRun");
        for (JsonValue run : options.array("dryRun")) {
            requireType(run, JsonString.class, "string", "dryRun");
        }
        requireMember(options, JsonObject.class, "v1.Preconditions", "preconditions");
        requireMember(options, JsonString.class, "types.UID", "preconditions", "uid");
        requireMember(options, JsonString.class, "string", "preconditions", "resourceVersion");
        if (options.has("gracePeriodSeconds") && options.number("gracePeriodSeconds") == null) {
            throw typeMismatch("number " + options.get("gracePeriodSeconds"), "gracePeriodSeconds", "int64");
        }
    }

    private static void requireMember(
            JsonObject options, Class<? extends JsonValue> type, String wanted, String... path) {
        requireType(options.get(path), type, wanted, String.join(".", path));
    }

    private static void requireType(
            @Nullable JsonValue value, Class<? extends JsonValue> type, String wanted, String field) {
        if (value != null && value != JsonNull.NULL && !type.isInstance(value)) {
            throw typeMismatch(Members.typeOf(value), field, wanted);
        }
    }

    private static ApiFailure typeMismatch(String found, String field, String wanted) {
        return ApiFailure.badRequest("json: cannot unmarshal " + found + " into Go struct field " + KIND + "." + field
                + " of type " + wanted);
    }
}
