package io.kubeloop.transport.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes protocol buffers. Confined to its thread. */
final class WireWriter {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    void number(int field, long value) {
        varint((long) field << 3 | WireReader.VARINT);
        varint(value);
    }

    void bytes(int field, byte[] value) {
        varint((long) field << 3 | WireReader.LENGTH);
        varint(value.length);
        out.writeBytes(value);
    }

    void string(int field, String value) {
        bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    byte[] toByteArray() {
        return out.toByteArray();
    }
}
