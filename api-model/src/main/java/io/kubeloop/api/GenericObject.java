/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object of any kind, for kinds without a record, such as custom resources (upstream: {@code
 * unstructured.Unstructured}). The metadata is typed. All other fields, the <em>content</em>, keep the exact JSON text
 * in which they were received.
 *
 * <p>The methods from {@link #value} to {@link #map} read the content, and {@link #with(List, Object)} changes it. A
 * <em>path</em> is a sequence of member names from the top of the object, such as {@code spec}, {@code template},
 * {@code image}; it does not lead into arrays. A method that reads scans the content each time: O(bytes of the
 * content). See {@link ResourceTypes#generic} for the resource type.
 *
 * @param apiVersion group and version, such as {@code v1} or {@code example.com/v1}
 * @param kind the kind
 * @param metadata name, namespace, labels and the rest
 * @param unknownFields the content, such as spec, status and data
 */
@WithMethods
public record GenericObject(String apiVersion, String kind, ObjectMeta metadata, UnknownFields unknownFields)
        implements KubeObject, GenericObjectBuilder.With {

    private static final Set<String> COMPONENTS = Set.of("apiVersion", "kind", "metadata");

    /** Null means the zero value. */
    public GenericObject {
        apiVersion = Values.orEmpty(apiVersion);
        kind = Values.orEmpty(kind);
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object without content. */
    public static GenericObject of(String apiVersion, String kind, ObjectMeta metadata) {
        return new GenericObject(apiVersion, kind, metadata, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public GenericObject withMetadata(ObjectMeta metadata) {
        return new GenericObject(apiVersion, kind, metadata, unknownFields);
    }

    /**
     * Returns the value at a path, or null if it is absent or JSON's null.
     *
     * @param path the member names; without any, the whole content as a map
     * @return a {@code String}, {@code Boolean}, {@code Long}, {@code BigDecimal} (fractions, exponents and numbers
     *     beyond 64 bits), unmodifiable {@code List} or unmodifiable {@code Map<String, Object>} in the order of the
     *     JSON
     * @throws IllegalArgumentException if the path begins with {@code apiVersion}, {@code kind} or {@code metadata},
     *     which are components of this record
     */
    public @Nullable Object value(String... path) {
        byte[] text = unknownFields.members();
        if (path.length == 0) {
            return RawValues.object(text, 0, text.length);
        }
        int[] span = RawMembers.value(text, 0, text.length, content(List.of(path)));
        return span.length == 0 ? null : RawValues.parse(text, span[0], span[1]);
    }

    /**
     * Returns the string at a path; empty if it is absent.
     *
     * @throws IllegalStateException if the value is of another type
     */
    public String string(String... path) {
        Object value = value(path);
        return value == null ? "" : typed(String.class, value, path);
    }

    /**
     * Returns the whole number at a path, or null if it is absent.
     *
     * @throws IllegalStateException if the value is of another type, has a fraction or exceeds 64 bits
     */
    public @Nullable Long integer(String... path) {
        Object value = value(path);
        if (value instanceof BigDecimal number) {
            try {
                return number.longValueExact();
            } catch (ArithmeticException e) {
                throw mismatch("a whole number of 64 bits", number, path);
            }
        }
        return value == null ? null : typed(Long.class, value, path);
    }

    /**
     * Returns the boolean at a path; false if it is absent.
     *
     * @throws IllegalStateException if the value is of another type
     */
    public boolean bool(String... path) {
        Object value = value(path);
        return value != null && typed(Boolean.class, value, path);
    }

    /**
     * Returns the list at a path, with elements as {@link #value} returns them; empty if it is absent.
     *
     * @throws IllegalStateException if the value is of another type
     */
    @SuppressWarnings("unchecked") // RawValues puts no other elements into a list
    public List<@Nullable Object> list(String... path) {
        Object value = value(path);
        return value == null ? List.of() : (List<@Nullable Object>) typed(List.class, value, path);
    }

    /**
     * Returns the map at a path, with values as {@link #value} returns them; empty if it is absent.
     *
     * @throws IllegalStateException if the value is of another type
     */
    @SuppressWarnings("unchecked") // RawValues puts nothing else into a map
    public Map<String, @Nullable Object> map(String... path) {
        Object value = value(path);
        return value == null ? Map.of() : (Map<String, @Nullable Object>) typed(Map.class, value, path);
    }

    /**
     * Returns a copy with a value at a path. Absent objects on the path are created, and values of other types on it
     * are replaced by objects. All other content keeps its exact text.
     *
     * @param path at least one member name, such as {@code List.of("spec", "replicas")}
     * @param value a {@code String}, {@code Boolean}, {@code Integer}, {@code Long}, finite {@code Double}, {@code
     *     BigInteger}, {@code BigDecimal}, collection, map with {@code String} keys, or null, which writes JSON's null
     * @throws IllegalArgumentException if the value has another type, or the path is empty or begins with {@code
     *     apiVersion}, {@code kind} or {@code metadata}
     */
    public GenericObject with(List<String> path, @Nullable Object value) {
        byte[] text = unknownFields.members();
        return withContent(RawMembers.with(text, 0, text.length, content(path), RawValues.write(value)));
    }

    /**
     * Returns a copy without the member at a path. An object that loses its last member remains, empty.
     *
     * @param path at least one member name
     * @throws IllegalArgumentException if the path is empty or begins with {@code apiVersion}, {@code kind} or {@code
     *     metadata}
     */
    public GenericObject without(List<String> path) {
        byte[] text = unknownFields.members();
        return withContent(RawMembers.without(text, 0, text.length, content(path)));
    }

    private GenericObject withContent(byte[] members) {
        UnknownFields changed = UnknownFields.of(members, unknownFields.nulls(), unknownFields.empties());
        return new GenericObject(apiVersion, kind, metadata, changed);
    }

    private static List<String> content(List<String> path) {
        if (path.isEmpty() || COMPONENTS.contains(path.get(0))) {
            throw new IllegalArgumentException("The path " + path + " does not lead into the content of an object; use"
                    + " the components apiVersion, kind and metadata of the record for these");
        }
        return path;
    }

    private <V> V typed(Class<V> type, Object value, String... path) {
        if (!type.isInstance(value)) {
            throw mismatch(named(type), value, path);
        }
        return type.cast(value);
    }

    private IllegalStateException mismatch(String wanted, Object found, String... path) {
        return new IllegalStateException("Cannot read " + String.join(".", Arrays.asList(path)) + " of " + kind + " "
                + objectName() + " as " + wanted + ": it is " + named(found.getClass()));
    }

    private static String named(Class<?> type) {
        if (type == String.class) {
            return "a string";
        } else if (type == Boolean.class) {
            return "a boolean";
        } else if (type == Long.class) {
            return "a whole number";
        } else if (type == BigDecimal.class) {
            return "a number with a fraction, an exponent or more than 64 bits";
        }
        return List.class.isAssignableFrom(type) ? "a list" : "a map";
    }
}
