package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import java.util.List;

/**
 * How one record reads itself from a JSON object and writes itself back.
 *
 * <p>Lists the members it has components for, in the order of the upstream type; all others are kept raw for it. Adapters
 * are stateless, hence thread-safe, and usually exist once.
 *
 * @param <T> the record
 */
public abstract class RecordAdapter<T> {

    private final MemberNames names;

    /**
     * Makes an adapter.
     *
     * @param members the names of the known members, at most 64, in the order in which they are written
     */
    protected RecordAdapter(String... members) {
        this(List.of(members), 0);
    }

    RecordAdapter(List<String> members, int typeMembers) {
        names = new MemberNames(members, typeMembers);
    }

    /**
     * Reads a record: calls {@link RecordReader#next} until it returns null, reading the value of each member it names, then
     * gives {@link RecordReader#unknownFields} to the record.
     */
    protected abstract T read(RecordReader in);

    /** Writes the record's members, in the order of the constructor's list. */
    protected abstract void write(RecordWriter out, T value);

    /** Returns what {@link #read} has kept. */
    protected abstract UnknownFields unknownFields(T value);

    MemberNames names() {
        return names;
    }
}
