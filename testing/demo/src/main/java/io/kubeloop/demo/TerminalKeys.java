/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import io.kubeloop.command.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Reads single keys from a terminal. The command {@code stty} switches the terminal to single keys and back; where
 * there is no such command, a key needs Enter after it.
 *
 * <p>One thread, {@code kubeloop-demo-keys}, reads until the process ends, because a read from a terminal cannot be
 * interrupted.
 */
final class TerminalKeys implements AutoCloseable {

    private static final Path TERMINAL = Path.of("/dev/tty");

    /** The settings to restore; empty if stty does not work here. */
    private final String before;

    private TerminalKeys(String before) {
        this.before = before;
    }

    /** Starts to pass each key to the receiver, on the thread that reads. */
    static TerminalKeys open(InputStream in, IntConsumer receiver) {
        String settings = stty("-g");
        if (!settings.isEmpty()) {
            stty("-icanon", "-echo", "min", "1");
        }
        Thread reader = DaemonThreads.factory().newThread(() -> read(in, receiver));
        reader.setName("kubeloop-demo-keys");
        reader.start();
        return new TerminalKeys(settings);
    }

    private static void read(InputStream in, IntConsumer receiver) {
        try {
            for (int key = in.read(); key >= 0; key = in.read()) {
                receiver.accept(key);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read keys from the terminal", e);
        }
    }

    /** Returns the output of stty; empty if it failed or does not exist. */
    private static String stty(String... arguments) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(TERMINAL.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0 ? output : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** Restores the terminal. */
    @Override
    public void close() {
        if (!before.isEmpty()) {
            stty(before);
        }
    }
}
