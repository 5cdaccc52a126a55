/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.ListType;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads types: whether a value is handled as a scalar, a list or an object, and the types of its parts. Thread-safe:
 * stateless.
 */
final class Types {

    private static final TypeSchema ANY = new TypeSchema.Any();
    private static final TypeSchema ANY_LIST = new TypeSchema.ListOf(ANY, ListType.ATOMIC, List.of());
    private static final TypeSchema ANY_MAP = new TypeSchema.MapOf(ANY, false);
    private static final TypeSchema ATOMIC_MAP = new TypeSchema.MapOf(ANY, true);

    private Types() {}

    /** Returns the type by which a value is handled: the declared one, or the deduced one if any value is allowed. */
    static TypeSchema deduce(TypeSchema type, @Nullable JsonValue value) {
        if (!(type instanceof TypeSchema.Any any) || value == null || value == JsonNull.NULL) {
            return type;
        }
        if (value instanceof JsonArray) {
            return ANY_LIST;
        }
        if (value instanceof JsonObject) {
            // A built-in type that holds any value, such as RawExtension, has one owner.
            return any.name().isEmpty() ? ANY_MAP : ATOMIC_MAP;
        }
        return TypeSchema.Scalar.INT_OR_STRING;
    }

    static boolean isScalar(TypeSchema deduced) {
        return deduced instanceof TypeSchema.Scalar;
    }

    /** Returns whether a deduced type is a list; a type that is neither a list nor a scalar is an object. */
    static boolean isList(TypeSchema deduced) {
        return deduced instanceof TypeSchema.ListOf;
    }

    /** Returns whether one manager owns the whole value. */
    static boolean isAtomic(TypeSchema type) {
        if (type instanceof TypeSchema.ListOf list) {
            return list.type() == ListType.ATOMIC;
        }
        if (type instanceof TypeSchema.MapOf map) {
            return map.atomic();
        }
        return type instanceof StructSchema struct && struct.atomic();
    }

    /** Returns whether a value holds nothing that could be merged: no object or list, or an empty one. */
    static boolean isEmpty(TypeSchema deduced, @Nullable JsonValue value) {
        return isList(deduced)
                ? !(value instanceof JsonArray array) || array.isEmpty()
                : !(value instanceof JsonObject object) || object.isEmpty();
    }

    /** Returns the type of a member of an object; null if the type does not declare it. */
    static @Nullable TypeSchema member(@Nullable TypeSchema type, String name) {
        if (type instanceof StructSchema struct) {
            StructSchema.Field field = struct.field(name);
            return field == null ? struct.others() : field.type();
        }
        if (type instanceof TypeSchema.MapOf map) {
            return map.values();
        }
        return type instanceof TypeSchema.Any ? ANY : null;
    }

    /** Returns whether an object has a field of this name, as opposed to a key that is data. */
    static boolean declares(TypeSchema type, String name) {
        return type instanceof StructSchema struct && struct.field(name) != null;
    }

    /** Returns the type of the part that a path element selects; null if it is unknown. */
    static @Nullable TypeSchema below(@Nullable TypeSchema type, PathElement element) {
        if (element instanceof PathElement.Field field) {
            return member(type, field.name());
        }
        if (type instanceof TypeSchema.ListOf list) {
            return list.elements();
        }
        return type instanceof TypeSchema.Any ? ANY : null;
    }

    /** Returns the type of an undeclared member whose value still has to be handled. */
    static TypeSchema orAny(@Nullable TypeSchema type) {
        return type == null ? ANY : type;
    }
}
