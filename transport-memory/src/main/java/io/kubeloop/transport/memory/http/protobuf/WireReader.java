package io.kubeloop.transport.memory.http.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Walks over the fields of one message. Not thread-safe. */
final class WireReader {

    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int LENGTH_DELIMITED = 2;
    static final int FIXED32 = 5;

    private final byte[] bytes;
    private final int end;
    private int position;

    WireReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        position = offset;
        end = offset + length;
    }

    boolean hasNext() {
        return position < end;
    }

    /** Returns number and wire type of the next field: the number shifted by three, and the type below. */
    int tag() {
        return (int) varint();
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (position == end) {
                throw ProtobufException.malformed("a number ends too early");
            }
            byte next = bytes[position++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw ProtobufException.malformed("a number is too long");
    }

    /** Returns the content of a length-delimited field, to be read in turn. */
    WireReader content() {
        long length = varint();
        if (length < 0 || length > end - position) {
            throw ProtobufException.malformed("a field of " + length + " bytes does not fit into its message");
        }
        WireReader content = new WireReader(bytes, position, (int) length);
        position += (int) length;
        return content;
    }

    /** Returns all that is left. */
    byte[] rest() {
        byte[] rest = Arrays.copyOfRange(bytes, position, end);
        position = end;
        return rest;
    }

    String restAsText() {
        return new String(rest(), StandardCharsets.UTF_8);
    }

    void skip(int wireType) {
        switch (wireType) {
            case VARINT -> varint();
            case FIXED64 -> skipBytes(8);
            case LENGTH_DELIMITED -> content();
            case FIXED32 -> skipBytes(4);
            default -> throw ProtobufException.malformed("unknown wire type " + wireType);
        }
    }

    private void skipBytes(int count) {
        if (count > end - position) {
            throw ProtobufException.malformed("a field ends too early");
        }
        position += count;
    }
}
