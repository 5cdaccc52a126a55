/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes one message of protocol buffers, field by field. Not thread-safe. */
public final class WireWriter {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Begins an empty message. */
    public WireWriter() {}

    /** Writes a number; callers pass 0 or 1 for a boolean. */
    public WireWriter number(int field, long value) {
        varint((long) field << 3 | WireReader.VARINT);
        varint(value);
        return this;
    }

    /** Writes a number with a fraction in eight bytes. */
    public WireWriter fixed64(int field, double value) {
        varint((long) field << 3 | WireReader.FIXED64);
        long bits = Double.doubleToLongBits(value);
        for (int shift = 0; shift < Long.SIZE; shift += 8) {
            out.write((int) (bits >>> shift));
        }
        return this;
    }

    /** Writes bytes. */
    public WireWriter bytes(int field, byte[] value) {
        varint((long) field << 3 | WireReader.LENGTH);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    /** Writes bytes that are fields already. */
    public WireWriter raw(byte[] fields) {
        out.writeBytes(fields);
        return this;
    }

    /** Writes a string. */
    public WireWriter string(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the content of another message. */
    public WireWriter message(int field, WireWriter value) {
        return bytes(field, value.toByteArray());
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    /** Returns the bytes that have been written. */
    public byte[] toByteArray() {
        return out.toByteArray();
    }
}
