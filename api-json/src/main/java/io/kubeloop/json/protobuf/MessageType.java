package io.kubeloop.json.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message type of the table with its fields, in order and by number. Immutable after the table has been read. */
final class MessageType {

    /** The form of a value on the wire and in JSON. */
    enum Form {
        STRING,
        BOOL,
        INT32,
        INT64,
        BYTES,
        /** Seconds and nanoseconds; RFC 3339 in JSON. */
        TIME,
        /** The same with microseconds in JSON. */
        MICRO_TIME,
        /** A message around a string. */
        QUANTITY,
        INT_OR_STRING,
        /** A message around bytes that are JSON themselves. */
        RAW,
        /** Strings by strings. */
        MAP,
        /** Bytes by strings. */
        BYTES_MAP,
        /** Quantities by strings. */
        QUANTITIES,
        MESSAGE
    }

    /**
     * A field.
     *
     * @param index the index among the fields of its message
     * @param number the number on the wire
     * @param name the JSON name; empty if its members are members of the object that contains it
     * @param isList whether it may occur any number of times
     * @param isPointer whether absence on the wire means absent, rather than zero
     * @param omitsZero whether JSON omits its zero value
     * @param message the type of the message, if its form is {@code MESSAGE}
     */
    record Field(
            int index,
            int number,
            String name,
            boolean isList,
            boolean isPointer,
            boolean omitsZero,
            Form form,
            @Nullable MessageType message,
            byte[] jsonName) {

        boolean isMap() {
            return form == Form.MAP || form == Form.BYTES_MAP || form == Form.QUANTITIES;
        }

        boolean isInline() {
            return name.isEmpty();
        }

        /** Returns whether JSON omits the field when its value is zero. */
        boolean isLeftOutIfZero() {
            return omitsZero && !isPointer && !isList;
        }

        MessageType messageType() {
            if (message == null) {
                throw new IllegalStateException("field " + name + " is no message");
            }
            return message;
        }
    }

    private final String name;
    private final List<Field> fields = new ArrayList<>();
    private @Nullable Field[] byNumber = new Field[0];

    MessageType(String name) {
        this.name = name;
    }

    /** Adds a field. Must be called only while the table is being read. */
    void add(
            int number,
            String json,
            boolean isList,
            boolean isPointer,
            boolean omitsZero,
            Form form,
            @Nullable MessageType message) {
        String member = json.equals("-") ? "" : json;
        Field field = new Field(
                fields.size(),
                number,
                member,
                isList,
                isPointer,
                omitsZero,
                form,
                message,
                ("\"" + member + "\":").getBytes(StandardCharsets.UTF_8));
        if (fields.size() == Long.SIZE) {
            throw new IllegalStateException(name + " has more than " + Long.SIZE + " fields");
        }
        fields.add(field);
        if (number >= byNumber.length) {
            byNumber = Arrays.copyOf(byNumber, number + 1);
        }
        byNumber[number] = field;
    }

    String name() {
        return name;
    }

    List<Field> fields() {
        return fields;
    }

    /** Returns the field with this number, or null. */
    @Nullable
    Field field(int number) {
        return number < byNumber.length ? byNumber[number] : null;
    }
}
