/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.Time;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.schema.GoTypes;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.StructSchema.GoField;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Go's zero values and the canonical form of scalars. A value that cannot be read is kept. */
final class GoValues {

    private static final JsonString EMPTY = new JsonString("");
    private static final JsonNumber NOUGHT = JsonNumber.of(0);

    /** Types that are structs in Go; {@code omitempty} omits no struct. */
    private static final Set<TypeSchema> GO_STRUCTS = Set.of(
            Scalar.TIME,
            Scalar.MICRO_TIME,
            Scalar.DURATION,
            Scalar.QUANTITY,
            Scalar.INT_OR_STRING,
            new TypeSchema.Any());

    /** The smallest unit of the amounts in a list of resources: thousandths. */
    private static final int MILLI_SCALE = 3;

    private GoValues() {}

    /** Returns whether a value of this type is the zero value in Go. */
    static boolean isZero(TypeSchema type, JsonValue value) {
        if (type instanceof TypeSchema.Any || (type == Scalar.INT_OR_STRING && value instanceof JsonString)) {
            return value == JsonNull.NULL;
        }
        if (value instanceof JsonString text) {
            return text.value().isEmpty();
        }
        if (value instanceof JsonNumber number) {
            Long whole = number.toLong();
            return whole != null && whole == 0;
        }
        return value == JsonBoolean.FALSE
                || value == JsonNull.NULL
                || (value instanceof JsonArray array && array.isEmpty())
                || (value instanceof JsonObject object && object.isEmpty());
    }

    /** Returns the JSON that Go encodes for an unset field; null if Go omits the field. */
    static @Nullable JsonValue ofAbsent(Field field) {
        GoField go = field.go();
        boolean isGoStruct = !go.pointer() && GO_STRUCTS.contains(field.type());
        if (go.omitsZero() || (go.omitsEmpty() && !isGoStruct)) {
            return null;
        }
        if (go.pointer() || !(field.type() instanceof Scalar scalar)) {
            return JsonNull.NULL;
        }
        return switch (scalar) {
            case STRING -> EMPTY;
            case INT32, INT64, NUMBER, INT_OR_STRING -> NOUGHT;
            case BOOLEAN -> JsonBoolean.FALSE;
            case BYTES, TIME, MICRO_TIME -> JsonNull.NULL;
            case DURATION -> new JsonString("0s");
            case QUANTITY -> new JsonString("0");
        };
    }

    /** Returns the value of a field with its scalars in canonical form. */
    static JsonValue canonical(Field field, JsonValue value) {
        // Upstream has no defaults for runtime classes.
        boolean rounded =
                GoTypes.name(field).endsWith("v1.ResourceList") && !field.name().equals("podFixed");
        return canonical(field.type(), value, rounded);
    }

    private static JsonValue canonical(TypeSchema type, JsonValue value, boolean rounded) {
        if (type instanceof Scalar scalar) {
            return scalar(scalar, value, rounded);
        }
        if (type instanceof TypeSchema.MapOf map
                && map.values() instanceof Scalar scalar
                && scalar != Scalar.STRING
                && value instanceof JsonObject object) {
            Map<String, JsonValue> values = new LinkedHashMap<>();
            object.members().forEach((key, element) -> values.put(key, scalar(scalar, element, rounded)));
            return JsonObject.of(values);
        }
        return value;
    }

    private static JsonValue scalar(Scalar type, JsonValue value, boolean rounded) {
        try {
            return switch (type) {
                case QUANTITY -> new JsonString(quantity(value, rounded));
                case TIME ->
                    value instanceof JsonString text
                            ? new JsonString(Time.parse(text.value()).toString())
                            : value;
                case MICRO_TIME ->
                    value instanceof JsonString text
                            ? new JsonString(MicroTime.parse(text.value()).toString())
                            : value;
                case BYTES -> value instanceof JsonString text ? bytes(text.value()) : value;
                default -> value;
            };
        } catch (IllegalArgumentException e) {
            return value;
        }
    }

    private static String quantity(JsonValue value, boolean rounded) {
        Quantity amount = Quantity.parse(value instanceof JsonString text ? text.value() : value.toString());
        BigDecimal exact = amount.amount();
        return rounded && exact.scale() > MILLI_SCALE
                ? Quantity.of(exact.setScale(MILLI_SCALE, RoundingMode.UP), amount.format())
                        .canonical()
                : amount.toString();
    }

    /** Some clients insert line breaks, which the canonical form does not have. */
    private static JsonString bytes(String text) {
        byte[] decoded = Base64.getDecoder().decode(text.replace("\r", "").replace("\n", ""));
        return new JsonString(Base64.getEncoder().encodeToString(decoded));
    }
}
