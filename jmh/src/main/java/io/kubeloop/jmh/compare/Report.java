/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.util.List;
import java.util.Locale;

/** Prints comparisons as a Markdown table. */
final class Report {

    private Report() {}

    static String of(List<Comparison> comparisons) {
        StringBuilder text = new StringBuilder("""
                | benchmark | pairs | time, new/old | | B/op | | instructions/op | | verdict |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- |
                """);
        for (Comparison comparison : comparisons) {
            text.append(line(comparison)).append('\n');
        }
        return text.toString();
    }

    /** Returns a row of the table. */
    static String line(Comparison comparison) {
        Comparison.Change code = comparison.code();
        return "| " + comparison.id() + " | " + comparison.rounds() + " | "
                + ratio(comparison.time().shift()) + " | " + comparison.time().verdict() + " | "
                + bytes(comparison.bytes()) + " | " + comparison.bytes().verdict() + " | "
                + (code == null ? "not counted | " : executed(code) + " | " + code.verdict()) + " | "
                + comparison.verdict() + " |";
    }

    private static String ratio(Shift logarithm) {
        String estimate = number("%.3f", Math.exp(logarithm.estimate()));
        return Double.isInfinite(logarithm.low())
                ? estimate + " (too few pairs)"
                : estimate + " (" + number("%.3f", Math.exp(logarithm.low())) + " to "
                        + number("%.3f", Math.exp(logarithm.high())) + ")";
    }

    private static String bytes(Comparison.Change bytes) {
        return Double.isNaN(bytes.before())
                ? "not measured"
                : number("%.0f", bytes.before()) + " → "
                        + number("%.0f", bytes.before() + bytes.shift().estimate());
    }

    private static String executed(Comparison.Change code) {
        return number("%.0f", code.before()) + " → "
                + number("%.0f", code.before() * Math.exp(code.shift().estimate()));
    }

    private static String number(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }
}
