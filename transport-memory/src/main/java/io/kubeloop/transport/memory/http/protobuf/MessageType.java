package io.kubeloop.transport.memory.http.protobuf;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A type of message, and how its fields are called in JSON. Immutable.
 *
 * <p>Go writes every field that is not a pointer, even if it is empty; in JSON such a field is absent. A pointer is written
 * only if it is set, and kept whatever it points to.
 */
final class MessageType {

    /** What a field holds. */
    enum Kind {
        STRING,
        /** Base64 in JSON. */
        BYTES,
        INTEGER,
        BOOLEAN,
        MESSAGE,
        STRING_MAP,
        BYTES_MAP,
        /** Seconds and nanoseconds; a time stamp in JSON. */
        TIME,
        /** A number or a string, and which of them. */
        INT_OR_STRING,
        /** What the server does not take from clients anyway. */
        IGNORED
    }

    /**
     * One field.
     *
     * @param name its name in JSON
     * @param pointer whether an empty value is kept
     */
    record Field(
            String name,
            Kind kind,
            boolean pointer,
            boolean repeated,
            @Nullable MessageType type) {

        static Field of(String name, Kind kind) {
            return new Field(name, kind, false, false, null);
        }

        static Field pointer(String name, Kind kind) {
            return new Field(name, kind, true, false, null);
        }

        static Field strings(String name) {
            return new Field(name, Kind.STRING, false, true, null);
        }

        static Field message(String name, MessageType type) {
            return new Field(name, Kind.MESSAGE, false, false, type);
        }

        static Field messages(String name, MessageType type) {
            return new Field(name, Kind.MESSAGE, false, true, type);
        }
    }

    private final String name;
    private final Map<Integer, Field> fields;

    private MessageType(String name, Map<Integer, Field> fields) {
        this.name = name;
        this.fields = fields;
    }

    static MessageType of(String name) {
        return new MessageType(name, Map.of());
    }

    /** Returns this type with one more field. */
    MessageType with(int number, Field field) {
        Map<Integer, Field> more = new HashMap<>(fields);
        more.put(number, field);
        return new MessageType(name, Map.copyOf(more));
    }

    JsonObject read(WireReader in) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        while (in.hasNext()) {
            int tag = in.tag();
            int number = tag >>> 3;
            Field field = fields.get(number);
            if (field == null) {
                throw ProtobufException.unsupported("field " + number + " of " + name);
            }
            if (field.kind == Kind.IGNORED) {
                in.skip(tag & 7);
                continue;
            }
            add(members, field, readValue(field, in, tag & 7));
        }
        members.values().removeIf(JsonNull.NULL::equals);
        return JsonObject.of(members);
    }

    private static void add(Map<String, JsonValue> members, Field field, JsonValue value) {
        if (field.repeated) {
            List<JsonValue> elements = new ArrayList<>();
            if (members.get(field.name) instanceof JsonArray before) {
                elements.addAll(before.elements());
            }
            elements.add(value);
            members.put(field.name, JsonArray.of(elements));
        } else if (value instanceof JsonObject entry
                && (field.kind == Kind.STRING_MAP || field.kind == Kind.BYTES_MAP)) {
            JsonObject before = members.get(field.name) instanceof JsonObject object ? object : JsonObject.EMPTY;
            JsonObject.Builder both = before.toBuilder();
            entry.members().forEach(both::put);
            members.put(field.name, both.build());
        } else if (field.pointer || !isEmpty(value)) {
            members.put(field.name, value);
        }
    }

    private static boolean isEmpty(JsonValue value) {
        return value.equals(new JsonString(""))
                || value.equals(JsonNumber.of(0))
                || value == JsonBoolean.FALSE
                || value.equals(JsonObject.EMPTY);
    }

    private JsonValue readValue(Field field, WireReader in, int wireType) {
        boolean isNumber = field.kind == Kind.INTEGER || field.kind == Kind.BOOLEAN;
        if (wireType != (isNumber ? WireReader.VARINT : WireReader.LENGTH_DELIMITED)) {
            throw ProtobufException.malformed("field " + field.name + " of " + name + " has wire type " + wireType);
        }
        return switch (field.kind) {
            case STRING -> new JsonString(in.content().restAsText());
            case BYTES -> base64(in.content().rest());
            case INTEGER -> JsonNumber.of(in.varint());
            case BOOLEAN -> JsonBoolean.of(in.varint() != 0);
            case MESSAGE -> field.type == null ? JsonNull.NULL : field.type.read(in.content());
            case STRING_MAP, BYTES_MAP -> entry(in.content(), field.kind == Kind.BYTES_MAP);
            case TIME -> time(in.content());
            case INT_OR_STRING -> intOrString(in.content());
            case IGNORED -> JsonNull.NULL;
        };
    }

    private static JsonString base64(byte[] bytes) {
        return new JsonString(Base64.getEncoder().encodeToString(bytes));
    }

    private static JsonObject entry(WireReader in, boolean isBytes) {
        String key = "";
        JsonString value = new JsonString("");
        while (in.hasNext()) {
            int tag = in.tag();
            switch (tag >>> 3) {
                case 1 -> key = in.content().restAsText();
                case 2 ->
                    value = isBytes
                            ? base64(in.content().rest())
                            : new JsonString(in.content().restAsText());
                default -> in.skip(tag & 7);
            }
        }
        return JsonObject.of(key, value);
    }

    private static JsonValue time(WireReader in) {
        if (!in.hasNext()) {
            return JsonNull.NULL;
        }
        long seconds = 0;
        while (in.hasNext()) {
            int tag = in.tag();
            if (tag >>> 3 == 1) {
                seconds = in.varint();
            } else {
                in.skip(tag & 7);
            }
        }
        return new JsonString(Instant.ofEpochSecond(seconds).toString());
    }

    private static JsonValue intOrString(WireReader in) {
        long type = 0;
        long number = 0;
        String text = "";
        while (in.hasNext()) {
            int tag = in.tag();
            switch (tag >>> 3) {
                case 1 -> type = in.varint();
                case 2 -> number = in.varint();
                case 3 -> text = in.content().restAsText();
                default -> in.skip(tag & 7);
            }
        }
        return type == 0 ? JsonNumber.of(number) : new JsonString(text);
    }
}
