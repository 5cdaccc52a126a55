/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.Time;
import io.kubeloop.json.protobuf.MessageType.Field;
import io.kubeloop.json.protobuf.MessageType.Form;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes a JSON document as a message. It rejects members that are not in the schema. It also rejects values that the
 * server would reject in JSON but could not detect in this form, such as a number that is too large. Immutable.
 */
final class ProtobufOfJson {

    private final boolean lenient;

    /**
     * Makes a writer.
     *
     * @param lenient whether to omit members that are not in the schema, rather than reject them
     */
    ProtobufOfJson(boolean lenient) {
        this.lenient = lenient;
    }

    /**
     * Returns a message.
     *
     * @throws NotInSchemaException if a member of the object is not in the schema
     */
    byte[] message(MessageType type, JsonObject object) {
        Set<String> taken = new HashSet<>();
        byte[] message = message(type, object, taken);
        if (lenient || taken.size() == object.members().size()) {
            return message;
        }
        Set<String> left = new TreeSet<>(object.members().keySet());
        left.removeAll(taken);
        left.removeAll(type.unwritten());
        if (!left.isEmpty()) {
            throw new NotInSchemaException(type.name() + " has " + left);
        }
        return message;
    }

    private byte[] message(MessageType type, JsonObject object, Set<String> taken) {
        WireWriter out = new WireWriter();
        for (Field field : type.fields()) {
            if (field.form() == Form.INLINE) {
                byte[] inline = message(field.messageType(), object, taken);
                if (inline.length > 0) {
                    out.bytes(field.number(), inline);
                }
                continue;
            }
            JsonValue value = object.members().get(field.name());
            if (value == null || !taken.add(field.name())) {
                continue;
            }
            if (value != JsonNull.NULL) {
                write(out, field, value);
            } else if (field.isZeroTimeNull()) {
                out.bytes(field.number(), new byte[0]);
            }
        }
        if (object.members().get(MessageType.UNNAMED) instanceof JsonString unnamed && taken.add(MessageType.UNNAMED)) {
            out.raw(base64(MessageType.UNNAMED, unnamed.value()));
        }
        return out.toByteArray();
    }

    private void write(WireWriter out, Field field, JsonValue value) {
        switch (field.shape()) {
            case MAP -> {
                for (Map.Entry<String, JsonValue> entry :
                        cast(JsonObject.class, field, value).members().entrySet()) {
                    WireWriter pair = new WireWriter();
                    pair.string(1, entry.getKey());
                    single(pair, 2, field, entry.getValue());
                    out.bytes(field.number(), pair.toByteArray());
                }
            }
            case LIST -> {
                for (JsonValue element : cast(JsonArray.class, field, value)) {
                    single(out, field.number(), field, element);
                }
            }
            case SINGLE -> single(out, field.number(), field, value);
        }
    }

    private void single(WireWriter out, int number, Field field, JsonValue value) {
        switch (field.form()) {
            case BOOL ->
                out.number(number, cast(JsonBoolean.class, field, value).value() ? 1 : 0);
            case INT32 -> out.number(number, integer(field, value, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case INT64 -> out.number(number, integer(field, value, Long.MIN_VALUE, Long.MAX_VALUE));
            case DOUBLE -> out.fixed64(number, decimal(field, value));
            case STRING -> out.string(number, text(field, value));
            case BYTES -> out.bytes(number, base64(field.name(), text(field, value)));
            case QUANTITY -> out.bytes(number, wrapped(utf8(text(field, value))));
            case RAW -> out.bytes(number, wrapped(utf8(value.toString())));
            case STRINGS -> out.bytes(number, strings(1, field, value));
            case SCHEMA_OR_BOOL -> out.bytes(number, schemaOrBool(field, value));
            case SCHEMA_OR_LIST, SCHEMA_OR_STRINGS -> out.bytes(number, schemaOrList(field, value));
            case INT_OR_STRING -> out.bytes(number, intOrString(field, value));
            case TIME -> out.bytes(number, time(field, seconds(field, text(field, value))));
            case MICRO_TIME -> out.bytes(number, time(field, micros(field, text(field, value))));
            case MESSAGE -> out.bytes(number, message(field.messageType(), cast(JsonObject.class, field, value)));
            case INLINE -> throw new IllegalStateException("an inlined message is no single value");
        }
    }

    private static byte[] strings(int number, Field field, JsonValue value) {
        WireWriter out = new WireWriter();
        for (JsonValue element : cast(JsonArray.class, field, value)) {
            out.string(number, text(field, element));
        }
        return out.toByteArray();
    }

    private byte[] schemaOrBool(Field field, JsonValue value) {
        WireWriter out = new WireWriter();
        if (value instanceof JsonObject schema) {
            out.number(1, 1).bytes(2, message(Messages.jsonSchema(), schema));
        } else {
            out.number(1, cast(JsonBoolean.class, field, value).value() ? 1 : 0);
        }
        return out.toByteArray();
    }

    private byte[] schemaOrList(Field field, JsonValue value) {
        if (value instanceof JsonObject schema) {
            return new WireWriter()
                    .bytes(1, message(Messages.jsonSchema(), schema))
                    .toByteArray();
        }
        if (field.form() == Form.SCHEMA_OR_STRINGS) {
            return strings(2, field, value);
        }
        WireWriter out = new WireWriter();
        for (JsonValue element : cast(JsonArray.class, field, value)) {
            out.bytes(2, message(Messages.jsonSchema(), cast(JsonObject.class, field, element)));
        }
        return out.toByteArray();
    }

    private static double decimal(Field field, JsonValue value) {
        double number = Double.parseDouble(cast(JsonNumber.class, field, value).text());
        if (Double.isInfinite(number)) {
            throw refused(field, value.toString());
        }
        return number;
    }

    private static <T extends JsonValue> T cast(Class<T> wanted, Field field, JsonValue value) {
        if (!wanted.isInstance(value)) {
            throw refused(field, value.toString());
        }
        return wanted.cast(value);
    }

    private static NotInSchemaException refused(Field field, String value) {
        return new NotInSchemaException(field.name() + " cannot be " + value);
    }

    private static String text(Field field, JsonValue value) {
        return cast(JsonString.class, field, value).value();
    }

    private static long integer(Field field, JsonValue value, long min, long max) {
        Long number = cast(JsonNumber.class, field, value).toLong();
        if (number == null || number < min || number > max) {
            throw refused(field, value.toString());
        }
        return number;
    }

    private static byte[] base64(String name, String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new NotInSchemaException(name + " cannot be " + text);
        }
    }

    private static byte[] intOrString(Field field, JsonValue value) {
        WireWriter out = new WireWriter();
        if (value instanceof JsonString string) {
            out.number(1, 1);
            out.string(3, string.value());
        } else {
            out.number(1, 0);
            out.number(2, integer(field, value, Integer.MIN_VALUE, Integer.MAX_VALUE));
        }
        return out.toByteArray();
    }

    private static @Nullable Instant seconds(Field field, String text) {
        try {
            return Time.parse(text).instant();
        } catch (IllegalArgumentException e) {
            throw refused(field, text);
        }
    }

    private static @Nullable Instant micros(Field field, String text) {
        try {
            return MicroTime.parse(text).instant();
        } catch (IllegalArgumentException e) {
            throw refused(field, text);
        }
    }

    private static byte[] time(Field field, @Nullable Instant instant) {
        if (instant == null) {
            throw refused(field, "no time");
        }
        WireWriter out = new WireWriter();
        out.number(1, instant.getEpochSecond());
        out.number(2, instant.getNano());
        return out.toByteArray();
    }

    private static byte[] wrapped(byte[] content) {
        WireWriter out = new WireWriter();
        out.bytes(1, content);
        return out.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
