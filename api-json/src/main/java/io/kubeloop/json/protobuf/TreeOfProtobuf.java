/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import io.kubeloop.json.gotext.GoNumbers;
import io.kubeloop.json.protobuf.MessageType.Field;
import io.kubeloop.json.protobuf.MessageType.Form;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a message as the JSON object that the server would have sent for it: with the same members in the same order,
 * and without the zero values that Go omits. Confined to one thread.
 */
final class TreeOfProtobuf {

    /** The first and the last second that RFC 3339 can express, in the years 1 and 9999. */
    static final long FIRST_SECOND = -62_135_596_800L;

    static final long LAST_SECOND = 253_402_300_799L;

    static final long NANOS_PER_SECOND = 1_000_000_000;

    /** The nesting that a tree may have when it is read from JSON; it bounds the recursion. */
    private static final int DEEPEST = 255;

    private static final int FIRST = 1 << 3 | WireReader.LENGTH;
    private static final int SECOND = 2 << 3 | WireReader.LENGTH;
    private static final int THIRD = 3 << 3 | WireReader.LENGTH;

    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'");
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private static final JsonNumber ZERO = JsonNumber.of(0);

    /** The treatment of what the message lacks, and of the fields that the schema cannot name. */
    enum Mode {
        /** Drops these fields, as Go's decoders do, and writes no nulls. */
        LENIENT,
        /** The same, and the rest in the form of a decoded struct: see {@link ProtobufDocument#decode}. */
        DECODED,
        /** Keeps these fields in a member, and writes the nulls that Go writes for absent fields. */
        WHOLE,
        /** The same for some fields of a message: absent ones of the outermost message are not null. */
        PART;

        private boolean isWhole() {
            return this == WHOLE || this == PART;
        }
    }

    private final WireReader in;
    private final Mode mode;
    private int depth;

    TreeOfProtobuf(WireReader in, Mode mode) {
        this.in = in;
        this.mode = mode;
    }

    /** Reads a message that ends at this offset. */
    JsonObject message(MessageType type, int end) {
        if (++depth > DEEPEST) {
            throw in.malformed("has more than " + DEEPEST + " levels of nesting");
        }
        int outer = in.narrow(end);
        Map<String, JsonValue> found = new LinkedHashMap<>();
        members(type, end, found);
        in.widen(outer);
        depth--;
        return mode == Mode.DECODED
                ? type.decoded(found)
                : type.inOrder(found, mode == Mode.WHOLE || (mode == Mode.PART && depth > 0));
    }

    private void members(MessageType type, int end, Map<String, JsonValue> found) {
        ByteArrayOutputStream unnamed = new ByteArrayOutputStream(0);
        while (in.position() < end) {
            int from = in.position();
            int tag = in.tag();
            Field field = type.field(tag >>> 3);
            if (field == null) {
                in.skip(tag & 7);
                unnamed.write(in.bytes(), from, in.position() - from);
            } else if (field.form() == Form.INLINE) {
                in.require(tag == (field.number() << 3 | WireReader.LENGTH));
                int inner = in.end();
                int outer = in.narrow(inner);
                members(field.messageType(), inner, found);
                in.widen(outer);
            } else {
                JsonValue value = value(field, tag, end);
                if (value != null && found.put(field.name(), value) != null) {
                    throw in.malformed("has " + type.name() + "." + field.name() + " in several parts");
                }
            }
        }
        if (unnamed.size() > 0 && mode.isWhole()) {
            found.put(MessageType.UNNAMED, new JsonString(Base64.getEncoder().encodeToString(unnamed.toByteArray())));
        }
    }

    /** Reads a field with all its elements; null if JSON omits it. */
    private @Nullable JsonValue value(Field field, int tag, int end) {
        int layout = tag & 7;
        if (field.shape() == MessageType.Shape.MAP) {
            in.require(layout == WireReader.LENGTH);
            return map(field, tag, end);
        }
        if (field.shape() == MessageType.Shape.LIST) {
            return list(field, tag, end);
        }
        in.require(layout == field.form().layout());
        JsonValue value = single(field);
        return field.omitsZero() && isZero(value) ? null : value;
    }

    private static boolean isZero(JsonValue value) {
        return value == JsonNull.NULL
                || value.equals(JsonBoolean.FALSE)
                || value.equals(JsonObject.EMPTY)
                || (value instanceof JsonString text && text.value().isEmpty())
                || (value instanceof JsonNumber && value.equals(ZERO));
    }

    private JsonValue list(Field field, int tag, int end) {
        List<JsonValue> elements = new ArrayList<>();
        if ((tag & 7) != field.form().layout()) {
            in.require((tag & 7) == WireReader.LENGTH);
            int packed = in.end();
            while (in.position() < packed) {
                elements.add(number(field.form()));
            }
            in.requireWithin(packed);
            return JsonArray.of(elements);
        }
        do {
            elements.add(single(field));
        } while (in.takeTag(tag, end));
        return JsonArray.of(elements);
    }

    private JsonValue map(Field field, int tag, int end) {
        Map<String, JsonValue> entries = new LinkedHashMap<>();
        do {
            int entryEnd = in.end();
            int outer = in.narrow(entryEnd);
            String key = "";
            int from = entryEnd;
            int to = entryEnd;
            while (in.position() < entryEnd) {
                int part = in.tag();
                in.require((part & 7) == WireReader.LENGTH);
                to = in.end();
                if (part == FIRST) {
                    key = text(to);
                } else {
                    from = in.position();
                }
                in.moveTo(to);
            }
            in.widen(outer);
            in.moveTo(from);
            entries.put(key, value(field, from == entryEnd ? entryEnd : to));
            in.moveTo(entryEnd);
        } while (in.takeTag(tag, end));
        return JsonObject.of(entries);
    }

    private JsonValue single(Field field) {
        return field.form().layout() == WireReader.LENGTH ? value(field, in.end()) : number(field.form());
    }

    private JsonValue number(Form form) {
        if (form == Form.DOUBLE) {
            double number = Double.longBitsToDouble(in.fixed64());
            in.require(!Double.isNaN(number) && !Double.isInfinite(number));
            return new JsonNumber(GoNumbers.json(number));
        }
        long value = in.varint();
        return switch (form) {
            case BOOL -> JsonBoolean.of(value != 0);
            case INT32 -> {
                int low = (int) value;
                yield JsonNumber.of(low);
            }
            default -> JsonNumber.of(value);
        };
    }

    /** Reads one value, which ends at this offset. */
    private JsonValue value(Field field, int end) {
        int outer = in.narrow(end);
        JsonValue value = switch (field.form()) {
            case STRING -> new JsonString(text(end));
            case BYTES -> new JsonString(base64(end));
            case TIME -> time(end, SECONDS);
            case MICRO_TIME -> time(end, MICROS);
            case QUANTITY -> quantity(end);
            case INT_OR_STRING -> intOrString(end);
            case RAW -> raw(end);
            case STRINGS -> strings(FIRST, end);
            case SCHEMA_OR_BOOL -> schemaOrBool(end);
            case SCHEMA_OR_LIST, SCHEMA_OR_STRINGS -> schemaOrList(field.form(), end);
            case MESSAGE -> message(field.messageType(), end);
            default -> throw new IllegalStateException("a field of form " + field.form() + " has no bytes");
        };
        in.moveTo(end);
        in.widen(outer);
        return value;
    }

    private String text(int end) {
        return new String(in.bytes(), in.position(), end - in.position(), StandardCharsets.UTF_8);
    }

    private String base64(int end) {
        return Base64.getEncoder().encodeToString(Arrays.copyOfRange(in.bytes(), in.position(), end));
    }

    private JsonString quantity(int end) {
        String text = "";
        if (in.position() < end) {
            in.require(in.tag() == FIRST);
            int to = in.end();
            text = text(to);
        }
        String amount = text.isEmpty() ? "0" : text;
        return new JsonString(mode == Mode.DECODED ? Quantities.canonical(amount) : amount);
    }

    /**
     * Reads JSON from inside a message. An element of a list of objects may be a whole document in protocol buffers.
     */
    private JsonValue raw(int end) {
        if (in.position() == end) {
            return JsonNull.NULL;
        }
        in.require(in.tag() == FIRST);
        int to = in.end();
        in.require(to == end);
        if (!Envelope.isNext(in.bytes(), in.position(), to)) {
            return JsonValue.parse(Arrays.copyOfRange(in.bytes(), in.position(), to));
        }
        return document(to);
    }

    /** Reads an object in its envelope, which ends at this offset. */
    JsonObject document(int end) {
        Envelope envelope = new Envelope();
        envelope.read(in, end);
        String kind = envelope.kind(in);
        String apiVersion = envelope.apiVersion(in);
        MessageType type = Messages.kind(apiVersion, kind);
        if (type == null) {
            throw new NotInSchemaException("the kind " + kind + " of " + apiVersion);
        }
        in.moveTo(envelope.from());
        JsonObject content = message(type, envelope.to());
        JsonObject.Builder document = JsonObject.builder();
        document.put("kind", kind).put("apiVersion", apiVersion);
        content.members().forEach(document::put);
        return document.build();
    }

    private JsonArray strings(int tag, int end) {
        List<JsonValue> texts = new ArrayList<>();
        while (in.position() < end) {
            in.require(in.tag() == tag);
            int to = in.end();
            texts.add(new JsonString(text(to)));
            in.moveTo(to);
        }
        return JsonArray.of(texts);
    }

    private JsonValue schemaOrBool(int end) {
        boolean allows = false;
        while (in.position() < end) {
            int tag = in.tag();
            if (tag == 1 << 3) {
                allows = in.varint() != 0;
            } else {
                in.require(tag == SECOND);
                return schema(end);
            }
        }
        return JsonBoolean.of(allows);
    }

    private JsonValue schema(int end) {
        int to = in.end();
        JsonObject schema = message(Messages.jsonSchema(), to);
        in.require(to == end);
        return schema;
    }

    private JsonValue schemaOrList(Form form, int end) {
        if (in.position() == end) {
            return JsonNull.NULL;
        }
        int here = in.position();
        if (in.tag() == FIRST) {
            return schema(end);
        }
        in.moveTo(here);
        if (form == Form.SCHEMA_OR_STRINGS) {
            return strings(SECOND, end);
        }
        List<JsonValue> schemas = new ArrayList<>();
        while (in.position() < end) {
            in.require(in.tag() == SECOND);
            schemas.add(message(Messages.jsonSchema(), in.end()));
        }
        return JsonArray.of(schemas);
    }

    private JsonValue intOrString(int end) {
        boolean isString = false;
        int number = 0;
        String text = "";
        while (in.position() < end) {
            switch (in.tag()) {
                case 1 << 3 -> isString = in.varint() != 0;
                case 2 << 3 -> number = (int) in.varint();
                case THIRD -> {
                    int to = in.end();
                    text = text(to);
                    in.moveTo(to);
                }
                default -> in.require(false);
            }
        }
        return isString ? new JsonString(text) : JsonNumber.of(number);
    }

    private JsonValue time(int end, DateTimeFormatter form) {
        if (in.position() == end) {
            return JsonNull.NULL;
        }
        long seconds = 0;
        long nanos = 0;
        while (in.position() < end) {
            int tag = in.tag();
            in.require(tag == 1 << 3 || tag == 2 << 3);
            if (tag == 1 << 3) {
                seconds = in.varint();
            } else {
                nanos = in.varint();
            }
        }
        in.require(seconds >= FIRST_SECOND && seconds <= LAST_SECOND && nanos >= 0 && nanos < NANOS_PER_SECOND);
        return new JsonString(LocalDateTime.ofEpochSecond(seconds, (int) nanos, ZoneOffset.UTC)
                .format(form));
    }
}
