/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.Values;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members whose values are records, or collections of records. */
final class RecordMembers {

    private RecordMembers() {}

    /** A member with records inside. Derives the adapter of that record at the first use: records may be recursive. */
    abstract static class Nested extends Member {

        private final Class<Object> type;

        // A data race is harmless: every thread finds the same adapter.
        private @Nullable RecordAdapter<Object> adapter;

        @SuppressWarnings("unchecked") // only the adapter looks into the values, and it is made for this class
        Nested(Place place, Class<?> type) {
            super(place, Object.class);
            this.type = (Class<Object>) type;
        }

        final RecordAdapter<Object> adapter() {
            RecordAdapter<Object> known = adapter;
            if (known == null) {
                known = RecordAdapter.of(type);
                adapter = known;
            }
            return known;
        }
    }

    /** A record. */
    static final class Required extends Nested {

        Required(Place place, Class<?> type) {
            super(place, type);
        }

        @Override
        Object zero() {
            return adapter().zero();
        }

        @Override
        Object read(ValueReader in) {
            return in.value(adapter());
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.value(this, adapter(), get(owner));
        }
    }

    /** A record or null. */
    static final class Optional extends Nested {

        Optional(Place place, Class<?> type) {
            super(place, type);
        }

        @Override
        @Nullable
        Object zero() {
            return null;
        }

        @Override
        @Nullable
        Object read(ValueReader in) {
            return in.nullable(adapter());
        }

        @Override
        void write(ValueWriter out, Object owner) {
            out.nullable(this, adapter(), get(owner));
        }
    }

    /** A list of records. */
    static final class Elements extends Nested {

        Elements(Place place, Class<?> type) {
            super(place, type);
        }

        @Override
        Object zero() {
            return List.of();
        }

        @Override
        Object read(ValueReader in) {
            return in.list(adapter());
        }

        @Override
        @SuppressWarnings("unchecked") // the type of the component
        void write(ValueWriter out, Object owner) {
            out.list(this, adapter(), (List<Object>) get(owner));
        }
    }

    /** A map of strings to records. */
    static final class Entries extends Nested {

        Entries(Place place, Class<?> type) {
            super(place, type);
        }

        @Override
        Object zero() {
            return Values.orEmpty((Map<String, Object>) null);
        }

        @Override
        Object read(ValueReader in) {
            return in.map(adapter());
        }

        @Override
        @SuppressWarnings("unchecked") // the type of the component
        void write(ValueWriter out, Object owner) {
            out.map(this, adapter(), (Map<String, Object>) get(owner));
        }
    }
}
