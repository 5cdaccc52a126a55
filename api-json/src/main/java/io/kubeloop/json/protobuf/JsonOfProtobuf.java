/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import io.kubeloop.json.protobuf.MessageType.Field;
import io.kubeloop.json.protobuf.MessageType.Form;
import io.kubeloop.json.typed.GoNumbers;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;

/**
 * Writes the JSON document that the server would have sent for a message: with the same members, and without the zero
 * values that Go omits. Members are in the order of the wire. Confined to one thread.
 */
final class JsonOfProtobuf {

    /** The first and the last second that RFC 3339 can express, in the years 1 and 9999. */
    private static final long FIRST_SECOND = -62_135_596_800L;

    private static final long LAST_SECOND = 253_402_300_799L;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private static final int FIRST = 1 << 3 | WireReader.LENGTH;
    private static final int SECOND = 2 << 3 | WireReader.LENGTH;

    private final WireReader in;
    private final JsonOutput out;
    private final boolean lenient;

    /**
     * Makes a writer.
     *
     * @param lenient whether to omit fields that are not in the schema, rather than reject them
     */
    JsonOfProtobuf(WireReader in, JsonOutput out, boolean lenient) {
        this.in = in;
        this.out = out;
        this.lenient = lenient;
    }

    /**
     * Writes the members of a message into the object that is open.
     *
     * @throws NotInSchemaException if a field is not in the schema
     */
    void members(MessageType type, int end) {
        long seen = 0;
        while (in.position() < end) {
            int tag = in.tag();
            Field field = type.field(tag >>> 3);
            if (field == null) {
                unknown(type, tag);
                continue;
            }
            if ((seen & 1L << field.index()) != 0) {
                throw new NotInSchemaException(type.name() + "." + field.name() + " comes in several parts");
            }
            seen |= 1L << field.index();
            in.require((tag & 7)
                    == (field.shape() == MessageType.Shape.MAP
                            ? WireReader.LENGTH
                            : field.form().layout()));
            switch (field.shape()) {
                case MAP -> map(field, tag, end);
                case LIST -> list(field, tag, end);
                case SINGLE -> member(field);
            }
        }
        in.requireWithin(end);
    }

    private void unknown(MessageType type, int tag) {
        if (!lenient) {
            throw new NotInSchemaException(type.name() + " has a field with number " + (tag >>> 3));
        }
        in.skip(tag & 7);
    }

    private void member(Field field) {
        if (field.form().layout() != WireReader.LENGTH) {
            long value = number(field.form());
            if (value != 0 || !field.omitsZero()) {
                name(field);
                scalar(field.form(), value);
            }
            return;
        }
        int end = in.end();
        if (field.form() == Form.INLINE) {
            members(field.messageType(), end);
        } else if (end != in.position() || !isNothing(field)) {
            name(field);
            value(field, end);
        }
    }

    /** Returns whether a value without bytes is a zero value that JSON omits; structs are never omitted. */
    private static boolean isNothing(Field field) {
        return switch (field.form()) {
            case TIME, MICRO_TIME, RAW, SCHEMA_OR_LIST, SCHEMA_OR_STRINGS -> true;
            case MESSAGE, QUANTITY, INT_OR_STRING, SCHEMA_OR_BOOL -> false;
            default -> field.omitsZero();
        };
    }

    private void name(Field field) {
        out.separate();
        out.raw(field.jsonName());
    }

    private void list(Field field, int tag, int end) {
        name(field);
        out.raw('[');
        do {
            out.separate();
            if (field.form().layout() == WireReader.LENGTH) {
                value(field, in.end());
            } else {
                scalar(field.form(), number(field.form()));
            }
        } while (isNext(tag, end));
        out.raw(']');
    }

    private void map(Field field, int tag, int end) {
        name(field);
        out.raw('{');
        do {
            entry(field, in.end());
        } while (isNext(tag, end));
        out.raw('}');
    }

    private boolean isNext(int tag, int end) {
        int here = in.position();
        if (here >= end) {
            return false;
        }
        if (in.tag() == tag) {
            return true;
        }
        in.moveTo(here);
        return false;
    }

    private void entry(Field field, int end) {
        byte[] bytes = in.bytes();
        int keyFrom = 0;
        int keyTo = 0;
        int valueFrom = 0;
        int valueTo = 0;
        while (in.position() < end) {
            int tag = in.tag();
            in.require((tag & 7) == WireReader.LENGTH);
            int to = in.end();
            if (tag >>> 3 == 1) {
                keyFrom = in.position();
                keyTo = to;
            } else {
                valueFrom = in.position();
                valueTo = to;
            }
            in.moveTo(to);
        }
        in.requireWithin(end);
        out.separate();
        out.string(bytes, keyFrom, keyTo);
        out.raw(':');
        in.moveTo(valueFrom);
        value(field, valueTo);
        in.moveTo(end);
    }

    private long number(Form form) {
        return form == Form.DOUBLE ? in.fixed64() : in.varint();
    }

    private void scalar(Form form, long value) {
        switch (form) {
            case BOOL -> ascii(value == 0 ? "false" : "true");
            case INT32 -> {
                int low = (int) value;
                out.number(low);
            }
            case DOUBLE -> {
                double number = Double.longBitsToDouble(value);
                in.require(!Double.isNaN(number) && !Double.isInfinite(number));
                ascii(GoNumbers.json(number));
            }
            default -> out.number(value);
        }
    }

    private void ascii(String text) {
        out.raw(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void value(Field field, int end) {
        switch (field.form()) {
            case STRING -> out.string(in.bytes(), in.position(), end);
            case BYTES -> base64(end);
            case TIME -> time(end, false);
            case MICRO_TIME -> time(end, true);
            case QUANTITY -> quantity(end);
            case INT_OR_STRING -> intOrString(end);
            case RAW -> raw(end);
            case STRINGS -> strings(FIRST, end);
            case SCHEMA_OR_BOOL -> schemaOrBool(end);
            case SCHEMA_OR_LIST, SCHEMA_OR_STRINGS -> schemaOrList(field.form(), end);
            case MESSAGE -> message(field.messageType(), end);
            default -> throw new IllegalStateException("a field of form " + field.form() + " has no bytes");
        }
        in.requireWithin(end);
        in.moveTo(end);
    }

    private void message(MessageType type, int end) {
        out.raw('{');
        members(type, end);
        out.raw('}');
    }

    private void base64(int end) {
        byte[] text = Base64.getEncoder().encode(Arrays.copyOfRange(in.bytes(), in.position(), end));
        out.string(text, 0, text.length);
    }

    private void quantity(int end) {
        int from = in.position();
        int to = from;
        if (from < end) {
            in.require(in.tag() == FIRST);
            to = in.end();
            from = in.position();
            in.moveTo(to);
        }
        if (from == to) {
            ascii("\"0\"");
        } else {
            out.string(in.bytes(), from, to);
        }
    }

    /**
     * Writes JSON from inside a message. An element of a list of objects may be a whole document in protocol buffers.
     */
    private void raw(int end) {
        if (in.position() == end) {
            ascii("null");
            return;
        }
        in.require(in.tag() == FIRST);
        int to = in.end();
        in.require(to == end);
        if (ProtobufDocument.isEnvelope(in.bytes(), in.position(), to)) {
            ProtobufDocument.unwrap(in.bytes(), in.position(), to, lenient, out);
        } else {
            out.raw(in.bytes(), in.position(), to);
        }
    }

    private void strings(int tag, int end) {
        out.raw('[');
        while (in.position() < end) {
            in.require(in.tag() == tag);
            int to = in.end();
            out.separate();
            out.string(in.bytes(), in.position(), to);
            in.moveTo(to);
        }
        out.raw(']');
    }

    private void schemaOrBool(int end) {
        boolean allows = false;
        while (in.position() < end) {
            int tag = in.tag();
            if (tag == 1 << 3) {
                allows = in.varint() != 0;
            } else {
                in.require(tag == SECOND);
                message(Messages.jsonSchema(), in.end());
                in.require(in.position() == end);
                return;
            }
        }
        ascii(allows ? "true" : "false");
    }

    private void schemaOrList(Form form, int end) {
        if (in.position() == end) {
            ascii("null");
            return;
        }
        int here = in.position();
        int tag = in.tag();
        if (tag == FIRST) {
            message(Messages.jsonSchema(), in.end());
            in.require(in.position() == end);
            return;
        }
        in.moveTo(here);
        if (form == Form.SCHEMA_OR_STRINGS) {
            strings(SECOND, end);
            return;
        }
        out.raw('[');
        while (in.position() < end) {
            in.require(in.tag() == SECOND);
            out.separate();
            message(Messages.jsonSchema(), in.end());
        }
        out.raw(']');
    }

    private void intOrString(int end) {
        boolean isString = false;
        int number = 0;
        int from = 0;
        int to = 0;
        while (in.position() < end) {
            int tag = in.tag();
            switch (tag) {
                case 1 << 3 -> isString = in.varint() != 0;
                case 2 << 3 -> number = (int) in.varint();
                case 3 << 3 | WireReader.LENGTH -> {
                    to = in.end();
                    from = in.position();
                    in.moveTo(to);
                }
                default -> in.require(false);
            }
        }
        if (isString) {
            out.string(in.bytes(), from, to);
        } else {
            out.number(number);
        }
    }

    private void time(int end, boolean micros) {
        if (in.position() == end) {
            ascii("null");
            return;
        }
        long seconds = 0;
        long nanos = 0;
        while (in.position() < end) {
            int tag = in.tag();
            if (tag == 1 << 3) {
                seconds = in.varint();
            } else {
                in.require(tag == 2 << 3);
                nanos = in.varint();
            }
        }
        in.require(seconds >= FIRST_SECOND && seconds <= LAST_SECOND && nanos >= 0 && nanos < NANOS_PER_SECOND);
        LocalDateTime time = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
        out.raw('"');
        out.digits(time.getYear(), 4);
        part('-', time.getMonthValue());
        part('-', time.getDayOfMonth());
        part('T', time.getHour());
        part(':', time.getMinute());
        part(':', time.getSecond());
        if (micros) {
            out.raw('.');
            out.digits((int) nanos / 1000, 6);
        }
        out.raw('Z');
        out.raw('"');
    }

    private void part(char before, int value) {
        out.raw(before);
        out.digits(value, 2);
    }
}
