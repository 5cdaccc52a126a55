/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.io.IOException;
import java.io.OutputStream;

/** Writes a body whose length the headers state. Not thread-safe. */
final class FixedOutput extends OutputStream {

    private final OutputStream out;
    private final Runnable completed;
    private long left;

    /**
     * Creates a body.
     *
     * @param completed runs when the stream is closed after the whole body; a shorter one leaves it incomplete
     */
    FixedOutput(OutputStream out, long length, Runnable completed) {
        this.out = out;
        this.left = length;
        this.completed = completed;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length > left) {
            throw new IOException("the body is longer than its declared length");
        }
        out.write(bytes, offset, length);
        left -= length;
    }

    @Override
    public void close() {
        if (left == 0) {
            completed.run();
        }
    }
}
