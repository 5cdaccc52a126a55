/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import java.io.InputStream;
import java.util.Arrays;

/**
 * The frames of a watch as a byte stream, one frame per line, for a client that reads a watch as an ordinary
 * response. {@link #close} may be called from any thread; all other methods must be called from one thread. A read
 * blocks as {@link InProcessStream#next} does.
 */
final class FrameLinesInputStream extends InputStream {

    private final InProcessStream frames;
    private byte[] line = new byte[0];
    private int position;

    FrameLinesInputStream(InProcessStream frames) {
        this.frames = frames;
    }

    @Override
    public int read() {
        return advance() ? line[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (!advance()) {
            return -1;
        }
        int part = Math.min(length, line.length - position);
        System.arraycopy(line, position, target, offset, part);
        position += part;
        return part;
    }

    private boolean advance() {
        if (position < line.length) {
            return true;
        }
        byte[] frame = frames.next();
        if (frame == null) {
            return false;
        }
        line = Arrays.copyOf(frame, frame.length + 1);
        line[frame.length] = '\n';
        position = 0;
        return true;
    }

    @Override
    public void close() {
        frames.close();
    }
}
