/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;

/**
 * Creates the objects without content from which creations start: they hold what JSON never omits of a Go struct, such
 * as an empty {@code spec}. Thread-safe: stateless.
 */
public final class EmptyObjects {

    private EmptyObjects() {}

    /** Returns the object of a kind without content. O(the fields that are never omitted). */
    public static JsonObject of(StructSchema type, String apiVersion, String kind) {
        return empty(type).with("apiVersion", apiVersion).with("kind", kind);
    }

    private static JsonObject empty(StructSchema type) {
        JsonObject.Builder members = JsonObject.builder();
        for (StructSchema.Field field : type.fields().values()) {
            StructSchema.GoField go = field.go();
            if (go.omitsZero()) {
                continue;
            }
            if (field.type() instanceof StructSchema struct && !go.pointer()) {
                members.put(field.name(), empty(struct));
            } else if (!go.omitsEmpty() || (isTime(field.type()) && !go.pointer())) {
                members.put(field.name(), go.pointer() ? JsonNull.NULL : zero(field.type()));
            }
        }
        return members.build();
    }

    /** A time is a struct of Go, whose zero value is encoded as null even if empty values are omitted. */
    private static boolean isTime(TypeSchema type) {
        return type == TypeSchema.Scalar.TIME || type == TypeSchema.Scalar.MICRO_TIME;
    }

    private static JsonValue zero(TypeSchema type) {
        if (!(type instanceof TypeSchema.Scalar scalar)) {
            return JsonNull.NULL;
        }
        return switch (scalar) {
            case STRING -> new JsonString("");
            case DURATION -> new JsonString("0s");
            case QUANTITY -> new JsonString("0");
            case INT32, INT64, NUMBER, INT_OR_STRING -> JsonNumber.of(0);
            case BOOLEAN -> JsonBoolean.of(false);
            case BYTES, TIME, MICRO_TIME -> JsonNull.NULL;
        };
    }
}
