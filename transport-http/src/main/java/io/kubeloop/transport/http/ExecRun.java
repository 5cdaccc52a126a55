package io.kubeloop.transport.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One run of a program: what it writes, and its end, by force if need be.
 *
 * <p>What it writes to its standard error is passed on to that of this process as it comes, since it may ask a person for
 * something, and its beginning goes into the error if the run fails.
 *
 * <p>All of this happens on the caller's thread, which takes what is there and never waits in a read: a read of a pipe
 * cannot be ended from outside, and a program that leaves another one behind that holds the pipe would keep it for ever.
 */
final class ExecRun {

    private static final int MAX_OUTPUT = 1 << 20;
    private static final int MAX_MESSAGES = 1000;

    /** How long what the program writes may lie there. */
    private static final long LOOK_MILLIS = 10;

    private ExecRun() {}

    /**
     * Returns what the program wrote to its standard output.
     *
     * @throws IOException if it ended with an error, wrote too much, or did not end in time
     * @throws InterruptedException if the calling thread was interrupted; the program is killed then, too
     */
    static byte[] outputOf(Process process, Duration limit) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Pipe output = new Pipe(process.getInputStream(), MAX_OUTPUT, false);
        Pipe messages = new Pipe(process.getErrorStream(), MAX_MESSAGES, true);
        try {
            process.getOutputStream().close();
            boolean done = false;
            while (!done) {
                // Asked in this order: what a program wrote before its end is in the pipe when it has ended.
                boolean ended = !process.isAlive();
                boolean read = output.take();
                read |= messages.take();
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (System.nanoTime() - start >= limit.toNanos()) {
                    throw new IOException(
                            "did not end within " + seconds(limit) + " and was killed" + messages.quoted());
                }
                done = ended && !read;
                if (!ended && !read) {
                    process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
            if (process.exitValue() != 0) {
                throw new IOException("ended with code " + process.exitValue() + messages.quoted());
            }
            byte[] bytes = output.bytes();
            if (bytes.length >= MAX_OUTPUT) {
                throw new IOException("wrote more than " + MAX_OUTPUT + " bytes");
            }
            return bytes;
        } finally {
            kill(process);
            output.close();
            messages.close();
        }
    }

    /** Kills the program and what it has started, as far as that can still be found: before its end, that is. */
    static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static String seconds(Duration limit) {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    }

    /** Returns a text from outside as it may go to a terminal. */
    static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\n\t]]", "?");
    }

    /** One of the program's two ways out, of which the beginning is kept. */
    private static final class Pipe {

        private final InputStream in;
        private final int max;
        private final boolean passOn;
        private final byte[] buffer = new byte[8192];
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

        Pipe(InputStream in, int max, boolean passOn) {
            this.in = in;
            this.max = max;
            this.passOn = passOn;
        }

        /** Takes some of what is there; returns whether there was anything. */
        boolean take() throws IOException {
            int there = in.available();
            int n = there <= 0 ? 0 : in.read(buffer, 0, Math.min(there, buffer.length));
            if (n <= 0) {
                return false;
            }
            if (passOn) {
                System.err.write(buffer, 0, n);
                System.err.flush();
            }
            kept.write(buffer, 0, Math.min(n, Math.max(0, max - kept.size())));
            return true;
        }

        byte[] bytes() {
            return kept.toByteArray();
        }

        /** Returns the messages as they go into an error. */
        String quoted() {
            String text = printable(kept.toString(StandardCharsets.UTF_8)).strip();
            return text.isEmpty() ? ", without a word on standard error" : "; it says: " + text;
        }

        void close() throws IOException {
            in.close();
        }
    }
}
