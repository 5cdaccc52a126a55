/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as the vectors write them: {@code 5ms}, {@code 1000s}. */
final class GoDurations {

    private static final Pattern PART = Pattern.compile("([0-9.]+)(ns|us|ms|s|m|h)");

    private static final Map<String, Long> NANOS = Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);

    private GoDurations() {}

    static Duration parse(Object text) {
        Duration sum = Duration.ZERO;
        Matcher parts = PART.matcher((String) text);
        while (parts.find()) {
            sum = sum.plusNanos(new BigDecimal(parts.group(1))
                    .multiply(BigDecimal.valueOf(NANOS.get(parts.group(2))))
                    .longValueExact());
        }
        return ((String) text).startsWith("-") ? sum.negated() : sum;
    }
}
