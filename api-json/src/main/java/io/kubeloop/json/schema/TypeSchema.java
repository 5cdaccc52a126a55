/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import java.util.List;

/**
 * The type of a JSON value: a scalar, a struct, a map, a list, or any value. It also states how two values are merged
 * (upstream: {@code structured-merge-diff/schema}).
 */
public sealed interface TypeSchema
        permits TypeSchema.Scalar, StructSchema, TypeSchema.MapOf, TypeSchema.ListOf, TypeSchema.Any {

    /** A value without members. The constants differ in their JSON form, their check and their protocol buffer form. */
    enum Scalar implements TypeSchema {
        /** A string. */
        STRING,
        /** Bytes, as a base64 string. */
        BYTES,
        /** A whole number of 32 bits. */
        INT32,
        /** A whole number of 64 bits. */
        INT64,
        /** A number with a fraction. */
        NUMBER,
        /** A boolean. */
        BOOLEAN,
        /** A time with a precision of seconds (upstream: {@code metav1.Time}). */
        TIME,
        /** A time with a precision of microseconds (upstream: {@code metav1.MicroTime}). */
        MICRO_TIME,
        /** A length of time, as a string such as {@code 1m30s} (upstream: {@code metav1.Duration}). */
        DURATION,
        /** An amount, as a string or a number (upstream: {@code resource.Quantity}). */
        QUANTITY,
        /** A whole number or a string (upstream: {@code intstr.IntOrString}). */
        INT_OR_STRING
    }

    /**
     * Keys that are data, with values of one type.
     *
     * @param values the type of the values
     * @param atomic whether an apply owns and replaces the map as a whole
     * @param declared whether the schema states this, rather than leave it to the default, which is not atomic
     */
    record MapOf(TypeSchema values, boolean atomic, boolean declared) implements TypeSchema {

        /** Creates a map of which the schema states only that it is atomic. */
        public MapOf(TypeSchema values, boolean atomic) {
            this(values, atomic, atomic);
        }
    }

    /**
     * A list.
     *
     * @param elements the type of the elements
     * @param type how two versions of the list are merged
     * @param keys the fields that identify an element of a list of type {@link ListType#MAP}; otherwise empty
     * @param declared whether the schema states the list type, rather than leave it to the default, which is atomic
     */
    record ListOf(TypeSchema elements, ListType type, List<String> keys, boolean declared) implements TypeSchema {

        /** Creates a list whose type the schema states. */
        public ListOf(TypeSchema elements, ListType type, List<String> keys) {
            this(elements, type, keys, true);
        }

        /** Copies the keys. */
        public ListOf {
            keys = List.copyOf(keys);
        }
    }

    /** How server-side apply merges a list (upstream: {@code x-kubernetes-list-type}). */
    enum ListType {
        /** The list is one value with one owner. */
        ATOMIC,
        /** Each element is a value with its owner; no element occurs twice. */
        SET,
        /** Elements are identified by their key fields and merged one by one. */
        MAP
    }

    /**
     * Any JSON value. Its type is deduced from the value; a struct and a map are then merged, a list is atomic.
     *
     * @param name the Go type that decodes the value, such as {@code runtime.RawExtension}; empty for none
     */
    record Any(String name) implements TypeSchema {

        /** Creates the type of values that no Go type decodes, such as a part of a custom resource. */
        public Any() {
            this("");
        }
    }
}
