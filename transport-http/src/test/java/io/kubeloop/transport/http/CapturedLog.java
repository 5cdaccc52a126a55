/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/** Captures standard error, which includes the log, until closed. For tests that are @Isolated. */
final class CapturedLog implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    CapturedLog() {
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

    String text() {
        System.err.flush();
        return bytes.toString(UTF_8);
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
