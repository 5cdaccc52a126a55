/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.value.IntOrString;
import io.kubeloop.json.scan.JsonScanner;
import io.kubeloop.json.scan.JsonText;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads records from JSON objects: the members of their {@link RecordAdapter adapters}, and all others as unknown
 * members. Not thread-safe.
 *
 * <p>After {@link #next} has found a member, exactly one method must read its value. All methods treat {@code null} as
 * the zero value, as Go does. They note nulls and explicit empty values, so the writer can restore both.
 *
 * <p>This class is long because it has one method for each form of a member, and they share the state of the scanner.
 */
public final class RecordReader extends ValueReader {

    private final JsonScanner json;

    // The record being read.
    private MemberNames names = new MemberNames(List.of(), 0);
    private int expected;
    private long bit;
    private long nulls;
    private long empties;
    private boolean ended;
    private boolean populated;
    private int firstSpan;

    // The kind and version that an object must have if it states them, and those of the last object; empty if absent.
    private String expectedKind = "";
    private String expectedApiVersion = "";
    private String kind = "";
    private String apiVersion = "";

    /**
     * Makes a reader.
     *
     * @param shared the pools through which equal parts of objects are shared
     * @param maxObjectBytes the largest object to read from a stream
     */
    public RecordReader(SharedValues shared, int maxObjectBytes) {
        super(shared);
        json = new JsonScanner(maxObjectBytes);
    }

    /** Starts on a stream, which this reader never closes. */
    public JsonScanner open(InputStream in) {
        unknown.clear();
        depth = 0;
        json.open(in);
        return json;
    }

    /** Starts on a whole document; copies it. */
    public JsonScanner open(byte[] document) {
        return open(document, 0, document.length);
    }

    /** Starts on a whole document, a part of an array; copies it. */
    public JsonScanner open(byte[] array, int from, int length) {
        unknown.clear();
        depth = 0;
        json.open(array, from, length);
        return json;
    }

    /** Returns the scanner, which is at the next token. */
    public JsonScanner scanner() {
        return json;
    }

    /** Releases the stream and large buffers. */
    public void release() {
        json.release();
    }

    /** Reads an object of this resource. */
    public <T extends KubeObject> T object(RecordAdapter<T> adapter, ResourceType<T> type) {
        return adapter.takesAnyKind() ? object(adapter, "", "") : object(adapter, type.kind(), type.apiVersion());
    }

    /** Reads an object of this kind, or of any kind if empty. Accepts an object without a kind. */
    public <T extends KubeObject> T object(RecordAdapter<T> adapter, String kind, String apiVersion) {
        expectedKind = kind;
        expectedApiVersion = apiVersion;
        this.kind = "";
        this.apiVersion = "";
        return record(adapter);
    }

    @Override
    String kind() {
        return kind;
    }

    @Override
    String apiVersion() {
        return apiVersion;
    }

    /** Reads the next value, which must be an object or null. Null becomes a record whose members are all absent. */
    public <T> T record(RecordAdapter<T> adapter) {
        MemberNames outerNames = names;
        int outerExpected = expected;
        long outerBit = bit;
        long outerNulls = nulls;
        long outerEmpties = empties;
        int outerFirstSpan = firstSpan;

        names = adapter.names();
        nulls = 0;
        empties = 0;
        bit = 0;
        expected = 0;
        firstSpan = unknown.count();
        populated = false;
        ended = json.takeNull();
        if (!ended) {
            json.beginObject();
        }
        @Nullable Object[] values = frame(adapter.zeros());
        depth++;
        Member[] members = adapter.membersByIndex();
        for (int member = next(); member >= 0; member = next()) {
            Member known = members[member];
            values[known.component] = known.read(this);
        }
        T value = adapter.make(values, this);
        depth--;

        names = outerNames;
        expected = outerExpected;
        bit = outerBit;
        nulls = outerNulls;
        empties = outerEmpties;
        unknown.drop(firstSpan);
        firstSpan = outerFirstSpan;
        ended = false;
        return value;
    }

    /** Returns the number of the next member that the record knows, or -1 when there are no more. */
    private int next() {
        while (!ended) {
            if (!json.hasNextMember()) {
                ended = true;
                populated = nulls != 0 || empties != 0 || bit != 0 || unknown.count() != firstSpan;
                break;
            }
            json.token();
            int start = json.position();
            int from = json.name();
            int to = json.nameEnd();
            int index = json.plain()
                    ? names.find(json.window(), from, to, expected)
                    : names.indexOf(JsonText.unescape(json.window(), from, to));
            if (index >= 0) {
                bit = 1L << index;
                expected = index + 1;
                nulls &= ~bit;
                empties &= ~bit;
                if (!names.isType(index)) {
                    return index;
                }
                readType(index);
                continue;
            }
            json.skipValue();
            unknown.addJson(firstSpan, start, json.position());
        }
        return -1;
    }

    @Override
    DecodeException rejected(Class<?> type, RuntimeException cause) {
        return json.rejected(type.getSimpleName() + " rejects its members: " + cause, cause);
    }

    private void readType(int index) {
        json.token();
        int start = json.position();
        String text = json.takeNull() ? "" : text(true);
        if (index == MemberNames.KIND) {
            checkType(expectedKind, text, start);
            kind = text;
        } else {
            checkType(expectedApiVersion, text, start);
            apiVersion = text;
        }
    }

    private void checkType(String expected, String found, int start) {
        if (!found.isEmpty() && !expected.isEmpty() && !expected.equals(found)) {
            throw json.expected("\"" + expected + "\"", start, null);
        }
    }

    @Override
    UnknownFields unknownFields(boolean shared) {
        return unknown.take(firstSpan, json.window(), nulls, empties, shared, null, false);
    }

    private boolean absent() {
        if (json.takeNull()) {
            nulls |= bit;
            return true;
        }
        return false;
    }

    private void noteEmpty(boolean empty) {
        if (empty) {
            empties |= bit;
        }
    }

    @Override
    String string(boolean shared) {
        if (absent()) {
            return "";
        }
        String text = text(shared);
        noteEmpty(text.isEmpty());
        return text;
    }

    @Override
    @Nullable
    String nullableString(boolean shared) {
        return absent() ? null : text(shared);
    }

    private String text(boolean shared) {
        int from = json.string("a string");
        return text(from, json.position() - 1, shared);
    }

    /** Returns the text of the string that the scanner has consumed last; equal short texts are one object. */
    public String text(int from, int to) {
        return text(from, to, true);
    }

    private String text(int from, int to, boolean shared) {
        return shared && json.plain() ? pool.get(json.window(), from, to) : json.text(from, to);
    }

    @Override
    Integer integer() {
        return boxed((int) number(Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    @Override
    Long longInteger() {
        return number(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private long number(long min, long max) {
        if (absent()) {
            return 0;
        }
        long value = json.integer(min, max);
        noteEmpty(value == 0);
        return value;
    }

    @Override
    @Nullable
    Integer nullableInteger() {
        return absent() ? null : boxed((int) json.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    @Override
    @Nullable
    Long nullableLong() {
        return absent() ? null : (Long) json.integer(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    @Override
    boolean bool() {
        if (absent()) {
            return false;
        }
        boolean value = json.bool();
        noteEmpty(!value);
        return value;
    }

    @Override
    @Nullable
    Boolean nullableBool() {
        return absent() ? null : (Boolean) json.bool();
    }

    @Override
    @Nullable
    Time time() {
        if (absent()) {
            return null;
        }
        int from = json.string("a time in RFC 3339 form");
        long second = TimeText.epochSecond(json.window(), from, json.position() - 1);
        if (second == TimeText.OTHER) {
            Time time = parsed(from, Time::parse);
            return zero(time.instant()) ? null : time;
        }
        if (second == TimeText.ZERO) {
            nulls |= bit;
            return null;
        }
        return time(second);
    }

    @Override
    @Nullable
    MicroTime microTime() {
        if (absent()) {
            return null;
        }
        MicroTime time = parsed(json.string("a time in RFC 3339 form"), MicroTime::parse);
        return zero(time.instant()) ? null : time;
    }

    /** Returns whether this is the zero time, and notes a null in that case. */
    private boolean zero(Instant instant) {
        boolean zero = instant.getEpochSecond() == TimeText.ZERO && instant.getNano() == 0;
        nulls |= zero ? bit : 0;
        return zero;
    }

    private <T> T parsed(int from, Function<String, T> parser) {
        try {
            return parser.apply(json.text(from, json.position() - 1));
        } catch (IllegalArgumentException e) {
            throw json.expected("a time in RFC 3339 form", from - 1, e);
        }
    }

    @Override
    @Nullable
    IntOrString nullableIntOrString() {
        if (absent()) {
            return null;
        }
        return json.token() == '"'
                ? IntOrString.of(text(true))
                : IntOrString.of((int) json.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    @Override
    IntOrString intOrString() {
        if (absent()) {
            return IntOrString.ZERO;
        }
        if (json.token() == '"') {
            return IntOrString.of(text(true));
        }
        int value = (int) json.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
        noteEmpty(value == 0);
        return IntOrString.of(value);
    }

    @Override
    <T> T value(RecordAdapter<T> adapter) {
        boolean absent = json.token() == 'n';
        T value = record(adapter);
        if (absent) {
            nulls |= bit;
        } else {
            noteEmpty(!populated);
        }
        return value;
    }

    @Override
    <T> @Nullable T nullable(RecordAdapter<T> adapter) {
        return absent() ? null : record(adapter);
    }

    @Override
    <T> List<T> list(RecordAdapter<T> adapter) {
        if (absent()) {
            return List.of();
        }
        ValueInterner.Luck luck = adapter.luck();
        @SuppressWarnings("unchecked") // the entries of this type hold lists of these records
        List<T> last = (List<T>) last(luck);
        if (last != null) {
            return last;
        }
        if (!luck.isWorthATry()) {
            return elements(adapter);
        }
        int start = json.position();
        @SuppressWarnings("unchecked") // as above
        List<T> known = (List<T>) sought(luck, adapter);
        if (known != null) {
            return known;
        }
        List<T> read = elements(adapter);
        if (!read.isEmpty()) {
            memo.put(adapter, json.window(), start, json.position(), read);
        }
        return read;
    }

    /** Skips the next value and returns it, if its text is the one that occurred last; otherwise returns null. */
    private @Nullable Object last(ValueInterner.Luck luck) {
        json.token();
        int start = json.position();
        ValueInterner.Entry last = luck.last;
        if (last == null || !last.isAt(json.window(), start)) {
            return null;
        }
        json.rewind(start + last.text().length);
        return last.value();
    }

    /**
     * Skips the next value and returns it, if its text occurred before; otherwise returns null. Ports, environment and
     * owner references are those of other pods of one owner: they cost a scan and a comparison, and no garbage.
     */
    private @Nullable Object sought(ValueInterner.Luck luck, Object type) {
        int start = json.position();
        json.skipValue();
        ValueInterner.Entry found = memo.get(type, json.window(), start, json.position());
        luck.count(found);
        if (found == null) {
            json.rewind(start);
            return null;
        }
        return found.value();
    }

    private <T> List<T> elements(RecordAdapter<T> adapter) {
        json.beginArray();
        if (!json.hasNextElement()) {
            empties |= bit;
            return List.of();
        }
        T first = record(adapter);
        if (!json.hasNextElement()) {
            return List.of(first);
        }
        List<T> elements = new ArrayList<>();
        elements.add(first);
        do {
            elements.add(record(adapter));
        } while (json.hasNextElement());
        return List.copyOf(elements);
    }

    @Override
    List<String> strings(boolean shared) {
        if (absent()) {
            return List.of();
        }
        List<String> elements = new ArrayList<>(4);
        json.beginArray();
        while (json.hasNextElement()) {
            elements.add(json.takeNull() ? "" : text(shared));
        }
        noteEmpty(elements.isEmpty());
        return List.copyOf(elements);
    }

    @Override
    List<Integer> integers() {
        if (absent()) {
            return List.of();
        }
        List<Integer> elements = new ArrayList<>(4);
        json.beginArray();
        while (json.hasNextElement()) {
            elements.add(json.takeNull() ? 0 : boxed((int) json.integer(Integer.MIN_VALUE, Integer.MAX_VALUE)));
        }
        noteEmpty(elements.isEmpty());
        return List.copyOf(elements);
    }

    @Override
    Map<String, String> stringMap(boolean shared) {
        if (absent()) {
            return Values.orEmpty((Map<String, String>) null);
        }
        ValueInterner.Luck luck = shared ? luckOfLabels : luckOfAnnotations;
        @SuppressWarnings("unchecked") // the entries of this type hold such maps
        Map<String, String> last = (Map<String, String>) last(luck);
        if (last != null) {
            return last;
        }
        if (!luck.isWorthATry()) {
            return entries(shared);
        }
        int start = json.position();
        @SuppressWarnings("unchecked") // as above
        Map<String, String> known = (Map<String, String>) sought(luck, StringPool.class);
        if (known != null) {
            return known;
        }
        Map<String, String> read = entries(shared);
        if (!read.isEmpty()) {
            memo.put(StringPool.class, json.window(), start, json.position(), read);
        }
        return read;
    }

    private Map<String, String> entries(boolean shared) {
        int longestShared = shared ? Integer.MAX_VALUE : SHORT;
        Map<String, String> entries = new LinkedHashMap<>();
        json.beginObject();
        while (json.hasNextMember()) {
            int nameFrom = json.name();
            String name = text(nameFrom, json.nameEnd(), true);
            if (json.takeNull()) {
                entries.put(name, "");
            } else {
                int from = json.string("a string");
                int to = json.position() - 1;
                entries.put(name, text(from, to, to - from <= longestShared));
            }
        }
        noteEmpty(entries.isEmpty());
        return Values.orEmpty(entries);
    }

    @Override
    <T> Map<String, T> map(RecordAdapter<T> adapter) {
        if (absent()) {
            return Values.orEmpty((Map<String, T>) null);
        }
        Map<String, T> entries = new LinkedHashMap<>();
        json.beginObject();
        while (json.hasNextMember()) {
            int from = json.name();
            String name = text(from, json.nameEnd(), true);
            entries.put(name, record(adapter));
        }
        noteEmpty(entries.isEmpty());
        return Values.orEmpty(entries);
    }
}
