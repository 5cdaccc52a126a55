/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.value.IntOrString;
import io.kubeloop.json.scan.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as JSON objects: the members of their {@link RecordAdapter adapters} in order, then the unknown
 * members. Not thread-safe.
 *
 * <p>Zero values and nulls are omitted, unless the document that the record was read from had them explicitly. Then
 * {@code null}, {@code ""}, {@code 0}, {@code false}, {@code []} or {@code {}} is written as it was read. The integer 0
 * and {@code false} are omitted only from members that {@linkplain io.kubeloop.api.JsonMember#omitZero() omit zero}.
 */
public final class RecordWriter extends ValueWriter {

    private static final int INITIAL_SIZE = 8 << 10;
    private static final int LARGEST_KEPT_SIZE = 1 << 20;

    private byte[] out = new byte[INITIAL_SIZE];
    private int length;

    // The record being written.
    private long nulls;
    private long empties;

    /** Makes an empty writer. */
    public RecordWriter() {}

    /** Discards what was written, and releases an unusually large buffer. */
    public void reset() {
        length = 0;
        if (out.length > LARGEST_KEPT_SIZE) {
            out = new byte[INITIAL_SIZE];
        }
    }

    /** Returns what has been written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(out, length);
    }

    /** Writes an object, beginning with its kind and version. */
    public <T extends KubeObject> void object(RecordAdapter<T> adapter, String kind, String apiVersion, T value) {
        put('{');
        ascii("\"kind\":");
        quoted(kind);
        ascii(",\"apiVersion\":");
        quoted(apiVersion);
        membersAndBrace(adapter, value);
    }

    private <T> void record(RecordAdapter<T> adapter, T value) {
        put('{');
        membersAndBrace(adapter, value);
    }

    private <T> void membersAndBrace(RecordAdapter<T> adapter, T value) {
        long outerNulls = nulls;
        long outerEmpties = empties;
        UnknownFields unknown = adapter.unknownFields(value);
        nulls = unknown.nulls();
        empties = unknown.empties();
        for (Member member : adapter.members()) {
            member.write(this, value);
        }
        unknown(unknown.inJson());
        put('}');
        nulls = outerNulls;
        empties = outerEmpties;
    }

    private void unknown(UnknownFields unknown) {
        if (unknown.length() > 0) {
            separate();
            reserve(unknown.length());
            unknown.copyTo(out, length);
            length += unknown.length();
        }
    }

    @Override
    void string(Member member, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            absent(member, "\"\"");
        } else {
            name(member);
            quoted(value);
        }
    }

    @Override
    void nullable(Member member, @Nullable String value) {
        if (value == null) {
            absent(member, "");
        } else {
            name(member);
            quoted(value);
        }
    }

    @Override
    void integer(Member member, long value) {
        if (value == 0 && isAbsent(member)) {
            absent(member, "0");
        } else {
            name(member);
            number(value);
        }
    }

    @Override
    void nullable(Member member, @Nullable Long value) {
        if (value == null) {
            absent(member, "");
        } else {
            name(member);
            number(value);
        }
    }

    @Override
    void bool(Member member, boolean value) {
        if (!value && isAbsent(member)) {
            absent(member, "false");
        } else {
            name(member);
            ascii(value ? "true" : "false");
        }
    }

    @Override
    void nullable(Member member, @Nullable Boolean value) {
        if (value == null) {
            absent(member, "");
        } else {
            name(member);
            ascii(value ? "true" : "false");
        }
    }

    @Override
    void time(Member member, @Nullable Time value) {
        nullable(member, value == null ? null : value.toString());
    }

    @Override
    void microTime(Member member, @Nullable MicroTime value) {
        nullable(member, value == null ? null : value.toString());
    }

    @Override
    void intOrString(Member member, @Nullable IntOrString value) {
        if (value == null) {
            absent(member, "0");
        } else if (value.text() == null) {
            integer(member, value.number());
        } else {
            nullable(member, value.text());
        }
    }

    @Override
    void nullable(Member member, @Nullable IntOrString value) {
        if (value == null || value.text() == null) {
            nullable(member, value == null ? null : (Long) (long) value.number());
        } else {
            nullable(member, value.text());
        }
    }

    @Override
    <T> void value(Member member, RecordAdapter<T> adapter, @Nullable T value) {
        if (value == null) {
            absent(member, "{}");
            return;
        }
        int before = length;
        name(member);
        int start = length;
        record(adapter, value);
        if (length == start + 2) {
            length = before;
            absent(member, "{}");
        }
    }

    @Override
    <T> void nullable(Member member, RecordAdapter<T> adapter, @Nullable T value) {
        if (value == null) {
            absent(member, "");
        } else {
            name(member);
            record(adapter, value);
        }
    }

    @Override
    <T> void list(Member member, RecordAdapter<T> adapter, @Nullable List<T> elements) {
        if (elements == null || elements.isEmpty()) {
            absent(member, "[]");
            return;
        }
        name(member);
        put('[');
        for (T element : elements) {
            separate();
            record(adapter, element);
        }
        put(']');
    }

    @Override
    <T> void map(Member member, RecordAdapter<T> adapter, @Nullable Map<String, T> entries) {
        if (entries == null || entries.isEmpty()) {
            absent(member, "{}");
            return;
        }
        name(member);
        put('{');
        for (Map.Entry<String, T> entry : entries.entrySet()) {
            separate();
            quoted(entry.getKey());
            put(':');
            record(adapter, entry.getValue());
        }
        put('}');
    }

    @Override
    void strings(Member member, @Nullable List<String> elements) {
        if (elements == null || elements.isEmpty()) {
            absent(member, "[]");
            return;
        }
        name(member);
        put('[');
        for (String element : elements) {
            separate();
            quoted(element);
        }
        put(']');
    }

    @Override
    void integers(Member member, @Nullable List<Integer> elements) {
        if (elements == null || elements.isEmpty()) {
            absent(member, "[]");
            return;
        }
        name(member);
        put('[');
        for (Integer element : elements) {
            separate();
            number(element);
        }
        put(']');
    }

    @Override
    void stringMap(Member member, @Nullable Map<String, String> entries) {
        if (entries == null || entries.isEmpty()) {
            absent(member, "{}");
            return;
        }
        name(member);
        put('{');
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            separate();
            quoted(entry.getKey());
            put(':');
            quoted(entry.getValue());
        }
        put('}');
    }

    /** Returns whether 0 and false of this member are absent, or were read as null. */
    private boolean isAbsent(Member member) {
        return member.omitsZero || (nulls & member.bit) != 0;
    }

    /** Writes null or an empty value if the read object had it explicitly. */
    private void absent(Member member, String empty) {
        if ((nulls & member.bit) != 0) {
            name(member);
            ascii("null");
        } else if ((empties & member.bit) != 0 && !empty.isEmpty()) {
            name(member);
            ascii(empty);
        }
    }

    private void name(Member member) {
        byte[] prefix = member.prefix;
        int comma = out[length - 1] == '{' ? 1 : 0;
        int size = prefix.length - comma;
        reserve(size);
        System.arraycopy(prefix, comma, out, length, size);
        length += size;
    }

    /** Writes a comma, unless this is the first in its object or array. */
    private void separate() {
        byte last = out[length - 1];
        if (last != '{' && last != '[') {
            put(',');
        }
    }

    private void quoted(String text) {
        reserve(Math.addExact(Math.multiplyExact(text.length(), 6), 2));
        length = JsonText.putQuoted(out, length, text);
    }

    private void number(long value) {
        ascii(Long.toString(value));
    }

    private void ascii(String text) {
        reserve(text.length());
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, out, length, bytes.length);
        length += bytes.length;
    }

    private void put(char c) {
        reserve(1);
        out[length++] = (byte) c;
    }

    private void reserve(int count) {
        if (out.length - length < count) {
            out = Arrays.copyOf(out, Math.max(Math.multiplyExact(out.length, 2), Math.addExact(length, count)));
        }
    }
}
