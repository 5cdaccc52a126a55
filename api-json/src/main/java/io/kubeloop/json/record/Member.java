package io.kubeloop.json.record;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A member of a JSON object, and the record component that holds its value.
 *
 * <p>Each subclass reads and writes components of one type. Immutable, except for the adapter of a nested record, which is
 * derived at its first use. Thread-safe.
 */
abstract class Member {

    /** The name as it is written: {@code ,"name":}. */
    final byte[] prefix;

    /** The bit of this member in {@link io.kubeloop.api.UnknownFields#nulls()} and {@code empties()}. */
    final long bit;

    /** The number of the component among all components of the record. */
    final int component;

    private final Place place;
    private final Class<?> accessed;

    // Made at the first use, because many records are never written. A data race is harmless: handles are immutable,
    // and
    // all threads make the same one.
    private @Nullable MethodHandle accessor;

    Member(Place place, Class<?> accessed) {
        byte[] name = place.name.getBytes(StandardCharsets.UTF_8);
        prefix = new byte[name.length + 4];
        prefix[0] = ',';
        prefix[1] = '"';
        System.arraycopy(name, 0, prefix, 2, name.length);
        prefix[name.length + 2] = '"';
        prefix[name.length + 3] = ':';
        bit = 1L << place.index;
        component = place.component;
        this.place = place;
        this.accessed = accessed;
    }

    /**
     * The position of a member.
     *
     * @param name the name in JSON
     * @param index the number among the members of the JSON object
     * @param component the number among the components of the record
     * @param source the component
     */
    record Place(String name, int index, int component, RecordComponent source) {}

    /** Returns the value of the component when the member is absent. */
    abstract @Nullable Object zero();

    /** Reads the value of the member that the reader has found. */
    abstract @Nullable Object read(RecordReader in);

    /** Writes the member of this record. */
    abstract void write(RecordWriter out, Object owner);

    /** Returns a handle of type {@code (Object)Object}, {@code (Object)long} or {@code (Object)boolean}. */
    private MethodHandle accessor() {
        MethodHandle known = accessor;
        if (known == null) {
            known = Accessors.accessor(place.source, accessed);
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
