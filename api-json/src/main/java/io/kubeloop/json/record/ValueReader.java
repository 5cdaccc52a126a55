/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.value.IntOrString;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of members: one method for each form that a component has. The two implementations read JSON and
 * protocol buffers. Not thread-safe.
 *
 * <p>Exactly one method reads the value of the member that the reader has found. An absent or null value is the zero
 * value, as in Go. Readers note nulls and explicit empty values, so writers can restore both.
 */
abstract class ValueReader {

    /** Values of annotations up to this length are shared, such as {@code true} and port numbers. Times are longer. */
    static final int SHORT = 16;

    /** 64 members, the unknown fields, kind and version. */
    private static final int WIDEST = 67;

    final StringPool pool;
    final ValueInterner memo;
    final UnknownMembers unknown;
    final ValueInterner.Luck luckOfLabels = new ValueInterner.Luck();
    final ValueInterner.Luck luckOfAnnotations = new ValueInterner.Luck();

    private final Time[] recentTimes = new Time[256];
    private final @Nullable Integer[] recentNumbers = new Integer[256];

    /**
     * Reusable arrays for the values of components, by the depth of the record and by the number of its components.
     * They keep references to at most one object per depth until the next document.
     */
    private @Nullable Object[] @Nullable [] @Nullable [] frames = new @Nullable Object[16][][];

    int depth;

    ValueReader(SharedValues shared) {
        pool = shared.strings;
        memo = shared.values;
        unknown = new UnknownMembers(shared.spans);
    }

    /** Returns an array for the components of a record at the current depth, filled with these values. */
    final @Nullable Object[] frame(@Nullable Object[] zeros) {
        if (depth >= frames.length) {
            frames = Arrays.copyOf(frames, depth * 2);
        }
        @Nullable Object[] @Nullable [] level = frames[depth];
        if (level == null) {
            level = new Object[WIDEST + 1][];
            frames[depth] = level;
        }
        @Nullable Object[] values = level[zeros.length];
        if (values == null) {
            values = zeros.clone();
            level[zeros.length] = values;
        } else {
            System.arraycopy(zeros, 0, values, 0, zeros.length);
        }
        return values;
    }

    /** Returns this number as an object; caches numbers, because port numbers repeat. */
    final Integer boxed(int number) {
        int place = (number ^ (number >>> 8)) & (recentNumbers.length - 1);
        Integer recent = recentNumbers[place];
        if (recent == null || recent != number) {
            recent = number;
            recentNumbers[place] = recent;
        }
        return recent;
    }

    /** Returns this time as an object; caches times, because the conditions of an object share them. */
    final Time time(long second) {
        int place = (int) (second ^ (second >>> 8)) & (recentTimes.length - 1);
        Time recent = recentTimes[place];
        if (recent == null || recent.instant().getEpochSecond() != second) {
            recent = TimeText.time(second);
            recentTimes[place] = recent;
        }
        return recent;
    }

    /** Returns the kind of the object that was read; empty if it has none. */
    abstract String kind();

    /** Returns the API version of the object that was read; empty if it has none. */
    abstract String apiVersion();

    /**
     * Returns the members that the record has no component for. Ends an object. Must be called once, after the last
     * member.
     *
     * @param shared whether they may share memory with others. That makes reading them slower, so the content of a
     *     GenericObject, which is read often, does not
     */
    abstract UnknownFields unknownFields(boolean shared);

    /** Returns the exception for members that the constructor of a record rejects. */
    abstract DecodeException rejected(Class<?> type, RuntimeException cause);

    /** Reads a string; null is empty. */
    abstract String string(boolean shared);

    /** Reads a string, or null. */
    abstract @Nullable String nullableString(boolean shared);

    /** Reads a 32-bit integer; null is 0. */
    abstract Integer integer();

    /** Reads a 64-bit integer; null is 0. */
    abstract Long longInteger();

    /** Reads a 32-bit integer, or null. */
    abstract @Nullable Integer nullableInteger();

    /** Reads a 64-bit integer, or null. */
    abstract @Nullable Long nullableLong();

    /** Reads true or false; null is false. */
    abstract boolean bool();

    /** Reads true or false, or null. */
    abstract @Nullable Boolean nullableBool();

    /** Reads a time of seconds precision, or null. The first second of the year 1, Go's zero time, becomes null. */
    abstract @Nullable Time time();

    /** Reads a time of microseconds precision, or null; see {@link #time} for the zero time. */
    abstract @Nullable MicroTime microTime();

    /** Reads an integer or a string, or null. */
    abstract @Nullable IntOrString nullableIntOrString();

    /** Reads an integer or a string; null is the number 0. */
    abstract IntOrString intOrString();

    /** Reads an object; null becomes a record whose members are all absent. */
    abstract <T> T value(RecordAdapter<T> adapter);

    /** Reads an object, or null. */
    abstract <T> @Nullable T nullable(RecordAdapter<T> adapter);

    /** Reads a list of objects; null is empty. */
    abstract <T> List<T> list(RecordAdapter<T> adapter);

    /** Reads a list of strings; null is empty. */
    abstract List<String> strings(boolean shared);

    /** Reads a list of 32-bit integers; null is empty. */
    abstract List<Integer> integers();

    /**
     * Reads an object whose members are strings, keeping their order; null is empty. The names are always shared.
     *
     * @param shared whether long values are shared as well
     */
    abstract Map<String, String> stringMap(boolean shared);

    /** Reads an object whose members are records, keeping their order; null is empty. */
    abstract <T> Map<String, T> map(RecordAdapter<T> adapter);
}
