/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.customresources.objects.Defaulting;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects;
import io.kubeloop.apiserver.customresources.objects.ListTypes;
import io.kubeloop.apiserver.customresources.rules.ValueRules;
import io.kubeloop.apiserver.customresources.schema.Paths;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.values.Correlation;
import io.kubeloop.apiserver.customresources.values.ValueValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.ScalePaths;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.codec.Conversion;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.gotext.NumberText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of custom resources in one version (upstream: {@code pkg/registry/customresource/strategy.go}).
 * Immutable; thread-safe.
 */
final class CustomResourceStrategy implements RestStrategy {

    private static final Set<String> STANDARD_FINALIZERS =
            Set.of(Meta.ORPHAN_FINALIZER, Meta.FOREGROUND_FINALIZER, Meta.CONTENT_FINALIZER);

    /** The reasons of errors after which rules may fail for want of a valid object. */
    private static final Set<String> BLOCKING = Set.of(
            "FieldValueNotSupported",
            "FieldValueRequired",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueTypeInvalid");

    private final SchemaProps schema;
    private final ValueRules rules;
    private final Conversion conversion;
    private final boolean status;
    private final @Nullable ScalePaths scale;
    private final Map<String, Function<JsonObject, String>> selectable;
    private final List<String> useWarnings;
    private final @Nullable ServedResource terminating;

    /**
     * Creates a strategy.
     *
     * @param conversion returns the served form of a stored object
     * @param status whether the status is a subresource
     * @param scale the fields of the scale subresource; null for none
     * @param useWarnings the warnings of every request
     * @param terminating the resource if its definition is being deleted, so nothing may be created; else null
     */
    CustomResourceStrategy(
            SchemaProps schema,
            Conversion conversion,
            boolean status,
            @Nullable ScalePaths scale,
            Map<String, Function<JsonObject, String>> selectable,
            List<String> useWarnings,
            @Nullable ServedResource terminating) {
        this.schema = schema;
        rules = ValueRules.of(schema, true);
        this.conversion = conversion;
        this.status = status;
        this.scale = scale;
        this.selectable = selectable;
        this.useWarnings = List.copyOf(useWarnings);
        this.terminating = terminating;
    }

    @Override
    public JsonObject defaults(JsonObject object) {
        return Defaulting.apply(object, schema);
    }

    @Override
    public boolean hasStatus() {
        return status;
    }

    @Override
    public boolean hasGeneration() {
        return true;
    }

    /**
     * Every change but one of the metadata counts. As upstream, the object before it is what a read returns, and the
     * new one is what the request contains: unknown fields of an apply count, and so does {@code 3.0} for {@code 3}.
     */
    @Override
    public boolean isCounted(JsonObject object, JsonObject old) {
        JsonObject sent = counted(object);
        JsonObject stored = TypedJson.withNumbersOfGo(sent);
        return !stored.equals(counted(conversion.fromStorage(old))) || becomesInteger(sent, stored);
    }

    @Override
    public JsonObject counted(JsonObject object) {
        return object.without("metadata").without("apiVersion");
    }

    /** Returns whether a number of a value is an {@code int64} only after it was stored. */
    private static boolean becomesInteger(JsonValue sent, JsonValue stored) {
        if (sent == stored) {
            return false; // no number changes
        }
        if (sent instanceof JsonNumber number && stored instanceof JsonNumber text) {
            return !NumberText.isInteger(number) && NumberText.isInteger(text);
        }
        if (sent instanceof JsonArray array && stored instanceof JsonArray list) {
            return IntStream.range(0, array.size()).anyMatch(i -> becomesInteger(array.get(i), list.get(i)));
        }
        return sent instanceof JsonObject object
                && stored instanceof JsonObject tree
                && object.members().entrySet().stream()
                        .anyMatch(member -> becomesInteger(
                                member.getValue(), tree.members().getOrDefault(member.getKey(), JsonNull.NULL)));
    }

    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        JsonObject read = conversion.toStorage(conversion.fromStorage(old));
        if (part != Part.STATUS) {
            return status ? Members.take(object, "status", read) : object;
        }
        JsonObject managers = Members.take(Meta.of(old), "managedFields", Meta.of(object));
        JsonObject prepared = Members.take(read, "status", object).with("metadata", managers);
        // As upstream, a null in place of an absent status is no change.
        return prepared.get("status") == JsonNull.NULL && !old.has("status") ? prepared.without("status") : prepared;
    }

    @Override
    public void validateCreate(JsonObject object, FieldErrors errors) {
        errors.addAll(ValueValidation.validate("", schema, object));
        if (scale != null) {
            ScaleRules.checkSpec(scale, object, errors);
            ScaleRules.checkStatus(scale, object, errors);
        }
        errors.addAll(EmbeddedObjects.validate("", object, schema));
        errors.addAll(ListTypes.check(schema, object));
        checkRules(object, null, errors);
    }

    private void checkRules(JsonObject object, @Nullable JsonObject old, FieldErrors errors) {
        if (rules.isEmpty()) {
            return;
        }
        if (errors.hasReason(BLOCKING)) {
            errors.invalid(
                    Paths.NONE,
                    JsonNull.NULL,
                    "some validation rules were not checked because the object was invalid; correct the existing errors"
                            + " to complete validation");
            return;
        }
        Correlation before = old == null ? null : new Correlation(schema, object, old);
        errors.addAll(rules.check("", object, old, before));
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        JsonObject before = conversion.fromStorage(old);
        boolean main = part != Part.STATUS;
        if (main) {
            errors.addAll(ValueValidation.validateUpdate("", schema, object, before));
        } else {
            checkStatus(object, before, errors);
        }
        if (scale != null) {
            if (main) {
                ScaleRules.checkSpec(scale, object, errors);
            }
            ScaleRules.checkStatus(scale, object, errors);
        }
        if (main) {
            errors.addAll(EmbeddedObjects.validate("", object, schema));
        }
        if (ListTypes.check(schema, before).isEmpty()) {
            errors.addAll(ListTypes.check(schema, object));
        }
        checkRules(object, before, errors);
    }

    private void checkStatus(JsonObject object, JsonObject old, FieldErrors errors) {
        SchemaProps own = schema.properties().get("status");
        JsonValue value = object.get("status");
        if (own != null && value != null) {
            errors.addAll(ValueValidation.validateUpdate("status", own, value, old.get("status")));
        }
    }

    @Override
    public boolean requiresQualifiedFinalizers() {
        return false;
    }

    @Override
    public List<String> warnings(JsonObject object, @Nullable JsonObject old, Part part) {
        List<String> before = old == null ? List.of() : Meta.finalizers(old);
        List<String> warnings = new ArrayList<>();
        Meta.finalizers(object).stream()
                .filter(finalizer -> !before.contains(finalizer))
                .distinct()
                .sorted()
                .forEach(finalizer -> warn(finalizer, warnings));
        return warnings;
    }

    private static void warn(String finalizer, List<String> warnings) {
        String prefix = "metadata.finalizers: \"" + finalizer + "\": ";
        NameValidation.qualifiedName(finalizer).forEach(error -> warnings.add(prefix + error));
        if (finalizer.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(finalizer)) {
            warnings.add(prefix + "prefer a domain-qualified finalizer name"
                    + (finalizer.indexOf('.') < 0 ? "" : " including a path (/)")
                    + " to avoid accidental conflicts with other finalizer writers");
        }
    }

    @Override
    public List<String> useWarnings() {
        return useWarnings;
    }

    @Override
    public @Nullable ScalePaths scalePaths() {
        return scale;
    }

    @Override
    public boolean listsTypes() {
        return true;
    }

    @Override
    public Map<String, Function<JsonObject, String>> selectableFields() {
        return selectable;
    }

    @Override
    public boolean requiresVersionOnUpdate() {
        return true;
    }

    @Override
    public Acquisition acquire(JsonObject object, @Nullable JsonObject old, boolean dryRun) {
        if (old == null && terminating != null) {
            throw StatusException.forbidden(
                    terminating,
                    Meta.name(object),
                    "create not allowed while custom resource definition is terminating");
        }
        return new Acquisition(object, () -> {});
    }

    /** Checks the fields that the scale subresource of a custom resource shows. Static functions only. */
    private static final class ScaleRules {

        private ScaleRules() {}

        static void checkSpec(ScalePaths scale, JsonObject object, FieldErrors errors) {
            checkReplicas(scale.specReplicas(), object, errors);
        }

        static void checkStatus(ScalePaths scale, JsonObject object, FieldErrors errors) {
            checkReplicas(scale.statusReplicas(), object, errors);
            if (!scale.selector().isEmpty()) {
                JsonValue selector = find(scale.selector(), object, errors, "\"\"");
                if (selector != null && !(selector instanceof JsonString)) {
                    errors.invalid(path(scale.selector()), "", wrongType(scale.selector(), selector, "string"));
                }
            }
        }

        private static void checkReplicas(List<String> path, JsonObject object, FieldErrors errors) {
            JsonValue found = find(path, object, errors, "0");
            if (found == null) {
                return;
            }
            if (!(found instanceof JsonNumber number) || !NumberText.isInteger(number)) {
                errors.invalidLiteral(path(path), "0", wrongType(path, found, "int64"));
                return;
            }
            long replicas = NumberText.toLong(number);
            if (replicas < 0) {
                errors.invalid(path(path), number, "should be a non-negative integer");
            } else if (replicas > Integer.MAX_VALUE) {
                errors.invalid(path(path), number, "should be less than or equal to " + Integer.MAX_VALUE);
            }
        }

        /** Returns the value at a path; null if it is absent, or if an error was added because it is below a scalar. */
        private static @Nullable JsonValue find(
                List<String> path, JsonObject object, FieldErrors errors, String shown) {
            JsonValue value = object;
            for (int i = 0; i < path.size(); i++) {
                if (!(value instanceof JsonObject parent)) {
                    errors.invalidLiteral(
                            path(path), shown, wrongType(path.subList(0, i + 1), value, "map[string]interface{}"));
                    return null;
                }
                value = parent.get(path.get(i));
                if (value == null || value == JsonNull.NULL) {
                    return null;
                }
            }
            return value;
        }

        private static String path(List<String> path) {
            return "." + String.join(".", path);
        }

        private static String wrongType(List<String> path, JsonValue value, String expected) {
            return path(path) + " accessor error: " + GoText.plain(value) + " is of the type " + GoText.type(value)
                    + ", expected " + expected;
        }
    }
}
