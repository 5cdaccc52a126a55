package io.kubeloop.json.record;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.DecodeException;
import java.lang.reflect.Constructor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of one record type, derived from its components. {@link RecordShape} holds the rules.
 *
 * <p>Adapters are derived once per class, at the first use, and never change. Thread-safe.
 *
 * @param <T> the record
 */
public final class RecordAdapter<T> {

    private static final ClassValue<RecordAdapter<?>> ADAPTERS = new ClassValue<>() {
        @Override
        protected RecordAdapter<?> computeValue(Class<?> type) {
            return new RecordAdapter<>(RecordShape.of(type));
        }
    };

    private final RecordShape shape;
    private final MemberNames names;
    private final Constructor<?> constructor;

    /** The members in the order in which they are written; {@code kind} and {@code apiVersion} are not among them. */
    private final Member[] members;

    // A data race between two threads is harmless: both compute equal values.
    private @Nullable Object @Nullable [] zeros;

    private @Nullable T zero;

    private RecordAdapter(RecordShape shape) {
        this.shape = shape;
        names = shape.names();
        constructor = shape.constructor();
        members = shape.members().toArray(new Member[0]);
    }

    /**
     * Returns the adapter of this record.
     *
     * @throws IllegalArgumentException if the record has no JSON form; the message names the component and the reason
     */
    @SuppressWarnings("unchecked") // the cache maps a class to its own adapter
    public static <T> RecordAdapter<T> of(Class<T> type) {
        return (RecordAdapter<T>) ADAPTERS.get(type);
    }

    /**
     * Derives the adapter of this record and of all records inside it.
     *
     * @throws IllegalArgumentException if one of them has no JSON form
     */
    public static void check(Class<?> type) {
        check(type, new HashMap<>());
    }

    private static void check(Class<?> type, Map<Class<?>, Boolean> done) {
        done.put(type, false);
        RecordAdapter<?> adapter = of(type);
        for (RecordShape.Nested nested : adapter.shape.nested()) {
            Boolean complete = done.get(nested.type());
            if (complete == null) {
                check(nested.type(), done);
            } else if (!complete && nested.required()) {
                throw RecordShape.unsupported(
                        type,
                        "component " + nested.component() + " of type "
                                + nested.type().getName() + " contains itself; annotate it with @Nullable");
            }
        }
        adapter.zero();
        done.put(type, true);
    }

    Class<?> type() {
        return shape.type();
    }

    MemberNames names() {
        return names;
    }

    Member member(int index) {
        return members[index - names.typeMembers()];
    }

    Member[] members() {
        return members;
    }

    /** Returns whether documents of other kinds than the resource's are accepted. */
    public boolean takesAnyKind() {
        return shape.unknownFields() < 0;
    }

    /** Returns the values of all components of a record whose members are all absent. Callers must not change the array. */
    @Nullable
    Object[] zeros() {
        @Nullable Object[] known = zeros;
        if (known == null) {
            known = new Object[shape.width()];
            for (Member member : members) {
                known[member.component] = member.zero();
            }
            if (shape.unknownFields() >= 0) {
                known[shape.unknownFields()] = UnknownFields.NONE;
            }
            if (shape.kind() >= 0) {
                known[shape.kind()] = "";
            }
            if (shape.apiVersion() >= 0) {
                known[shape.apiVersion()] = "";
            }
            zeros = known;
        }
        return known;
    }

    /** Returns the record whose members are all absent. */
    T zero() {
        T known = zero;
        if (known == null) {
            try {
                known = make(zeros());
            } catch (RuntimeException e) {
                throw new IllegalArgumentException(
                        RecordShape.unsupported(type(), "its constructor rejects absent members: " + e.getMessage())
                                .getMessage(),
                        e);
            }
            zero = known;
        }
        return known;
    }

    /** Returns the record whose components have these values, after adding what the reader knows itself. */
    T make(@Nullable Object[] values, RecordReader in) {
        if (shape.unknownFields() >= 0) {
            values[shape.unknownFields()] = in.unknownFields();
        }
        if (shape.kind() >= 0) {
            values[shape.kind()] = in.kind();
        }
        if (shape.apiVersion() >= 0) {
            values[shape.apiVersion()] = in.apiVersion();
        }
        try {
            return make(values);
        } catch (DecodeException e) {
            throw e;
        } catch (RuntimeException e) {
            throw in.rejected(type(), e);
        }
    }

    @SuppressWarnings("unchecked") // the constructor makes records of this type
    private T make(@Nullable Object[] values) {
        try {
            return (T) constructor.newInstance(values);
        } catch (Throwable e) {
            throw Accessors.failure(e);
        }
    }

    UnknownFields unknownFields(T value) {
        return value instanceof KubeObject object ? object.unknownFields() : shape.unknownFieldsOf(value);
    }

    /** Returns the names of all members, in the order in which they are written. */
    List<String> memberNames() {
        return names.names();
    }
}
