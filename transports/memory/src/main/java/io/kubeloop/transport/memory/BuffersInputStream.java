/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;

/** Concatenates byte buffers into one input stream. Not thread-safe. */
final class BuffersInputStream extends InputStream {

    private final Iterator<ByteBuffer> rest;
    private ByteBuffer piece = ByteBuffer.allocate(0);

    BuffersInputStream(List<ByteBuffer> pieces) {
        rest = pieces.iterator();
    }

    @Override
    public int read() {
        return advance() ? piece.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        int read = 0;
        while (read < length && advance()) {
            int part = Math.min(length - read, piece.remaining());
            piece.get(target, offset + read, part);
            read += part;
        }
        return read == 0 && length > 0 ? -1 : read;
    }

    @Override
    public int available() {
        return piece.remaining();
    }

    /** Moves to the next byte; returns false at the end. */
    private boolean advance() {
        while (!piece.hasRemaining() && rest.hasNext()) {
            piece = rest.next();
        }
        return piece.hasRemaining();
    }
}
