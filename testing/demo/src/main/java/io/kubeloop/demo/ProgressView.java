/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import io.kubeloop.demo.Convergence.Row;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Prints the phases of the demo, and below them on a terminal a table of all objects that is redrawn in place.
 * Elsewhere it prints the counts of many objects, one line per change.
 *
 * <p>Confined to the thread that runs the demo.
 */
final class ProgressView {

    /** 79 columns, for terminals of 80. A long name makes the row longer. */
    private static final String ROW = "  %-21s %-25s %6s %7s %5s  %s%n";

    /** Disables wrapping: a wrapped line takes two lines to erase. */
    private static final String NO_WRAP = "\033[?7l";

    /** The most addresses that one Endpoints object lists. */
    private static final int MAX_ADDRESSES = 1000;

    private static final String WRAP = "\033[?7h";

    private final PrintWriter out;
    private final boolean terminal;
    private Supplier<List<String>> footer = List::of;
    private int drawnLines;
    private String lastCounts = "";

    ProgressView(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Sets the lines that a terminal shows below the table, of at most 79 columns. Default: none. */
    void footer(Supplier<List<String>> lines) {
        footer = lines;
    }

    /**
     * Prints one line above the table.
     *
     * @param millis the time since the start of the demo
     */
    void phase(long millis, String what) {
        erase();
        out.printf(Locale.ROOT, "%7.3f s  %s%n", millis / 1000.0, what);
        out.flush();
    }

    /** Prints or redraws the progress of all objects. */
    void show(long millis, List<Row> rows) {
        if (terminal) {
            erase();
            out.print(NO_WRAP);
            table(rows);
            List<String> below = footer.get();
            below.forEach(out::println);
            out.print(WRAP);
            drawnLines = rows.size() + 1 + below.size();
        } else {
            String counts = counts(rows);
            if (rows.size() > Narrator.MAX_OBJECTS && !counts.equals(lastCounts)) {
                lastCounts = counts;
                phase(millis, counts);
            }
        }
        out.flush();
    }

    /** Prints the table; later output does not erase it. */
    void result(List<Row> rows) {
        erase();
        table(rows);
        out.flush();
    }

    private void table(List<Row> rows) {
        out.printf(Locale.ROOT, ROW, "KIND", "NAME", "WANTED", "PRESENT", "READY", "");
        for (Row row : rows) {
            out.printf(Locale.ROOT, ROW, row.kind(), row.name(), row.wanted(), row.present(), row.ready(), state(row));
        }
    }

    private static String state(Row row) {
        return !row.settled() ? "..." : hasAllAddresses(row) ? "settled" : "waiting";
    }

    /**
     * Endpoints without addresses are as they should be while no pod is ready, but clients cannot reach the Service.
     */
    private static boolean hasAllAddresses(Row row) {
        return row.settled() && row.ready() >= Math.min(row.wanted(), MAX_ADDRESSES);
    }

    private static String counts(List<Row> rows) {
        int wanted = 0;
        int present = 0;
        int ready = 0;
        int services = 0;
        int completeServices = 0;
        for (Row row : rows) {
            if (row.kind().equals("Service")) {
                services++;
                completeServices += hasAllAddresses(row) ? 1 : 0;
            } else {
                wanted += row.wanted();
                present += row.present();
                ready += row.ready();
            }
        }
        return String.format(
                Locale.ROOT,
                "pods %d of %d, ready %d of %d; Services with the addresses of all their pods: %d of %d",
                present,
                wanted,
                ready,
                wanted,
                completeServices,
                services);
    }

    private void erase() {
        if (drawnLines > 0) {
            out.print("\033[" + drawnLines + "A\033[J");
            drawnLines = 0;
        }
    }
}
