/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.GoField;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.ListOf;
import io.kubeloop.json.schema.TypeSchema.MapOf;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.schema.ZeroValues;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The message of a struct with its fields, in the order of their numbers. Immutable; a field finds the type of its
 * message on first use, because types refer to each other in circles.
 */
public final class MessageType {

    /**
     * The name of the member that holds the fields that the schema cannot name, those of a newer release, as they were
     * read, in base64. No field of Kubernetes has such a name.
     */
    static final String UNNAMED = "~protobuf";

    /** The form of one value on the wire and in JSON. */
    public enum Form {
        /** Text. */
        STRING,
        /** A boolean. */
        BOOL,
        /** A number of 32 bits. */
        INT32,
        /** A number of 64 bits. */
        INT64,
        /** Eight bytes. */
        DOUBLE,
        /** Bytes; base64 in JSON. */
        BYTES,
        /** Seconds and nanoseconds; RFC 3339 in JSON. */
        TIME,
        /** The same with microseconds in JSON. */
        MICRO_TIME,
        /** A message around a string. */
        QUANTITY,
        /** A number or a string: a message with both. */
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
        /** Another message. */
        MESSAGE,
        /** A message whose fields are members of the JSON object that contains it. */
        INLINE;

        /** Returns whether a value is a number of 1 to 10 bytes. */
        public boolean isNumber() {
            return this == BOOL || this == INT32 || this == INT64;
        }

        /**
         * Returns whether a message on the wire is one value in JSON, of a Go struct that is not omitted when empty.
         */
        boolean isWrapper() {
            return this == TIME || this == MICRO_TIME || this == QUANTITY || this == INT_OR_STRING || this == RAW;
        }

        /** Returns the layout of a value on the wire. */
        public int layout() {
            return isNumber() ? WireReader.VARINT : this == DOUBLE ? WireReader.FIXED64 : WireReader.LENGTH;
        }
    }

    /** The cardinality of a field: one value, a list or a map. */
    public enum Shape {
        /** One value. */
        SINGLE,
        /** A list of values. */
        LIST,
        /** Values by strings. */
        MAP
    }

    /** A field. */
    public static final class Field {

        private final int index;
        private final int number;
        private final String name;
        private final Shape shape;
        private final Form form;
        private final boolean omitsZero;
        private final boolean isNullWhenAbsent;
        private final boolean isZeroTimeNull;
        private final @Nullable StructSchema struct;

        /** A cache of the type of {@link #struct}: threads may set it at the same time, to the same object. */
        private @Nullable MessageType message;

        private Field(int index, int number, String name, Shape shape, Form form, @Nullable GoField go, Object type) {
            this.index = index;
            this.number = number;
            this.name = name;
            this.shape = shape;
            this.form = form;
            boolean isStruct = form == Form.MESSAGE || form.isWrapper();
            this.omitsZero = go != null
                    && shape == Shape.SINGLE
                    && !go.pointer()
                    && (go.omitsZero() || (go.omitsEmpty() && !isStruct));
            this.isNullWhenAbsent = go != null
                    && !go.omitsEmpty()
                    && !go.omitsZero()
                    && (go.pointer() || shape != Shape.SINGLE || form == Form.BYTES);
            this.isZeroTimeNull = go != null && !go.pointer() && (form == Form.TIME || form == Form.MICRO_TIME);
            this.struct = type instanceof StructSchema schema ? schema : null;
            this.message = type instanceof MessageType inlined ? inlined : null;
        }

        /** Returns the index among the fields of its message. */
        public int index() {
            return index;
        }

        /** Returns the number on the wire. */
        public int number() {
            return number;
        }

        /** Returns the JSON name; empty for an inlined message. */
        public String name() {
            return name;
        }

        /** Returns the cardinality. */
        public Shape shape() {
            return shape;
        }

        /** Returns the form of a value. */
        public Form form() {
            return form;
        }

        /** Returns whether JSON omits the field when its value is zero. */
        public boolean omitsZero() {
            return omitsZero;
        }

        /** Returns whether JSON has null where the wire has nothing. */
        public boolean isNullWhenAbsent() {
            return isNullWhenAbsent;
        }

        /** Returns whether JSON's null is Go's zero time, which is a message without fields, rather than no time. */
        public boolean isZeroTimeNull() {
            return isZeroTimeNull;
        }

        /** Returns the message of a field of form {@link Form#MESSAGE} or {@link Form#INLINE}. */
        public MessageType messageType() {
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
    private final @Nullable StructSchema struct;
    private final List<Field> fields = new ArrayList<>();
    private final Set<String> unwritten = new TreeSet<>();

    /** The fields that are members of the JSON object, by name, in the order in which Go's structs have them. */
    private final Map<String, Field> members = new LinkedHashMap<>();

    private @Nullable Field[] byNumber = new Field[0];

    /**
     * Creates the message of a struct.
     *
     * @param removed fields of older releases
     */
    MessageType(StructSchema struct, List<StructSchema.Field> removed) {
        this(simpleName(struct), struct, concatenated(struct, removed), 0);
        Map<String, Field> unordered = new HashMap<>();
        addMembers(unordered);
        for (StructSchema.Field field : concatenated(struct, removed)) {
            Field known = unordered.get(field.name());
            if (known != null) {
                members.put(field.name(), known);
            }
        }
        for (StructSchema.Field field : struct.fields().values()) {
            if (field.go().path().isEmpty()) {
                unwritten.add(field.name());
            }
        }
    }

    /**
     * Creates a message from fields whose numbers are at this depth of their paths.
     *
     * @param struct null for an inlined message
     */
    private MessageType(String name, @Nullable StructSchema struct, List<StructSchema.Field> members, int depth) {
        this.name = name;
        this.struct = struct;
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
                MessageType type = new MessageType(inlined, null, of, depth + 1);
                add(new Field(fields.size(), number, "", Shape.SINGLE, Form.INLINE, null, type));
            }
        });
    }

    private void addMembers(Map<String, Field> all) {
        for (Field field : fields) {
            if (field.form == Form.INLINE) {
                field.messageType().addMembers(all);
            } else {
                all.put(field.name, field);
            }
        }
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
        Object message = type instanceof StructSchema ? type : name;
        add(new Field(fields.size(), number, field.name(), shape, form(type), field.go(), message));
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

    /** Returns the name of the struct, without its package. */
    public String name() {
        return name;
    }

    /** Returns the fields, in the order of their numbers. */
    public List<Field> fields() {
        return fields;
    }

    /** Returns the names of the JSON members that the message has no field for: the kind and the API version. */
    Set<String> unwritten() {
        return unwritten;
    }

    /** Returns the field with this number, or null. */
    public @Nullable Field field(int number) {
        return number < byNumber.length ? byNumber[number] : null;
    }

    /** Returns the object with these members in the order of Go's structs, with a null where Go writes one. */
    public JsonObject inOrder(Map<String, JsonValue> found, boolean withNulls) {
        JsonObject.Builder object = JsonObject.builder();
        members.forEach((member, field) -> {
            JsonValue value = found.get(member);
            if (value != null) {
                object.put(member, value);
            } else if (withNulls && field.isNullWhenAbsent) {
                object.put(member, JsonNull.NULL);
            }
        });
        JsonValue unnamed = found.get(UNNAMED);
        if (unnamed != null) {
            object.put(UNNAMED, unnamed);
        }
        return object.build();
    }

    /** Returns the object with these members as the API server decodes it: with the zero values that Go writes. */
    JsonObject decoded(Map<String, JsonValue> found) {
        found.values().removeIf(JsonNull.NULL::equals);
        return ZeroValues.complete(Objects.requireNonNull(struct, name), found, null);
    }

    /** Returns some fields of a message as members of an object. O(n) in the bytes. */
    public JsonObject toTree(byte[] fieldsOfMessage) {
        return new TreeOfProtobuf(new WireReader(fieldsOfMessage, 0, fieldsOfMessage.length), TreeOfProtobuf.Mode.PART)
                .message(this, fieldsOfMessage.length);
    }

    /** Returns some fields of a message without the one of this name; the same array if there is none. */
    public byte[] without(byte[] fieldsOfMessage, String member) {
        Field field = members.get(member);
        WireReader in = new WireReader(fieldsOfMessage, 0, fieldsOfMessage.length);
        ByteArrayOutputStream others = new ByteArrayOutputStream();
        while (in.position() < fieldsOfMessage.length) {
            int from = in.position();
            int tag = in.tag();
            in.skip(tag & 7);
            if (field == null || byNumber[field.number] != field || tag >>> 3 != field.number) {
                others.write(fieldsOfMessage, from, in.position() - from);
            }
        }
        return others.size() == fieldsOfMessage.length ? fieldsOfMessage : others.toByteArray();
    }

    @Override
    public String toString() {
        return name;
    }
}
