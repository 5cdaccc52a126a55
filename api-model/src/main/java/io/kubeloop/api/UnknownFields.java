package io.kubeloop.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The members of one level of a JSON object for which its record has no component, as their exact JSON text.
 *
 * <p>It holds two things. <em>Members</em> are the raw text {@code "name":value,"name":value} of the unknown members,
 * in one span of bytes per level. The encoder writes them back unparsed. <em>Explicit absences</em> are one bit per
 * known member that was present but {@code null} or empty, such as {@code "creationTimestamp":null} or
 * {@code "resources":{}}. The record's component has the zero value. The encoder writes the original null or empty value, unless the
 * component has another value by then.
 *
 * <p>The known members of a level are numbered in the order in which they are written, and there are at most 64. They are
 * the components of the record except the one of this type. In a {@link KubeObject}, {@code kind} and {@code apiVersion}
 * precede them with the numbers 0 and 1.
 *
 * <p>Immutable. The codec gives each level an array of its own, of exactly the size of its members. {@link #of} also
 * accepts a slice of a larger array, and then keeps that whole array in memory. {@link #array()} returns the array without
 * a copy, so its callers must not write to it.
 */
public final class UnknownFields {

    /** No unknown members and no explicit absences. */
    public static final UnknownFields NONE = new UnknownFields(new byte[0], 0, 0, 0, 0);

    private final byte[] bytes;
    private final int offset;
    private final int length;
    private final long nulls;
    private final long empties;

    private UnknownFields(byte[] bytes, int offset, int length, long nulls, long empties) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        this.nulls = nulls;
        this.empties = empties;
    }

    /**
     * Wraps a slice of raw members without a copy. The caller must not write to the array afterwards.
     *
     * @param bytes holds {@code "name":value} pairs separated by commas, without braces, in UTF-8
     * @param offset the index of the first byte
     * @param length the number of bytes; 0 for no members
     * @param nulls bit i set: known member i was {@code null}
     * @param empties bit i set: known member i held its type's empty value
     */
    public static UnknownFields of(byte[] bytes, int offset, int length, long nulls, long empties) {
        if (length == 0 && nulls == 0 && empties == 0) {
            return NONE;
        }
        if (offset < 0 || length < 0 || offset > bytes.length - length) {
            throw new IndexOutOfBoundsException(
                    "slice " + offset + "+" + length + " of an array of " + bytes.length + " bytes");
        }
        return new UnknownFields(bytes, offset, length, nulls, empties);
    }

    /**
     * Returns these raw members. They must be well-formed JSON, because they are written without a check.
     *
     * @param members {@code "name":value} pairs separated by commas, without braces
     */
    public static UnknownFields ofMembers(String members) {
        byte[] bytes = members.getBytes(StandardCharsets.UTF_8);
        return of(bytes, 0, bytes.length, 0, 0);
    }

    /** Returns the array that holds the raw members. For codecs; they must not write to it. */
    public byte[] array() {
        return bytes;
    }

    /** Returns the index of the first raw member in {@link #array()}. */
    public int offset() {
        return offset;
    }

    /** Returns the length of the raw members in bytes; 0 if there are none. */
    public int length() {
        return length;
    }

    /** Returns the bits of the known members that were {@code null}. */
    public long nulls() {
        return nulls;
    }

    /** Returns the bits of the known members that held an empty value. */
    public long empties() {
        return empties;
    }

    /**
     * Returns whether a known member was present and empty. Upstream distinguishes some empty values from absent
     * ones.
     */
    public boolean wasEmpty(int member) {
        return (empties >>> member & 1) != 0;
    }

    /**
     * Returns these fields without the explicit absences, for an object whose original form no longer matters.
     */
    public UnknownFields withoutAbsences() {
        return nulls == 0 && empties == 0 ? this : of(bytes, offset, length, 0, 0);
    }

    /**
     * Returns a copy without the member of this name, or this instance if there is none. The explicit absences stay.
     * O(n) in the bytes; values are skipped, not parsed.
     *
     * @param member the member's name, unescaped
     */
    public UnknownFields without(String member) {
        int[] span = RawMembers.find(bytes, offset, offset + length, member);
        if (span.length == 0) {
            return this;
        }
        int before = span[0] - offset;
        int after = offset + length - span[1];
        byte[] rest = new byte[before + after];
        System.arraycopy(bytes, offset, rest, 0, before);
        System.arraycopy(bytes, span[1], rest, before, after);
        return of(rest, 0, rest.length, nulls, empties);
    }

    /**
     * Returns the raw members as the text of a JSON object, such as {@code {"data":{"key":"value"}}}; {@code {}} if there are
     * none. The text of each member is that of the document that was read. Allocates; O(n) in the bytes.
     */
    public String json() {
        return "{" + new String(bytes, offset, length, StandardCharsets.UTF_8) + "}";
    }

    /** Compares the raw text and the explicit absences. O(n) in the bytes. */
    @Override
    public boolean equals(Object other) {
        return other instanceof UnknownFields that
                && nulls == that.nulls
                && empties == that.empties
                && Arrays.equals(bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = Long.hashCode(nulls) * 31 + Long.hashCode(empties);
        for (int i = offset; i < offset + length; i++) {
            hash = hash * 31 + bytes[i];
        }
        return hash;
    }

    /** Returns the text of {@link #json()}, for logs. */
    @Override
    public String toString() {
        return json();
    }
}
