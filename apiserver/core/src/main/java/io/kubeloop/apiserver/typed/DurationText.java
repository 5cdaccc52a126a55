/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.value.GoDuration;
import java.math.BigDecimal;

/**
 * Parses and formats durations such as {@code 1h30m} (upstream: {@code time.ParseDuration}). Thread-safe: stateless.
 */
final class DurationText {

    private DurationText() {}

    /**
     * Returns a duration in Go's canonical form.
     *
     * @throws DecodeException if the text is not a duration; the message is Go's
     */
    static String canonical(String text) {
        String problem = GoDuration.problem(text);
        if (problem != null) {
            throw new DecodeException(problem, null);
        }
        long total = GoDuration.parse(text).toNanos();
        return total == 0 ? "0s" : (total < 0 ? "-" : "") + format(Math.abs(total));
    }

    private static String format(long nanos) {
        if (nanos < 1_000_000_000L) {
            String unit = nanos < 1_000 ? "ns" : nanos < 1_000_000 ? "\u00b5s" : "ms";
            return plain(nanos, nanos < 1_000 ? 1 : nanos < 1_000_000 ? 1_000 : 1_000_000) + unit;
        }
        long minutes = nanos / 60_000_000_000L;
        String seconds = plain(nanos % 60_000_000_000L, 1_000_000_000L) + "s";
        if (minutes == 0) {
            return seconds;
        }
        String rest = minutes % 60 + "m" + seconds;
        return minutes < 60 ? rest : minutes / 60 + "h" + rest;
    }

    private static String plain(long nanos, long unit) {
        BigDecimal amount = BigDecimal.valueOf(nanos).divide(BigDecimal.valueOf(unit));
        return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
    }
}
