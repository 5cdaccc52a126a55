package io.kubeloop.transport.http.credentials;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One run of a program: what it writes, and its end, by force if need be.
 *
 * <p>The first 64 KiB of what it writes to its standard error are passed on as they come, since it may ask a person for
 * something; then a line says that the rest is left out. It is still read, so that the program does not wait for a reader. Its
 * beginning goes into the error if the run fails. A program that writes more than 1 MiB to its standard output is killed.
 *
 * <p>All of this happens on the caller's thread, which takes what is there and never waits in a read: a read of a pipe
 * cannot be ended from outside, and a program that leaves another one behind that holds the pipe would keep it for ever.
 */
final class ExecRun {

    private static final int MAX_OUTPUT = 1 << 20;
    private static final int MAX_PASSED_ON = 64 << 10;
    private static final int MAX_QUOTED = 1000;

    /** How long what the program writes may lie there, at most: one that writes a lot is looked at sooner. */
    private static final long LOOK_MILLIS = 10;

    private ExecRun() {}

    /** Returns what the program wrote to its standard output; its messages go to this process's standard error. */
    static byte[] outputOf(Process process, Duration limit) throws IOException, InterruptedException {
        return outputOf(process, limit, System.err);
    }

    /**
     * Returns what the program wrote to its standard output.
     *
     * @param passOn where its messages go
     * @throws IOException if it ended with an error, wrote too much, or did not end in time
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
                // Asked in this order: what a program wrote before its end is in the pipe when it has ended.
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
    private static class Pipe {

        final byte[] buffer = new byte[16 << 10];
        final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final InputStream in;
        private final int max;

        Pipe(InputStream in, int max) {
            this.in = in;
            this.max = max;
        }

        /** Takes some of what is there; returns whether there was anything. */
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

        /** Is told how much is in the buffer. */
        void taken(int n) {}

        void close() throws IOException {
            in.close();
        }
    }

    /** The way of what is meant for people. */
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
                passOn.println("(what else the exec plugin says is left out)");
            }
            passOn.flush();
        }

        /** Returns the beginning as it goes into an error. */
        String quoted() {
            String text = printable(kept.toString(StandardCharsets.UTF_8)).strip();
            return text.isEmpty() ? ", without a word on standard error" : "; it says: " + text;
        }
    }
}
