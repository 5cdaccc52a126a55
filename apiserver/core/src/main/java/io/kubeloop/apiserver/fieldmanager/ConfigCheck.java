/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks that an applied configuration fits its type: no undeclared field, no duplicate in sets and lists with keys,
 * and values of the declared types (upstream: {@code typed/validate.go}). Not thread-safe.
 */
final class ConfigCheck {

    private final SchemaErrors errors;

    ConfigCheck(SchemaErrors errors) {
        this.errors = errors;
    }

    void check(JsonValue value, TypeSchema declared) {
        TypeSchema type = Types.deduce(declared, value);
        if (type instanceof TypeSchema.Scalar scalar) {
            String error = scalarError(scalar, value);
            if (error != null) {
                errors.add(error);
            }
        } else if (value == JsonNull.NULL) {
            return; // fits every type
        } else if (type instanceof TypeSchema.ListOf list) {
            if (value instanceof JsonArray array) {
                checkElements(array, list);
            } else {
                errors.add("expected list, got &{" + GoText.plain(value) + "}");
            }
        } else if (value instanceof JsonObject object) {
            checkMembers(object, type);
        } else {
            errors.add("expected map, got &{" + GoText.plain(value) + "}");
        }
    }

    private void checkMembers(JsonObject object, TypeSchema type) {
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            TypeSchema memberType = Types.member(type, member.getKey());
            int mark = errors.mark();
            if (memberType == null) {
                errors.add("field not declared in schema");
            } else {
                check(member.getValue(), memberType);
            }
            if (errors.mark() > mark) {
                errors.prefix(mark, new PathElement.Field(member.getKey()));
            }
            if (memberType == null) {
                return; // upstream reports one undeclared field of an object
            }
        }
    }

    private void checkElements(JsonArray array, TypeSchema.ListOf list) {
        Set<PathElement> seen = new TreeSet<>();
        for (int i = 0; i < array.size(); i++) {
            PathElement element;
            try {
                element = Types.isAtomic(list) ? new PathElement.Index(i) : ListItems.identify(list, array.get(i));
            } catch (ListItems.InvalidItemException e) {
                errors.add("element " + i + ": " + e.getMessage());
                return;
            }
            if (!Types.isAtomic(list) && !seen.add(element)) {
                errors.add("duplicate entries for key " + element);
            }
            int mark = errors.mark();
            check(array.get(i), list.elements());
            errors.prefix(mark, element);
        }
    }

    /** Returns why a value does not fit a scalar type; null if it fits. */
    static @Nullable String scalarError(TypeSchema.Scalar type, @Nullable JsonValue value) {
        if (value == null || value == JsonNull.NULL) {
            return null;
        }
        return switch (type) {
            case INT32, INT64, NUMBER ->
                value instanceof JsonNumber ? null : "expected numeric (int or float), got " + GoText.type(value);
            case STRING, BYTES, DURATION ->
                value instanceof JsonString
                        ? null
                        : "expected string, got &value.valueUnstructured{Value:" + GoText.syntax(value) + "}";
            case BOOLEAN ->
                value instanceof JsonBoolean ? null : "expected boolean, got &{" + GoText.plain(value) + "}";
            case TIME, MICRO_TIME, QUANTITY, INT_OR_STRING ->
                value instanceof JsonObject || value instanceof JsonArray
                        ? "expected any scalar, got &{" + GoText.plain(value) + "}"
                        : null;
        };
    }
}
