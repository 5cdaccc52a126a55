/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.value.IntOrString;
import io.kubeloop.json.protobuf.MessageType;
import io.kubeloop.json.protobuf.MessageType.Form;
import io.kubeloop.json.protobuf.MessageType.Shape;
import io.kubeloop.json.protobuf.NotInSchemaException;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.protobuf.WireReader;
import io.kubeloop.json.record.MessageShape.Slot;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as messages of protocol buffers: the fields of their members, then the unknown fields. Not
 * thread-safe.
 *
 * <p>It writes from the end to the beginning, because the length of a message precedes it. Zero values are omitted,
 * unless the document that the record was read from had them explicitly: then they are written, so the server sets
 * a pointer. The integer 0 and {@code false} are omitted only from members that {@linkplain
 * io.kubeloop.api.JsonMember#omitZero() omit zero}. Protocol buffers cannot express an empty list.
 */
public final class MessageWriter extends ValueWriter {

    private static final int INITIAL_SIZE = 8 << 10;
    private static final int LARGEST_KEPT_SIZE = 1 << 20;

    private byte[] out = new byte[INITIAL_SIZE];

    /** What has been written begins here, and ends with the array. */
    private int start = INITIAL_SIZE;

    // The record being written, and the field; null for a member that has none.
    private String messageName = "";
    private long nulls;
    private long empties;
    private @Nullable Slot slot;

    /** Makes an empty writer. */
    public MessageWriter() {}

    /** Discards what was written, and releases an unusually large buffer. */
    public void reset() {
        if (out.length > LARGEST_KEPT_SIZE) {
            out = new byte[INITIAL_SIZE];
        }
        start = out.length;
    }

    /** Returns what has been written. */
    public byte[] toByteArray() {
        return Arrays.copyOfRange(out, start, out.length);
    }

    /**
     * Writes a record in an envelope.
     *
     * @throws NotInSchemaException if a member is not in the schema, or has another type there
     */
    public <T> void document(RecordAdapter<T> adapter, MessageType type, String kind, String apiVersion, T value) {
        record(adapter.shape(type), adapter, value);
        head(2, 0);
        int before = written();
        text(2, kind);
        text(1, apiVersion);
        head(1, before);
        raw(ProtobufDocument.magic());
    }

    private <T> void record(MessageShape shape, RecordAdapter<T> adapter, T value) {
        String outerName = messageName;
        long outerNulls = nulls;
        long outerEmpties = empties;
        Slot outerSlot = slot;
        UnknownFields unknown = adapter.unknownFields(value);
        messageName = shape.message.name();
        nulls = unknown.nulls();
        empties = unknown.empties();
        unknown(shape, unknown);
        slot = null;
        for (Member member : shape.withoutField) {
            member.write(this, value);
        }
        for (Slot written : shape.written) {
            slot = written;
            if (written.member != null) {
                written.member.write(this, value);
            }
        }
        messageName = outerName;
        nulls = outerNulls;
        empties = outerEmpties;
        slot = outerSlot;
    }

    private void unknown(MessageShape shape, UnknownFields unknown) {
        if (unknown.encoding() == shape) {
            start = reserve(unknown.length());
            unknown.copyTo(out, start);
        } else if (unknown.length() > 0) {
            raw(ProtobufDocument.fields(shape.message, JsonObject.of(unknown)));
        }
    }

    /** Returns the slot of a member, which has a value. */
    private Slot slot(Member member) {
        if (slot == null) {
            throw new NotInSchemaException(messageName + " has no field for " + member.name());
        }
        return slot;
    }

    /** Returns the number of a member whose value has this form. */
    private int number(Member member, boolean hasForm) {
        if (!hasForm) {
            throw new NotInSchemaException(messageName + "." + member.name() + " has another type in the schema");
        }
        return slot(member).field.number();
    }

    private boolean isSingle(Member member, Form form) {
        return slot(member).field.shape() == Shape.SINGLE && slot(member).field.form() == form;
    }

    /** Returns whether 0 and false of this member are written. */
    private boolean writesZero(Member member) {
        return wasEmpty(member) || !(member.omitsZero || (nulls & member.bit) != 0);
    }

    private boolean wasEmpty(Member member) {
        return (empties & member.bit) != 0;
    }

    @Override
    void string(Member member, @Nullable String value) {
        if (value != null && (!value.isEmpty() || wasEmpty(member))) {
            nullable(member, value);
        }
    }

    @Override
    void nullable(Member member, @Nullable String value) {
        if (value != null) {
            int before = written();
            text(member, slot(member).field.form(), value);
            head(number(member, slot(member).field.shape() == Shape.SINGLE), before);
        }
    }

    /** Writes a text, in the form of the field, without its length. */
    private void text(Member member, Form form, String value) {
        switch (form) {
            case STRING -> raw(value.getBytes(StandardCharsets.UTF_8));
            case QUANTITY -> text(1, value);
            case BYTES -> raw(bytes(member, value));
            case TIME -> instant(member, value);
            default -> number(member, false);
        }
    }

    private void instant(Member member, String time) {
        try {
            if (!time.isEmpty()) {
                instant(Time.parse(time).instant());
            }
        } catch (IllegalArgumentException e) {
            throw new NotInSchemaException(messageName + "." + member.name() + " cannot be " + time);
        }
    }

    private byte[] bytes(Member member, String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new NotInSchemaException(messageName + "." + member.name() + " cannot be " + base64);
        }
    }

    private void text(int number, String value) {
        int before = written();
        raw(value.getBytes(StandardCharsets.UTF_8));
        head(number, before);
    }

    @Override
    void integer(Member member, long value) {
        if (value != 0 || writesZero(member)) {
            nullable(member, (Long) value);
        }
    }

    @Override
    void nullable(Member member, @Nullable Long value) {
        if (value != null) {
            boolean fits = isSingle(member, Form.INT64) || (isSingle(member, Form.INT32) && value == value.intValue());
            varint(number(member, fits), value);
        }
    }

    @Override
    void bool(Member member, boolean value) {
        if (value || writesZero(member)) {
            varint(number(member, isSingle(member, Form.BOOL)), value ? 1 : 0);
        }
    }

    @Override
    void nullable(Member member, @Nullable Boolean value) {
        if (value != null) {
            varint(number(member, isSingle(member, Form.BOOL)), value ? 1 : 0);
        }
    }

    @Override
    void time(Member member, @Nullable Time value) {
        time(member, Form.TIME, value == null ? null : value.instant());
    }

    @Override
    void microTime(Member member, @Nullable MicroTime value) {
        time(member, Form.MICRO_TIME, value == null ? null : value.instant());
    }

    private void time(Member member, Form form, @Nullable Instant value) {
        // Go's zero time is null in JSON and a message without fields here; a nil pointer is absent.
        boolean isZero = (nulls & member.bit) != 0 && slot != null && slot.field.isZeroTimeNull();
        if (value == null && !isZero) {
            return;
        }
        int before = written();
        if (value != null) {
            instant(value);
        }
        head(number(member, isSingle(member, form)), before);
    }

    private void instant(Instant value) {
        varint(2, value.getNano());
        varint(1, value.getEpochSecond());
    }

    @Override
    void intOrString(Member member, @Nullable IntOrString value) {
        if (value != null && (value.text() != null || value.number() != 0 || writesZero(member))) {
            nullable(member, value);
        }
    }

    @Override
    void nullable(Member member, @Nullable IntOrString value) {
        if (value == null) {
            return;
        }
        int before = written();
        String text = value.text();
        if (text != null) {
            text(3, text);
        } else {
            varint(2, value.number());
        }
        varint(1, text != null ? 1 : 0);
        head(number(member, isSingle(member, Form.INT_OR_STRING)), before);
    }

    @Override
    <T> void value(Member member, RecordAdapter<T> adapter, @Nullable T value) {
        if (value == null || (slot == null && value.equals(adapter.zero()))) {
            return;
        }
        int before = written();
        record(slot(member).nested(adapter), adapter, value);
        if (written() > before || wasEmpty(member) || hasMembersInJson(adapter.unknownFields(value))) {
            head(number(member, isSingle(member, Form.MESSAGE)), before);
        }
    }

    /** Returns whether JSON has members, such as nulls, where the message may have no fields. */
    private static boolean hasMembersInJson(UnknownFields unknown) {
        return unknown.nulls() != 0 || unknown.length() > 0 || unknown.encoding() != null;
    }

    @Override
    <T> void nullable(Member member, RecordAdapter<T> adapter, @Nullable T value) {
        if (value != null) {
            int before = written();
            record(slot(member).nested(adapter), adapter, value);
            head(number(member, isSingle(member, Form.MESSAGE)), before);
        }
    }

    @Override
    <T> void list(Member member, RecordAdapter<T> adapter, @Nullable List<T> elements) {
        if (elements == null) {
            return;
        }
        for (int i = elements.size(); i > 0; i--) {
            int before = written();
            record(slot(member).nested(adapter), adapter, elements.get(i - 1));
            head(number(member, slot(member).field.shape() == Shape.LIST), before);
        }
    }

    @Override
    <T> void map(Member member, RecordAdapter<T> adapter, @Nullable Map<String, T> entries) {
        for (Map.Entry<String, T> entry : backwards(entries)) {
            int before = written();
            record(slot(member).nested(adapter), adapter, entry.getValue());
            head(2, before);
            text(1, entry.getKey());
            head(number(member, slot(member).field.shape() == Shape.MAP), before);
        }
    }

    @Override
    void strings(Member member, @Nullable List<String> elements) {
        if (elements == null || (elements.isEmpty() && !wasEmpty(member))) {
            return;
        }
        Slot here = slot(member);
        boolean isWrapped = here.field.form() == Form.STRINGS;
        int outside = written();
        for (int i = elements.size(); i > 0; i--) {
            int before = written();
            text(member, isWrapped ? Form.STRING : here.field.form(), elements.get(i - 1));
            head(isWrapped ? 1 : number(member, here.field.shape() == Shape.LIST), before);
        }
        if (isWrapped) {
            head(number(member, here.field.shape() == Shape.SINGLE), outside);
        }
    }

    @Override
    void integers(Member member, @Nullable List<Integer> elements) {
        if (elements == null) {
            return;
        }
        for (int i = elements.size(); i > 0; i--) {
            MessageType.Field field = slot(member).field;
            varint(number(member, field.shape() == Shape.LIST && field.form().isNumber()), elements.get(i - 1));
        }
    }

    @Override
    void stringMap(Member member, @Nullable Map<String, String> entries) {
        for (Map.Entry<String, String> entry : backwards(entries)) {
            int before = written();
            text(member, slot(member).field.form(), entry.getValue());
            head(2, before);
            text(1, entry.getKey());
            head(number(member, slot(member).field.shape() == Shape.MAP), before);
        }
    }

    private static <T> List<Map.Entry<String, T>> backwards(@Nullable Map<String, T> entries) {
        if (entries == null || entries.isEmpty()) {
            return List.of();
        }
        List<Map.Entry<String, T>> backwards = new ArrayList<>(entries.entrySet());
        Collections.reverse(backwards);
        return backwards;
    }

    /** Writes the tag and the length of what has been written since there were this many bytes. */
    private void head(int number, int before) {
        varint(written() - before);
        varint((long) number << 3 | WireReader.LENGTH);
    }

    private int written() {
        return out.length - start;
    }

    private void varint(int number, long value) {
        varint(value);
        varint((long) number << 3 | WireReader.VARINT);
    }

    private void varint(long value) {
        int bytes = (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
        start = reserve(bytes);
        long rest = value;
        for (int i = start; i < start + bytes - 1; i++) {
            out[i] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        out[start + bytes - 1] = (byte) rest;
    }

    private void raw(byte[] bytes) {
        start = reserve(bytes.length);
        System.arraycopy(bytes, 0, out, start, bytes.length);
    }

    /** Returns where this many bytes begin, in front of what has been written. */
    private int reserve(int count) {
        if (start < count) {
            int written = out.length - start;
            byte[] larger = new byte[Math.max(Math.multiplyExact(out.length, 2), Math.addExact(written, count))];
            System.arraycopy(out, start, larger, larger.length - written, written);
            start = larger.length - written;
            out = larger;
        }
        return start - count;
    }
}
