package io.kubeloop.transport.memory.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** As much of the wire format of protocol buffers as messages of strings and messages need. Not thread-safe. */
final class Protobuf {

    private static final int LENGTH_DELIMITED = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Protobuf field(int number, String text) {
        return field(number, text.getBytes(StandardCharsets.UTF_8));
    }

    Protobuf field(int number, Protobuf message) {
        return field(number, message.toBytes());
    }

    private Protobuf field(int number, byte[] content) {
        varint((number << 3) | LENGTH_DELIMITED);
        varint(content.length);
        out.writeBytes(content);
        return this;
    }

    private void varint(int value) {
        int rest = value;
        while (rest > 0x7f) {
            out.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }

    byte[] toBytes() {
        return out.toByteArray();
    }
}
