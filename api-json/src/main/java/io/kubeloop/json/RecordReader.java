package io.kubeloop.json;

import io.kubeloop.api.IntOrString;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives the members of JSON objects to {@link RecordAdapter adapters}, one after the other, and collects what they do not
 * know. Not thread-safe; an adapter uses it only while its {@code read} runs.
 *
 * <p>After {@link #next} has named a member, exactly one method must read its value. All of them take {@code null} for the
 * zero value, as Go does, and note it, as they note explicit empty values, so that both are written back.
 */
public final class RecordReader {

    /** Values of annotations up to this length are shared: {@code true}, port numbers. Not times, which are longer. */
    private static final int SHORT = 16;

    private final JsonScanner json = new JsonScanner();
    private final StringPool pool;
    private final Time[] recentTimes = new Time[256];
    private final UnknownMembers unknown = new UnknownMembers();

    // The record being read.
    private MemberNames names = new MemberNames(List.of(), 0);
    private long bit;
    private long nulls;
    private long empties;
    private boolean ended;
    private boolean populated;
    private int firstSpan;

    // What objects have to say of themselves if they say it, and what the last one has said; empty if nothing.
    private String expectedKind = "";
    private String expectedApiVersion = "";
    private String kind = "";
    private String apiVersion = "";

    RecordReader(StringPool pool) {
        this.pool = pool;
    }

    JsonScanner open(InputStream in) {
        unknown.clear();
        json.open(in);
        return json;
    }

    JsonScanner open(byte[] document) {
        unknown.clear();
        json.open(document);
        return json;
    }

    void release() {
        json.release();
    }

    /** Reads an object of this resource. */
    <T extends KubeObject> T object(ObjectAdapter<T> adapter, ResourceType<T> type) {
        return adapter.takesAnyKind() ? object(adapter, "", "") : object(adapter, type.kind(), type.apiVersion());
    }

    /** Reads an object of this kind, or of any if empty. One that does not name its kind passes. */
    <T extends KubeObject> T object(ObjectAdapter<T> adapter, String kind, String apiVersion) {
        expectedKind = kind;
        expectedApiVersion = apiVersion;
        this.kind = "";
        this.apiVersion = "";
        return record(adapter);
    }

    String kind() {
        return kind;
    }

    String apiVersion() {
        return apiVersion;
    }

    /** Reads the value that follows, which must be an object or null. Null is a record with everything absent. */
    <T> T record(RecordAdapter<T> adapter) {
        MemberNames outerNames = names;
        long outerBit = bit;
        long outerNulls = nulls;
        long outerEmpties = empties;
        int outerFirstSpan = firstSpan;

        names = adapter.names();
        nulls = 0;
        empties = 0;
        bit = 0;
        firstSpan = unknown.count();
        populated = false;
        ended = json.takeNull();
        if (!ended) {
            json.beginObject();
        }
        T value = adapter.read(this);
        if (!ended) {
            throw new IllegalStateException(adapter.getClass().getName() + " did not read all members");
        }

        names = outerNames;
        bit = outerBit;
        nulls = outerNulls;
        empties = outerEmpties;
        unknown.drop(firstSpan);
        firstSpan = outerFirstSpan;
        ended = false;
        return value;
    }

    /** Returns the name of the next member that the record knows, or null when there are no more. */
    public @Nullable String next() {
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
                    ? names.find(json.window(), from, to)
                    : names.indexOf(JsonText.unescape(json.window(), from, to));
            if (index >= 0) {
                bit = 1L << index;
                nulls &= ~bit;
                empties &= ~bit;
                if (!names.isType(index)) {
                    return names.name(index);
                }
                readType(index);
                continue;
            }
            json.skipValue();
            unknown.add(firstSpan, start, json.position());
        }
        return null;
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

    /** Returns an error for a member that the adapter lists but does not read: a fault of the adapter. */
    public IllegalStateException unexpected(String member) {
        return new IllegalStateException("an adapter lists the member \"" + member + "\" but does not read it");
    }

    /** Returns the members of this record that {@link #next} has not named. To be called once, after the last. */
    public UnknownFields unknownFields() {
        return unknown.take(firstSpan, json.window(), nulls, empties);
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

    /** Reads a string that few objects have in common, such as a name; null is empty. */
    public String string() {
        if (absent()) {
            return "";
        }
        String text = text(false);
        noteEmpty(text.isEmpty());
        return text;
    }

    /** Reads a string that many objects have in common, such as a namespace, and shares it among them; null is empty. */
    public String sharedString() {
        if (absent()) {
            return "";
        }
        String text = text(true);
        noteEmpty(text.isEmpty());
        return text;
    }

    /** Reads a string, or null. */
    public @Nullable String nullableString() {
        return absent() ? null : text(true);
    }

    private String text(boolean shared) {
        int from = json.string("a string");
        return text(from, json.position() - 1, shared);
    }

    private String text(int from, int to, boolean shared) {
        return shared && json.plain() ? pool.get(json.window(), from, to) : json.text(from, to);
    }

    /** Reads a 32-bit integer; null is 0. */
    public int integer() {
        return (int) number(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** Reads a 64-bit integer; null is 0. */
    public long longInteger() {
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

    /** Reads a 32-bit integer, or null. */
    public @Nullable Integer nullableInteger() {
        return absent() ? null : (Integer) (int) json.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** Reads a 64-bit integer, or null. */
    public @Nullable Long nullableLong() {
        return absent() ? null : (Long) json.integer(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Reads true or false; null is false. */
    public boolean bool() {
        if (absent()) {
            return false;
        }
        boolean value = json.bool();
        noteEmpty(!value);
        return value;
    }

    /** Reads true or false, or null. */
    public @Nullable Boolean nullableBool() {
        return absent() ? null : (Boolean) json.bool();
    }

    /** Reads a time of seconds precision, or null; the first second of the year 1 is null, too, as Go's zero time. */
    public @Nullable Time time() {
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
        int place = (int) (second ^ (second >>> 8)) & (recentTimes.length - 1);
        Time recent = recentTimes[place];
        if (recent == null || recent.instant().getEpochSecond() != second) {
            recent = TimeText.time(second);
            recentTimes[place] = recent;
        }
        return recent;
    }

    /** Reads a time of microseconds precision, or null; zero is as in {@link #time}. */
    public @Nullable MicroTime microTime() {
        if (absent()) {
            return null;
        }
        MicroTime time = parsed(json.string("a time in RFC 3339 form"), MicroTime::parse);
        return zero(time.instant()) ? null : time;
    }

    /** Returns whether a time stands for null, which then counts as what was read. */
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

    /** Reads an integer or a string; null is the number 0. */
    public IntOrString intOrString() {
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

    /** Reads an object whose absence means the zero value: null is a record with everything absent. */
    public <T> T value(RecordAdapter<T> adapter) {
        boolean absent = json.token() == 'n';
        T value = record(adapter);
        if (absent) {
            nulls |= bit;
        } else {
            noteEmpty(!populated);
        }
        return value;
    }

    /** Reads the metadata of an object. */
    public ObjectMeta metadata() {
        return value(ObjectMetaAdapter.INSTANCE);
    }

    /** Reads an object, or null. */
    public <T> @Nullable T nullable(RecordAdapter<T> adapter) {
        return absent() ? null : record(adapter);
    }

    /** Reads a list of objects; null is empty. */
    public <T> List<T> list(RecordAdapter<T> adapter) {
        if (absent()) {
            return List.of();
        }
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

    /** Reads a list of strings that few objects have in common, such as addresses; null is empty. */
    public List<String> strings() {
        return strings(false);
    }

    /** Reads a list of strings that many objects have in common, such as finalizers; null is empty. */
    public List<String> sharedStrings() {
        return strings(true);
    }

    private List<String> strings(boolean shared) {
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

    /**
     * Reads an object whose members are strings that few objects have in common, such as annotations, keeping their order;
     * null is empty. The names and very short values are shared all the same.
     */
    public Map<String, String> stringMap() {
        return stringMap(SHORT);
    }

    /** Reads an object whose members are strings that many objects have in common, such as labels; null is empty. */
    public Map<String, String> sharedStringMap() {
        return stringMap(Integer.MAX_VALUE);
    }

    private Map<String, String> stringMap(int longestShared) {
        if (absent()) {
            return Map.of();
        }
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
        return entries;
    }
}
