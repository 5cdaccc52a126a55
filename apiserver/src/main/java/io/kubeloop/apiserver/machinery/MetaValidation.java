package io.kubeloop.apiserver.machinery;

import io.kubeloop.api.NameValidation;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Validation of the metadata of all kinds (upstream: {@code apimachinery/pkg/api/validation/objectmeta.go}). */
public final class MetaValidation {

    private static final int MAX_ANNOTATION_BYTES = 256 * 1024;

    /** The fields that only the server sets. */
    private static final List<String> SERVERS_FIELDS = List.of(
            "name",
            "namespace",
            "uid",
            "creationTimestamp",
            "generation",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "generateName");

    /**
     * A client may omit these fields or send the current value; another value is an error. All other server-owned
     * fields are corrected silently.
     */
    private static final List<String> IMMUTABLE_FIELDS = List.of("name", "namespace", "uid");

    private static final Set<String> STANDARD_FINALIZERS =
            Set.of(Meta.CONTENT_FINALIZER, Meta.ORPHAN_FINALIZER, Meta.FOREGROUND_FINALIZER);

    private MetaValidation() {}

    /**
     * Returns the new metadata with the old values of the server-owned fields, except those in which another value
     * is an error.
     */
    public static JsonObject keepServersFields(JsonObject wanted, JsonObject old) {
        JsonObject result = wanted;
        for (String field : SERVERS_FIELDS) {
            boolean claimed =
                    IMMUTABLE_FIELDS.contains(field) && !wanted.string(field).isEmpty();
            // The deletion timestamp of a terminating object cannot be changed. On other objects the client's value
            // stays, and validation rejects it.
            claimed |= field.equals("deletionTimestamp") && !old.has(field);
            if (!claimed) {
                result = Members.take(result, field, old);
            }
        }
        return result;
    }

    /** The rule of a kind for the names of its objects (upstream: {@code ValidateNameFunc}). */
    @FunctionalInterface
    public interface NameRule {

        /** Returns the errors of a name, or of the prefix of a generated name. */
        List<String> check(String name, boolean prefix);
    }

    /** Validates the metadata of an object before it is stored. */
    public static void validate(JsonObject object, NameRule names, FieldErrors errors) {
        validate(object, names, true, errors);
    }

    /**
     * Validates the metadata of an object before it is stored.
     *
     * @param qualified whether a finalizer must be a standard one or have a domain
     */
    public static void validate(JsonObject object, NameRule names, boolean qualified, FieldErrors errors) {
        JsonObject metadata = Meta.of(object);
        String name = Meta.name(object);
        String generateName = Meta.text(object, "generateName");
        if (!generateName.isEmpty()) {
            errors.invalid("metadata.generateName", generateName, names.check(generateName, true));
        }
        if (name.isEmpty()) {
            errors.required("metadata.name", "name or generateName is required");
        } else {
            errors.invalid("metadata.name", name, names.check(name, false));
        }
        labels("metadata.labels", metadata.object("labels"), errors);
        annotations("metadata.annotations", metadata.object("annotations"), errors);
        owners(metadata, errors);
        finalizers(metadata.array("finalizers").strings().toList(), qualified, errors);
    }

    private static void finalizers(List<String> finalizers, boolean qualified, FieldErrors errors) {
        for (int i = 0; i < finalizers.size(); i++) {
            String field = "metadata.finalizers[" + i + "]";
            if (qualified) {
                finalizer(field, finalizers.get(i), errors);
            } else {
                errors.invalid(
                        "metadata.finalizers", finalizers.get(i), NameValidation.qualifiedName(finalizers.get(i)));
            }
        }
    }

    /** Validates a finalizer of an object, or of a namespace's spec. */
    public static void finalizer(String field, String finalizer, FieldErrors errors) {
        errors.invalid(field, finalizer, NameValidation.qualifiedName(finalizer));
        if (!finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer)) {
            errors.invalid(field, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
        }
    }

    /** Validates a change of the metadata. */
    public static void validateUpdate(JsonObject metadata, JsonObject old, FieldErrors errors) {
        for (String field : IMMUTABLE_FIELDS) {
            if (!metadata.string(field).equals(old.string(field))) {
                errors.invalid("metadata." + field, metadata.string(field), "field is immutable");
            }
        }
        String deletion = metadata.string("deletionTimestamp");
        if (!deletion.equals(old.string("deletionTimestamp"))) {
            errors.invalid("metadata.deletionTimestamp", deletion, "field is immutable");
        }
        if (!old.string("deletionTimestamp").isEmpty()) {
            List<String> before = old.array("finalizers").strings().toList();
            List<String> added = metadata.array("finalizers")
                    .strings()
                    .filter(finalizer -> !before.contains(finalizer))
                    .map(finalizer -> '"' + finalizer + '"')
                    .toList();
            if (!added.isEmpty()) {
                errors.forbidden(
                        "metadata.finalizers",
                        "no new finalizers can be added if the object is being deleted, found new finalizers []string{"
                                + String.join(", ", added) + "}");
            }
        }
    }

    /** Validates a map of labels, in metadata, a template or a selector. */
    public static void labels(String field, JsonObject labels, FieldErrors errors) {
        labels.members().forEach((key, value) -> {
            errors.invalid(field, key, NameValidation.qualifiedName(key));
            if (value instanceof JsonString text) {
                errors.invalid(field, text.value(), NameValidation.labelValue(text.value()));
            } else {
                errors.invalid(field, value, "must be a string");
            }
        });
    }

    /** Validates a map of annotations, in metadata or a template. */
    public static void annotations(String field, JsonObject annotations, FieldErrors errors) {
        long bytes = 0;
        for (String key : annotations.members().keySet()) {
            JsonValue value = annotations.members().get(key);
            // Upstream converts keys to lower case before this check.
            errors.invalid(field, key, NameValidation.qualifiedName(key.toLowerCase(Locale.ROOT)));
            if (!(value instanceof JsonString text)) {
                errors.invalid(field, key, "must have a string as value");
                continue;
            }
            bytes += utf8Length(key) + utf8Length(text.value());
        }
        if (bytes > MAX_ANNOTATION_BYTES) {
            errors.tooLong(field, MAX_ANNOTATION_BYTES);
        }
    }

    private static long utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void owners(JsonObject metadata, FieldErrors errors) {
        List<JsonObject> owners = metadata.array("ownerReferences").objects().toList();
        for (JsonObject owner : owners) {
            for (String part : List.of("apiVersion", "kind", "name", "uid")) {
                if (owner.string(part).isEmpty()) {
                    errors.invalid("metadata.ownerReferences." + part, "", part + " must not be empty");
                }
            }
        }
        List<JsonObject> controllers =
                owners.stream().filter(owner -> owner.bool("controller")).toList();
        if (controllers.size() > 1) {
            errors.invalid(
                    "metadata.ownerReferences",
                    metadata.array("ownerReferences"),
                    "Only one reference can have Controller set to true. Found \"true\" in references for "
                            + controllers.get(0).string("kind") + "/"
                            + controllers.get(0).string("name") + " and "
                            + controllers.get(1).string("kind") + "/"
                            + controllers.get(1).string("name"));
        }
    }
}
