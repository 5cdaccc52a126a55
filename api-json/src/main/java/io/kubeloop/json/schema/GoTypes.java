/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import io.kubeloop.json.schema.StructSchema.Field;

/** Names of types in Go, which kube-apiserver's error messages contain. Thread-safe: stateless. */
public final class GoTypes {

    private GoTypes() {}

    /** Returns the name of a field's type, such as {@code v1.PullPolicy} or {@code []v1.Container}. */
    public static String name(Field field) {
        return field.go().type().isEmpty() ? name(field.type()) : field.go().type();
    }

    /** Returns the name of a type that the schema determines. */
    public static String name(TypeSchema type) {
        if (type instanceof StructSchema struct) {
            return qualified(struct.name());
        }
        if (type instanceof TypeSchema.ListOf list) {
            return "[]" + name(list.elements());
        }
        if (type instanceof TypeSchema.MapOf map) {
            return "map[string]" + name(map.values());
        }
        if (type instanceof TypeSchema.Any any) {
            return any.name().isEmpty() ? "interface {}" : any.name();
        }
        if (!(type instanceof TypeSchema.Scalar scalar)) {
            throw new IllegalArgumentException("a type without a name in Go: " + type);
        }
        return switch (scalar) {
            case STRING -> "string";
            case BYTES -> "[]uint8";
            case INT32 -> "int32";
            case INT64 -> "int64";
            case NUMBER -> "float64";
            case BOOLEAN -> "bool";
            case TIME -> "v1.Time";
            case MICRO_TIME -> "v1.MicroTime";
            case DURATION -> "v1.Duration";
            case QUANTITY -> "resource.Quantity";
            case INT_OR_STRING -> "intstr.IntOrString";
        };
    }

    /** Returns the type of the elements of a list or the values of a map; bytes have numbers. */
    public static TypeSchema elements(TypeSchema container) {
        if (container instanceof TypeSchema.ListOf list) {
            return list.elements();
        }
        if (container instanceof TypeSchema.MapOf map) {
            return map.values();
        }
        return TypeSchema.Scalar.INT32;
    }

    /**
     * Returns the name of the type of the elements of a list or a map.
     *
     * @param container the name of the list's or map's type
     * @param element the type of the elements
     */
    public static String elementName(String container, TypeSchema element) {
        if (container.startsWith("[]")) {
            return container.substring(2);
        }
        return container.startsWith("map[") ? container.substring(container.indexOf(']') + 1) : name(element);
    }

    /** Returns the last two parts of a name: {@code v1.Pod} for {@code core.v1.Pod}. */
    public static String qualified(String name) {
        int dot = name.lastIndexOf('.');
        return name.substring(name.lastIndexOf('.', dot - 1) + 1);
    }
}
