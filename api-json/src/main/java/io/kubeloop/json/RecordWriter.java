package io.kubeloop.json;

import io.kubeloop.api.IntOrString;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the members of JSON objects from {@link RecordAdapter adapters}, in order, and adds what they do not know. Not
 * thread-safe; an adapter uses it only while its {@code write} runs.
 *
 * <p>A zero value is left out, unless the object has been read and had it explicitly: then {@code null}, {@code ""},
 * {@code 0}, {@code false}, {@code []} or {@code {}} comes out as it went in.
 */
public final class RecordWriter {

    private static final int INITIAL_SIZE = 8 << 10;
    private static final int LARGEST_KEPT_SIZE = 1 << 20;

    private byte[] out = new byte[INITIAL_SIZE];
    private int length;

    // The record being written.
    private MemberNames names = new MemberNames(List.of(), 0);
    private long nulls;
    private long empties;

    RecordWriter() {}

    /** Empties this, and lets go of a buffer that has grown beyond the usual. */
    void reset() {
        length = 0;
        if (out.length > LARGEST_KEPT_SIZE) {
            out = new byte[INITIAL_SIZE];
        }
    }

    byte[] toByteArray() {
        return Arrays.copyOf(out, length);
    }

    /** Writes an object with its type in front. */
    <T extends KubeObject> void object(ObjectAdapter<T> adapter, String kind, String apiVersion, T value) {
        put('{');
        string("kind", kind);
        string("apiVersion", apiVersion);
        membersAndBrace(adapter, value);
    }

    private <T> void record(RecordAdapter<T> adapter, T value) {
        put('{');
        membersAndBrace(adapter, value);
    }

    private <T> void membersAndBrace(RecordAdapter<T> adapter, T value) {
        MemberNames outerNames = names;
        long outerNulls = nulls;
        long outerEmpties = empties;
        UnknownFields unknown = adapter.unknownFields(value);
        names = adapter.names();
        nulls = unknown.nulls();
        empties = unknown.empties();
        adapter.write(this, value);
        if (unknown.length() > 0) {
            separate();
            reserve(unknown.length());
            System.arraycopy(unknown.array(), unknown.offset(), out, length, unknown.length());
            length += unknown.length();
        }
        put('}');
        names = outerNames;
        nulls = outerNulls;
        empties = outerEmpties;
    }

    /** Writes a string; leaves out an empty one. */
    public void string(String name, String value) {
        if (value.isEmpty()) {
            absent(name, "\"\"");
        } else {
            name(name);
            quoted(value);
        }
    }

    /** Writes a string; leaves out null. */
    public void nullable(String name, @Nullable String value) {
        if (value == null) {
            absent(name, "");
        } else {
            name(name);
            quoted(value);
        }
    }

    /** Writes an integer; leaves out 0. */
    public void integer(String name, long value) {
        if (value == 0) {
            absent(name, "0");
        } else {
            name(name);
            number(value);
        }
    }

    /** Writes an integer; leaves out null. */
    public void nullable(String name, @Nullable Integer value) {
        nullable(name, value == null ? null : (Long) value.longValue());
    }

    /** Writes an integer; leaves out null. */
    public void nullable(String name, @Nullable Long value) {
        if (value == null) {
            absent(name, "");
        } else {
            name(name);
            number(value);
        }
    }

    /** Writes true; leaves out false. */
    public void bool(String name, boolean value) {
        if (value) {
            name(name);
            ascii("true");
        } else {
            absent(name, "false");
        }
    }

    /** Writes true or false; leaves out null. */
    public void nullable(String name, @Nullable Boolean value) {
        if (value == null) {
            absent(name, "");
        } else {
            name(name);
            ascii(value ? "true" : "false");
        }
    }

    /** Writes a value in its text form, such as a time; leaves out null. */
    public void text(String name, @Nullable Object value) {
        nullable(name, value == null ? null : value.toString());
    }

    /** Writes an integer or a string; leaves out the integer 0. */
    public void intOrString(String name, IntOrString value) {
        String text = value.text();
        if (text != null) {
            nullable(name, text);
        } else {
            integer(name, value.number());
        }
    }

    /** Writes an object; leaves out one in which everything is absent. */
    public <T> void value(String name, RecordAdapter<T> adapter, T value) {
        int before = length;
        name(name);
        int start = length;
        record(adapter, value);
        if (length == start + 2) {
            length = before;
            absent(name, "{}");
        }
    }

    /** Writes the metadata of an object. */
    public void metadata(ObjectMeta value) {
        value("metadata", ObjectMetaAdapter.INSTANCE, value);
    }

    /** Writes an object; leaves out null. */
    public <T> void nullable(String name, RecordAdapter<T> adapter, @Nullable T value) {
        if (value == null) {
            absent(name, "");
        } else {
            name(name);
            record(adapter, value);
        }
    }

    /** Writes a list of objects; leaves out an empty one. */
    public <T> void list(String name, RecordAdapter<T> adapter, List<T> elements) {
        if (elements.isEmpty()) {
            absent(name, "[]");
            return;
        }
        name(name);
        put('[');
        for (T element : elements) {
            separate();
            record(adapter, element);
        }
        put(']');
    }

    /** Writes a list of strings; leaves out an empty one. */
    public void strings(String name, List<String> elements) {
        if (elements.isEmpty()) {
            absent(name, "[]");
            return;
        }
        name(name);
        put('[');
        for (String element : elements) {
            separate();
            quoted(element);
        }
        put(']');
    }

    /** Writes an object whose members are all strings; leaves out an empty one. */
    public void stringMap(String name, Map<String, String> entries) {
        if (entries.isEmpty()) {
            absent(name, "{}");
            return;
        }
        name(name);
        put('{');
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            separate();
            quoted(entry.getKey());
            put(':');
            quoted(entry.getValue());
        }
        put('}');
    }

    /** Writes null or an empty value where the object that was read had one. */
    private void absent(String name, String empty) {
        if ((nulls | empties) == 0) {
            return;
        }
        int index = names.indexOf(name);
        if (index < 0) {
            throw new IllegalStateException("an adapter writes the member \"" + name + "\" but does not list it");
        }
        long bit = 1L << index;
        if ((nulls & bit) != 0) {
            name(name);
            ascii("null");
        } else if ((empties & bit) != 0 && !empty.isEmpty()) {
            name(name);
            ascii(empty);
        }
    }

    private void name(String name) {
        separate();
        quoted(name);
        put(':');
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
