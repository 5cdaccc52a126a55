/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/** Captures standard error, which includes the log, until closed. For tests that are @Isolated. Thread-safe. */
public final class CapturedLog implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Begins to capture; everything is still written to standard error too. */
    public CapturedLog() {
        System.setErr(new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        bytes.write(b);
                        before.write(b);
                    }
                },
                true,
                UTF_8));
    }

    /** Returns the text so far. */
    public String text() {
        System.err.flush();
        return bytes.toString(UTF_8);
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
