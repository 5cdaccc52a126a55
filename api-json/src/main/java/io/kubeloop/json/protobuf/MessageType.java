/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.ListOf;
import io.kubeloop.json.schema.TypeSchema.MapOf;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The message of a struct with its fields, in the order of their numbers. Immutable; a field finds the type of its
 * message on first use, because types refer to each other in circles.
 */
final class MessageType {

    /** The form of one value on the wire and in JSON. */
    enum Form {
        STRING,
        BOOL,
        INT32,
        INT64,
        /** Eight bytes. */
        DOUBLE,
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
        /** A message around a list of strings. */
        STRINGS,
        /** A boolean or a JSON schema: a message with both. */
        SCHEMA_OR_BOOL,
        /** A JSON schema or a list of them: a message with both. */
        SCHEMA_OR_LIST,
        /** A JSON schema or a list of strings: a message with both. */
        SCHEMA_OR_STRINGS,
        MESSAGE,
        /** A message whose fields are members of the JSON object that contains it. */
        INLINE;

        boolean isNumber() {
            return this == BOOL || this == INT32 || this == INT64;
        }

        /** Returns the layout of a value on the wire. */
        int layout() {
            return isNumber() ? WireReader.VARINT : this == DOUBLE ? WireReader.FIXED64 : WireReader.LENGTH;
        }
    }

    /** The cardinality of a field: one value, a list or a map. */
    enum Shape {
        SINGLE,
        LIST,
        /** Values by strings. */
        MAP
    }

    /** A field. */
    static final class Field {

        private final int index;
        private final int number;
        private final String name;
        private final Shape shape;
        private final Form form;
        private final boolean omitsZero;
        private final byte[] jsonName;
        private final @Nullable StructSchema struct;

        /** A cache of the type of {@link #struct}: threads may set it at the same time, to the same object. */
        private @Nullable MessageType message;

        private Field(
                int index, int number, String name, Shape shape, Form form, boolean omitsZero, @Nullable Object type) {
            this.index = index;
            this.number = number;
            this.name = name;
            this.shape = shape;
            this.form = form;
            this.omitsZero = omitsZero;
            this.jsonName = ("\"" + name + "\":").getBytes(StandardCharsets.UTF_8);
            this.struct = type instanceof StructSchema schema ? schema : null;
            this.message = type instanceof MessageType inlined ? inlined : null;
        }

        /** Returns the index among the fields of its message. */
        int index() {
            return index;
        }

        int number() {
            return number;
        }

        /** Returns the JSON name; empty for an inlined message. */
        String name() {
            return name;
        }

        Shape shape() {
            return shape;
        }

        Form form() {
            return form;
        }

        /** Returns whether JSON omits the field when its value is zero. */
        boolean omitsZero() {
            return omitsZero;
        }

        /** Returns the JSON name with quotes and a colon. */
        byte[] jsonName() {
            return jsonName;
        }

        MessageType messageType() {
            MessageType found = message;
            if (found == null) {
                if (struct == null) {
                    throw new IllegalStateException("field " + name + " is no message");
                }
                found = Messages.of(struct);
                message = found;
            }
            return found;
        }
    }

    private final String name;
    private final List<Field> fields = new ArrayList<>();
    private final Set<String> unwritten = new TreeSet<>();
    private @Nullable Field[] byNumber = new Field[0];

    /**
     * Creates the message of a struct.
     *
     * @param removed fields of older releases
     */
    MessageType(StructSchema struct, List<StructSchema.Field> removed) {
        this(simpleName(struct), concatenated(struct, removed), 0);
        for (StructSchema.Field field : struct.fields().values()) {
            if (field.go().path().isEmpty()) {
                unwritten.add(field.name());
            }
        }
    }

    /** Creates a message from fields whose numbers are at this depth of their paths. */
    private MessageType(String name, List<StructSchema.Field> members, int depth) {
        this.name = name;
        Map<Integer, List<StructSchema.Field>> byFirst = new LinkedHashMap<>();
        for (StructSchema.Field member : members) {
            if (member.go().path().size() > depth) {
                byFirst.computeIfAbsent(member.go().path().get(depth), number -> new ArrayList<>())
                        .add(member);
            }
        }
        byFirst.keySet().stream().sorted().forEach(number -> {
            List<StructSchema.Field> of = byFirst.getOrDefault(number, List.of());
            StructSchema.Field first = of.get(0);
            if (first.go().path().size() == depth + 1) {
                add(number, first);
            } else {
                String inlined = first.go().embedded().get(depth);
                MessageType type = new MessageType(inlined, of, depth + 1);
                add(new Field(fields.size(), number, "", Shape.SINGLE, Form.INLINE, true, type));
            }
        });
    }

    private static String simpleName(StructSchema struct) {
        return struct.name().substring(struct.name().lastIndexOf('.') + 1);
    }

    private static List<StructSchema.Field> concatenated(StructSchema struct, List<StructSchema.Field> removed) {
        List<StructSchema.Field> all = new ArrayList<>(struct.fields().values());
        all.addAll(removed);
        return all;
    }

    private void add(int number, StructSchema.Field field) {
        TypeSchema type = field.type();
        Shape shape = Shape.SINGLE;
        if (type instanceof MapOf map) {
            shape = Shape.MAP;
            type = map.values();
        } else if (type instanceof ListOf list && !field.go().wrapped()) {
            shape = Shape.LIST;
            type = list.elements();
        }
        Form form = form(type);
        boolean omitsZero = field.go().omitsEmpty() && !field.go().pointer() && shape == Shape.SINGLE;
        add(new Field(
                fields.size(),
                number,
                field.name(),
                shape,
                form,
                omitsZero,
                type instanceof StructSchema ? type : null));
    }

    private static Form form(TypeSchema type) {
        if (type instanceof StructSchema) {
            return Form.MESSAGE;
        }
        if (type instanceof ListOf) {
            return Form.STRINGS;
        }
        if (type instanceof TypeSchema.Any any) {
            return switch (any.name()) {
                case "v1.JSONSchemaPropsOrBool" -> Form.SCHEMA_OR_BOOL;
                case "v1.JSONSchemaPropsOrArray" -> Form.SCHEMA_OR_LIST;
                case "v1.JSONSchemaPropsOrStringArray" -> Form.SCHEMA_OR_STRINGS;
                default -> Form.RAW;
            };
        }
        if (!(type instanceof Scalar scalar)) {
            throw new IllegalStateException("protocol buffers have no form for " + type);
        }
        return switch (scalar) {
            case STRING -> Form.STRING;
            case BOOLEAN -> Form.BOOL;
            case INT32 -> Form.INT32;
            case INT64 -> Form.INT64;
            case NUMBER -> Form.DOUBLE;
            case BYTES -> Form.BYTES;
            case TIME -> Form.TIME;
            case MICRO_TIME -> Form.MICRO_TIME;
            case QUANTITY -> Form.QUANTITY;
            case INT_OR_STRING -> Form.INT_OR_STRING;
            case DURATION -> throw new IllegalStateException("no message of Kubernetes' API has a duration");
        };
    }

    private void add(Field field) {
        if (field.index >= Long.SIZE) {
            throw new IllegalStateException(name + " has more than " + Long.SIZE + " fields");
        }
        fields.add(field);
        if (field.number >= byNumber.length) {
            byNumber = Arrays.copyOf(byNumber, field.number + 1);
        }
        byNumber[field.number] = field;
    }

    String name() {
        return name;
    }

    List<Field> fields() {
        return fields;
    }

    /** Returns the names of the JSON members that the message has no field for: the kind and the API version. */
    Set<String> unwritten() {
        return unwritten;
    }

    /** Returns the field with this number, or null. */
    @Nullable
    Field field(int number) {
        return number < byNumber.length ? byNumber[number] : null;
    }
}
