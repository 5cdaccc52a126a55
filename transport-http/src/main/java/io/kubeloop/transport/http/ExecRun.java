package io.kubeloop.transport.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a program: what it writes, and its end, by force if need be.
 *
 * <p>What it writes to its standard error is passed on to that of this process as it comes, since it may ask a person for
 * something, and its beginning goes into the error if the run fails. Two daemon threads read while the caller waits. They end
 * with the program, except where it leaves behind a program of its own that holds its pipes: then they end with that one, and
 * the caller does not wait for them.
 */
final class ExecRun {

    private static final Logger log = LoggerFactory.getLogger(ExecRun.class);
    private static final int MAX_OUTPUT = 1 << 20;
    private static final int MAX_MESSAGES = 1000;
    private static final Duration AFTER_THE_END = Duration.ofSeconds(1);

    private ExecRun() {}

    /**
     * Returns what the program wrote to its standard output.
     *
     * @throws IOException if it ended with an error, wrote too much, or did not end in time
     * @throws InterruptedException if the calling thread was interrupted; the program is killed then, too
     */
    static byte[] outputOf(Process process, Duration limit) throws IOException, InterruptedException {
        Reader output = new Reader(process.getInputStream(), "exec-plugin-output", MAX_OUTPUT, false);
        Reader messages = new Reader(process.getErrorStream(), "exec-plugin-messages", MAX_MESSAGES, true);
        try {
            process.getOutputStream().close();
            output.start();
            messages.start();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("did not end within " + seconds(limit) + " and was killed" + messages.quoted());
            }
            // What it has started itself may hold the pipes open; that is not waited for.
            output.join(AFTER_THE_END.toMillis());
            messages.join(AFTER_THE_END.toMillis());
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

    /** Reads a stream to its end and keeps its beginning. */
    private static final class Reader extends Thread {

        private final InputStream in;
        private final int max;
        private final boolean passOn;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream(); // thread-safe by itself

        Reader(InputStream in, String name, int max, boolean passOn) {
            super(name);
            this.in = in;
            this.max = max;
            this.passOn = passOn;
            setDaemon(true);
        }

        @Override
        public void run() {
            byte[] bytes = new byte[8192];
            try (in) {
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                    if (passOn) {
                        System.err.write(bytes, 0, n);
                        System.err.flush();
                    }
                    kept.write(bytes, 0, Math.min(n, Math.max(0, max - kept.size())));
                }
            } catch (IOException killed) {
                log.trace("the program ended while it was read", killed);
            }
        }

        byte[] bytes() {
            return kept.toByteArray();
        }

        /** Returns the messages as they go into an error. */
        String quoted() {
            String text = printable(kept.toString(StandardCharsets.UTF_8)).strip();
            return text.isEmpty() ? ", without a word on standard error" : "; it says: " + text;
        }
    }
}
