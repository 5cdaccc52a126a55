package io.kubeloop.jmh.compare;

import java.util.List;
import java.util.Locale;

/** Prints the ratios of other libraries' costs to this one's, as a Markdown table. */
final class PeerReport {

    private static final String NOT_MEASURED = "not measured";

    private PeerReport() {}

    static String of(List<PeerComparison> comparisons) {
        StringBuilder text = new StringBuilder("""
                | benchmark | library | rounds | time, theirs/ours | ours | B/op, theirs/ours | ours |
                | --- | --- | --- | --- | --- | --- | --- |
                """);
        for (PeerComparison comparison : comparisons) {
            text.append(line(comparison)).append('\n');
        }
        return text.toString();
    }

    private static String line(PeerComparison comparison) {
        return "| " + comparison.benchmark() + " | " + comparison.library() + " | " + comparison.rounds() + " | "
                + ratio(comparison.timeRatio()) + " | " + time(comparison.ourTime()) + " | " + bytesRatio(comparison)
                + " | " + bytes(comparison.ourBytes()) + " |";
    }

    private static String bytesRatio(PeerComparison comparison) {
        if (Double.isNaN(comparison.ourBytes()) || Double.isNaN(comparison.theirBytes())) {
            return NOT_MEASURED;
        }
        // Avoid a division by zero.
        return PeerComparison.allocatesNothing(comparison.ourBytes())
                ? bytes(comparison.theirBytes()) + " B"
                : ratio(comparison.bytesRatio());
    }

    private static String ratio(Spread spread) {
        return number("%.2f", spread.median()) + " (" + number("%.2f", spread.least()) + " to "
                + number("%.2f", spread.greatest()) + ")";
    }

    private static String bytes(double bytes) {
        if (Double.isNaN(bytes)) {
            return NOT_MEASURED;
        }
        return PeerComparison.allocatesNothing(bytes) ? "0" : number("%.0f", bytes);
    }

    private static String time(double seconds) {
        if (seconds < 1e-6) {
            return number("%.1f ns", seconds * 1e9);
        }
        return seconds < 1e-3 ? number("%.1f µs", seconds * 1e6) : number("%.1f ms", seconds * 1e3);
    }

    private static String number(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }
}
