/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.command;

import java.io.PrintWriter;
import java.util.Locale;

/** Shows which trial runs: on a terminal in one line that changes, otherwise every hundredth. Not thread-safe. */
final class ProgressLine {

    private static final int WIDTH = 100;
    private static final int RARELY = 100;

    private final PrintWriter out;
    private final boolean isTerminal;
    private final long began = System.nanoTime();
    private int count;

    ProgressLine(PrintWriter out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    void begin(String trial) {
        double seconds = (System.nanoTime() - began) / 1e9;
        String line = String.format(
                Locale.ROOT, "%d trials, %.1f per second: %s", count, count / Math.max(seconds, 0.001), trial);
        if (isTerminal) {
            String cut = line.length() <= WIDTH ? line : line.substring(0, WIDTH);
            out.print("\r" + cut + " ".repeat(WIDTH - cut.length()) + "\r");
        } else if (count % RARELY == 0) {
            out.println(line);
        }
        out.flush();
        count++;
    }
}
