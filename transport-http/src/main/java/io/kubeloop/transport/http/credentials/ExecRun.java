/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.credentials;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One run of an exec plugin: reads its output, and ends the program by force if necessary. Stateless.
 *
 * <p>The program may prompt a person, so the first 64 KiB of its standard error are copied to this process's standard
 * error as they arrive; then one line reports that the rest is omitted. The rest is still read, so the program
 * never blocks on a full pipe. The beginning of standard error becomes part of the error if the run fails. A program
 * that writes more than 1 MiB to its standard output is killed.
 *
 * <p>Everything runs on the caller's thread. It reads only available bytes and never blocks in a read: a blocked read
 * of a pipe cannot be ended from outside, and a background process that inherits the pipe would keep it open.
 */
final class ExecRun {

    private static final int MAX_OUTPUT = 1 << 20;
    private static final int MAX_PASSED_ON = 64 << 10;
    private static final int MAX_QUOTED = 1000;

    /** The longest interval between two checks of the pipes. A program that writes a lot is checked more often. */
    private static final long LOOK_MILLIS = 10;

    private ExecRun() {}

    /**
     * Returns the standard output of the program; copies its standard error to this process's. Blocks as {@link
     * #outputOf(Process, Duration, PrintStream)} does.
     */
    static byte[] outputOf(Process process, Duration limit) throws IOException, InterruptedException {
        return outputOf(process, limit, System.err);
    }

    /**
     * Returns the standard output of the program. Blocks until the program has ended, at most for the limit.
     *
     * @param passOn receives the standard error of the program
     * @throws IOException if the program ended with an error, wrote too much, or did not end in time
     * @throws InterruptedException if the calling thread was interrupted; the program is killed then, too
     */
    static byte[] outputOf(Process process, Duration limit, PrintStream passOn)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        Pipe output = new Pipe(process.getInputStream(), MAX_OUTPUT + 1);
        Messages messages = new Messages(process.getErrorStream(), passOn);
        try {
            process.getOutputStream().close();
            boolean done = false;
            long look = 1;
            while (!done) {
                // isAlive() must come before the reads. If the program has ended, all of its output is then in the
                // pipe.
                boolean ended = !process.isAlive();
                boolean read = output.take();
                read |= messages.take();
                if (output.kept.size() > MAX_OUTPUT) {
                    throw new IOException("wrote more than " + MAX_OUTPUT
                            + " bytes to its standard output and was killed" + messages.quoted());
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (System.nanoTime() - start >= limit.toNanos()) {
                    throw new IOException(
                            "did not end within " + seconds(limit) + " and was killed" + messages.quoted());
                }
                done = ended && !read;
                look = read ? 1 : Math.min(2 * look, LOOK_MILLIS);
                if (!ended && !read) {
                    process.waitFor(look, TimeUnit.MILLISECONDS);
                }
            }
            if (process.exitValue() != 0) {
                throw new IOException("ended with code " + process.exitValue() + messages.quoted());
            }
            return output.kept.toByteArray();
        } finally {
            kill(process);
            output.close();
            messages.close();
        }
    }

    /** Kills the program and its descendants. Descendants can be found only while the program runs. */
    static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static String seconds(Duration limit) {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    }

    /** Returns an external text without control characters, which must not reach a terminal. */
    static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\n\t]]", "?");
    }

    /** One output of the program, whose beginning is kept. */
    private static class Pipe {

        final byte[] buffer = new byte[16 << 10];
        final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final InputStream in;
        private final int max;

        Pipe(InputStream in, int max) {
            this.in = in;
            this.max = max;
        }

        /** Reads some of the available bytes; returns whether there were any. */
        boolean take() throws IOException {
            int there = in.available();
            int n = there <= 0 ? 0 : in.read(buffer, 0, Math.min(there, buffer.length));
            if (n <= 0) {
                return false;
            }
            kept.write(buffer, 0, Math.min(n, Math.max(0, max - kept.size())));
            taken(n);
            return true;
        }

        /** Called with the number of bytes in the buffer. */
        void taken(int n) {}

        void close() throws IOException {
            in.close();
        }
    }

    /** The standard error. */
    private static final class Messages extends Pipe {

        private final PrintStream passOn;
        private int left = MAX_PASSED_ON;

        Messages(InputStream in, PrintStream passOn) {
            super(in, MAX_QUOTED);
            this.passOn = passOn;
        }

        @Override
        void taken(int n) {
            if (left < 0) {
                return;
            }
            passOn.write(buffer, 0, Math.min(n, left));
            left -= n;
            if (left < 0) {
                passOn.println();
                passOn.println("(further output of the exec plugin is omitted)");
            }
            passOn.flush();
        }

        /** Returns the beginning in the form that errors contain. */
        String quoted() {
            String text = printable(kept.toString(StandardCharsets.UTF_8)).strip();
            return text.isEmpty() ? ", with an empty standard error" : "; standard error: " + text;
        }
    }
}
