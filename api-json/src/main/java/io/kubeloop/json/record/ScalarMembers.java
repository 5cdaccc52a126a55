/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.Time;
import io.kubeloop.api.Values;
import io.kubeloop.api.value.IntOrString;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members whose values are strings, numbers, booleans, times, or collections of strings. */
final class ScalarMembers {

    private ScalarMembers() {}

    /** A value, or null if the member is absent. */
    abstract static class NullableMember extends Member {

        NullableMember(Place place) {
            super(place, Object.class);
        }

        @Override
        final @Nullable Object zero() {
            return null;
        }
    }

    /** A string. */
    static final class Text extends Member {

        private final boolean shared;

        Text(Place place, boolean shared) {
            super(place, Object.class);
            this.shared = shared;
        }

        @Override
        Object zero() {
            return "";
        }

        @Override
        Object read(ValueReader in) {
            return in.string(shared);
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.string(this, (String) get(owner));
        }
    }

    /** A string or null. */
    static final class NullableText extends NullableMember {

        private final boolean shared;

        NullableText(Place place, boolean shared) {
            super(place);
            this.shared = shared;
        }

        @Override
        @Nullable
        Object read(ValueReader in) {
            return in.nullableString(shared);
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.nullable(this, (String) get(owner));
        }
    }

    /** A 32-bit integer. */
    static final class Int32 extends Member {

        Int32(Place place) {
            super(place, long.class);
        }

        @Override
        Object zero() {
            return 0;
        }

        @Override
        Object read(ValueReader in) {
            return in.integer();
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.integer(this, getLong(owner));
        }
    }

    /** A 64-bit integer. */
    static final class Int64 extends Member {

        Int64(Place place) {
            super(place, long.class);
        }

        @Override
        Object zero() {
            return 0L;
        }

        @Override
        Object read(ValueReader in) {
            return in.longInteger();
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.integer(this, getLong(owner));
        }
    }

    /** True or false. */
    static final class Bool extends Member {

        Bool(Place place) {
            super(place, boolean.class);
        }

        @Override
        Object zero() {
            return false;
        }

        @Override
        Object read(ValueReader in) {
            return in.bool();
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.bool(this, getBoolean(owner));
        }
    }

    /** A 32-bit integer or null. */
    static final class NullableInt32 extends NullableMember {

        NullableInt32(Place place) {
            super(place);
        }

        @Override
        @Nullable
        Object read(ValueReader in) {
            return in.nullableInteger();
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.nullable(this, (Integer) get(owner));
        }
    }

    /** A 64-bit integer or null. */
    static final class NullableInt64 extends NullableMember {

        NullableInt64(Place place) {
            super(place);
        }

        @Override
        @Nullable
        Object read(ValueReader in) {
            return in.nullableLong();
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.nullable(this, (Long) get(owner));
        }
    }

    /** True, false or null. */
    static final class NullableBool extends NullableMember {

        NullableBool(Place place) {
            super(place);
        }

        @Override
        @Nullable
        Object read(ValueReader in) {
            return in.nullableBool();
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.nullable(this, (Boolean) get(owner));
        }
    }

    /** A time of seconds precision, or null. */
    static final class Seconds extends NullableMember {

        Seconds(Place place) {
            super(place);
        }

        @Override
        @Nullable
        Object read(ValueReader in) {
            return in.time();
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.time(this, (Time) get(owner));
        }
    }

    /** A time of microseconds precision, or null. */
    static final class Micros extends NullableMember {

        Micros(Place place) {
            super(place);
        }

        @Override
        @Nullable
        Object read(ValueReader in) {
            return in.microTime();
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.microTime(this, (MicroTime) get(owner));
        }
    }

    /** An integer or a string. */
    static final class Port extends Member {

        Port(Place place) {
            super(place, Object.class);
        }

        @Override
        Object zero() {
            return IntOrString.ZERO;
        }

        @Override
        Object read(ValueReader in) {
            return in.intOrString();
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.intOrString(this, (IntOrString) get(owner));
        }
    }

    /** An integer or a string, or null. */
    static final class NullablePort extends NullableMember {

        NullablePort(Place place) {
            super(place);
        }

        @Override
        @Nullable
        Object read(ValueReader in) {
            return in.nullableIntOrString();
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.nullable(this, (IntOrString) get(owner));
        }
    }

    /** A list of strings. */
    static final class TextList extends Member {

        private final boolean shared;

        TextList(Place place, boolean shared) {
            super(place, Object.class);
            this.shared = shared;
        }

        @Override
        Object zero() {
            return List.of();
        }

        @Override
        Object read(ValueReader in) {
            return in.strings(shared);
        }

        @Override
        @SuppressWarnings("unchecked") // the type of the component
        void write(ValueWriter out, Object owner) {
            out.strings(this, (List<String>) get(owner));
        }
    }

    /** A list of 32-bit integers. */
    static final class Int32List extends Member {

        Int32List(Place place) {
            super(place, Object.class);
        }

        @Override
        Object zero() {
            return List.of();
        }

        @Override
        Object read(ValueReader in) {
            return in.integers();
        }

        @Override
        @SuppressWarnings("unchecked") // the type of the component
        void write(ValueWriter out, Object owner) {
            out.integers(this, (List<Integer>) get(owner));
        }
    }

    /** A map of strings to strings. */
    static final class TextMap extends Member {

        private final boolean shared;

        TextMap(Place place, boolean shared) {
            super(place, Object.class);
            this.shared = shared;
        }

        @Override
        Object zero() {
            return Values.orEmpty((Map<String, String>) null);
        }

        @Override
        Object read(ValueReader in) {
            return in.stringMap(shared);
        }

        @Override
        @SuppressWarnings("unchecked") // the type of the component
        void write(ValueWriter out, Object owner) {
            out.stringMap(this, (Map<String, String>) get(owner));
        }
    }
}
