package io.kubeloop.transport.memory;

import java.io.InputStream;
import java.util.Iterator;
import java.util.List;

/** Byte arrays, read one after the other as if they were one. Not thread-safe. */
final class PiecesInputStream extends InputStream {

    private static final byte[] NOTHING = new byte[0];

    private final Iterator<byte[]> rest;
    private byte[] piece = NOTHING;
    private int position;

    PiecesInputStream(List<byte[]> pieces) {
        rest = pieces.iterator();
    }

    @Override
    public int read() {
        return advance() ? piece[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (!advance()) {
            return -1;
        }
        int read = 0;
        while (read < length && advance()) {
            int part = Math.min(length - read, piece.length - position);
            System.arraycopy(piece, position, target, offset + read, part);
            position += part;
            read += part;
        }
        return read;
    }

    @Override
    public int available() {
        return piece.length - position;
    }

    /** Moves to the next byte; false if there is none. */
    private boolean advance() {
        while (position == piece.length && rest.hasNext()) {
            piece = rest.next();
            position = 0;
        }
        return position < piece.length;
    }
}
