/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.json.protobuf.MessageType;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of one record, as {@link RecordShape} derives it from the components.
 *
 * <p>Adapters are derived once per class, at the first use, and never change. Thread-safe.
 *
 * @param <T> the record
 */
public final class RecordAdapter<T> {

    private static final ClassValue<RecordAdapter<?>> ADAPTERS = new ClassValue<>() {
        @Override
        protected RecordAdapter<?> computeValue(Class<?> type) {
            return new RecordAdapter<>(new RecordShape(type));
        }
    };

    private final RecordShape shape;
    private final MemberNames names;
    private final Constructor<?> constructor;
    private final Member[] members;
    private final Member[] membersByIndex;
    private final int unknownFields;
    private final boolean hasType;
    private final Map<MessageType, MessageShape> shapes = new ConcurrentHashMap<>(2);
    private final ValueInterner.Luck luck = new ValueInterner.Luck();

    // Computed at the first use, because records may be recursive. Several threads may compute a value; the values
    // are equal, and a volatile field publishes them completely.
    private volatile @Nullable Object @Nullable [] zeros;
    private volatile @Nullable T zero;
    private volatile @Nullable MethodHandle unknownFieldsAccessor;

    private RecordAdapter(RecordShape shape) {
        this.shape = shape;
        names = shape.names();
        constructor = shape.constructor();
        members = shape.members().toArray(new Member[0]);
        membersByIndex = new Member[names.typeMembers() + members.length];
        System.arraycopy(members, 0, membersByIndex, names.typeMembers(), members.length);
        unknownFields = shape.unknownFields();
        hasType = shape.kind() != RecordShape.NONE || shape.apiVersion() != RecordShape.NONE;
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
     * Derives the adapters of this record and of all records inside it.
     *
     * @throws IllegalArgumentException if one of them has no JSON form; the message names the record, the component and
     *     the reason
     */
    public static void check(Class<?> type) {
        check(type, new HashSet<>());
    }

    private static void check(Class<?> type, Set<Class<?>> checked) {
        if (checked.add(type)) {
            checkThatItEnds(type, new HashSet<>());
            of(type).zero();
            of(type).shape.nested().forEach(nested -> check(nested.type(), checked));
        }
    }

    /** Rejects a record that always contains itself, because no value of it could stand for an absent member. */
    private static void checkThatItEnds(Class<?> type, Set<Class<?>> outer) {
        if (!outer.add(type)) {
            throw RecordShape.unsupported(
                    type, "it always contains itself; annotate the component that holds it with @Nullable");
        }
        of(type).shape.nested().stream()
                .filter(RecordShape.Nested::required)
                .forEach(nested -> checkThatItEnds(nested.type(), outer));
        outer.remove(type);
    }

    Class<?> type() {
        return shape.type();
    }

    /** Returns whether lists of these records have been found among earlier lists. */
    ValueInterner.Luck luck() {
        return luck;
    }

    MemberNames names() {
        return names;
    }

    /** Returns the members by their numbers in {@link #names()}, with null for {@code kind} and {@code apiVersion}. */
    Member[] membersByIndex() {
        return membersByIndex;
    }

    /** Returns the members in the order in which they are written. Callers must not change the array. */
    Member[] members() {
        return members;
    }

    /** Returns the member of this name; null if no component holds it. */
    @Nullable
    Member member(String name) {
        int index = names.indexOf(name);
        return index < 0 ? null : membersByIndex[index];
    }

    /** Returns how these records are messages of this type. */
    MessageShape shape(MessageType message) {
        MessageShape known = shapes.get(message);
        if (known == null) {
            known = new MessageShape(this, message);
            MessageShape other = shapes.putIfAbsent(message, known);
            known = other == null ? known : other;
        }
        return known;
    }

    /** Returns whether this is the adapter of metadata alone, which accepts objects of any kind. */
    public boolean takesAnyKind() {
        return unknownFields == RecordShape.NONE;
    }

    /** Returns the values of all components when all members are absent. Callers must not change the array. */
    @Nullable
    Object[] zeros() {
        @Nullable Object[] known = zeros;
        if (known == null) {
            known = new @Nullable Object[shape.width()];
            for (Member member : members) {
                known[member.component] = member.zero();
            }
            if (unknownFields != RecordShape.NONE) {
                known[unknownFields] = UnknownFields.NONE;
            }
            setType(known, "", "");
            zeros = known;
        }
        return known;
    }

    /** Returns the record whose members are all absent. */
    T zero() {
        T known = zero;
        if (known == null) {
            try {
                known = make(zeros().clone());
            } catch (RuntimeException e) {
                throw RecordShape.unsupported(type(), "its constructor rejects absent members: " + e.getMessage(), e);
            }
            zero = known;
        }
        return known;
    }

    /**
     * Adds the unknown fields and the type from the reader to the values, and returns the record with these components.
     */
    T make(@Nullable Object[] values, ValueReader in) {
        if (unknownFields != RecordShape.NONE) {
            values[unknownFields] = in.unknownFields(!takesAnyKind());
        }
        if (hasType) {
            setType(values, in.kind(), in.apiVersion());
        }
        try {
            return make(values);
        } catch (RuntimeException e) {
            throw in.rejected(type(), e);
        }
    }

    private void setType(@Nullable Object[] values, String kind, String apiVersion) {
        if (shape.kind() != RecordShape.NONE) {
            values[shape.kind()] = kind;
        }
        if (shape.apiVersion() != RecordShape.NONE) {
            values[shape.apiVersion()] = apiVersion;
        }
    }

    @SuppressWarnings("unchecked") // the constructor makes records of this type
    private T make(@Nullable Object[] values) {
        try {
            return (T) constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw Accessors.failure(e);
        }
    }

    /** Returns the unknown members of this record. */
    UnknownFields unknownFields(T value) {
        MethodHandle known = unknownFieldsAccessor;
        if (known == null) {
            known = Accessors.accessor(shape.component(unknownFields), UnknownFields.class);
            unknownFieldsAccessor = known;
        }
        UnknownFields unknown;
        try {
            unknown = (UnknownFields) known.invokeExact((Object) value);
        } catch (Throwable e) {
            throw Accessors.failure(e);
        }
        return unknown == null ? UnknownFields.NONE : unknown;
    }
}
