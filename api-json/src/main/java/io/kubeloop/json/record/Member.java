/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.JsonMember;
import io.kubeloop.json.scan.JsonText;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A member of a JSON object, and the record component that holds its value.
 *
 * <p>Each subclass reads and writes components of one type. Immutable, except for the adapter of a nested record, which
 * is derived at its first use. Thread-safe.
 */
abstract class Member {

    /** The name as it is written: {@code ,"name":}. */
    final byte[] prefix;

    /** The bit of this member in {@link io.kubeloop.api.UnknownFields#nulls()} and {@code empties()}. */
    final long bit;

    /** The number of the component among all components of the record. */
    final int component;

    /** Whether 0 and false are absent members, unless the document that the record was read from had them. */
    final boolean omitsZero;

    private final RecordComponent source;
    private final Class<?> accessed;

    // Made at the first use, because many records are never written. A data race is harmless: method handles are
    // immutable with final fields, and all threads make equal ones.
    private @Nullable MethodHandle accessor;

    Member(Place place, Class<?> accessed) {
        String name = MemberTypes.name(place.source);
        byte[] text = new byte[name.length() * 6 + 4];
        text[0] = ',';
        int end = JsonText.putQuoted(text, 1, name);
        text[end] = ':';
        prefix = Arrays.copyOf(text, end + 1);
        bit = 1L << place.index;
        component = place.number;
        JsonMember annotation = place.source.getAnnotation(JsonMember.class);
        omitsZero = annotation != null && annotation.omitZero();
        source = place.source;
        this.accessed = accessed;
    }

    /**
     * A member of a JSON object and the component of the record that holds it.
     *
     * @param source the component
     * @param index the number of the member among the members of the JSON object
     * @param number the number of the component among the components of the record
     */
    record Place(RecordComponent source, int index, int number) {}

    /** Returns the name of the member. */
    final String name() {
        return MemberTypes.name(source);
    }

    /** Returns the value of the component when the member is absent. */
    abstract @Nullable Object zero();

    /** Reads the value of the member that the reader has found. */
    abstract @Nullable Object read(ValueReader in);

    /** Writes the member of this record. */
    abstract void write(ValueWriter out, Object owner);

    /** Returns a handle of type {@code (Object)Object}, {@code (Object)long} or {@code (Object)boolean}. */
    private MethodHandle accessor() {
        MethodHandle known = accessor;
        if (known == null) {
            known = Accessors.accessor(source, accessed);
            accessor = known;
        }
        return known;
    }

    final @Nullable Object get(Object owner) {
        try {
            return (@Nullable Object) accessor().invokeExact(owner);
        } catch (Throwable e) {
            throw Accessors.failure(e);
        }
    }

    final long getLong(Object owner) {
        try {
            return (long) accessor().invokeExact(owner);
        } catch (Throwable e) {
            throw Accessors.failure(e);
        }
    }

    final boolean getBoolean(Object owner) {
        try {
            return (boolean) accessor().invokeExact(owner);
        } catch (Throwable e) {
            throw Accessors.failure(e);
        }
    }
}
