package io.kubeloop.app.demo;

import io.kubeloop.app.demo.Convergence.Row;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * Shows how a cluster converges: a table redrawn in place on a terminal, one line per change elsewhere.
 *
 * <p>Confined to the thread that shows; prints to the stream it was given and nowhere else.
 */
final class ProgressView {

    /** Of 79 columns, for terminals of 80; but for long names. */
    private static final String ROW = "  %-21s %-25s %6s %7s %5s  %s%n";

    /** A line that wrapped would be two to erase. */
    private static final String NO_WRAP = "\033[?7l";

    private static final String WRAP = "\033[?7h";

    private final PrintStream out;
    private final boolean terminal;
    private int drawnLines;
    private String lastCounts = "";

    ProgressView(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Prints what happened, after how long. */
    void phase(long millis, String what) {
        erase();
        out.printf(Locale.ROOT, "%7.3f s  %s%n", millis / 1000.0, what);
        out.flush();
    }

    /** Shows where things stand. */
    void show(long millis, List<Row> rows) {
        if (terminal) {
            erase();
            out.print(NO_WRAP);
            table(rows);
            out.print(WRAP);
            drawnLines = rows.size() + 1;
        } else {
            String counts = counts(rows);
            if (!counts.equals(lastCounts)) {
                lastCounts = counts;
                phase(millis, counts);
            }
        }
        out.flush();
    }

    /** Prints the table for good. */
    void result(List<Row> rows) {
        erase();
        table(rows);
        out.flush();
    }

    private void table(List<Row> rows) {
        out.printf(Locale.ROOT, ROW, "KIND", "NAME", "WANTED", "PRESENT", "READY", "");
        for (Row row : rows) {
            out.printf(
                    Locale.ROOT,
                    ROW,
                    row.kind(),
                    row.name(),
                    row.wanted(),
                    row.present(),
                    row.ready(),
                    row.settled() ? "settled" : "...");
        }
    }

    private static String counts(List<Row> rows) {
        int wanted = 0;
        int present = 0;
        int ready = 0;
        int services = 0;
        int settledServices = 0;
        for (Row row : rows) {
            if (row.kind().equals("Service")) {
                services++;
                settledServices += row.settled() ? 1 : 0;
            } else {
                wanted += row.wanted();
                present += row.present();
                ready += row.ready();
            }
        }
        return String.format(
                Locale.ROOT,
                "pods %d of %d, ready %d of %d, services with their endpoints %d of %d",
                present,
                wanted,
                ready,
                wanted,
                settledServices,
                services);
    }

    private void erase() {
        if (drawnLines > 0) {
            out.print("\033[" + drawnLines + "A\033[J");
            drawnLines = 0;
        }
    }
}
