/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.value.IntOrString;
import io.kubeloop.json.protobuf.MessageType;
import io.kubeloop.json.protobuf.MessageType.Form;
import io.kubeloop.json.protobuf.MessageType.Shape;
import io.kubeloop.json.protobuf.WireReader;
import io.kubeloop.json.record.MessageShape.Slot;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads records from messages of protocol buffers: the fields for which they have components, and all others as unknown
 * fields, in their bytes. Not thread-safe.
 *
 * <p>A record equals the one that {@link RecordReader} reads from the JSON that the server would have sent: a zero
 * value that Go omits in JSON is absent here too.
 *
 * <p>This class is long because it has one method for each form of a member, as its twin for JSON.
 */
public final class MessageReader extends ValueReader {

    private static final byte[] NO_BYTES = {};
    private static final int FIRST = 1 << 3 | WireReader.LENGTH;
    private static final int SECOND = 2 << 3 | WireReader.LENGTH;
    private static final int THIRD = 3 << 3 | WireReader.LENGTH;

    /** The seconds from which RFC 3339 has years of five digits. */
    private static final long BEYOND_YEARS = 253_402_300_800L;

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private final WireReader in = new WireReader(NO_BYTES, 0, 0);
    private String kind = "";
    private String apiVersion = "";

    // The record being read.
    private @Nullable MessageShape shape;
    private long nulls;
    private long empties;
    private long seen;
    private boolean populated;
    private int firstSpan;

    // The field being read: its slot, its tag, the bit of its member, and the end of the message around it.
    private @Nullable Slot slot;
    private int tag;
    private long bit;
    private int end;

    /** The nanoseconds of the last time. */
    private long nanos;

    /** The end of the value of the last entry. */
    private int valueEnd;

    /** The end of the elements that {@link #known} has not found; where they begin if they are not worth keeping. */
    private int keptTo;

    /**
     * Makes a reader.
     *
     * @param shared the pools through which equal parts of objects are shared
     */
    public MessageReader(SharedValues shared) {
        super(shared);
    }

    /** Starts on a range of an array. Eight more bytes must be readable. */
    public WireReader open(byte[] array, int from, int to) {
        unknown.clear();
        depth = 0;
        in.open(array, from, to);
        return in;
    }

    /** Releases the document. */
    public void release() {
        in.open(NO_BYTES, 0, 0);
    }

    /** Returns the text of a range of the document; equal short texts are one object. */
    public String text(int from, int to) {
        return pool.get(in.bytes(), from, to);
    }

    /** Reads the object that ends at this offset; its kind and version are those of the envelope, or empty. */
    public <T extends KubeObject> T object(
            RecordAdapter<T> adapter, MessageType message, int to, String kind, String apiVersion) {
        this.kind = kind;
        this.apiVersion = apiVersion;
        return record(adapter, message, to);
    }

    /** Reads the record that ends at this offset. */
    public <T> T record(RecordAdapter<T> adapter, MessageType message, int to) {
        return record(adapter, adapter.shape(message), to);
    }

    private <T> T record(RecordAdapter<T> adapter, MessageShape inner, int to) {
        MessageShape outerShape = shape;
        Slot outerSlot = slot;
        long outerNulls = nulls;
        long outerEmpties = empties;
        long outerSeen = seen;
        long outerBit = bit;
        int outerTag = tag;
        int outerEnd = end;
        int outerFirstSpan = firstSpan;
        int outerLimit = in.narrow(to);

        shape = inner;
        nulls = 0;
        empties = 0;
        seen = 0;
        end = to;
        populated = false;
        firstSpan = unknown.count();
        @Nullable Object[] values = frame(adapter.zeros());
        depth++;
        fields(inner, values, to);
        nulls |= inner.nullWhenAbsent & ~seen;
        boolean isPopulated = populated || nulls != 0;
        T value = adapter.make(values, this);
        depth--;

        shape = outerShape;
        slot = outerSlot;
        nulls = outerNulls;
        empties = outerEmpties;
        seen = outerSeen;
        bit = outerBit;
        tag = outerTag;
        end = outerEnd;
        unknown.drop(firstSpan);
        firstSpan = outerFirstSpan;
        in.widen(outerLimit);
        populated = isPopulated;
        return value;
    }

    private void fields(MessageShape inner, @Nullable Object[] values, int to) {
        while (in.position() < to) {
            int from = in.position();
            int next = in.tag();
            Slot found = inner.slot(next >>> 3);
            Member member = found == null ? null : found.member;
            if (found == null || member == null) {
                other(found, from, next);
                continue;
            }
            slot = found;
            tag = next;
            bit = member.bit;
            if ((seen & bit) != 0) {
                throw in.malformed("has " + inner.message.name() + "." + found.field.name() + " in several parts");
            }
            seen |= bit;
            // A record inside sets whether it is populated; what is known of this one must survive that.
            boolean before = populated;
            populated = true;
            values[member.component] = member.read(this);
            populated |= before;
        }
    }

    /** Keeps a field that the record has no component for, unless it is a zero value that JSON omits. */
    private void other(@Nullable Slot found, int from, int next) {
        int layout = next & 7;
        if (layout == WireReader.LENGTH) {
            int valueEnd = in.end();
            boolean isEmpty = valueEnd == in.position();
            in.moveTo(valueEnd);
            if (isEmpty && found != null && found.field.omitsZero()) {
                return;
            }
        } else if (layout == WireReader.VARINT) {
            if (in.varint() == 0 && found != null && found.field.omitsZero()) {
                return;
            }
        } else {
            in.skip(layout);
        }
        populated = true;
        unknown.addField(firstSpan, from, in.position());
    }

    @Override
    String kind() {
        return kind;
    }

    @Override
    String apiVersion() {
        return apiVersion;
    }

    @Override
    UnknownFields unknownFields(boolean shared) {
        return unknown.take(firstSpan, in.bytes(), nulls, empties, shared, shape(), shape().hasOtherNulls);
    }

    @Override
    DecodeException rejected(Class<?> type, RuntimeException cause) {
        return new DecodeException(type.getSimpleName() + " rejects its fields: " + cause, cause);
    }

    private MessageShape shape() {
        if (shape == null) {
            throw new IllegalStateException("no record is being read");
        }
        return shape;
    }

    private Slot slot() {
        if (slot == null) {
            throw new IllegalStateException("no field is being read");
        }
        return slot;
    }

    private void require(boolean holds) {
        if (!holds) {
            throw in.malformed("has another type than its kind in "
                    + shape().message.name() + "." + slot().field.name());
        }
    }

    /** Returns whether a value that is zero is absent in JSON; otherwise notes that it is there, and empty. */
    private boolean isAbsent(boolean zero) {
        if (!zero) {
            return false;
        }
        if (slot().field.omitsZero()) {
            populated = false;
            return true;
        }
        empties |= bit;
        return false;
    }

    @Override
    String string(boolean shared) {
        String text = singleText(shared);
        isAbsent(text.isEmpty());
        return text;
    }

    @Override
    @Nullable
    String nullableString(boolean shared) {
        String text = singleText(shared);
        if (text.isEmpty() && slot().field.omitsZero()) {
            populated = false;
            return null;
        }
        return text;
    }

    private String singleText(boolean shared) {
        require(slot().field.shape() == Shape.SINGLE && (tag & 7) == WireReader.LENGTH);
        int to = in.end();
        if (!shared || slot().field.form() != Form.STRING || !StringPool.keeps(to - in.position())) {
            return text(slot().field.form(), to, shared);
        }
        StringPool.Entry last = slot().lastText;
        if (last == null || !last.holds(in.bytes(), in.position(), to)) {
            last = pool.entry(in.bytes(), in.position(), to);
            slot().lastText = last;
        }
        in.moveTo(to);
        return last.text();
    }

    /** Reads a text that ends at this offset. */
    private String text(Form form, int to, boolean shared) {
        int from = in.position();
        String text;
        if (form == Form.STRING) {
            text = shared ? pool.get(in.bytes(), from, to) : utf8(from, to);
        } else if (form == Form.QUANTITY) {
            text = from == to ? "" : wrapped(to);
            text = text.isEmpty() ? "0" : text;
        } else if (form == Form.TIME) {
            text = from == to ? "" : time(seconds(to)).toString();
        } else {
            require(form == Form.BYTES);
            text = Base64.getEncoder().encodeToString(Arrays.copyOfRange(in.bytes(), from, to));
        }
        in.moveTo(to);
        return text;
    }

    private String utf8(int from, int to) {
        return from == to ? "" : new String(in.bytes(), from, to - from, StandardCharsets.UTF_8);
    }

    private String wrapped(int to) {
        require(in.tag() == FIRST);
        int textEnd = in.end();
        require(textEnd <= to);
        return pool.get(in.bytes(), in.position(), textEnd);
    }

    private long number() {
        require(slot().field.shape() == Shape.SINGLE
                && slot().field.form().layout() == WireReader.VARINT
                && (tag & 7) == WireReader.VARINT);
        return in.varint();
    }

    private int number32() {
        long value = number();
        require(slot().field.form() != Form.INT64 || value == (int) value);
        return (int) value;
    }

    @Override
    Integer integer() {
        int value = number32();
        isAbsent(value == 0);
        return boxed(value);
    }

    @Override
    Long longInteger() {
        long value = number();
        isAbsent(value == 0);
        return value;
    }

    @Override
    @Nullable
    Integer nullableInteger() {
        int value = number32();
        return isOmitted(value) ? null : boxed(value);
    }

    @Override
    @Nullable
    Long nullableLong() {
        long value = number();
        return isOmitted(value) ? null : (Long) value;
    }

    /** Returns whether a component that may be null has no value, because JSON omits it. */
    private boolean isOmitted(long value) {
        boolean omitted = value == 0 && slot().field.omitsZero();
        populated = !omitted;
        return omitted;
    }

    @Override
    boolean bool() {
        boolean value = number() != 0;
        isAbsent(!value);
        return value;
    }

    @Override
    @Nullable
    Boolean nullableBool() {
        long value = number();
        return isOmitted(value) ? null : (Boolean) (value != 0);
    }

    /**
     * Reads seconds, and remembers the nanoseconds. Returns Go's zero time, which the caller takes for null, if there
     * is no byte.
     */
    private long seconds(Form form) {
        require(slot().field.form() == form && slot().field.shape() == Shape.SINGLE && (tag & 7) == WireReader.LENGTH);
        return seconds(in.end());
    }

    private long seconds(int to) {
        long seconds = in.position() == to ? TimeText.ZERO : 0;
        nanos = 0;
        while (in.position() < to) {
            int part = in.tag();
            require(part == 1 << 3 || part == 2 << 3);
            if (part == 1 << 3) {
                seconds = in.varint();
            } else {
                nanos = in.varint();
            }
        }
        in.requireWithin(to);
        require(seconds >= TimeText.ZERO && seconds < BEYOND_YEARS && nanos >= 0 && nanos < NANOS_PER_SECOND);
        return seconds;
    }

    private boolean isZeroTime(long seconds) {
        if (seconds != TimeText.ZERO || nanos != 0) {
            return false;
        }
        if (slot().field.omitsZero()) {
            populated = false;
        } else {
            nulls |= bit;
        }
        return true;
    }

    @Override
    @Nullable
    Time time() {
        long seconds = seconds(Form.TIME);
        return isZeroTime(seconds) ? null : time(seconds);
    }

    @Override
    @Nullable
    MicroTime microTime() {
        long seconds = seconds(Form.MICRO_TIME);
        return isZeroTime(seconds) ? null : new MicroTime(Instant.ofEpochSecond(seconds, nanos / 1000 * 1000));
    }

    @Override
    @Nullable
    IntOrString nullableIntOrString() {
        require(slot().field.form() == Form.INT_OR_STRING
                && tag == (slot().field.number() << 3 | WireReader.LENGTH));
        int to = in.end();
        int outer = in.narrow(to);
        boolean isString = false;
        int value = 0;
        String text = "";
        while (in.position() < to) {
            switch (in.tag()) {
                case 1 << 3 -> isString = in.varint() != 0;
                case 2 << 3 -> value = (int) in.varint();
                case THIRD -> {
                    int textEnd = in.end();
                    text = pool.get(in.bytes(), in.position(), textEnd);
                    in.moveTo(textEnd);
                }
                default -> require(false);
            }
        }
        in.widen(outer);
        return isString ? IntOrString.of(text) : IntOrString.of(value);
    }

    @Override
    IntOrString intOrString() {
        IntOrString value = nullableIntOrString();
        if (value == null) {
            return IntOrString.ZERO;
        }
        isAbsent(value.text() == null && value.number() == 0);
        return value;
    }

    @Override
    <T> T value(RecordAdapter<T> adapter) {
        T value = message(adapter);
        if (!populated) {
            populated = !isAbsent(true);
        }
        return value;
    }

    @Override
    <T> @Nullable T nullable(RecordAdapter<T> adapter) {
        T value = message(adapter);
        boolean omitted = !populated && slot().field.omitsZero();
        populated = !omitted;
        return omitted ? null : value;
    }

    private <T> T message(RecordAdapter<T> adapter) {
        require(slot().field.shape() == Shape.SINGLE);
        return element(adapter, slot().nested(adapter));
    }

    private <T> T element(RecordAdapter<T> adapter, MessageShape nested) {
        require(slot().field.form() == Form.MESSAGE && (tag & 7) == WireReader.LENGTH);
        int to = in.end();
        T value = record(adapter, nested, to);
        in.moveTo(to);
        return value;
    }

    /** Returns whether another element of the same field follows; moves behind its tag. */
    private boolean hasNext() {
        return in.takeTag(tag, end);
    }

    /**
     * Returns the elements of a field that were read from the same bytes before, and moves behind them; null if there
     * are none. Ports, environment and owner references are those of other pods of one owner: they cost a comparison,
     * and no garbage. {@link #keep} takes what is read instead.
     */
    private @Nullable Object known(Slot here) {
        int start = in.position();
        ValueInterner.Entry last = here.luck.last;
        if (last != null && last.isAt(in.bytes(), start) && isWhole(start + last.text().length)) {
            return last.value();
        }
        keptTo = start;
        if (!here.luck.isWorthATry()) {
            return null;
        }
        int to = elementsEnd();
        ValueInterner.Entry found = memo.get(here, in.bytes(), start, to);
        here.luck.count(found);
        if (found == null) {
            in.moveTo(start);
            keptTo = to;
        }
        return found == null ? null : found.value();
    }

    private void keep(Slot here, int from, int to, Object value) {
        if (to > from) {
            memo.put(here, in.bytes(), from, to, value);
        }
    }

    /** Moves to the end of a known value, if the elements end there too. */
    private boolean isWhole(int to) {
        if (to > end) {
            return false;
        }
        int here = in.position();
        in.moveTo(to);
        if (hasNext()) {
            in.moveTo(here);
            return false;
        }
        return true;
    }

    private int elementsEnd() {
        do {
            in.skip(tag & 7);
        } while (hasNext());
        return in.position();
    }

    @Override
    <T> List<T> list(RecordAdapter<T> adapter) {
        Slot here = slot();
        require(here.field.shape() == Shape.LIST && here.field.form() == Form.MESSAGE);
        int from = in.position();
        @SuppressWarnings("unchecked") // the entries of a slot hold lists of these records
        List<T> known = (List<T>) known(here);
        if (known != null) {
            return known;
        }
        int to = keptTo;
        List<T> read = elements(adapter, here);
        populated = true;
        keep(here, from, to, read);
        return read;
    }

    private <T> List<T> elements(RecordAdapter<T> adapter, Slot here) {
        MessageShape nested = here.nested(adapter);
        T first = element(adapter, nested);
        if (!hasNext()) {
            return List.of(first);
        }
        List<T> elements = new ArrayList<>();
        elements.add(first);
        do {
            elements.add(element(adapter, nested));
        } while (hasNext());
        return List.copyOf(elements);
    }

    @Override
    List<String> strings(boolean shared) {
        boolean isWrapped = slot().field.form() == Form.STRINGS;
        require((tag & 7) == WireReader.LENGTH && (isWrapped || slot().field.shape() == Shape.LIST));
        List<String> elements = new ArrayList<>(4);
        if (isWrapped) {
            int to = in.end();
            while (in.position() < to) {
                require(in.tag() == FIRST);
                elements.add(text(Form.STRING, in.end(), shared));
            }
            in.requireWithin(to);
            empties |= elements.isEmpty() ? bit : 0;
        } else {
            do {
                elements.add(text(slot().field.form(), in.end(), shared));
            } while (hasNext());
        }
        return List.copyOf(elements);
    }

    @Override
    List<Integer> integers() {
        require(slot().field.shape() == Shape.LIST && slot().field.form() == Form.INT32);
        List<Integer> elements = new ArrayList<>(4);
        if ((tag & 7) == WireReader.LENGTH) {
            int to = in.end();
            while (in.position() < to) {
                elements.add(boxed((int) in.varint()));
            }
            in.requireWithin(to);
        } else {
            require((tag & 7) == WireReader.VARINT);
            do {
                elements.add(boxed((int) in.varint()));
            } while (hasNext());
        }
        return List.copyOf(elements);
    }

    @Override
    Map<String, String> stringMap(boolean shared) {
        Slot here = slot();
        require(here.field.shape() == Shape.MAP);
        int from = in.position();
        @SuppressWarnings("unchecked") // the entries of a slot hold such maps
        Map<String, String> known = (Map<String, String>) known(here);
        if (known != null) {
            return known;
        }
        int to = keptTo;
        int longestShared = shared ? Integer.MAX_VALUE : SHORT;
        Map<String, String> entries = new LinkedHashMap<>();
        do {
            int entryEnd = in.end();
            String key = entry(entryEnd);
            boolean isShort = valueEnd - in.position() <= longestShared;
            entries.put(key, text(here.field.form(), valueEnd, isShort));
            in.moveTo(entryEnd);
        } while (hasNext());
        Map<String, String> read = Values.orEmpty(entries);
        keep(here, from, to, read);
        return read;
    }

    /** Reads an entry of a map, which ends at this offset: returns its key, and moves to its value. */
    private String entry(int to) {
        require((tag & 7) == WireReader.LENGTH);
        int outer = in.narrow(to);
        String key = "";
        int valueFrom = to;
        valueEnd = to;
        while (in.position() < to) {
            int part = in.tag();
            require(part == FIRST || part == SECOND);
            int partEnd = in.end();
            if (part == FIRST) {
                key = pool.get(in.bytes(), in.position(), partEnd);
            } else {
                valueFrom = in.position();
                valueEnd = partEnd;
            }
            in.moveTo(partEnd);
        }
        in.widen(outer);
        in.moveTo(valueFrom);
        if (valueFrom == to) {
            valueEnd = to;
        }
        return key;
    }

    @Override
    <T> Map<String, T> map(RecordAdapter<T> adapter) {
        Slot here = slot();
        require(here.field.shape() == Shape.MAP && here.field.form() == Form.MESSAGE);
        MessageShape nested = here.nested(adapter);
        Map<String, T> entries = new LinkedHashMap<>();
        do {
            int to = in.end();
            String key = entry(to);
            entries.put(key, record(adapter, nested, valueEnd));
            in.moveTo(to);
        } while (hasNext());
        populated = true;
        return Values.orEmpty(entries);
    }
}
