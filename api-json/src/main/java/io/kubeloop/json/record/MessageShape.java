/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.json.protobuf.MessageType;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.tree.TreeEncoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a message, and the members of a record that hold their values; the name in JSON connects them. It is
 * also the encoding of the fields that the record has no component for. Derived
 * at the first use, and kept by the {@link RecordAdapter}. Immutable, except for the shapes of the records inside it,
 * which are derived at their first use.
 */
final class MessageShape implements TreeEncoding {

    /** A field, and the member that holds its value; null if the record has no component for it. */
    static final class Slot {

        final MessageType.Field field;
        final @Nullable Member member;

        /** Whether the lists and maps of this field have occurred before. */
        final ValueInterner.Luck luck = new ValueInterner.Luck();

        /** The text that occurred last: phases, images and nodes of a list come in runs. Threads race for it. */
        StringPool.@Nullable Entry lastText;

        // A data race is harmless: every thread finds the same shape.
        private @Nullable MessageShape nested;

        Slot(MessageType.Field field, @Nullable Member member) {
            this.field = field;
            this.member = member;
        }

        /** Returns the shape of the records in this field. */
        MessageShape nested(RecordAdapter<?> adapter) {
            MessageShape known = nested;
            if (known == null) {
                known = adapter.shape(field.messageType());
                nested = known;
            }
            return known;
        }
    }

    final RecordAdapter<?> adapter;
    final MessageType message;

    /** The bits of the members that JSON has as null when the wire has nothing. */
    final long nullWhenAbsent;

    /** Whether JSON has a null for an absent field that the record has no component for. */
    final boolean hasOtherNulls;

    /** The slots with a member, the highest number first: messages are written from their end. */
    final Slot[] written;

    /** The members without a field. */
    final Member[] withoutField;

    private final @Nullable Slot[] byNumber;

    MessageShape(RecordAdapter<?> adapter, MessageType message) {
        this.adapter = adapter;
        this.message = message;
        List<Slot> all = new ArrayList<>();
        List<Member> left = new ArrayList<>(Arrays.asList(adapter.members()));
        long nulls = 0;
        for (MessageType.Field field : message.fields()) {
            Member member = field.name().isEmpty() ? null : adapter.member(field.name());
            left.remove(member);
            all.add(new Slot(field, member));
            nulls |= member != null && field.isNullWhenAbsent() ? member.bit : 0;
        }
        nullWhenAbsent = nulls;
        hasOtherNulls = all.stream().anyMatch(slot -> slot.member == null && slot.field.isNullWhenAbsent());
        byNumber = new Slot
                [all.stream().mapToInt(slot -> slot.field.number()).max().orElse(0) + 1];
        all.forEach(slot -> byNumber[slot.field.number()] = slot);
        List<Slot> descending = new ArrayList<>();
        all.forEach(slot -> {
            if (slot.member != null) {
                descending.add(0, slot);
            }
        });
        written = descending.toArray(new Slot[0]);
        withoutField = left.toArray(new Member[0]);
    }

    @Override
    public JsonObject toTree(byte[] fields) {
        JsonObject tree = message.toTree(fields);
        if (!hasOtherNulls) {
            return tree;
        }
        Map<String, JsonValue> members = new HashMap<>(tree.members());
        for (Slot slot : byNumber) {
            if (slot != null && slot.member == null && slot.field.isNullWhenAbsent()) {
                members.putIfAbsent(slot.field.name(), JsonNull.NULL);
            }
        }
        return message.inOrder(members, false);
    }

    @Override
    public byte[] without(byte[] fields, String member) {
        return message.without(fields, member);
    }

    /** Returns the slot of the field with this number, or null. */
    @Nullable
    Slot slot(int number) {
        return number < byNumber.length ? byNumber[number] : null;
    }
}
