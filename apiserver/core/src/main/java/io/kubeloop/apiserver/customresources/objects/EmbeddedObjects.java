/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.objects;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.customresources.objects.ObjectMetaType.MalformedMetadataException;
import io.kubeloop.apiserver.customresources.schema.Paths;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kind, version and metadata of objects inside objects ({@code x-kubernetes-embedded-resource}). Static functions
 * only.
 */
public final class EmbeddedObjects {

    /** The maximum length of the name of a subresource in managed fields, in bytes. */
    private static final int MAX_SUBRESOURCE = 256;

    /** The embedded metadata is malformed. */
    public static final class MalformedObjectException extends Exception {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // the exception is never serialized
        private final FieldError problem;

        MalformedObjectException(FieldError problem) {
            super(problem.message(), null, false, false);
            this.problem = problem;
        }

        /** Returns the error of the field. */
        public FieldError problem() {
            return problem;
        }
    }

    private EmbeddedObjects() {}

    /**
     * Returns a value whose embedded objects have known metadata only.
     *
     * @param dropInvalid whether to drop malformed fields rather than fail
     * @param unknown receives the paths of the dropped metadata
     * @throws MalformedObjectException if a field of embedded metadata has the wrong type
     */
    public static JsonValue coerce(
            String path, JsonValue value, @Nullable SchemaProps schema, boolean dropInvalid, List<String> unknown)
            throws MalformedObjectException {
        if (schema == null) {
            return value;
        }
        if (value instanceof JsonArray array) {
            List<JsonValue> elements = new ArrayList<>(array.size());
            for (int i = 0; i < array.size(); i++) {
                elements.add(coerce(Paths.index(path, i), array.get(i), schema.items(), dropInvalid, unknown));
            }
            return JsonArray.of(elements);
        }
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            String name = member.getKey();
            JsonValue own = schema.embedded()
                    ? ownField(path, name, member.getValue(), dropInvalid, unknown)
                    : member.getValue();
            if (own != null) {
                boolean property = schema.properties().containsKey(name);
                String at = property ? Paths.child(path, name) : Paths.key(path, name);
                members.put(name, coerce(at, own, schema.member(name), dropInvalid, unknown));
            }
        }
        return JsonObject.of(members);
    }

    private static @Nullable JsonValue ownField(
            String path, String name, JsonValue value, boolean dropInvalid, List<String> unknown)
            throws MalformedObjectException {
        switch (name) {
            case "apiVersion", "kind" -> {
                if (value instanceof JsonString) {
                    return value;
                }
                if (dropInvalid) {
                    return null;
                }
                throw new MalformedObjectException(
                        FieldError.invalid(Paths.child(path, name), GoText.untyped(value), "must be a string"));
            }
            case "metadata" -> {
                String at = Paths.child(path, name);
                try {
                    return ObjectMetaType.read(value, at, unknown);
                } catch (MalformedMetadataException e) {
                    if (dropInvalid) {
                        return readableMetadata(value);
                    }
                    throw new MalformedObjectException(
                            FieldError.invalid(at, GoText.untyped(value), String.valueOf(e.getMessage())));
                }
            }
            default -> {
                return value;
            }
        }
    }

    private static JsonValue readableMetadata(JsonValue metadata) {
        JsonObject.Builder kept = JsonObject.builder();
        if (metadata instanceof JsonObject object) {
            object.members().forEach((name, value) -> {
                JsonValue read = readable(name, value);
                if (read != null) {
                    kept.put(name, read);
                }
            });
        }
        return kept.build();
    }

    private static @Nullable JsonValue readable(String name, JsonValue value) {
        try {
            return ObjectMetaType.read(JsonObject.of(name, value), "", new ArrayList<>())
                    .get(name);
        } catch (MalformedMetadataException e) {
            return null; // upstream drops a malformed field of embedded metadata
        }
    }

    /** Returns the errors of the embedded objects in a value. */
    public static FieldErrors validate(String path, JsonValue value, @Nullable SchemaProps schema) {
        FieldErrors problems = new FieldErrors();
        validate(path, value, schema, problems);
        return problems;
    }

    private static void validate(String path, JsonValue value, @Nullable SchemaProps schema, FieldErrors problems) {
        if (schema == null) {
            return;
        }
        if (value instanceof JsonArray array) {
            for (int i = 0; i < array.size(); i++) {
                validate(Paths.index(path, i), array.get(i), schema.items(), problems);
            }
        } else if (value instanceof JsonObject object) {
            if (schema.embedded()) {
                validateEmbedded(path, object, problems);
            }
            object.members().forEach((name, member) -> {
                boolean property = schema.properties().containsKey(name);
                String at = property ? Paths.child(path, name) : Paths.key(path, name);
                validate(at, member, schema.member(name), problems);
            });
        }
    }

    private static void validateEmbedded(String path, JsonObject object, FieldErrors problems) {
        String versionPath = Paths.child(path, "apiVersion");
        String kindPath = Paths.child(path, "kind");
        if (!object.has("apiVersion")) {
            problems.required(versionPath, "");
        } else if (text(versionPath, object.get("apiVersion"), problems) && isTwoSlashes(object.string("apiVersion"))) {
            String version = object.string("apiVersion");
            problems.invalid(versionPath, version, "unexpected GroupVersion string: " + version);
        }
        if (!object.has("kind")) {
            problems.required(kindPath, "");
        } else if (text(kindPath, object.get("kind"), problems)) {
            String kind = object.string("kind");
            List<String> errors = NameValidation.dns1035Label(kind.toLowerCase(Locale.ROOT));
            if (!errors.isEmpty()) {
                problems.invalid(
                        kindPath, kind, "may have mixed case, but should otherwise match: " + String.join(",", errors));
            }
        }
        if (object.has("metadata")) {
            validateMetadata(Paths.child(path, "metadata"), object, problems);
        }
    }

    private static void managedFields(JsonArray entries, FieldErrors errors) {
        List<JsonObject> all = entries.objects().toList();
        for (int i = 0; i < all.size(); i++) {
            String path = "metadata.managedFields[" + i + "]";
            String operation = all.get(i).string("operation");
            if (operation.isEmpty()) {
                errors.required(path + ".operation", "must not be empty");
            } else {
                errors.oneOf(path + ".operation", operation, List.of("Apply", "Update"));
            }
            String type = all.get(i).string("fieldsType");
            if (!type.isEmpty() && !type.equals("FieldsV1")) {
                errors.invalid(path + ".fieldsType", type, "must be `FieldsV1`");
            }
            MetaValidation.manager(path + ".manager", all.get(i).string("manager"), errors);
            if (all.get(i).string("subresource").length() > MAX_SUBRESOURCE) {
                errors.tooLong(path + ".subresource", MAX_SUBRESOURCE);
            }
        }
    }

    private static boolean isTwoSlashes(String version) {
        return version.indexOf('/') != version.lastIndexOf('/');
    }

    private static boolean text(String path, @Nullable JsonValue value, FieldErrors problems) {
        if (!(value instanceof JsonString text)) {
            problems.invalidLiteral(path, String.valueOf(value), "must be a string");
            return false;
        }
        if (text.value().isEmpty()) {
            problems.invalid(path, "", "must not be empty");
            return false;
        }
        return true;
    }

    /** Validates the metadata as it is read: what an apply has added still has nulls in place of texts. */
    private static void validateMetadata(String path, JsonObject sent, FieldErrors problems) {
        JsonObject object;
        try {
            object = ObjectMetaType.read(sent.object("metadata"), path, new ArrayList<>());
        } catch (MalformedMetadataException e) {
            problems.invalid(path, GoText.untyped(sent.object("metadata")), String.valueOf(e.getMessage()));
            return;
        }
        object = JsonObject.of("metadata", object);
        JsonObject named = Meta.name(object).isEmpty() ? Meta.with(object, "name", "fakename") : object;
        FieldErrors errors = new FieldErrors();
        MetaValidation.validate(named, (name, prefix) -> NameValidation.pathSegment(name), false, errors);
        managedFields(Meta.of(object).array("managedFields"), errors);
        String namespace = Meta.namespace(object);
        if (!namespace.isEmpty()) {
            errors.invalid("metadata.namespace", namespace, NameValidation.dns1123Label(namespace));
        }
        errors.list()
                .forEach(error -> problems.add(new FieldError(
                        error.reason(), path + error.field().substring("metadata".length()), error.body())));
    }
}
