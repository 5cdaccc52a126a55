/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.objectmeta;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Validation of the metadata of all kinds (upstream: {@code apimachinery/pkg/api/validation/objectmeta.go}). */
public final class MetaValidation {

    private static final int MAX_MANAGER_LENGTH = 128;

    private static final String FINALIZERS = "metadata.finalizers";
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
            claimed |= field.equals("deletionGracePeriodSeconds") && wanted.has(field);
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

    /** Validates what the metadata of every kind must fulfill, whatever the rules of the kind are. */
    public static void validateCommon(JsonObject object, FieldErrors errors) {
        validate(object, Names::pathSegment, false, errors);
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
        errors.nonNegative("metadata.generation", metadata.get("generation"));
        maps(metadata, errors);
        List<String> finalizers = metadata.array("finalizers").strings().toList();
        for (String finalizer : finalizers) {
            errors.invalid(FINALIZERS, finalizer, NameValidation.qualifiedName(finalizer));
        }
        if (finalizers.contains(Meta.ORPHAN_FINALIZER) && finalizers.contains(Meta.FOREGROUND_FINALIZER)) {
            errors.invalid(
                    FINALIZERS,
                    metadata.array("finalizers"),
                    "finalizer " + Meta.ORPHAN_FINALIZER + " and " + Meta.FOREGROUND_FINALIZER + " cannot be both set");
        }
        if (qualified) {
            qualified(finalizers, errors);
        }
    }

    private static void maps(JsonObject metadata, FieldErrors errors) {
        labels("metadata.labels", metadata.object("labels"), errors);
        annotations("metadata.annotations", metadata.object("annotations"), errors);
        owners(metadata, errors);
    }

    private static void qualified(List<String> finalizers, FieldErrors errors) {
        for (int i = 0; i < finalizers.size(); i++) {
            qualified(FINALIZERS + "[" + i + "]", finalizers.get(i), errors);
        }
    }

    private static void qualified(String field, String finalizer, FieldErrors errors) {
        if (!finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer)) {
            errors.invalid(field, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
        }
    }

    /** Validates a finalizer of an object, or of a namespace's spec. */
    public static void finalizer(String field, String finalizer, FieldErrors errors) {
        errors.invalid(field, finalizer, NameValidation.qualifiedName(finalizer));
        qualified(field, finalizer, errors);
    }

    /**
     * Validates a change of the metadata.
     *
     * @param qualified whether a finalizer must be a standard one or have a domain
     */
    public static void validateUpdate(JsonObject metadata, JsonObject old, boolean qualified, FieldErrors errors) {
        List<String> finalizers = metadata.array("finalizers").strings().toList();
        if (!old.string("deletionTimestamp").isEmpty()) {
            Set<String> before = old.array("finalizers").strings().collect(Collectors.toSet());
            String added = finalizers.stream()
                    .filter(finalizer -> !before.contains(finalizer))
                    .distinct()
                    .sorted()
                    .map(finalizer -> '"' + finalizer + '"')
                    .collect(Collectors.joining(", "));
            if (!added.isEmpty()) {
                errors.forbidden(
                        FINALIZERS,
                        "no new finalizers can be added if the object is being deleted, found new finalizers []string{"
                                + added + "}");
            }
        }
        for (String field : List.of("name", "namespace", "uid", "deletionTimestamp")) {
            if (!metadata.string(field).equals(old.string(field))) {
                errors.invalid("metadata." + field, metadata.string(field), "field is immutable");
            }
        }
        JsonValue period = metadata.get("deletionGracePeriodSeconds");
        if (period != null && !period.equals(old.get("deletionGracePeriodSeconds"))) {
            errors.invalid("metadata.deletionGracePeriodSeconds", period, "field is immutable");
        }
        maps(metadata, errors);
        if (qualified) {
            qualified(finalizers, errors);
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
        String field = "metadata.ownerReferences";
        JsonObject first = null;
        JsonArray shown = null;
        List<JsonObject> owners = metadata.array("ownerReferences").objects().toList();
        for (int i = 0; i < owners.size(); i++) {
            JsonObject owner = owners.get(i);
            String path = field + "[" + i + "]";
            String version = owner.string("apiVersion");
            for (String part : List.of("apiVersion", "kind", "name", "uid")) {
                if (owner.string(part).isEmpty()) {
                    errors.required(path + "." + part, "must not be empty");
                } else if (part.equals("apiVersion") && !isGroupVersion(version)) {
                    errors.invalid(path + "." + part, version, "must be <group>/<version> or <version>");
                }
            }
            if (version.equals("v1") && owner.string("kind").equals("Event")) {
                errors.invalid(path, inOrder(owner), "/v1, Kind=Event is disallowed from being an owner");
            }
            if (owner.bool("controller") && first != null) {
                shown = shown == null
                        ? JsonArray.of(
                                owners.stream().map(MetaValidation::inOrder).toList())
                        : shown;
                errors.invalid(
                        field,
                        shown,
                        "Only one reference can have Controller set to true. Found \"true\" in references for "
                                + named(first) + " and " + named(owner));
            } else if (owner.bool("controller")) {
                first = owner;
            }
        }
    }

    private static boolean isGroupVersion(String version) {
        int slash = version.indexOf('/');
        return slash == version.lastIndexOf('/') && slash < version.length() - 1;
    }

    private static String named(JsonObject owner) {
        return owner.string("kind") + "/" + owner.string("name");
    }

    /** Returns an owner reference with its members in the order of messages. */
    private static JsonObject inOrder(JsonObject owner) {
        JsonObject ordered = JsonObject.EMPTY;
        for (String member : List.of("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion")) {
            ordered = Members.take(ordered, member, owner);
        }
        return ordered;
    }

    /**
     * Checks a manager as upstream does: 128 bytes of printable characters, with the position in bytes in the message.
     */
    public static void manager(String field, String manager, FieldErrors errors) {
        if (manager.getBytes(StandardCharsets.UTF_8).length > MAX_MANAGER_LENGTH) {
            errors.tooLong(field, MAX_MANAGER_LENGTH);
        }
        int position = 0;
        for (int i = 0; i < manager.length(); i = manager.offsetByCodePoints(i, 1)) {
            int character = manager.codePointAt(i);
            if (Character.isISOControl(character)) {
                errors.invalid(
                        field,
                        manager,
                        String.format("invalid character U+%04X (at position %d)", character, position));
            }
            position += Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
        }
    }
}
