/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.Time;
import io.kubeloop.api.value.IntOrString;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the values of members: one method for each form that a component has. The two implementations write JSON and
 * protocol buffers. Not thread-safe.
 *
 * <p>Zero values and nulls are omitted, unless the document that the record was read from had them explicitly. The
 * integer 0 and {@code false} are omitted only from members that {@linkplain io.kubeloop.api.JsonMember#omitZero() omit
 * zero}, or that the document had as null.
 */
abstract class ValueWriter {

    /** Writes a string; omits an empty one. */
    abstract void string(Member member, @Nullable String value);

    /** Writes a string; omits null. */
    abstract void nullable(Member member, @Nullable String value);

    /** Writes an integer; omits 0 if the member omits zero. */
    abstract void integer(Member member, long value);

    /** Writes an integer; omits null. */
    final void nullable(Member member, @Nullable Integer value) {
        nullable(member, value == null ? null : (Long) value.longValue());
    }

    /** Writes an integer; omits null. */
    abstract void nullable(Member member, @Nullable Long value);

    /** Writes true or false; omits false if the member omits zero. */
    abstract void bool(Member member, boolean value);

    /** Writes true or false; omits null. */
    abstract void nullable(Member member, @Nullable Boolean value);

    /** Writes a time; omits null. */
    abstract void time(Member member, @Nullable Time value);

    /** Writes a time; omits null. */
    abstract void microTime(Member member, @Nullable MicroTime value);

    /** Writes an integer or a string; omits null, and the integer 0 if the member omits zero. */
    abstract void intOrString(Member member, @Nullable IntOrString value);

    /** Writes an integer or a string; omits null. */
    abstract void nullable(Member member, @Nullable IntOrString value);

    /** Writes an object; omits one in which everything is absent. */
    abstract <T> void value(Member member, RecordAdapter<T> adapter, @Nullable T value);

    /** Writes an object; omits null. */
    abstract <T> void nullable(Member member, RecordAdapter<T> adapter, @Nullable T value);

    /** Writes a list of objects; omits an empty one. */
    abstract <T> void list(Member member, RecordAdapter<T> adapter, @Nullable List<T> elements);

    /** Writes an object whose members are records; omits an empty one. */
    abstract <T> void map(Member member, RecordAdapter<T> adapter, @Nullable Map<String, T> entries);

    /** Writes a list of strings; omits an empty one. */
    abstract void strings(Member member, @Nullable List<String> elements);

    /** Writes a list of integers; omits an empty one. */
    abstract void integers(Member member, @Nullable List<Integer> elements);

    /** Writes an object whose members are all strings; omits an empty one. */
    abstract void stringMap(Member member, @Nullable Map<String, String> entries);
}
